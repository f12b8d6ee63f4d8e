// The parts of `heed tune` that do not measure.
#include "Arrays/RandomInputs.h"
#include "Measure/Paired.h"
#include "Measure/Work.h"
#include "Support/Process.h"
#include "Support/ToolError.h"
#include "Tune/ChildProcess.h"
#include "Tune/Duration.h"
#include "Tune/MachineText.h"
#include "Tune/OutputCheck.h"
#include "Tune/ProgressBar.h"
#include "Tune/ReducedSizes.h"
#include "Tune/TriedCandidates.h"
#include "Tune/TunedFile.h"
#include "heed/dsl.hpp"

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <iostream>
#include <unistd.h>

using namespace heed::tools;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr heed::extent queries{"queries"}, keys{"keys"};
constexpr heed::kernel attend{"attend", [](heed::graph &g) {
                                heed::tensor q = g.input("q", heed::f32, {1, 16, queries, 32}),
                                             k = g.input("k", heed::f32, {1, 16, keys, 32});
                                heed::tensor v = g.input("v", heed::f32, {1, 16, keys, 32});
                                g.output("y", matmul(softmax(matmul(q, transpose(k))), v));
                              }};

std::string contentOf(const std::filesystem::path &file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

heed::ScheduledOperations operations() {
  return {{"k.attention", {heed::defaultSchedule(heed::AttentionSizes{}, 16), {"batch", "keys", "queries"}}},
          {"k.linear", {heed::defaultSchedule(heed::LinearSizes{}, 16), {"rows"}}}};
}

TunedFile fileAt(const std::filesystem::path &path) { return TunedFile(path, "x86-64-v4", 16, operations()); }

heed::Schedule changed(int keyChunk) {
  heed::AttentionSchedule schedule = heed::defaultSchedule(heed::AttentionSizes{}, 16);
  schedule.rows.keyChunk = keyChunk;
  return schedule;
}

bool never() { return false; }

} // namespace

TEST_CASE("spans of time have a unit or are seconds") {
  CHECK(parseDuration("--budget", "90") == 90);
  CHECK(parseDuration("--budget", "90s") == 90);
  CHECK(parseDuration("--budget", "1.5m") == 90);
  CHECK(parseDuration("--budget", "1h") == 3600);
  for (const char *wrong : {"", "s", "5x", "-3s", "0", "1e999", "3 s", "nan", "inf"})
    CHECK_THROWS_WITH(parseDuration("--budget", wrong),
                      Contains("--budget: '") && Contains("write for example"));
}

TEST_CASE("the bar says what was found and what is left") {
  SearchFigures figures{12, 831, 1.0342, 0.871, "FMA peak", 15, 60};
  CHECK(barText(figures) ==
        "[===============     ] 12 tried, 831 left | best 1.034 x the default, 87.1 % of FMA "
        "peak | 15 s left");
  figures.secondsLeft = -3;
  CHECK_THAT(barText(figures), StartsWith("[====================]") && Contains("| 0 s left"));
  figures.limit = "";
  CHECK_THAT(barText(figures), Contains("the default, no limit probed |"));
}

TEST_CASE("reduced sizes are small, at odds with blocks, and whole") {
  const heed::spec::graph &kernel = attend;
  std::mt19937_64 random(1);
  for (int i = 0; i < 20; ++i) {
    SymbolValues values = reducedSizes(kernel, {2048, 4096}, 2e6, random);
    CHECK(countWork(kernel, values).operations <= 2e6);
    CHECK(values[0] > 4);
    CHECK(values[1] > 4);
  }
  CHECK(reducedSizes(kernel, {1, 1}, 2e6, random) == SymbolValues{1, 1});
  CHECK(reducedSizes(kernel, {0, 3}, 2e6, random)[0] == 0);
  CHECK(reducedSizes(kernel, {1, 1 << 20}, 2e6, random)[0] == 1);
}

