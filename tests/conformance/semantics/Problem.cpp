#include "Problem.h"

#include "semantics_kernels.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace semantics {

namespace {

void require(const heed::status &status) {
  INFO(status.message());
  REQUIRE(status.ok());
}

} // namespace

Problem::Problem(int queries, int keys)
    : queries(queries), keys(keys), q(batch * heads * queries * depth), k(batch * heads * keys * depth),
      v(k.size()), bias(queries * keys), visible(batch * queries * keys, 1) {
  std::mt19937 random(queries * 1000 + keys);
  std::normal_distribution<float> normal;
  for (Array *array : {&q, &k, &v, &bias})
    std::generate(array->begin(), array->end(), [&] { return normal(random); });
}

void Problem::hideRow(int b, int query) {
  for (int key = 0; key < keys; ++key)
    hide(b, query, key);
}

void Problem::hideKey(int b, int key) {
  for (int query = 0; query < queries; ++query)
    hide(b, query, key);
}

void Problem::spoil(Array &array, int b, int key, float number) const {
  for (int h = 0; h < heads; ++h)
    std::fill_n(&array[((b * heads + h) * keys + key) * depth], depth, number);
}

heed::view<const float, 4> Problem::view(const Array &array) const {
  return {array.data(), {batch, heads, int(array.size()) / (batch * heads * depth), depth}};
}

heed::view<const bool, 4> Problem::mask() const {
  return {reinterpret_cast<const bool *>(visible.data()), {batch, 1, queries, keys}};
}

heed::view<float, 4> Problem::output(Array &y) const { return {y.data(), {batch, heads, queries, depth}}; }

heed::view<float, 3> Problem::output(Result &result) const {
  return {result.lse.data(), {batch, heads, queries}};
}

Result Problem::empty() const {
  return {Array(q.size(), std::nanf("")), Array(q.size() / depth, std::nanf(""))};
}

Result Problem::byTensor() const {
  Result result = empty();
  require(heed_kernels::by_tensor(view(q), view(k), view(v), mask(), output(result.y), output(result)));
  return result;
}

Result Problem::byLength(const std::vector<std::int64_t> &lengths) const {
  Result result = empty();
  require(heed_kernels::by_length(view(q), view(k), view(v), {lengths.data(), {batch}},
                                  {bias.data(), {queries, keys}}, output(result.y), output(result)));
  return result;
}

Result Problem::bySum() const {
  Result result = empty();
  require(heed_kernels::by_sum(view(q), view(k), view(v), {bias.data(), {queries, keys}}, output(result.y),
                               output(result)));
  return result;
}

Array Problem::nanForEmpty() const {
  Result result = empty();
  require(heed_kernels::nan_for_empty(view(q), view(k), view(v), mask(), output(result.y)));
  return result.y;
}

Array Problem::finiteFill() const {
  Result result = empty();
  require(heed_kernels::finite_fill(view(q), view(k), view(v), mask(), output(result.y)));
  return result.y;
}

} // namespace semantics
