// Schedule files as a user meets them: where they are found, what is said of them, and what is wrong with
// them.
#include "Session.h"

#include <catch2/catch.hpp>

using namespace heed::tools;
using Catch::Matchers::Contains;

namespace {

const char *const sumsSpec = R"(#include <heed/dsl.hpp>
using namespace heed;
constexpr extent rows{"rows"}, n{"n"};
constexpr kernel sums{"sums", [](graph &g) { g.output("y", sum(g.input("x", f32, {rows, n}))); }};
constexpr kernel again{"again", [](graph &g) { g.output("y", sum(g.input("x", f32, {rows, n}))); }};
HEED_EXPORT(sums);
HEED_EXPORT(again);
)";

std::string entry(int block, const std::string &at = "") {
  return "rows sums.sum " + at + "{ row_block " + std::to_string(block) + " }\n";
}

/// The entry of sums.sum that is in use for a target.
std::string inUse(const Session &session, const std::string &options = "--target x86-64-v3") {
  const Result result = session.run("compile spec.cpp -k sums --emit=schedule " + options);
  INFO(result.err);
  CHECK(result.status == 0);
  const size_t start = result.out.find("row_block ");
  return start == std::string::npos ? result.out
                                    : result.out.substr(start, result.out.find('\n', start) - start);
}

} // namespace

TEST_CASE("schedules are found in order: given, beside the source, default") {
  Session session(sumsSpec);
  const std::string byDefault = inUse(session);
  CHECK(byDefault == "row_block 16");
  session.write("spec.x86-64-v3.schedule", "heed schedules 1\n" + entry(3));
  CHECK(inUse(session) == "row_block 3");
  CHECK(inUse(session, "--target x86-64-v2") == byDefault);
  session.write("given", "heed schedules 1\n" + entry(5));
  CHECK(inUse(session, "--target x86-64-v3 --schedule given") == "row_block 5");
  session.write("given", "heed schedules 1\ntarget x86-64-v3\n");
  CHECK(inUse(session, "--target x86-64-v3 --schedule given") == byDefault);

  // The cache holds the module that was just built; its kernels know their source.
  for (const auto &file : fs::directory_iterator(session.file("cache") / "heed")) {
    const Result result =
        session.run("compile " + file.path().string() + " --emit=schedule --target x86-64-v3");
    CHECK_THAT(result.out, Contains("row_block 3"));
    CHECK_THAT(result.out, Contains("rows again.sum {") && Contains("heed schedules 1\ntarget x86-64-v3\n"));
    fs::create_directory(session.file("other"));
    session.write("other/moved.x86-64-v3.schedule", "heed schedules 1\n" + entry(7));
    CHECK_THAT(session
                   .run("compile --source other/moved.cpp " + file.path().string() +
                        " --emit=schedule --target x86-64-v3")
                   .out,
               Contains("row_block 7"));
  }
}

TEST_CASE("a schedule for several targets holds for its own") {
  Session session(sumsSpec);
  session.write("given", "heed schedules 1\ntarget x86-64-v2\n" + entry(3));
  Result result = session.run("compile spec.cpp -o lib --schedule given --target x86-64-v2,x86-64-v3");
  CHECK(result.status == 0);
  CHECK_THAT(result.err,
             Contains("heed: given holds for another target; x86-64-v3 gets the default schedules\n"));
  CHECK_THAT(session.run("compile spec.cpp --emit=driver --schedule given --target x86-64-v2,x86-64-v3").out,
             Contains("rows by 3\n") && Contains("rows by 16\n"));
  session.write("spec.x86-64-v3.schedule", "heed schedules 1\n" + entry(5));
  result =
      session.run("compile spec.cpp -o lib --schedule given --target x86-64-v2,x86-64-v3 --depfile lib/d");
  CHECK(result.err == "");
  CHECK_THAT(contentOf(session.file("lib/d")), Contains("lib/libkernels.a lib/kernels.h lib/kernels_c.h: ") &&
                                                   Contains("/spec.cpp ") && Contains("/given ") &&
                                                   Contains("/spec.x86-64-v3.schedule\n"));
  result = session.run("compile spec.cpp -o lib --schedule given --target x86-64-v3");
  CHECK(result.status == 1);
  CHECK_THAT(result.err,
             Contains("given: target: found schedules for x86-64-v2, schedules for x86-64-v3 are needed"));
  result = session.run("compile spec.cpp --emit=schedule --target x86-64-v2,x86-64-v3");
  CHECK(result.status == 1);
}

TEST_CASE("what is wrong with a file that was found is an error") {
  Session session(sumsSpec);
  const auto faultOf = [&](const std::string &text) {
    session.write("spec.x86-64-v3.schedule", text);
    const Result result = session.run("compile spec.cpp -o lib --target x86-64-v3");
    CHECK(result.status == 1);
    CHECK(std::count(result.err.begin(), result.err.end(), '\n') == 1);
    return result.err;
  };
  CHECK_THAT(faultOf("heed schedules 2\n"),
             Contains("spec.x86-64-v3.schedule:1: heed schedules: found version 2, this heed reads 1"));
  CHECK_THAT(faultOf(""), Contains("spec.x86-64-v3.schedule:1: heed schedules: found end of file"));
  CHECK_THAT(faultOf("heed schedules 1\nrows sums.sum {"), Contains(":2: rows sums.sum: found end of file"));
  CHECK_THAT(faultOf("heed schedules 1\ntarget aarch64\n"),
             Contains("target: found aarch64, x86-64-v3 as in the file's name is needed"));
  CHECK_THAT(faultOf("heed schedules 1\n" + entry(3, "at row=4 ")),
             Contains("needed symbolic extents of the operation: n, rows; did you mean 'rows'?"));
  CHECK_THAT(session.run("compile spec.cpp -o lib --target x86-64-v3 --schedule none").err,
             Contains("--schedule: there is no file 'none', one with schedules is needed"));
  // The shell empties the file that --emit=schedule is to print to, before it is read.
  session.write("spec.x86-64-v3.schedule", "");
  CHECK(inUse(session) == "row_block 16");
}

TEST_CASE("explain says which schedules run at which size, and from where they are") {
  Session session(sumsSpec);
  const Result before = session.run("explain spec.cpp -k sums");
  CHECK_THAT(before.out, Contains("  schedules\n    sums.sum: default\n      row_block 16\n"));
  session.write("given", "heed schedules 1\n" + entry(2, "at rows=4 ") + entry(50, "at rows=100 "));
  const Result result = session.run("explain spec.cpp -k sums --schedule given --size rows=21 --size n=3");
  INFO(result.err);
  CHECK_THAT(result.out, Contains("    sums.sum for rows <= 20: given:2 at rows=4\n      row_block 2\n"
                                  "    sums.sum otherwise: given:3 at rows=100\n      row_block 50\n"));
  CHECK_THAT(result.out,
             Contains("    otherwise   <- runs\n      sums.sum: tiles over rows = 21 in blocks of 50\n"));
}
