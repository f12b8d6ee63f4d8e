// Functions of reals on a device against double precision, and what CUDA's code is made of.
#include "Device/Map.h"
#include "DeviceRunner.h"
#include "Numerics.h"
#include "VectorMath.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <regex>

using namespace heed;
using namespace heed::kernels;
using Function = std::function<Halide::Expr(const Halide::Expr &)>;

namespace {

MapKernel mapOf(const Function &f, const Halide::Type &type) {
  return {"map",
          1,
          {type},
          type,
          {},
          [f](const OperandAt &e, const std::vector<Halide::Expr> &, const std::vector<Halide::Expr> &) {
            return f(e(0, {}));
          }};
}

template <class T> std::vector<T> evaluate(const Function &f, const std::vector<T> &inputs) {
  LoadedDevice map(buildDeviceMap(mapOf(f, Halide::type_of<T>()), 1, 0, {64, 1, 1}, openCl()));
  const int count = int(inputs.size());
  DeviceArray<T> x(count), y(count, T(77));
  x.elements = inputs;
  map({x.view({{count, 1}}), y.view({{count, 1}})});
  return y.elements;
}

/// The largest relative error on an interval.
template <class T>
double errorOf(const Function &f, double (*right)(double), double from, double to, int count = 20000) {
  std::vector<T> inputs(count);
  for (int n = 0; n < count; ++n)
    inputs[n] = T(from + (to - from) * n / (count - 1));
  const std::vector<T> outputs = evaluate(f, inputs);
  double worst = 0;
  for (int n = 0; n < count; ++n) {
    const double exact = right(double(inputs[n]));
    if (exact != 0)
      worst = std::max(worst, std::abs(double(outputs[n]) / exact - 1));
  }
  return worst;
}

std::string ptxOf(const Function &f, const Halide::Type &type) {
  const DeviceTarget target = deviceTarget(Halide::DeviceAPI::CUDA, hostTarget());
  return compile(buildDeviceMap(mapOf(f, type), 1, 0, {64, 1, 1}, target), target, DeviceForm::Source);
}

int countOf(const std::string &text, const std::string &pattern) {
  const std::regex regex(pattern);
  return int(std::distance(std::sregex_iterator(text.begin(), text.end(), regex), std::sregex_iterator()));
}

} // namespace

TEST_CASE("functions of reals on a device are within their errors", "[device][math]") {
  const auto log = [](const Halide::Expr &x) { return logarithm(x); };
  const auto exp = [](const Halide::Expr &x) { return Halide::exp(x); };
  const auto tanh = [](const Halide::Expr &x) { return Halide::tanh(x); };
  CHECK(errorOf<float>(exp2OnDevice, std::exp2, -125, 20) < 4.8e-7);
  CHECK(errorOf<float>(exp, std::exp, -86, 88) < 2.6e-7);
  CHECK(errorOf<float>(tanh, std::tanh, -10, 10) < 3.6e-7);
  CHECK(errorOf<float>(errorFunction, std::erf, -4, 4) < 4.1e-7);
  CHECK(errorOf<float>(log, std::log, 1.5, 1e6) < 4.8e-7);
  CHECK(errorOf<double>(exp2OnDevice, std::exp2, -1000, 20) < 4.1e-16);
  CHECK(errorOf<double>(log, std::log, 1.5, 1e6) < 1e-15);
  CHECK(errorOf<double>(errorFunction, std::erf, -4, 4) < 1e-14);
}

TEST_CASE("functions of reals on a device keep infinities and NaN", "[device][math]") {
  const float inf = INFINITY;
  const std::vector<float> inputs = {0, -inf, NAN, 1, -2};
  const std::vector<float> powers = evaluate<float>(exp2OnDevice, inputs);
  CHECK(powers[0] == 1);
  CHECK(powers[1] == 0);
  CHECK(std::isnan(powers[2]));
  CHECK(powers[4] == 0.25f);
  const std::vector<float> logarithms =
      evaluate<float>([](auto &x) { return logarithm(x); }, {0, inf, NAN, 1});
  CHECK(logarithms[0] == -inf);
  CHECK(logarithms[1] == inf);
  CHECK(std::isnan(logarithms[2]));
  CHECK(logarithms[3] == 0);
  const std::vector<float> comparisons =
      evaluate<float>([](auto &x) { return select(x < 1.0f, 1.0f, select(x == x, 2.0f, 3.0f)); }, inputs);
  CHECK(comparisons == std::vector<float>{1, 1, 3, 2, 1});
}

TEST_CASE("f64 constants on a device are f64", "[device][math]") {
  const double third = 1.0 / 3;
  CHECK(evaluate<double>([&](auto &x) { return x * Halide::Expr(third); }, {1.0})[0] == third);
  CHECK(evaluate<double>([&](auto &x) { return select(x > 0, Halide::Expr(-double(INFINITY)), x); },
                         {1.0})[0] == -double(INFINITY));
}

// LLVM may do with floats whatever it likes in Halide's PTX: strict operations must be beyond its reach.
TEST_CASE("strict operations on CUDA stay what they are", "[device][math]") {
  const Halide::Expr magic = 12582912.0f;
  CHECK(countOf(ptxOf([&](auto &x) { return x + magic - magic; }, Halide::Float(32)), R"(add\.rn\.f32)") ==
        2);
  CHECK(countOf(ptxOf([&](auto &x) { return x + magic - magic; }, Halide::Float(64)), R"(add\.rn\.f64)") ==
        2);
  CHECK(countOf(ptxOf([](auto &x) { return x * x + 1.0f; }, Halide::Float(32)), R"(fma)") == 0);
  CHECK(countOf(ptxOf([](auto &x) { return 1.0f / x; }, Halide::Float(32)), R"(div\.rn\.f32)") == 1);
  CHECK(countOf(ptxOf([](auto &x) { return sqrt(x); }, Halide::Float(32)), R"(sqrt\.rn\.f32)") == 1);
  const std::string compared = ptxOf([](auto &x) { return select(x < 1.0f, x, 2.0f); }, Halide::Float(32));
  CHECK(countOf(compared, R"(setp\.\w+\.f32)") == 0);
  CHECK(countOf(ptxOf(exp2OnDevice, Halide::Float(32)), R"(ex2\.approx)") == 1);
}
