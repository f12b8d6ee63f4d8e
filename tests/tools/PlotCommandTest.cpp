// heed plot heat and heed plot tiles as a user calls them.
#include "Session.h"

#include "Arrays/Npy.h"

#include <catch2/catch.hpp>

using namespace heed::tools;
using Catch::Matchers::Contains;

namespace {

const char *const causalSpec = R"(#include <heed/dsl.hpp>
using namespace heed;
constexpr extent tokens{"tokens"};
constexpr kernel attend{"attend", [](graph &g) {
  tensor q = g.input("q", f32, {1, 2, tokens, 64}), k = g.input("k", f32, {1, 2, tokens, 64});
  tensor v = g.input("v", f32, {1, 2, tokens, 64}), ids = g.input("ids", i32, {tokens});
  tensor scores = mask(matmul(q, transpose(k)), [&](index, index, index q, index k) {
    return k <= q && ids(q) == ids(k);
  });
  g.output("y", matmul(softmax(scores), v));
}};
HEED_EXPORT(attend);
)";

/// 0, 1, 2, …
void writeArray(const Session &session, const std::string &name, const Shape &shape) {
  HostTensor tensor = HostTensor::zeros(heed::spec::dtype::f32, shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, static_cast<long double>(i));
  writeNpy(session.file(name).string(), tensor);
}

} // namespace

TEST_CASE("plot heat takes weights of two, three and four axes") {
  Session session("");
  writeArray(session, "two.npy", {2, 3});
  writeArray(session, "three.npy", {4, 2, 3});
  writeArray(session, "four.npy", {5, 4, 2, 3});
  writeArray(session, "five.npy", {1, 5, 4, 2, 3});
  writeArray(session, "one.npy", {3});
  for (const char *arguments : {"two.npy", "three.npy", "three.npy --head 3", "three.npy --head grid",
                                "four.npy --batch 4 --head mean"}) {
    CAPTURE(arguments);
    Result result = session.run(std::string("plot heat ") + arguments + " -o w.svg");
    CHECK(result.err == "");
    CHECK(result.status == 0);
    CHECK_THAT(contentOf(session.file("w.svg")), Contains("<title>Cross-Attention Weights</title>"));
  }
  auto refused = [&](const std::string &arguments) {
    Result result = session.run("plot heat " + arguments + " -o w.svg");
    CHECK(result.status == 1);
    return result.err;
  };
  CHECK_THAT(refused("five.npy"), Contains("five.npy: its shape is (1, 5, 4, 2, 3), (queries, keys), (heads, "
                                           "queries, keys) or (batch, heads, queries, keys) is needed"));
  CHECK_THAT(refused("one.npy"), Contains("one.npy: its shape is (3)"));
  CHECK_THAT(refused("four.npy --batch 5"), Contains("--batch 5: four.npy has 5, one of 0 to 4 is needed"));
  CHECK_THAT(refused("two.npy --head 1"),
             Contains("--head 1: there is 1, one of 0 to 0, mean or grid is needed"));
  CHECK_THAT(refused("two.npy --head all"), Contains("--head all: there is 1"));
  CHECK_THAT(refused("two.npy --sources 4"), Contains("--sources 4: two.npy has 3, at most that is needed"));
}

TEST_CASE("plot heat averages heads, or takes one, of the chosen entry of the batch") {
  Session session("");
  writeArray(session, "w.npy", {2, 2, 1, 2});
  auto range = [&](const std::string &options) {
    CHECK(session.run("plot heat w.npy -o w.svg " + options).status == 0);
    std::string svg = contentOf(session.file("w.svg"));
    std::size_t from = svg.find("Values from");
    return svg.substr(from, svg.find("</desc>") - from);
  };
  CHECK(range("") == "Values from 1.00 to 2.00.");
  CHECK(range("--batch 1 --head 1") == "Values from 6.00 to 7.00.");
  CHECK(range("--batch 1 --head grid") == "Values from 4.00 to 7.00.");
  CHECK(range("--scale -1:1") == "Values from \u22121.00 to 1.00.");
}

