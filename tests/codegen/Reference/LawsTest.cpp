// Laws of attention, and of the error bounds that come with every result.
#include "Support.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;
using reference::Tensor;

namespace {

constexpr extent batch{"batch"}, queries{"queries"}, keys{"keys"};

constexpr kernel attend{"attend", [](graph &g) {
                          tensor q = g.input("q", f32, {batch, 2, queries, 8}),
                                 k = g.input("k", f32, {batch, 2, keys, 8});
                          tensor v = g.input("v", f32, {batch, 2, keys, 3});
                          tensor weights = softmax(matmul(q, transpose(k)) / sqrt(8));
                          g.output("y", matmul(weights, v));
                          g.output("weights", weights);
                        }};

reference::Evaluation run(const Tensor &q, const Tensor &k, const Tensor &v) {
  std::vector<Tensor> arguments = {q, k, v};
  return reference::evaluate(attend, arguments);
}

/// Key rows in the opposite order.
Tensor reversed(const Tensor &x) {
  Tensor result = x;
  std::int64_t rows = x.shape[2], width = x.shape[3];
  for (std::size_t i = 0; i < x.elements.size(); ++i) {
    std::int64_t column = i % width, row = i / width % rows, head = i / width / rows;
    result.elements[(head * rows + rows - 1 - row) * width + column] = x.elements[i];
  }
  return result;
}

void checkNear(const Tensor &a, const Tensor &b) {
  REQUIRE(a.elements.size() == b.elements.size());
  for (std::size_t i = 0; i < a.elements.size(); ++i)
    CHECK(a.elements[i].value == Approx(b.elements[i].value).margin(1e-12));
}

} // namespace

TEST_CASE("rows of weights sum to 1") {
  Tensor weights =
      run(randomTensor({2, 2, 5, 8}, 1), randomTensor({2, 2, 7, 8}, 2), randomTensor({2, 2, 7, 3}, 3))
          .outputs[1];
  for (std::size_t row = 0; row < weights.elements.size(); row += 7) {
    double sum = 0;
    for (int i = 0; i < 7; ++i)
      sum += weights.elements[row + i].value;
    CHECK(sum == Approx(1).margin(1e-14));
  }
}

TEST_CASE("the order of keys does not matter and the output is linear in the values") {
  Tensor q = randomTensor({2, 2, 5, 8}, 1), k = randomTensor({2, 2, 7, 8}, 2),
         v = randomTensor({2, 2, 7, 3}, 3);
  Tensor y = run(q, k, v).outputs[0];
  checkNear(run(q, reversed(k), reversed(v)).outputs[0], y);
  Tensor doubled = v, expected = y;
  for (auto &element : doubled.elements)
    element.value *= 2;
  for (auto &element : expected.elements)
    element.value *= 2;
  checkNear(run(q, k, doubled).outputs[0], expected);
}

TEST_CASE("a batch of one is a row of a batch") {
  Tensor q = randomTensor({2, 2, 5, 8}, 1), k = randomTensor({2, 2, 7, 8}, 2),
         v = randomTensor({2, 2, 7, 3}, 3);
  auto second = [](const Tensor &x) {
    Tensor result{x.shape, {x.elements.begin() + x.elements.size() / 2, x.elements.end()}};
    result.shape[0] = 1;
    return result;
  };
  checkNear(run(second(q), second(k), second(v)).outputs[0], second(run(q, k, v).outputs[0]));
}

TEST_CASE("no keys give zeros, no queries give nothing") {
  Tensor y =
      run(randomTensor({1, 2, 2, 8}, 1), reference::zeros({1, 2, 0, 8}), reference::zeros({1, 2, 0, 3}))
          .outputs[0];
  CHECK(valuesOf(y) == std::vector<double>(12, 0.0));
  CHECK(run(reference::zeros({1, 2, 0, 8}), randomTensor({1, 2, 4, 8}, 1), randomTensor({1, 2, 4, 3}, 1))
            .outputs[0]
            .elements.empty());
}

TEST_CASE("the bound covers float32 arithmetic and is not idle") {
  Tensor q = randomTensor({1, 2, 9, 8}, 1), k = randomTensor({1, 2, 31, 8}, 2),
         v = randomTensor({1, 2, 31, 3}, 3);
  Tensor y = run(q, k, v).outputs[0];
  double largestShare = 0;
  for (int row = 0; row < 18; ++row) {
    int head = row / 9;
    float scores[31], largest = -INFINITY, total = 0, sums[3] = {};
    for (int key = 0; key < 31; ++key) {
      float sum = 0;
      for (int i = 0; i < 8; ++i)
        sum += float(q.elements[row * 8 + i].value) * float(k.elements[(head * 31 + key) * 8 + i].value);
      scores[key] = sum / std::sqrt(8.0f);
      largest = std::max(largest, scores[key]);
    }
    for (int key = 0; key < 31; ++key) {
      float weight = std::exp(scores[key] - largest);
      total += weight;
      for (int i = 0; i < 3; ++i)
        sums[i] += weight * float(v.elements[(head * 31 + key) * 3 + i].value);
    }
    for (int i = 0; i < 3; ++i) {
      const reference::Number &expected = y.elements[row * 3 + i];
      double difference = std::fabs(sums[i] / total - expected.value);
      CHECK(difference <= expected.bound);
      CHECK(expected.bound < 2e-5);
      largestShare = std::max(largestShare, difference / expected.bound);
    }
  }
  CHECK(largestShare > 0.001);
}

TEST_CASE("exact things have no bound") {
  static constexpr kernel copies{
      "copies", [](graph &g) { g.output("y", permute(g.input("x", f32, {queries, keys}), {1, 0})); }};
  for (const reference::Number &element : firstOutput(copies, {randomTensor({3, 4}, 1)}).elements)
    CHECK(element.bound == 0);
}
