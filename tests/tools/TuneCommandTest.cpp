// `heed tune` as a user meets it. Nothing here depends on what is faster.
#include "Session.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace heed::tools;
using Catch::Matchers::Contains;

namespace {

const char *const spec = R"(#include <heed/dsl.hpp>
using namespace heed;
constexpr extent queries{"queries"}, keys{"keys"};
constexpr kernel attend{"attend", [](graph &g) {
  tensor q = g.input("q", f32, {1, 2, queries, 16}), k = g.input("k", f32, {1, 2, keys, 16});
  tensor v = g.input("v", f32, {1, 2, keys, 16});
  g.output("y", matmul(softmax(matmul(q, transpose(k))), v));
}};
constexpr kernel twice{"twice", [](graph &g) { g.output("y", g.input("x", f32, {queries}) * 2.0); }};
HEED_EXPORT(attend);
HEED_EXPORT(twice);
)";

const std::string sizes = "--size queries=80 --size keys=80 ";

/// The candidates that a cache remembers, a line each.
std::vector<std::string> triedIn(const Session &session) {
  std::vector<std::string> lines;
  if (fs::exists(session.file("cache/heed/tune")))
    for (const auto &entry : fs::directory_iterator(session.file("cache/heed/tune"))) {
      std::istringstream text(contentOf(entry.path()));
      for (std::string line; std::getline(text, line);)
        lines.push_back(line.substr(line.find(' '))); // without its gain
    }
  return lines;
}

} // namespace

TEST_CASE("tune writes a file that compile reads, and resumes") {
  Session session(spec);
  Result result =
      session.run("tune spec.cpp -k attend " + sizes + "--budget 9s --threads 1 -o tuned.schedule");
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK_THAT(result.out, Contains("attend queries=80 keys=80: ") && Contains(" x the default, ") &&
                             Contains("tuned.schedule\n"));
  CHECK(result.err.find('\r') == std::string::npos);
  std::string text = contentOf(session.file("tuned.schedule"));
  CHECK_THAT(text, Contains("heed schedules 1\ntarget ") && Contains("# tuned on ") && Contains(", heed "));
  std::vector<std::string> tried = triedIn(session);
  CHECK(tried.size() > 0);

  Result compiled = session.run("compile spec.cpp --schedule tuned.schedule -o lib");
  INFO(compiled.err);
  CHECK(compiled.status == 0);
  CHECK(session.run("verify spec.cpp -k attend --schedule tuned.schedule --random 3").status == 0);

  result =
      session.run("tune spec.cpp -k attend " + sizes + "--budget 4s --threads 1 -o tuned.schedule --resume");
  CHECK(result.status == 0);
  std::vector<std::string> all = triedIn(session);
  CHECK(all.size() >= tried.size());
  CHECK(std::set(all.begin(), all.end()).size() == all.size()); // nothing twice
  CHECK(session.run("compile spec.cpp --schedule tuned.schedule -o lib").status == 0);
}

TEST_CASE("the file lies beside the spec by default, and several sizes share it") {
  Session session(spec);
  Result result = session.run(
      "tune spec.cpp -k attend --size keys=64 --at queries=64 --at queries=3 --budget 4s --threads 1");
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK_THAT(result.out, Contains("attend queries=64 keys=64: ") && Contains("attend queries=3 keys=64: "));
  std::size_t files = 0;
  for (const auto &entry : fs::directory_iterator(session.directory.path()))
    files += entry.path().extension() == ".schedule" && entry.path().filename().string().starts_with("spec.");
  CHECK(files == 1);
  CHECK(session.run("compile spec.cpp -o lib").status == 0);
}

TEST_CASE("what tune can't do is said in words, at once") {
  Session session(spec);
  auto errorOf = [&](const std::string &arguments) {
    Result result = session.run("tune spec.cpp " + arguments);
    CHECK(result.status == 1);
    return result.err;
  };
  CHECK_THAT(errorOf(sizes), Contains("the spec has 2 kernels; choose one with --kernel"));
  CHECK_THAT(errorOf("-k atend " + sizes), Contains("did you mean 'attend'?"));
  CHECK_THAT(errorOf("-k attend --size keys=3"), Contains("no size for queries; add --size queries=NUMBER"));
  CHECK_THAT(errorOf("-k attend --at keys=3,querys=4"), Contains("did you mean 'queries'?"));
  CHECK_THAT(errorOf("-k attend " + sizes + "--budget soon"),
             Contains("--budget: 'soon' is no span of time"));
  CHECK_THAT(errorOf("-k attend " + sizes + "-o none/a.schedule"),
             Contains("--out: there is no folder 'none'"));
  CHECK_THAT(errorOf("-k attend " + sizes + "--target pdp11"), Contains("pdp11"));
  CHECK_THAT(errorOf("-k attend " + sizes + "--target aarch64,x86-64-v3"), Contains("target"));
}

TEST_CASE("Ctrl-C keeps the best so far and writes the file") {
  Session session(spec);
  REQUIRE(session.run("show spec.cpp").status == 0); // builds the spec
  pid_t child = fork();
  if (child == 0) {
    setenv("XDG_CACHE_HOME", session.file("cache").c_str(), 1);
    std::freopen(session.file("out").c_str(), "w", stdout);
    std::freopen(session.file("err").c_str(), "w", stderr);
    std::string source = session.file("spec.cpp"), out = session.file("tuned.schedule");
    execl(HEED_PROGRAM, "heed", "tune", source.c_str(), "-k", "attend", "--size", "queries=80", "--size",
          "keys=80", "--budget", "10m", "--threads", "1", "-o", out.c_str(), nullptr);
    _exit(127);
  }
  // Interrupted only once it searches: then it has measured something.
  while (triedIn(session).empty() && waitpid(child, nullptr, WNOHANG) == 0)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  kill(child, SIGINT);
  int status = -1;
  waitpid(child, &status, 0);
  INFO(contentOf(session.file("err")));
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  CHECK_THAT(contentOf(session.file("out")), Contains("candidates in ") && Contains("stopped"));
  CHECK_THAT(contentOf(session.file("tuned.schedule")), Contains("heed schedules 1\n"));
}

TEST_CASE("bench compares two files with schedules") {
  Session session(spec);
  session.write("a.schedule", "heed schedules 1\nattention attend.attention {\n  key_chunk 64\n}\n");
  Result result =
      session.run("bench spec.cpp -k attend " + sizes +
                  "--threads 1 --repeats 3 --schedule a.schedule --against default --json out.json");
  INFO(result.err);
  CHECK(result.status == 0);
  CHECK_THAT(result.out, Contains(" x as fast as with default: quartiles ") && Contains(" of 3 pairs"));
  CHECK_THAT(contentOf(session.file("out.json")), Contains("\"gain_median\""));
  CHECK_THAT(session.run("bench spec.cpp -k attend " + sizes + "--against none.schedule").err,
             Contains("none.schedule"));
}
