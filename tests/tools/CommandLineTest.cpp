// The heed program as a user meets it: what it prints and how it exits.
#include "Arrays/Npy.h"
#include "Session.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace heed::tools;
using Catch::Matchers::Contains;

namespace {

const char *const attentionSpec = R"(#include <heed/dsl.hpp>
using namespace heed;
constexpr extent queries{"queries"}, keys{"keys"};
constexpr kernel attend{"attend", [](graph &g) {
  tensor q = g.input("q", f32, {1, 1, queries, 2}), k = g.input("k", f32, {1, 1, keys, 2});
  tensor v = g.input("v", f32, {1, 1, keys, 2}), visible = g.input("visible", b8, {queries, keys});
  g.output("y", matmul(softmax(where(visible, matmul(q, transpose(k)), -infinity)), v));
}};
HEED_EXPORT(attend);
)";

const char *const twoKernels = R"(#include <heed/dsl.hpp>
using namespace heed;
constexpr extent n{"n"};
constexpr kernel doubled{"doubled", [](graph &g) { g.output("y", g.input("x", f32, {n}) * 2.0); }};
constexpr kernel halved{"halved", [](graph &g) { g.output("y", g.input("x", f32, {n}) / 2.0); }};
HEED_EXPORT(doubled);
HEED_EXPORT(halved);
)";

/// A document mask whose ids are a tensor, and a scalar argument.
const char *const documentSpec = R"(#include <heed/dsl.hpp>
using namespace heed;
constexpr extent tokens{"tokens"};
constexpr kernel attend{"attend", [](graph &g) {
  tensor q = g.input("q", f32, {1, 1, tokens, 2}), k = g.input("k", f32, {1, 1, tokens, 2});
  tensor v = g.input("v", f32, {1, 1, tokens, 2}), ids = g.input("ids", i32, {tokens});
  tensor factor = g.scalar("factor", f32);
  tensor scores = mask(matmul(q, transpose(k)), [&](index, index, index q, index k) {
    return k <= q && ids(q) == ids(k);
  });
  g.output("y", matmul(softmax(scores), v) * factor);
  g.output("doubled", factor * 2.0);
}};
HEED_EXPORT(attend);
)";

HostTensor tensorOf(heed::spec::dtype type, Shape shape, const std::vector<double> &values) {
  HostTensor tensor = HostTensor::zeros(type, shape);
  for (std::size_t i = 0; i < values.size(); ++i)
    tensor.set(static_cast<std::int64_t>(i), values[i]);
  return tensor;
}

} // namespace

TEST_CASE("help explains itself and lists the commands") {
  Session session(attentionSpec);
  Result help = session.run("--help");
  CHECK(help.status == 0);
  for (const char *command : {"compile", "show", "explain", "run", "verify", "bench", "tune", "plot"}) {
    CHECK_THAT(help.out, Contains(command));
    CHECK(session.run(std::string(command) + " --help").status == 0);
  }
  CHECK(session.run("").status == 2);
  CHECK(session.run("frobnicate spec.cpp").status == 2);
  CHECK(session.run("show spec.cpp --form nonsense").status == 2);
}

TEST_CASE("a spec that cannot be used is named with the reason") {
  Session session("int main() { return wrong; }\n");
  Result result = session.run("show spec.cpp");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("spec.cpp:1") && Contains("heed: spec.cpp: does not compile"));

  session.write("spec.cpp", "#include <heed/dsl.hpp>\n");
  result = session.run("show spec.cpp");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("spec.cpp: exports no kernel; write HEED_EXPORT(NAME);"));

  session.write("text.so", "not a module");
  result = session.run("show text.so");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("text.so: neither a .cpp file nor a module built from one"));

  result = session.run("show missing.cpp");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("missing.cpp: no such file"));
}

