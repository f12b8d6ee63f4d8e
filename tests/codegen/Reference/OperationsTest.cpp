// Every operation against values worked out by hand.
#include "Reference/Operations.h"
#include "Reference/Philox.h"
#include "Support.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;

namespace {

constexpr extent m{"m"}, n{"n"};

/// A kernel of one input that applies a function.
template <auto apply, int rank = 1> constexpr auto unaryKernel() {
  return kernel{"unary", [](graph &g) {
                  if constexpr (rank == 1)
                    g.output("y", apply(g.input("x", f32, {n})));
                  else
                    g.output("y", apply(g.input("x", f32, {m, n})));
                }};
}

template <auto apply, int rank = 1>
std::vector<double> applied(std::vector<double> x, reference::Shape shape = {}) {
  static constexpr auto kernel = unaryKernel<apply, rank>();
  if (shape.empty())
    shape = {static_cast<std::int64_t>(x.size())};
  return valuesOf(firstOutput(kernel, {tensorOf(shape, x)}));
}

} // namespace

TEST_CASE("element-by-element functions of one operand") {
  CHECK(applied<[](tensor x) { return -x; }>({1, -2}) == std::vector<double>{-1, 2});
  CHECK(applied<[](tensor x) { return abs(x); }>({1, -2}) == std::vector<double>{1, 2});
  CHECK(applied<[](tensor x) { return sqrt(x); }>({4, 0}) == std::vector<double>{2, 0});
  CHECK(applied<[](tensor x) { return exp(x); }>({0, 1}) == std::vector<double>{1, std::exp(1)});
  CHECK(applied<[](tensor x) { return log(x); }>({1, std::exp(2)}) == std::vector<double>{0, 2});
  CHECK(applied<[](tensor x) { return tanh(x); }>({0, 1}) == std::vector<double>{0, std::tanh(1)});
  CHECK(applied<[](tensor x) { return erf(x); }>({0, -1, infinite}) ==
        std::vector<double>{0, std::erf(-1), 1});
  CHECK(applied<[](tensor x) { return relu(x); }>({2, -1}) == std::vector<double>{2, 0});
  CHECK(applied<[](tensor x) { return sigmoid(x); }>({0, -infinite}) == std::vector<double>{0.5, 0});
}

TEST_CASE("arithmetic with numbers and broadcasting") {
  CHECK(applied<[](tensor x) { return x + 1.0; }>({1, 2}) == std::vector<double>{2, 3});
  CHECK(applied<[](tensor x) { return 1.0 - x; }>({1, 2}) == std::vector<double>{0, -1});
  CHECK(applied<[](tensor x) { return x * x; }>({3, -2}) == std::vector<double>{9, 4});
  CHECK(applied<[](tensor x) { return x / 4.0; }>({1, 2}) == std::vector<double>{0.25, 0.5});
  static constexpr kernel broadcast{"broadcast", [](graph &g) {
                                      tensor a = g.input("a", f32, {m, 1}), b = g.input("b", f32, {n});
                                      g.output("y", a - b);
                                    }};
  CHECK(valuesOf(firstOutput(broadcast, {tensorOf({2, 1}, {10, 20}), tensorOf({3}, {1, 2, 3})})) ==
        std::vector<double>{9, 8, 7, 19, 18, 17});
}

TEST_CASE("integers divide towards minus infinity") {
  CHECK(reference::floorDivide(7, 2) == 3);
  CHECK(reference::floorDivide(-7, 2) == -4);
  CHECK(reference::floorDivide(7, -2) == -4);
  CHECK(reference::floorDivide(-7, -2) == 3);
  CHECK(reference::floorDivide(6, 3) == 2);
  CHECK(reference::floorRemainder(-7, 2) == 1);
  CHECK(reference::floorRemainder(7, -2) == -1);
  CHECK(reference::floorDivide(7, 0) == 0);
}

TEST_CASE("comparisons, logic and where") {
  CHECK(applied<[](tensor x) { return where(x < 1.0, x, 0.0); }>({0.5, 1, 2}) ==
        std::vector<double>{0.5, 0, 0});
  CHECK(applied<[](tensor x) { return where(x >= 1.0 && !(x == 2.0), x, -infinity); }>({0.5, 1, 2}) ==
        std::vector<double>{-infinite, 1, -infinite});
  CHECK(applied<[](tensor x) { return where(x, 1.0, 2.0); }>({0, -3}) == std::vector<double>{2, 1});
}

TEST_CASE("matmul, linear and views") {
  static constexpr kernel product{
      "product",
      [](graph &g) { g.output("y", matmul(g.input("a", f32, {2, m, n}), g.input("b", f32, {n, 2}))); }};
  CHECK(valuesOf(firstOutput(
            product, {tensorOf({2, 1, 3}, {1, 2, 3, 4, 5, 6}), tensorOf({3, 2}, {1, 0, 0, 1, 1, 1})})) ==
        std::vector<double>{4, 5, 10, 11});
  static constexpr kernel layer{
      "layer", [](graph &g) {
        g.output("y", linear(g.input("x", f32, {m, 2}), g.weight("w", f32, {3, 2}), g.weight("b", f32, {3})));
      }};
  CHECK(valuesOf(firstOutput(layer, {tensorOf({1, 2}, {1, 2}), tensorOf({3, 2}, {1, 0, 0, 1, 1, 1}),
                                     tensorOf({3}, {10, 20, 30})})) == std::vector<double>{11, 22, 33});
  CHECK(applied<[](tensor x) { return transpose(x); }, 2>({1, 2, 3, 4, 5, 6}, {2, 3}) ==
        std::vector<double>{1, 4, 2, 5, 3, 6});
}

