// `heed bench` and `heed tune` for a device, as a user meets them. Nothing here depends on what is faster.
#include "tools/Session.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

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
HEED_EXPORT(attend);
)";

const std::string options = " --size queries=80 --size keys=80 --target host-opencl ";

} // namespace

TEST_CASE("bench times a device, and two schedules in pairs") {
  Session session(spec);
  Result result = session.run("bench spec.cpp --repeats 3 --json out.json --against default" + options);
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK_THAT(result.out, Contains("opencl") && Contains(" x as fast as with default: "));
  const auto record = nlohmann::json::parse(contentOf(session.file("out.json"))).at(0);
  CHECK(record.at("target") == "opencl");
  CHECK(record.at("seconds_median") > 0);
  // OpenCL of the tests is this CPU, which the probes measure.
  CHECK(record.at("share") > 0);
  CHECK(record.at("against").at("pairs") == 3);
}

TEST_CASE("tune searches on a device and writes a file for it") {
  Session session(spec);
  Result result = session.run("tune spec.cpp --budget 8s" + options);
  INFO(result.err);
  REQUIRE(result.status == 0);
  CHECK_THAT(result.out, Contains("attend queries=80 keys=80: ") && Contains(" x the default, ") &&
                             Contains("spec.opencl.schedule\n"));
  const std::string text = contentOf(session.file("spec.opencl.schedule"));
  CHECK_THAT(text, Contains("target opencl") && Contains("# tuned on "));
  result = session.run("compile spec.cpp --emit=schedule --target host-opencl");
  INFO(result.err);
  CHECK(result.status == 0);
}

TEST_CASE("tune says that there is no device before it spends time") {
  Session session(spec);
  Result result = session.run("tune spec.cpp --size queries=80 --size keys=80 --target x86-64-cuda");
  CHECK(result.status != 0);
  CHECK_THAT(result.err, Contains("cuda: libcuda"));
}
