// The exponential over its whole domain, against double precision.
#include "Numerics.h"
#include "TileRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>

using namespace heed::kernels;

namespace {

template <class T>
std::vector<T> exponentials(const std::vector<T> &inputs,
                            Halide::Expr (*function)(const Halide::Expr &) = exp2NonPositive) {
  const halide_type_t type = halide_type_of<T>();
  Halide::ImageParam x(type, 1, "x");
  Halide::Var i("i");
  Halide::Func y("y");
  y(i) = function(x(i));
  y.vectorize(i, hostTarget().lanes);
  const LoadedTile tile({"exponential", Halide::Pipeline(y), {x}}, hostTarget());
  std::vector<T> outputs(inputs.size(), NAN);
  const int64_t count = int64_t(inputs.size());
  Operand from(inputs.data(), type, {{count, 1}}), to(outputs.data(), type, {{count, 1}});
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

TEST_CASE("2^x rounded to bf16 by its upper half", "[numerics]") {
  std::vector<float> inputs = {0.0f, -INFINITY, NAN, -126.0f};
  for (uint32_t bits = 0x80000000u; bits <= 0xc2fa0000u; bits += 97) // to -125
    inputs.push_back(fromBits(bits));
  inputs.resize(inputs.size() / 16 * 16);
  const std::vector<float> outputs = exponentials(inputs, exp2ToUpperHalf);
  const auto upperHalf = [&](size_t n) {
    uint32_t bits;
    std::memcpy(&bits, &outputs[n], sizeof bits);
    return fromBits(bits & 0xffff0000u);
  };
  CHECK(upperHalf(0) == 1);
  CHECK(upperHalf(1) == 0);
  CHECK(std::isnan(upperHalf(2)));
  CHECK(upperHalf(3) == 0);
  double worst = 0;
  for (size_t n = 4; n < inputs.size(); ++n)
    worst = std::max(worst, std::abs(upperHalf(n) / std::exp2(double(inputs[n])) - 1));
  CHECK(worst < 0x1p-8 + 1e-4); // half a unit of the last of 8 bits, of 1 in [1, 2)
}

TEST_CASE("2^x in double precision", "[numerics]") {
  std::vector<double> inputs;
  for (int n = 0; n < 1022 * 1024; ++n)
    inputs.push_back(-n / 1024.0 - 1e-4 * std::sin(n) * std::sin(n));
  inputs[0] = 0;
  for (double x : {-1022.5, -1e300, -double(INFINITY), double(NAN), 0.01, 1.0, 99.5, -0.5})
    inputs.push_back(x);
  const std::vector<double> outputs = exponentials(inputs);
  CHECK(outputs[0] == 1);
  double worst = 0;
  for (size_t n = 0; n + 8 < inputs.size(); ++n)
    worst = std::max(worst, double(std::abs(outputs[n] / std::exp2((long double)inputs[n]) - 1)));
  CHECK(worst < 4e-16);
  const double *ends = &outputs[outputs.size() - 8];
  for (int n : {0, 1, 2})
    CHECK(ends[n] == 0);
  CHECK(std::isnan(ends[3]));
  for (int n : {4, 5, 6, 7})
    CHECK(ends[n] == Approx(std::exp2(inputs[inputs.size() - 8 + n])).epsilon(1e-15));
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
