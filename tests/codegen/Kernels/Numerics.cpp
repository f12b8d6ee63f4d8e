// The exponential over its whole domain, against double precision.
#include "Numerics.h"
#include "TileRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>

using namespace heed::kernels;

namespace {

std::vector<float> exponentials(const std::vector<float> &inputs) {
  Halide::ImageParam x(Halide::Float(32), 1, "x");
  Halide::Var i("i");
  Halide::Func y("y");
  y(i) = exp2NonPositive(x(i));
  y.vectorize(i, hostTarget().lanes);
  const LoadedTile tile({"exponential", Halide::Pipeline(y), {x}}, hostTarget());
  std::vector<float> outputs(inputs.size(), NAN);
  const halide_type_t f32 = halide_type_of<float>();
  const int64_t count = int64_t(inputs.size());
  Operand from(inputs.data(), f32, {{count, 1}}), to(outputs.data(), f32, {{count, 1}});
  ScratchContext scratch;
  tile(scratch, {}, {&from, &to});
  return outputs;
}

float fromBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace

TEST_CASE("2^x is within its stated error", "[numerics]") {
  std::vector<float> inputs;
  for (uint32_t bits = 0x80000000u; bits <= 0xc2fc0000u; bits += 97)
    inputs.push_back(fromBits(bits));
  inputs.push_back(-126.0f);
  inputs.resize(inputs.size() / 16 * 16);
  const std::vector<float> outputs = exponentials(inputs);
  double worst = 0;
  for (size_t n = 0; n < inputs.size(); ++n)
    worst = std::max(worst, std::abs(outputs[n] / std::exp2(double(inputs[n])) - 1));
  CHECK(worst < 1.8e-7);
}

TEST_CASE("2^x at its ends", "[numerics]") {
  std::vector<float> inputs = {0.0f,
                               -0.0f,
                               -126.00001f,
                               -1000.0f,
                               -3e38f,
                               -INFINITY,
                               NAN,
                               fromBits(0x7f800001),
                               fromBits(0xff8001ff),
                               fromBits(0x7fc0ffff),
                               -1.0f,
                               -2.0f,
                               -126.0f,
                               -3.4028235e38f,
                               0,
                               0};
  const std::vector<float> outputs = exponentials(inputs);
  CHECK(outputs[0] == 1.0f);
  CHECK(outputs[1] == 1.0f);
  for (int n : {2, 3, 4, 5, 13})
    CHECK(outputs[n] == 0.0f);
  for (int n : {6, 7, 8, 9})
    CHECK(std::isnan(outputs[n]));
  CHECK(outputs[10] == 0.5f);
  CHECK(outputs[11] == 0.25f);
  CHECK(outputs[12] == std::exp2(-126.0f));
}