TEST_CASE("a child's result, exception, crash and time-out come back") {
  ChildReport report = runInChild(
      [](const Announce &announce) {
        announce("working");
        return std::string("done");
      },
      10, never);
  CHECK(report.end == ChildEnd::Finished);
  CHECK(report.result == "done");
  CHECK(report.phase == "working");

  report = runInChild([](const Announce &) -> std::string { throw ToolError("no way"); }, 10, never);
  CHECK(report.end == ChildEnd::Threw);
  CHECK(report.result == "no way");

  report = runInChild(
      [](const Announce &announce) -> std::string {
        announce("crashing");
        std::cerr << "first\nlast words\n";
        std::raise(SIGKILL);
        return "";
      },
      10, never);
  CHECK(report.end == ChildEnd::Died);
  CHECK(report.phase == "crashing");
  CHECK_THAT(report.words, Contains("(9)") && Contains("last words") && !Contains("first"));

  report = runInChild([](const Announce &) -> std::string { _exit(3); }, 10, never);
  CHECK(report.end == ChildEnd::Died);
  CHECK_THAT(report.words, Contains("exit status 3"));

  auto sleep = [](const Announce &announce) -> std::string {
    announce("hanging");
    pause();
    return "";
  };
  report = runInChild(sleep, 0.2, never);
  CHECK(report.end == ChildEnd::TimedOut);
  CHECK(report.phase == "hanging");
  CHECK(runInChild(sleep, 1000, [] { return true; }).end == ChildEnd::Stopped);
}

TEST_CASE("outputs are compared, and what was not written is a mistake") {
  const heed::spec::graph &kernel = attend;
  SymbolValues values{3, 5};
  BenchArguments arguments(kernel, values, completedForBench(kernel, values, {}));
  auto *output = static_cast<float *>(arguments.views[arguments.firstOutput].data);
  std::int64_t size = 16 * 3 * 32;
  OutputCheck check(arguments);
  std::fill_n(output, size, 0.5f);
  output[7] = -1;
  check.expectOutputs();
  CHECK_THAT(check.mistake(), Contains("output 0, element 0: got nan, the incumbent has 0.5"));
  std::fill_n(output, size, 0.50001f);
  output[7] = -1;
  CHECK(check.mistake().empty());
  output[8] = 0.51f;
  CHECK_THAT(check.mistake(), Contains("element 8: got 0.50999"));
}

TEST_CASE("pairs alternate and give ratios") {
  std::string order;
  PairedTimes times = timePairs(
      [&] {
        order += 'a';
        usleep(20000);
      },
      [&] {
        order += 'b';
        usleep(11000);
      },
      4);
  CHECK(times.gains().size() == 4);
  CHECK_THAT(order, Catch::Matchers::EndsWith("abbaabba"));
  int asked = 0;
  times = timePairs([] { usleep(11000); }, [] { usleep(11000); }, 9,
                    [&](const std::vector<double> &gains) {
                      ++asked;
                      return gains.size() == 2;
                    });
  CHECK(times.gains().size() == 2);
  CHECK(asked == 3);
}

TEST_CASE("a tuned file keeps what others wrote") {
  TemporaryDirectory directory;
  std::filesystem::path path = directory.path() / "a.schedule";
  std::ofstream(path) << "heed schedules 1\ntarget x86-64-v4\n# by hand\n\n# mine\nlinear k.linear {\n  "
                         "depth_chunk 128\n}\nattention k.attention at keys=64 queries=64 {\n}\n";
  TunedFile file = fileAt(path);
  CHECK(file.find("k.attention", {{"keys", 64}, {"queries", 64}}));
  CHECK_FALSE(file.find("k.attention", {{"keys", 64}, {"queries", 65}}));
  file.put({"k.attention", {{"keys", 512}, {"queries", 512}}, changed(128), false, {"1.1 x"}});
  file.put({"k.attention", {{"keys", 64}, {"queries", 64}}, changed(64), false, {}});
  file.setMachine("one machine");
  file.setMachine("another machine");
  file.write();
  std::string text = contentOf(path);
  CHECK_THAT(text, Contains("# by hand") && Contains("# mine") && Contains("depth_chunk 128") &&
                       Contains("# 1.1 x\nattention k.attention at keys=512 queries=512") &&
                       Contains("# tuned on another machine") && !Contains("one machine"));
  TunedFile again = fileAt(path);
  CHECK(again.find("k.attention", {{"keys", 64}, {"queries", 64}}) == changed(64));
  again.write();
  CHECK(contentOf(path) == text);
}