TEST_CASE("kernels are chosen by name, and names are unique") {
  Session session(twoKernels);
  Result result = session.run("run spec.cpp");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("has 2 kernels; choose one with --kernel: doubled, halved"));
  result = session.run("show spec.cpp -k double");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("there is no 'double', only doubled, halved; did you mean 'doubled'?"));
  session.write("again.cpp", twoKernels);
  result = session.run("compile spec.cpp again.cpp -o lib");
  CHECK(result.status == 1);
  CHECK_THAT(result.err,
             Contains("again.cpp:4: kernel 'doubled' exists already (spec.cpp:4); give it another name"));
}

TEST_CASE("the graph is shown as text and as a picture, from source and from a module") {
  Session session(attentionSpec);
  Result result = session.run("show spec.cpp");
  CHECK(result.status == 0);
  CHECK(result.err.empty());
  CHECK_THAT(result.out, Contains("kernel attend   // spec.cpp:"));
  CHECK_THAT(result.out, Contains("input \"visible\" : b8 (queries, keys)") && Contains("// line 6"));
  CHECK_THAT(session.run("show spec.cpp --dot").out, Contains("digraph \"attend\"") && Contains("->"));
  // The cache holds the module that was just built.
  for (const auto &entry : fs::directory_iterator(session.file("cache") / "heed"))
    CHECK(session.run("show " + entry.path().string()).out == result.out);
}

TEST_CASE("every form is printed") {
  Session session(attentionSpec);
  for (const char *form : {"graph", "heed", "fused", "schedule", "driver", "stmt", "asm"}) {
    INFO(form);
    Result result = session.run(std::string("show spec.cpp --form ") + form);
    CHECK(result.status == 0);
    CHECK(result.out.size() > 20);
    bool same = session.run(std::string("compile spec.cpp --emit=") + form).out == result.out;
    // Halide numbers the names in loops by when their threads come to it.
    CHECK((same || form == std::string("stmt")));
  }
}

TEST_CASE("compile writes the library and its headers and says so in a line") {
  Session session(twoKernels);
  Result result = session.run("compile spec.cpp --name scale -o lib/deep");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("lib/deep/libscale.a, scale.h, scale_c.h: 2 kernels in "));
  CHECK(std::count(result.out.begin(), result.out.end(), '\n') == 1);
  for (const char *name : {"libscale.a", "scale.h", "scale_c.h"})
    CHECK(fs::file_size(session.file("lib/deep") / name) > 0);
  CHECK(session.run("compile spec.cpp --name scale -o lib --emit=object").status == 0);
  CHECK(fs::file_size(session.file("lib/scale.o")) > 0);
}

TEST_CASE("run calls a kernel with arrays from files") {
  using heed::spec::dtype;
  Session session(attentionSpec);
  writeNpy(session.file("q.npy"), tensorOf(dtype::f32, {1, 1, 2, 2}, {}));
  writeNpy(session.file("k.npy"), tensorOf(dtype::f16, {1, 1, 3, 2}, {1, 2, 3, 4, 5, 6}));
  writeNpy(session.file("v.npy"), tensorOf(dtype::f32, {1, 1, 3, 2}, {1, 2, 3, 6, 100, 100}));
  writeNpy(session.file("visible.npy"), tensorOf(dtype::i64, {2, 3}, {1, 1, 0, 0, 0, 0}));
  std::string inputs = "--in q=q.npy --in k=k.npy --in v=v.npy --in visible=visible.npy";
  Result result = session.run("run spec.cpp " + inputs + " --out y=y.npy");
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK(result.out.empty());
  HostTensor y = readNpy(session.file("y.npy"));
  CHECK(y.shape == Shape{1, 1, 2, 2});
  CHECK(y.at(0) == Approx(2));
  CHECK(y.at(1) == Approx(4));
  CHECK(y.at(2) == 0);
  CHECK(y.at(3) == 0);
  CHECK_THAT(session.run("run spec.cpp " + inputs).out, Contains("y: f32 (1, 1, 2, 2)  2 4 0 0"));
}

