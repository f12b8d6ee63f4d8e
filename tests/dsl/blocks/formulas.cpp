#include "formulas.hpp"

#include <algorithm>
#include <cmath>

namespace heed::testing::formulas {

namespace {

std::int64_t value_of(const spec::graph &g, const spec::extent &extent,
                      const std::map<std::string, std::int64_t> &sizes) {
  std::int64_t value = extent.numerator;
  for (int i = 0; i < extent.factor_count; ++i)
    for (int power = 0; power < extent.factors[i].power; ++power)
      value *= sizes.at(g.symbols[extent.factors[i].symbol]);
  return value / extent.denominator;
}

array normalized(const array &x, const array &gain, const array *bias, bool centered) {
  array y = x;
  const auto width = static_cast<std::size_t>(x.shape.back());
  for (std::size_t row = 0; row < x.elements.size(); row += width) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < width; ++i)
      mean += centered ? x.elements[row + i] / static_cast<double>(width) : 0;
    for (std::size_t i = 0; i < width; ++i)
      square += std::pow(x.elements[row + i] - mean, 2) / static_cast<double>(width);
    for (std::size_t i = 0; i < width; ++i)
      y.elements[row + i] = (x.elements[row + i] - mean) / std::sqrt(square + 1e-5) * gain.elements[i] +
                            (bias ? bias->elements[i] : 0);
  }
  return y;
}

} // namespace

arguments completed(const spec::graph &kernel, arguments given,
                    const std::map<std::string, std::int64_t> &sizes) {
  for (int i = 0; i < kernel.node_count; ++i) {
    const spec::node &node = kernel.nodes[i];
    if (node.name == nullptr || given.count(node.name) != 0)
      continue;
    std::vector<std::int64_t> shape;
    for (int axis = 0; axis < node.rank; ++axis)
      shape.push_back(value_of(kernel, kernel.extents[node.shape[axis]], sizes));
    array values = mixed(shape, static_cast<unsigned>(i) + 1);
    for (double &element : values.elements)
      element *= node.kind == spec::op::weight ? 0.5 : 1;
    given.emplace(node.name, values);
  }
  return given;
}

array linear(const array &x, const arguments &with, const std::string &weight, const std::string &bias) {
  const array &w = with.at(weight);
  const auto b = with.find(bias);
  std::vector<std::int64_t> shape = x.shape;
  shape.back() = w.shape[0];
  return filled(shape, [&](std::vector<std::int64_t> at) {
    const std::int64_t out = at.back();
    double sum = b == with.end() ? 0 : b->second.at({out});
    for (std::int64_t in = 0; in < w.shape[1]; ++in) {
      at.back() = in;
      sum += x.at(at) * w.at({out, in});
    }
    return sum;
  });
}

array multi_head(const array &queries, const array &context, const arguments &with, const std::string &prefix,
                 std::int64_t heads, std::int64_t key_heads,
                 const std::function<bool(std::int64_t b, std::int64_t q, std::int64_t k)> &visible) {
  const array q = linear(queries, with, prefix + "_w_q", prefix + "_b_q");
  const array k = linear(context, with, prefix + "_w_k", prefix + "_b_k");
  const array v = linear(context, with, prefix + "_w_v", prefix + "_b_v");
  const std::int64_t depth = q.shape[2] / heads, value_depth = v.shape[2] / key_heads, keys = k.shape[1];
  array y({q.shape[0], q.shape[1], heads * value_depth});
  for_each_position({q.shape[0], q.shape[1], heads}, [&](const std::vector<std::int64_t> &at) {
    const std::int64_t b = at[0], row = at[1], h = at[2], from = h / (heads / key_heads);
    double sum = 0;
    for (std::int64_t key = 0; key < keys; ++key) {
      if (visible && !visible(b, row, key))
        continue;
      double score = 0;
      for (std::int64_t d = 0; d < depth; ++d)
        score += q.at({b, row, h * depth + d}) * k.at({b, key, from * depth + d});
      const double weight = std::exp(score / std::sqrt(static_cast<double>(depth)));
      sum += weight;
      for (std::int64_t e = 0; e < value_depth; ++e)
        y.at({b, row, h * value_depth + e}) += weight * v.at({b, key, from * value_depth + e});
    }
    for (std::int64_t e = 0; e < value_depth; ++e)
      y.at({b, row, h * value_depth + e}) /= sum;
  });
  return linear(y, with, prefix + "_w_o", prefix + "_b_o");
}

array layer_norm(const array &x, const arguments &with, const std::string &prefix) {
  return normalized(x, with.at(prefix + "_weight"), &with.at(prefix + "_bias"), true);
}

array rms_norm(const array &x, const arguments &with, const std::string &prefix) {
  return normalized(x, with.at(prefix + "_weight"), nullptr, false);
}

array add(const array &a, const array &b) {
  array sum = a;
  for (std::size_t i = 0; i < sum.elements.size(); ++i)
    sum.elements[i] += b.elements.at(i);
  return sum;
}

array mapped(const array &x, double (*function)(double)) {
  array y = x;
  for (double &element : y.elements)
    element = function(element);
  return y;
}

array product(const array &a, const array &b) {
  array y = a;
  for (std::size_t i = 0; i < y.elements.size(); ++i)
    y.elements[i] *= b.elements.at(i);
  return y;
}

double largest_difference(const array &a, const array &b) {
  if (a.shape != b.shape)
    return INFINITY;
  double largest = 0;
  for (std::size_t i = 0; i < a.elements.size(); ++i) {
    const double difference = std::fabs(a.elements[i] - b.elements[i]);
    largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
  }
  return largest;
}

} // namespace heed::testing::formulas