TEST_CASE("a default is written only where another entry would else hold") {
  TemporaryDirectory directory;
  std::filesystem::path path = directory.path() / "a.schedule";
  TunedFile file = fileAt(path);
  heed::Schedule standard = heed::defaultSchedule(heed::AttentionSizes{}, 16);
  file.put({"k.attention", {{"keys", 64}, {"queries", 64}}, standard, true, {}});
  file.write();
  CHECK_FALSE(fileAt(path).find("k.attention", {{"keys", 64}, {"queries", 64}}));
  file.put({"k.attention", {{"keys", 512}, {"queries", 512}}, changed(128), false, {}});
  file.put({"k.attention", {{"keys", 64}, {"queries", 64}}, standard, true, {}});
  file.write();
  CHECK(fileAt(path).find("k.attention", {{"keys", 64}, {"queries", 64}}) == standard);
}

TEST_CASE("what could not be written is said at once") {
  TemporaryDirectory directory;
  std::filesystem::path path = directory.path() / "a.schedule";
  CHECK_THROWS_WITH(fileAt(directory.path() / "none" / "a.schedule"), Contains("there is no folder"));
  CHECK_THROWS_WITH(fileAt(directory.path()), Contains("is a folder, a file is needed"));
  std::ofstream(path) << "heed schedules 1\ntarget x86-64-v3\n";
  CHECK_THROWS_WITH(fileAt(path), Contains("found schedules for x86-64-v3, x86-64-v4 is tuned for"));
  std::ofstream(path) << "heed schedules 1\n";
  CHECK_THROWS_WITH(fileAt(path), Contains("found none, x86-64-v4 is needed"));
  std::ofstream(path) << "heed schedules 1\ntarget x86-64-v4\nlinear k.linear {\n  colum_block 3\n}\n";
  CHECK_THROWS_WITH(fileAt(path), Contains("a.schedule:4:") && Contains("colum_block"));
  std::ofstream(path) << "heed schedules 1\ntarget x86-64-v4\nattention k.attention at queries=64 {\n}\n";
  CHECK_THROWS_WITH(fileAt(path).requireSameSymbols("k.attention", {{"keys", 1}, {"queries", 1}}),
                    Contains("found an entry at queries, entries at keys, queries are needed"));
}

TEST_CASE("candidates that were tried are remembered per identity") {
  TemporaryDirectory directory;
  setenv("XDG_CACHE_HOME", directory.path().c_str(), 1);
  heed::tune::Machine machine{16, 32, 48 << 10, 1 << 20, 2};
  std::vector<heed::tune::TunedOperation> tuned{
      {"k.attention", heed::defaultSchedule(heed::AttentionSizes{}, 16), {16, 2048, 2048, 64, 64, 4}}};
  TriedCandidates tried("kernel"), others("another kernel");
  tried.clear();
  CHECK(tried.read(tuned, machine).empty());
  tried.append(tuned[0], {0, changed(256), heed::tune::Outcome::Timed, 1.25, ""});
  tried.append(tuned[0], {0, changed(128), heed::tune::Outcome::Crashed, 0, "why"});
  tried.append(tuned[0], {0, changed(100), heed::tune::Outcome::Timed, 1, ""}); // not in the space any more
  std::vector<heed::tune::Tried> read = tried.read(tuned, machine);
  REQUIRE(read.size() == 2);
  for (const heed::tune::Tried &one : read)
    CHECK(one.gain == (one.schedule == changed(256) ? Approx(1.25) : Approx(0)));
  CHECK(others.read(tuned, machine).empty());
  unsetenv("XDG_CACHE_HOME");
}

TEST_CASE("the machine has caches and registers") {
  heed::tune::Machine wide = machineFor({HEED_CPU_X86_64_V4}, 16, 3),
                      narrow = machineFor({HEED_CPU_X86_64_V3}, 8, 1);
  CHECK(wide.registers == 32);
  CHECK(narrow.registers == 16);
  CHECK(machineFor({HEED_CPU_AARCH64}, 4, 1).registers == 32);
  CHECK(wide.firstCache >= 8 << 10);
  CHECK(wide.secondCache > wide.firstCache);
  CHECK_THAT(machineText({HEED_CPU_X86_64_V4}, wide), Contains(", 3 threads, "));
}
