// A machine without any device, or without a driver: the words of the status, and the CPU where it is
// allowed. A program of its own, since it is run in an environment that hides what this machine has.
#include "Kernels.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <heed/dsl.hpp>

using namespace heed;
using heed::tests::Array;
using heed::tests::Kernels;

namespace {

constexpr heed::extent rows{"rows"};
constexpr kernel doubled{"doubled", [](graph &g) { g.output("y", 2.0 * g.input("x", f32, {rows, 5})); }};

const Array &x() {
  static const Array array = Array::random({3, 5}, 1);
  return array;
}

heed_options cpuAllowed(bool allowed) { return {0, nullptr, nullptr, nullptr, allowed}; }

std::string refusal(const Kernels &kernels, const heed_options &options) {
  std::vector<float> in(15, 1), out(15, NAN);
  const std::string message =
      kernels.library().call("doubled",
                             std::vector{heed::tests::denseView(in.data(), spec::dtype::f32, {3, 5}),
                                         heed::tests::denseView(out.data(), spec::dtype::f32, {3, 5})},
                             &options);
  CHECK(std::isnan(out[0]));
  return message;
}

} // namespace

TEST_CASE("without a device a call is refused in words") {
  const Kernels kernels({&doubled}, {}, "host-opencl");
  const bool allowed = GENERATE(false, true); // the library holds nothing for the CPU
  const std::string message = refusal(kernels, cpuAllowed(allowed));
  INFO(message);
  CHECK(message.find("opencl: ") == 0);
  CHECK(message.find("; ") != std::string::npos); // what to do instead
}

TEST_CASE("without a device the CPU runs a kernel where that is allowed") {
  const Kernels kernels({&doubled}, {}, "host-opencl,host");
  CHECK(refusal(kernels, cpuAllowed(false)).find("allow_cpu") != std::string::npos);
  const heed_options options = cpuAllowed(true);
  const Array y = kernels(doubled, {x()}, &options);
  for (int64_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < 5; ++j)
      CHECK(y.at({i, j}) == 2 * x().at({i, j}));
}

TEST_CASE("without a driver, or where none is for the interface, a call is refused in words") {
  const std::string api = GENERATE("cuda", "metal");
  const Kernels kernels({&doubled}, {}, "host-" + api);
  const std::string message = refusal(kernels, cpuAllowed(false));
  INFO(message);
  CHECK(message.find(api + ": ") == 0);
}
