// Functions of score programs over all inputs, against double precision.
#include "VectorMath.h"
#include "TileRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>

using namespace heed::kernels;
using Halide::Expr;

namespace {

std::vector<float> evaluate(const std::function<Expr(Expr)> &function, std::vector<float> inputs) {
  inputs.resize((inputs.size() + 15) / 16 * 16, 0.0f);
  Halide::ImageParam x(Halide::Float(32), 1, "x");
  Halide::Var i("i");
  Halide::Func y("y");
  y(i) = function(x(i));
  y.vectorize(i, hostTarget().lanes);
  const LoadedTile tile({"function_of_x", Halide::Pipeline(y), {x}}, hostTarget());
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

/// Every 97th float of a sign, up to infinity.
std::vector<float> floats(uint32_t sign) {
  std::vector<float> list;
  for (uint32_t bits = 0; bits <= 0x7f800000u; bits += 97)
    list.push_back(fromBits(sign | bits));
  list.push_back(fromBits(sign | 0x7f800000u));
  return list;
}

const std::vector<float> notNumbers = {fromBits(0x7f800001), fromBits(0xff8001ff), fromBits(0x7fc0ffff), NAN};

} // namespace

TEST_CASE("tanh is within its stated error", "[numerics]") {
  for (uint32_t sign : {0u, 0x80000000u}) {
    const std::vector<float> inputs = floats(sign), outputs = evaluate(hyperbolicTangent, inputs);
    double worst = 0, largest = 0;
    for (size_t n = 0; n < inputs.size(); ++n) {
      largest = std::max(largest, std::abs(double(outputs[n])));
      if (std::abs(inputs[n]) >= 0x1p-120f) // below, the quotient may be denormal
        worst = std::max(worst, std::abs(outputs[n] / std::tanh(double(inputs[n])) - 1));
      else
        worst = std::max(worst, std::abs(double(outputs[n]) - inputs[n]));
    }
    CHECK(worst < 3.5e-7);
    CHECK(largest == 1);
    CHECK(outputs[0] == 0);
  }
  for (float output : evaluate(hyperbolicTangent, std::vector<float>(16, NAN)))
    CHECK(std::isnan(output));
  const std::vector<float> outputs = evaluate(hyperbolicTangent, notNumbers);
  for (size_t n = 0; n < notNumbers.size(); ++n)
    CHECK(std::isnan(outputs[n]));
}

TEST_CASE("erf is within its stated error", "[numerics]") {
  for (uint32_t sign : {0u, 0x80000000u}) {
    const std::vector<float> inputs = floats(sign), outputs = evaluate(errorFunction, inputs);
    double worst = 0, largest = 0;
    for (size_t n = 0; n < inputs.size(); ++n) {
      largest = std::max(largest, std::abs(double(outputs[n])));
      const double right = std::erf(double(inputs[n]));
      if (std::abs(inputs[n]) >= 0x1p-120f) // below, the quotient may be denormal
        worst = std::max(worst, std::abs(outputs[n] / right - 1));
      else
        worst = std::max(worst, std::abs(double(outputs[n]) - right));
    }
    CHECK(worst < 4e-7);
    CHECK(largest == 1);
    CHECK(outputs[0] == 0);
  }
  const std::vector<float> outputs = evaluate(errorFunction, notNumbers);
  for (size_t n = 0; n < notNumbers.size(); ++n)
    CHECK(std::isnan(outputs[n]));
}

TEST_CASE("e^x is within its stated error", "[numerics]") {
  for (uint32_t sign : {0u, 0x80000000u}) {
    const std::vector<float> inputs = floats(sign), outputs = evaluate(exponential, inputs);
    double worst = 0;
    for (size_t n = 0; n < inputs.size(); ++n) {
      const double right = std::exp(double(inputs[n]));
      if (right > std::numeric_limits<float>::max())
        CHECK(outputs[n] == INFINITY);
      else if (right > 0x1p-124)
        worst = std::max(worst, std::abs(outputs[n] / right - 1));
      else
        CHECK(outputs[n] <= 0x1p-124f);
    }
    CHECK(worst < 2.5e-7);
    CHECK(outputs[0] == 1);
  }
  const std::vector<float> outputs = evaluate(exponential, notNumbers);
  for (size_t n = 0; n < notNumbers.size(); ++n)
    CHECK(std::isnan(outputs[n]));
  CHECK(evaluate(exponential, {-INFINITY})[0] == 0);
}

TEST_CASE("calls are replaced inside strict arithmetic", "[numerics]") {
  const auto softcap = [](Expr x) { return useVectorMath(strict_float(20.0f * tanh(x / 20.0f))); };
  const auto sigmoid = [](Expr x) { return useVectorMath(strict_float(1.0f / (1.0f + exp(-x)))); };
  const std::vector<float> inputs = {0, 1, -1, 20, -60, 1e30f, INFINITY, -INFINITY, 0.01f, 3};
  const std::vector<float> capped = evaluate(softcap, inputs), share = evaluate(sigmoid, inputs);
  for (size_t n = 0; n < inputs.size(); ++n) {
    CHECK(capped[n] == Approx(20 * std::tanh(inputs[n] / 20.0)).epsilon(1e-6));
    CHECK(share[n] == Approx(1 / (1 + std::exp(-double(inputs[n])))).epsilon(1e-6));
  }
  Halide::ImageParam x(Halide::Float(32), 1, "x");
  Halide::Var i("i");
  Halide::Func y("y");
  y(i) = softcap(x(i)) + sigmoid(x(i));
  const std::string object = compile({"calls", Halide::Pipeline(y), {x}}, hostTarget(), Form::Object);
  CHECK(undefinedSymbols(object).empty());
}
