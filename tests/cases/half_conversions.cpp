// Conversions between element types.
#include "Kernels.h"
#include "TestTarget.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <heed/dsl.hpp>

using namespace heed;
using heed::tests::Array;
using heed::tests::Kernels;
using heed::tests::leftOutOnDevices;

namespace heed::cases {
namespace {

constexpr extent count{"count"};

template <dtype from, dtype to> constexpr auto converted(const char *name) {
  return kernel{name, [](graph &g) { g.output("y", convert(g.input("x", from, {count}), to)); }};
}
constexpr auto f32_to_f16 = converted<f32, f16>("f32_to_f16");
constexpr auto f32_to_bf16 = converted<f32, bf16>("f32_to_bf16");
constexpr auto f64_to_f16 = converted<f64, f16>("f64_to_f16");
constexpr auto f64_to_bf16 = converted<f64, bf16>("f64_to_bf16");
constexpr auto f16_to_f32 = converted<f16, f32>("f16_to_f32");
constexpr auto bf16_to_f32 = converted<bf16, f32>("bf16_to_f32");

const Kernels &compiled() {
  static const Kernels kernels{&f32_to_f16,  &f32_to_bf16, &f64_to_f16,
                               &f64_to_bf16, &f16_to_f32,  &bf16_to_f32};
  return kernels;
}

using Kernel = const spec::graph *;

/// The same elements, NaN where NaN is.
void checkSame(const Array &got, const std::vector<double> &expected) {
  const std::vector<double> elements = got.elements();
  REQUIRE(elements.size() == expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    INFO(i << ": " << elements[i] << ", needed " << expected[i]);
    CHECK((std::isnan(expected[i])
               ? std::isnan(elements[i])
               : elements[i] == expected[i] && std::signbit(elements[i]) == std::signbit(expected[i])));
  }
}

} // namespace
} // namespace heed::cases

using namespace heed::cases;

// https://github.com/halide/Halide/issues/8340, https://github.com/halide/Halide/issues/5872
TEST_CASE("conversion to half types rounds to nearest even, overflows to infinity and keeps NaN") {
  const auto [kernel, from] = GENERATE(table<Kernel, dtype>(
      {{&f32_to_f16, f32}, {&f64_to_f16, f64}, {&f32_to_bf16, f32}, {&f64_to_bf16, f64}}));
  const dtype to = kernel == &f32_to_f16 || kernel == &f64_to_f16 ? f16 : bf16;
  std::vector<double> numbers{0,          -0.0,         NAN,         INFINITY,   -INFINITY,   65504,
                              65519,      65520,        -65520,      70000,      1 + 0x1p-11, 1 + 0x1.8p-10,
                              1 + 0x1p-8, 1 + 0x1.8p-7, 0x1p-14,     0x1p-24,    0x1p-25,     0x1.004p-25,
                              -0x1p-26,   0x1.ffcp-15,  0x1.ffep-15, 3.38e38,    0x1.ffp127,  0x1.fefffep127,
                              0x1p-126,   0x1p-133,     0x1p-134,    -0x1.8p-133};
  for (double element : Array::random({101}, 1).elements())
    numbers.push_back(element * 3);
  const Array x({int64_t(numbers.size())}, numbers, from);
  checkSame(compiled()(*kernel, {x}), Array(x.shape(), x.elements(), to).elements());
}

TEST_CASE("doubles are rounded once") {
  if (leftOutOnDevices("their drivers may round a double to f32 first"))
    return;
  // Halfway between two numbers of the type but for a little that f32 does not hold.
  const double f16Tie = 1 + 0x1p-11, bf16Tie = 1 + 0x1p-8, little = 0x1p-40;
  checkSame(compiled()(f64_to_f16, {Array({3}, {f16Tie, f16Tie + little, f16Tie - little}, f64)}),
            {1, 1 + 0x1p-10, 1});
  checkSame(compiled()(f64_to_bf16, {Array({3}, {bf16Tie, bf16Tie + little, bf16Tie - little}, f64)}),
            {1, 1 + 0x1p-7, 1});
}

TEST_CASE("every number of a half type survives f32") {
  const auto [wide, narrow, type] = GENERATE(
      table<Kernel, Kernel, dtype>({{&f16_to_f32, &f32_to_f16, f16}, {&bf16_to_f32, &f32_to_bf16, bf16}}));
  tools::HostTensor bits = tools::HostTensor::zeros(type, {1 << 16});
  for (int i = 0; i < 1 << 16; ++i) {
    bits.bytes[2 * i] = std::byte(i & 255);
    bits.bytes[2 * i + 1] = std::byte(i >> 8);
  }
  const Array numbers(bits), widened = compiled()(*wide, {numbers}), back = compiled()(*narrow, {widened});
  int wrong = 0;
  for (int64_t i = 0; i < 1 << 16; ++i) {
    const double number = numbers.at({i});
    const bool isSame = std::isnan(number) ? std::isnan(widened.at({i})) && std::isnan(back.at({i}))
                                           : widened.at({i}) == number && back.at({i}) == number &&
                                                 std::signbit(back.at({i})) == std::signbit(number);
    wrong += !isSame;
  }
  CHECK(wrong == 0);
}