TEST_CASE("heads are split and merged, axes permuted") {
  static constexpr kernel split{
      "split", [](graph &g) { g.output("y", split_heads(g.input("x", f32, {1, m, 4}), 2)); }};
  reference::Tensor x = tensorOf({1, 2, 4}, {0, 1, 2, 3, 4, 5, 6, 7});
  reference::Tensor heads = firstOutput(split, {x});
  CHECK(heads.shape == reference::Shape{1, 2, 2, 2});
  CHECK(valuesOf(heads) == std::vector<double>{0, 1, 4, 5, 2, 3, 6, 7});
  static constexpr kernel both{
      "both", [](graph &g) { g.output("y", merge_heads(split_heads(g.input("x", f32, {1, m, 4}), 2))); }};
  CHECK(valuesOf(firstOutput(both, {x})) == valuesOf(x));
  static constexpr kernel turned{
      "turned", [](graph &g) { g.output("y", permute(g.input("x", f32, {1, m, 4}), {2, 0, 1})); }};
  reference::Tensor y = firstOutput(turned, {x});
  CHECK(y.shape == reference::Shape{4, 1, 2});
  CHECK(valuesOf(y) == std::vector<double>{0, 4, 1, 5, 2, 6, 3, 7});
}

TEST_CASE("heads are repeated in groups") {
  reference::Tensor x = tensorOf({1, 2, 1, 2}, {1, 2, 3, 4});
  CHECK(valuesOf(reference::repeatHeads(x, {1, 4, 1, 2})) == std::vector<double>{1, 2, 1, 2, 3, 4, 3, 4});
  CHECK(reference::repeatHeads(reference::zeros({1, 2, 0, 2}), {1, 4, 0, 2}).elements.empty());
}

TEST_CASE("dropout keeps what its numbers say, scaled") {
  constexpr double u = 0x1p-24;
  reference::Tensor x = tensorOf({2, 3}, {1, 2, 3, 4, 5, nan_value});
  x.elements[5] = {0, 0, true};
  CHECK(valuesOf(reference::dropout(x, {0}, 7, 0, u)) == valuesOf(x));
  CHECK(reference::dropout(x, {0}, 7, 0, u).elements[0].bound == 0);
  CHECK(valuesOf(reference::dropout(x, {1}, 7, 0, u)) == std::vector<double>(6, 0));
  reference::Tensor y = reference::dropout(x, {0.5}, 7, 3, u);
  for (int i = 0; i < 5; ++i)
    CHECK(y.elements[i].value == (reference::uniform(7, i, 3) >= 0.5f ? 2 * x.elements[i].value : 0));
  CHECK(y.elements[5].absent);
  // At p equal to a number the element is kept.
  double first = reference::uniform(7, 0, 3);
  CHECK(reference::dropout(x, {first}, 7, 3, u).elements[0].value == 1 / (1 - first));
  CHECK(reference::dropout(x, {std::nextafter(static_cast<float>(first), 1.0f)}, 7, 3, u).elements[0].value ==
        0);
}

TEST_CASE("the mean over many seeds is what went in") {
  reference::Tensor ones = tensorOf({64}, std::vector<double>(64, 1));
  double sum = 0;
  for (int seed = 0; seed < 400; ++seed)
    for (const reference::Number &element : reference::dropout(ones, {0.1}, seed, 0, 0x1p-24).elements)
      sum += element.value;
  // Standard deviation of the mean: √(p / (1 − p) / 25600) = 0.0021.
  CHECK(sum / (400 * 64) == Approx(1).margin(0.01));
}

TEST_CASE("softmax hides what is -infinity and passes NaN on") {
  constexpr auto apply = [](tensor x) { return softmax(x); };
  CHECK(applied<apply, 2>({0, 0, -infinite, -infinite}, {2, 2}) == std::vector<double>{0.5, 0.5, 0, 0});
  std::vector<double> weights = applied<apply, 2>({1000, 1000 + std::log(3), -infinite}, {1, 3});
  CHECK(weights[0] == Approx(0.25));
  CHECK(weights[1] == Approx(0.75));
  CHECK(weights[2] == 0);
  std::vector<double> poisoned = applied<apply, 2>({nan_value, 1, -infinite}, {1, 3});
  CHECK(std::isnan(poisoned[0]));
  CHECK(std::isnan(poisoned[1]));
  CHECK(poisoned[2] == 0);
  CHECK(applied<apply, 2>({-1e30, -1e30}, {1, 2}) == std::vector<double>{0.5, 0.5});
  CHECK(applied<apply, 2>({}, {3, 0}).empty());
}

TEST_CASE("what is unknown stays unknown through sums and products") {
  reference::Tensor a = tensorOf({1, 2}, {0, 1}), b = tensorOf({2, 1}, {2, 3});
  a.elements[0].bound = infinite;
  CHECK(reference::matmul(a, b, {1, 1}, 0x1p-24).elements[0].bound == infinite);
  CHECK(reference::rounded(1, infinite, 0).bound == infinite);
  CHECK(reference::exponential({-infinite, infinite}, 0x1p-24).bound == infinite);
}

TEST_CASE("below the smallest normal number of f16 a rounding has an absolute error") {
  double half = reference::unitRoundoff(f16);
  CHECK(reference::rounded(1e-6, 0, half).bound == 0x1p-25);
  CHECK(reference::exponential({-14}, half).bound >= 0x1p-25);
  CHECK(reference::rounded(1, 0, half).bound == half);
  CHECK(reference::rounded(0, 0, half).bound == 0);
  CHECK(reference::rounded(1e-6, 0, reference::unitRoundoff(f32)).bound < 1e-12);
}
