// What an archive holds, how archives meet, and what a wrong kernel is told.
#include "Emit/Library.h"
#include "Compiled.h"
#include "Naive.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <set>
#include <sstream>

using namespace heed;

namespace {

std::string tensor(const std::string &shape) { return "!heed.tensor<[" + shape + "], f32>"; }

/// `count` equal layers in a row.
std::string layers(const std::string &name, int count) {
  std::string x = tensor("rows, 16"), w = tensor("16, 16");
  std::string text = "heed.kernel @" + name + "(%v0: " + x +
                     " {heed.name = \"x\", heed.role = \"input\"}, %w: " + w +
                     " {heed.name = \"w\", heed.role = \"weight\"}) -> (" + x + " {heed.name = \"y\"}) {\n";
  for (int i = 0; i < count; ++i)
    text += "%v" + std::to_string(i + 1) + " = heed.linear %v" + std::to_string(i) + ", %w : (" + x + ", " +
            w + ") -> " + x + "\n";
  return text + "heed.return %v" + std::to_string(count) + " : " + x + "\n}\n";
}

std::string run(const std::string &command) {
  std::string output;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  REQUIRE(pipe);
  for (int c; (c = std::fgetc(pipe)) != EOF;)
    output += char(c);
  CHECK(pclose(pipe) == 0);
  return output;
}

/// Names that `nm` lists with its options.
std::set<std::string> symbols(const std::string &options, const std::string &path) {
  std::set<std::string> names;
  std::istringstream lines(run("nm --format=posix " + options + " " + path));
  for (std::string line; std::getline(lines, line);)
    if (size_t space = line.find(' '); space != std::string::npos && line.find(':') == std::string::npos)
      names.insert(line.substr(0, space));
  return names;
}

} // namespace

TEST_CASE("equal operations share their machine code") {
  Compiled library(layers("deep", 6) + layers("shallow", 1));
  std::set<std::string> functions;
  for (const program::Program &program : library.programs)
    for (const program::Step &step : program.steps)
      for (const program::Alternative &alternative : step.alternatives)
        for (const program::Launch &launch : alternative.launches)
          functions.insert(launch.function);
  CHECK(functions.size() == 3); // few rows, small and large
  CHECK(library.programs[0].steps.size() == 6);
  CHECK(library.programs[0].slots == 2); // each layer reads one temporary and writes the other
}

TEST_CASE("several archives meet in one shared object") {
  ScratchFolder folder = llvm::cantFail(ScratchFolder::create());
  writeArchiveOf(layers("first", 1), "one", *folder);
  writeArchiveOf(layers("second", 2), "two", *folder);
  std::vector<std::string> archives{*folder + "/libone.a", *folder + "/libtwo.a"};
  std::string object = *folder + "/both.so";
  REQUIRE(llvm::toString(linkSharedObject(object, archives)) == "");
  void *handle = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  REQUIRE(handle);
  CHECK(dlsym(handle, "heed_program_first"));
  CHECK(dlsym(handle, "heed_program_second"));
  dlclose(handle);

  const std::set<std::string> allowed{"heed_scratch_allocate", "heed_scratch_release", "memcpy", "memset",
                                      "memmove"};
  std::set<std::string> defined = symbols("--defined-only --extern-only", archives[0]);
  for (const std::string &name : symbols("--undefined-only", archives[0])) {
    CAPTURE(name);
    CHECK((allowed.count(name) || defined.count(name)));
  }
}

TEST_CASE("generated headers compile, whatever the arguments are called") {
  ScratchFolder folder = llvm::cantFail(ScratchFolder::create());
  std::string x = tensor("n");
  std::string text = "heed.kernel @odd(%a: " + x +
                     " {heed.name = \"class\", heed.role = \"input\"}, %b: " + x +
                     " {heed.name = \"options\", heed.role = \"weight\"}) -> (" + x +
                     " {heed.name = \"double\"}) {\nheed.return %a : " + x + "\n}\n";
  writeArchiveOf(text, "odd", *folder);
  llvm::cantFail(
      writeFile(*folder + "/user.cpp", "#include \"odd.h\"\n#include \"odd_c.h\"\nint main() {}\n"));
  llvm::cantFail(writeFile(*folder + "/user.c", "#include \"odd_c.h\"\nint main(void) { return 0; }\n"));
  std::string includes = " -Wall -Wextra -Werror -fsyntax-only -I" HEED_RUNTIME_INCLUDE " -I" + *folder + " ";
  CHECK(run(HEED_CXX " -std=c++20" + includes + *folder + "/user.cpp") == "");
  CHECK(run(HEED_CC " -std=c11" + includes + *folder + "/user.c") == "");
}