TEST_CASE("run lists everything that is wrong with its arguments") {
  using heed::spec::dtype;
  Session session(attentionSpec);
  writeNpy(session.file("q.npy"), tensorOf(dtype::f64, {1, 1, 2, 2}, {0.1}));
  writeNpy(session.file("k.npy"), tensorOf(dtype::f32, {1, 1, 3, 2}, {}));
  Result result = session.run("run spec.cpp --in q=q.npy --in keys=k.npy --in v=none.npy");
  CHECK(result.status == 1);
  CHECK_THAT(
      result.err,
      Contains("--in keys=k.npy: attend has no input 'keys', only q, k, v, visible; did you mean 'k'?"));
  CHECK_THAT(result.err, Contains("q: q.npy: element 0 is 0.1 (f64), which f32 can't hold exactly"));
  CHECK_THAT(result.err, Contains("k: no file given, f32 (1, 1, keys, 2) is needed; add --in k=FILE.npy"));
  CHECK_THAT(result.err, Contains("v: none.npy: can't be read"));
  CHECK_THAT(result.err, Contains("visible: no file given"));

  writeNpy(session.file("q.npy"), tensorOf(dtype::f32, {1, 1, 2, 2}, {}));
  writeNpy(session.file("v.npy"), tensorOf(dtype::f32, {1, 1, 4, 2}, {}));
  writeNpy(session.file("visible.npy"), tensorOf(dtype::b8, {3}, {}));
  std::string inputs = "--in q=q.npy --in k=k.npy --in v=v.npy --in visible=visible.npy";
  result = session.run("run spec.cpp " + inputs);
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("v axis 2: has extent 4, needs keys = 3 (keys = 3 from k axis 2)"));
  CHECK_THAT(result.err, Contains("visible: has shape (3), needs (queries, keys)"));
  result = session.run("run spec.cpp " + inputs + " --out yy=y.npy");
  CHECK(result.status == 1);
  CHECK_THAT(result.err, Contains("attend has no output 'yy', only y; did you mean 'y'?"));
}

TEST_CASE("verify agrees, and bench writes records") {
  Session session(attentionSpec);
  Result result = session.run("verify spec.cpp --random 3 --seed 5");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("attend: 3 cases agree with the reference; largest difference "));
  CHECK(session.run("verify spec.cpp --size querie=3").status == 1);

  result =
      session.run("bench spec.cpp --size queries=64 --size keys=64 --threads 1 --repeats 3 --json out.json");
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("attend"));
  nlohmann::json record = nlohmann::json::parse(contentOf(session.file("out.json")))[0];
  CHECK(record["kernel"] == "attend");
  CHECK(record["sizes"]["keys"] == 64);
  CHECK(record["threads"] == 1);
  CHECK(record["dtype"] == "f32");
  CHECK(record["seconds_min"] > 0);
  CHECK(record["seconds_median"] >= record["seconds_min"]);
  CHECK(record["limit_value"] > 0);
  std::string limit = record["limit"], rate = limit == "fma" ? "gflops" : "gbytes_per_s";
  double share = record[rate].get<double>() / record["limit_value"].get<double>();
  CHECK(record["share"].get<double>() == Approx(share));
  CHECK_THAT(session.run("bench spec.cpp --size keys=64").err,
             Contains("no size for queries; add --size queries=NUMBER"));
}

TEST_CASE("explain says what became of each softmax and what runs") {
  Session session(attentionSpec);
  Result result = session.run("explain spec.cpp --size queries=100 --size keys=100 --threads 1");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("attend (spec.cpp:") && Contains("fused") && Contains("step 1"));
  CHECK_THAT(result.out,
             Contains("<- runs") && Contains("memory beside inputs and outputs, queries=100 keys=100"));
}

TEST_CASE("explain says where projections run") {
  Session session(R"(#include <heed/dsl.hpp>
using namespace heed;
constexpr extent tokens{"tokens"};
constexpr kernel block{"block", [](graph &g) {
  tensor x = g.input("x", f32, {1, tokens, 8});
  auto heads = [&](const char *name) { return split_heads(linear(x, g.weight(name, f32, {8, 8})), 2); };
  tensor q = heads("w_q"), k = heads("w_k"), v = heads("w_v");
  g.output("y", merge_heads(attention(q, k, v)));
}};
HEED_EXPORT(block);
)");
  Result result = session.run("explain spec.cpp");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(
      result.out,
      Contains("    queries are projected by a launch of their own, block.linear: ") &&
          Contains("  block.linear, block.linear_2 and block.linear_3 project one input: a launch each"));
}