TEST_CASE("plot heat writes tokens beside rows and columns") {
  Session session("");
  writeArray(session, "w.npy", {2, 3});
  session.write("source.txt", "<s>\nthe\ncat\n");
  Result result =
      session.run("plot heat w.npy --source source.txt --target '[\"la\", \"chatte & co\"]' -o w.svg "
                  "--title 'Who sees whom?' --values --theme dark");
  CHECK(result.err == "");
  std::string svg = contentOf(session.file("w.svg"));
  CHECK_THAT(
      svg,
      Contains("<title>Who sees whom?</title>") &&
          Contains(
              "Source Sequence (3): &lt;s&gt; the cat. Along y Target Sequence (2): la chatte␣&amp;␣co"));
  CHECK(session.run("plot heat w.npy --source a,b,c --target x,y -o w.png").status == 0);
  CHECK(contentOf(session.file("w.png")).substr(1, 3) == "PNG");
  CHECK(session.run("plot heat w.npy --source a,b --sources 2 -o w.png").status == 0);
}

TEST_CASE("plot heat says what is wrong and leaves no file") {
  Session session("");
  writeArray(session, "w.npy", {2, 3});
  auto refused = [&](const std::string &arguments) {
    Result result = session.run("plot heat w.npy " + arguments);
    CHECK(result.status == 1);
    CHECK_FALSE(fs::exists(session.file("w.svg")));
    return result.err;
  };
  CHECK_THAT(refused("-o w.svg --source a,b"),
             Contains("source: there are 2 tokens, the matrix has 3 columns"));
  CHECK_THAT(refused("-o w.svg --target a"), Contains("target: there is 1 token, the matrix has 2 rows"));
  CHECK_THAT(refused("-o w.svg --source none.txt"), Contains("--source none.txt: can't be read"));
  for (const char *scale : {"0", "1:", ":1", "0:1:2", "a:b"})
    CHECK_THAT(refused(std::string("-o w.svg --scale ") + scale),
               Contains("auto or LOW:HIGH is needed, as in --scale 0:1"));
  CHECK_THAT(refused("-o w.svg --scale 1:0"), Contains("a finite low end below a finite high end is needed"));
  CHECK_THAT(refused("-o w.jpg"), Contains("w.jpg: a name that ends with .svg or .png is needed"));
  CHECK_THAT(refused("-o none/w.svg"), Contains("none/w.svg: can't be written: No such file or directory"));
}

TEST_CASE("plot tiles draws what explain counts") {
  Session session(causalSpec);
  std::string ids = "0";
  for (int i = 1; i < 256; ++i)
    ids += i < 128 ? ",0" : ",1";
  Result counted = session.run("explain spec.cpp --in ids=" + ids);
  INFO(counted.err);
  auto count = [&](const std::string &after) {
    std::size_t end = counted.out.find(after), begin = counted.out.rfind(' ', end - 1) + 1;
    REQUIRE(end != std::string::npos);
    return std::stoi(counted.out.substr(begin, end - begin)) / 2; // of one head
  };
  Result result = session.run("plot tiles spec.cpp --head 1 --in ids=" + ids + " -o tiles.svg");
  INFO(result.err);
  REQUIRE(result.status == 0);
  std::string all = std::to_string(count(" tiles of ")) + " tiles";
  std::string svg = contentOf(session.file("tiles.svg"));
  for (auto [counts, text] : {std::pair(" evaluated without the mask", " computed without the mask"),
                              {" with it", " computed with the mask"},
                              {" skipped statically", " skipped: outside the keys"},
                              {" skipped dynamically", " skipped: found empty"}})
    CHECK_THAT(svg, Contains(std::to_string(count(counts)) + " of " + all + text));
  CHECK_THAT(session.run("plot tiles spec.cpp --size tokens=64 -o tiles.svg").err,
             Contains("attend: its masks read arguments that are not given; add --in NAME="));
  CHECK_THAT(session.run("plot tiles spec.cpp --head 2 --in ids=" + ids + " -o tiles.svg").err,
             Contains("--batch 0 --head 2: there are 1 and 2"));
}
