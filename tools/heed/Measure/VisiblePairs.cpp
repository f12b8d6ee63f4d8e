#include "Measure/Work.h"

#include <cmath>
#include <set>

namespace heed::tools {

using reference::Shape;
using reference::SymbolValues;
using spec::scalar_op;

namespace {

/// Runs mask programs over a whole row of keys at a time. Integers are held as doubles: exact below 2^53.
class RowCounter {
public:
  RowCounter(const spec::graph &kernel, const std::vector<int> &masks, const SymbolValues &values)
      : kernel(kernel), masks(masks), values(values), rows(kernel.instruction_count) {
    for (int mask : masks)
      need(kernel.nodes[mask].program);
  }

  bool indexOnly() const {
    for (int i : needed)
      if (kernel.instructions[i].kind == scalar_op::score ||
          kernel.instructions[i].kind == scalar_op::element)
        return false;
    return true;
  }

  bool usesPosition(int axis) const {
    for (int i : needed)
      if (kernel.instructions[i].kind == scalar_op::position && kernel.instructions[i].reference == axis)
        return true;
    return false;
  }

  /// Visible keys of row (b, h, q).
  std::int64_t count(double b, double h, double q, std::int64_t keys) {
    for (int i : needed)
      evaluate(i, b, h, q, keys);
    std::int64_t visible = 0;
    for (std::int64_t k = 0; k < keys; ++k) {
      bool all = true;
      for (int mask : masks)
        all = all && rows[kernel.nodes[mask].program][k] != 0;
      visible += all;
    }
    return visible;
  }

private:
  void need(int i) {
    if (!needed.insert(i).second)
      return;
    for (int j = 0; j < kernel.instructions[i].operand_count; ++j)
      need(kernel.instructions[i].operands[j]);
  }

  template <typename F> void map(int i, std::int64_t keys, F function) {
    const spec::instruction &instruction = kernel.instructions[i];
    const double *x[3] = {};
    for (int j = 0; j < instruction.operand_count && j < 3; ++j)
      x[j] = rows[instruction.operands[j]].data();
    for (std::int64_t k = 0; k < keys; ++k)
      rows[i][k] = function(x, k);
  }
  template <typename F> void unary(int i, std::int64_t keys, F function) {
    map(i, keys, [&](const double *const *x, std::int64_t k) { return double(function(x[0][k])); });
  }
  template <typename F> void binary(int i, std::int64_t keys, F function) {
    map(i, keys, [&](const double *const *x, std::int64_t k) { return double(function(x[0][k], x[1][k])); });
  }

  void evaluate(int i, double b, double h, double q, std::int64_t keys);
  void arithmetic(int i, std::int64_t keys);

  const spec::graph &kernel;
  const std::vector<int> &masks;
  const SymbolValues &values;
  std::set<int> needed; ///< ascending: operands come before users
  std::vector<std::vector<double>> rows;
};

void RowCounter::evaluate(int i, double b, double h, double q, std::int64_t keys) {
  const spec::instruction &instruction = kernel.instructions[i];
  rows[i].resize(keys);
  auto fill = [&](double value) { rows[i].assign(keys, value); };
  switch (instruction.kind) {
  case scalar_op::position:
    if (instruction.reference == 3)
      return map(i, keys, [](const double *const *, std::int64_t k) { return double(k); });
    return fill(instruction.reference == 0 ? b : instruction.reference == 1 ? h : q);
  case scalar_op::number:
    return fill(instruction.number);
  case scalar_op::extent:
    return fill(static_cast<double>(*reference::extentValue(kernel, instruction.reference, values)));
  case scalar_op::less:
    return binary(i, keys, [](double x, double y) { return x < y; });
  case scalar_op::less_equal:
    return binary(i, keys, [](double x, double y) { return x <= y; });
  case scalar_op::greater:
    return binary(i, keys, [](double x, double y) { return x > y; });
  case scalar_op::greater_equal:
    return binary(i, keys, [](double x, double y) { return x >= y; });
  case scalar_op::equal:
    return binary(i, keys, [](double x, double y) { return x == y; });
  case scalar_op::not_equal:
    return binary(i, keys, [](double x, double y) { return x != y; });
  case scalar_op::logical_and:
    return binary(i, keys, [](double x, double y) { return x != 0 && y != 0; });
  case scalar_op::logical_or:
    return binary(i, keys, [](double x, double y) { return x != 0 || y != 0; });
  case scalar_op::logical_not:
    return unary(i, keys, [](double x) { return x == 0; });
  case scalar_op::select:
    return map(i, keys,
               [](const double *const *x, std::int64_t k) { return x[0][k] != 0 ? x[1][k] : x[2][k]; });
  default:
    return arithmetic(i, keys);
  }
}

void RowCounter::arithmetic(int i, std::int64_t keys) {
  const spec::instruction &instruction = kernel.instructions[i];
  bool real = instruction.type == spec::scalar_type::real;
  switch (instruction.kind) {
  case scalar_op::add:
    return binary(i, keys, [](double x, double y) { return x + y; });
  case scalar_op::subtract:
    return binary(i, keys, [](double x, double y) { return x - y; });
  case scalar_op::multiply:
    return binary(i, keys, [](double x, double y) { return x * y; });
  case scalar_op::divide:
    return binary(i, keys, [=](double x, double y) { return real ? x / y : y == 0 ? 0 : std::floor(x / y); });
  case scalar_op::remainder:
    return binary(i, keys, [](double x, double y) { return y == 0 ? 0 : x - std::floor(x / y) * y; });
  case scalar_op::minimum:
    return binary(i, keys, [](double x, double y) { return std::fmin(x, y); });
  case scalar_op::maximum:
    return binary(i, keys, [](double x, double y) { return std::fmax(x, y); });
  case scalar_op::negate:
    return unary(i, keys, [](double x) { return -x; });
  case scalar_op::absolute:
    return unary(i, keys, [](double x) { return std::fabs(x); });
  case scalar_op::exponential:
    return unary(i, keys, [](double x) { return std::exp(x); });
  case scalar_op::logarithm:
    return unary(i, keys, [](double x) { return std::log(x); });
  case scalar_op::sine:
    return unary(i, keys, [](double x) { return std::sin(x); });
  case scalar_op::cosine:
    return unary(i, keys, [](double x) { return std::cos(x); });
  case scalar_op::hyperbolic_tangent:
    return unary(i, keys, [](double x) { return std::tanh(x); });
  default:
    return unary(i, keys, [](double x) { return 1 / (1 + std::exp(-x)); });
  }
}

} // namespace

std::optional<double> visiblePairs(const spec::graph &kernel, const std::vector<int> &masks,
                                   const SymbolValues &values) {
  Shape shape = *reference::shapeOf(kernel, kernel.nodes[masks.front()], values);
  RowCounter counter(kernel, masks, values);
  if (!counter.indexOnly() || shape.size() != 4)
    return std::nullopt;
  std::int64_t batches = counter.usesPosition(0) ? shape[0] : 1;
  std::int64_t heads = counter.usesPosition(1) ? shape[1] : 1;
  double visible = 0;
  for (std::int64_t b = 0; b < batches; ++b)
    for (std::int64_t h = 0; h < heads; ++h)
      for (std::int64_t q = 0; q < shape[2]; ++q)
        visible += static_cast<double>(counter.count(b, h, q, shape[3]));
  return visible * (static_cast<double>(shape[0]) / std::max<std::int64_t>(batches, 1)) *
         (static_cast<double>(shape[1]) / std::max<std::int64_t>(heads, 1));
}

} // namespace heed::tools