TEST_CASE("scalars and vectors are given as numbers") {
  Session session(documentSpec);
  for (const char *name : {"q", "k"})
    writeNpy(session.file(std::string(name) + ".npy"), tensorOf(heed::spec::dtype::f32, {1, 1, 3, 2}, {}));
  writeNpy(session.file("v.npy"), tensorOf(heed::spec::dtype::f32, {1, 1, 3, 2}, {1, 2, 3, 4, 5, 6}));
  std::string arrays = "run spec.cpp --in q=q.npy --in k=k.npy --in v=v.npy ";
  Result result = session.run(arrays + "--in ids=7,7,8 --in factor=0.5");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out,
             Contains("y: f32 (1, 1, 3, 2)  0.5 1 1 1.5 2.5 3") && Contains("doubled: f32 ()  1\n"));
  CHECK_THAT(session.run(arrays + "--in ids=7,7,8").err,
             Contains("factor: no number given, f32 () is needed; add --in factor=NUMBER"));
  CHECK_THAT(session.run(arrays + "--in ids=7,7.5,8 --in factor=1").err,
             Contains("ids: 7,7.5,8: element 1 is 7.5 (f64), which i32 can't hold exactly"));
  CHECK_THAT(session.run(arrays + "--in ids=7,8 --in factor=1").err,
             Contains("ids axis 0: has extent 2, needs tokens"));
}

TEST_CASE("what masks let through is counted for the inputs that are given") {
  Session session(documentSpec);
  Result result = session.run("verify spec.cpp --in ids=1,1,2,2,2");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains("attend: 1 case"));
  CHECK_THAT(session.run("verify spec.cpp --size tokens=4 --in ids=1,1,2").err,
             Contains("ids: has shape (3), needs (tokens)"));

  result = session.run("bench spec.cpp --threads 1 --repeats 2 --json out.json --in ids=1,1,2,2,2");
  CHECK(result.status == 0);
  nlohmann::json record = nlohmann::json::parse(contentOf(session.file("out.json")))[0];
  CHECK(record["sizes"]["tokens"] == 5);
  CHECK(record["visible"].get<double>() == Approx(9 / 25.));
}

TEST_CASE("explain counts tiles") {
  Session session(documentSpec);
  std::string ids = "0";
  for (int i = 1; i < 256; ++i)
    ids += i < 128 ? ",0" : ",1";
  Result result = session.run("explain spec.cpp --in ids=" + ids);
  INFO(result.err);
  CHECK(result.status == 0);
  // Of 4 × 4 tiles 6 lie above the diagonal, and 4 between the documents.
  CHECK_THAT(result.out,
             Contains("16 tiles of 64 queries and 64 keys: 6 skipped statically, 4 skipped dynamically, "
                      "2 evaluated without the mask, 4 with it"));
}

TEST_CASE("plot draws masks and arrays") {
  Session session(documentSpec);
  Result result = session.run("plot mask spec.cpp --in ids=0,0,1,1 -o mask.svg");
  INFO(result.err);
  REQUIRE(result.status == 0);
  std::string svg = contentOf(session.file("mask.svg"));
  CHECK_THAT(svg, Contains("<svg") && Contains("320"));
  // The first row: its first cell is visible, the other three are one hidden run.
  CHECK_THAT(svg, Contains("M 0 0 L 80 0 L 80 80 L 0 80 Z") && Contains("M 80 0 L 320 0 L 320 80 L 80 80 Z"));
  CHECK(session.run("plot mask spec.cpp --in ids=0,0,1,1 -o again.svg").status == 0);
  CHECK(contentOf(session.file("again.svg")) == svg);
  CHECK_THAT(session.run("plot mask spec.cpp --size tokens=4 -o mask.svg").err,
             Contains("attend: its masks read arguments that are not given; add --in NAME="));
}