TEST_CASE("both headers take a state as a view that may be written") {
  ScratchFolder folder = llvm::cantFail(ScratchFolder::create());
  std::string rows = tensor("n, 4"), cache = tensor("capacity, 4"), at = "!heed.tensor<[], i64>";
  std::string text =
      "heed.kernel @keep(%rows: " + rows + " {heed.name = \"rows\", heed.role = \"input\"}, %at: " + at +
      " {heed.name = \"at\", heed.role = \"scalar\"}, %cache: " + cache +
      " {heed.name = \"cache\", heed.role = \"state\"}) -> (" + cache +
      " {heed.name = \"cache\", heed.role = \"state\"}) {\n%0 = heed.append %cache, %rows, %at "
      "axis 0 : (" +
      cache + ", " + rows + ", " + at + ") -> " + cache + "\nheed.return %0 : " + cache + "\n}\n";
  writeArchiveOf(text, "keep", *folder);
  llvm::cantFail(writeFile(
      *folder + "/user.cpp",
      "#include \"keep.h\"\nheed::status keep(heed::view<const float, 2> rows, heed::view<float, 2> cache) "
      "{\n"
      "  static_assert(!std::is_invocable_v<decltype(heed_kernels::keep), heed::view<const float, 2>,\n"
      "                std::int64_t, heed::view<const float, 2>, const heed::options &>);\n"
      "  return heed_kernels::keep(rows, 3, cache);\n}\n"));
  llvm::cantFail(writeFile(*folder + "/user.c",
                           "#include \"keep_c.h\"\nint keep(const float *rows, float *cache) {\n"
                           "  const int64_t one[] = {1, 4}, nine[] = {9, 4};\n"
                           "  return heed_kernels_keep(heed_dense(rows, HEED_F32, 2, one), 3,\n"
                           "                           heed_dense(cache, HEED_F32, 2, nine), 0, 0);\n}\n"));
  std::string includes = " -Wall -Wextra -Werror -fsyntax-only -I" HEED_RUNTIME_INCLUDE " -I" + *folder + " ";
  CHECK(run(HEED_CXX " -std=c++20" + includes + *folder + "/user.cpp") == "");
  CHECK(run(HEED_CC " -std=c11" + includes + *folder + "/user.c") == "");
}

TEST_CASE("faults name the operation, what was found and what is needed") {
  CHECK_THAT(compileError(layers("deep", 1), "linear deep.linear_7 {\n}\n"),
             Catch::Contains("deep.linear_7") && Catch::Contains("deep.linear"));
  // Only the elements of `t` tell which keys are visible.
  std::string q = tensor("m, 4"), t = tensor("m");
  std::string hidden =
      "heed.kernel @table(%q: " + q + " {heed.name = \"q\", heed.role = \"input\"}, %t: " + t +
      " {heed.name = \"t\", heed.role = \"input\"}) -> (" + q +
      " {heed.name = \"y\"}) {\n%0 = " + "heed.attention %q, %q, %q captures(%t) scale 1.0 : (" + q + ", " +
      q + ", " + q + ", " + t + ") -> " + q +
      " {\n^bb0(%s: f32, %b: i64, %h: i64, %i: i64, %j: i64, %u: " + t +
      "):\n%e = heed.element %u[%j] : " + t +
      " -> f32\n%half = arith.constant 0.5 : f32\n%see = arith.cmpf olt, %e, %half : f32\n" +
      "heed.yield %s, %see : f32, i1\n}\nheed.return %0 : " + q + "\n}\n";
  CHECK(compileError(hidden) == "");
  CHECK_THAT(compileError(hidden, "attention table.attention {\n  key_chunk 100\n}\n"),
             Catch::Contains("key_chunk is 100, a multiple of 64 is needed"));
}
