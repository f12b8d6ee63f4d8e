#include "Kernels/VisibleKeys.h"

#include "Reference/Evaluate.h"

#include <algorithm>
#include <cmath>

namespace heed::tools {

using reference::SymbolValues;
using spec::scalar_op;

std::optional<VisibleKeys> VisibleKeys::of(const spec::graph &kernel, const ScoreChain &chain,
                                           const SymbolValues &values, const Inputs &inputs) {
  VisibleKeys keys(kernel, chain, values);
  if (!keys.loadTables(chain, inputs))
    return std::nullopt;
  for (const HidingCondition &condition : chain.conditions) {
    const Table &table = keys.tables.at(condition.condition);
    keys.conditions.push_back(
        {reference::broadcastStrides(table.shape, keys.extents), &table, condition.visibleWhen});
  }
  return keys;
}

VisibleKeys::VisibleKeys(const spec::graph &kernel, const ScoreChain &chain, const SymbolValues &values)
    : kernel(kernel), values(values), masks(chain.masks), rows(kernel.instruction_count) {
  extents =
      *reference::shapeOf(kernel, kernel.nodes[chain.matmul >= 0 ? chain.matmul : chain.weights], values);
  extents.insert(extents.begin(), 4 - std::min<std::size_t>(extents.size(), 4), 1);
  for (int mask : masks) {
    Shape shape = *reference::shapeOf(kernel, kernel.nodes[mask], values);
    for (std::size_t axis = 0; axis < 4 && shape.size() == 4; ++axis)
      extents[axis] = std::max(extents[axis], shape[axis]);
    need(mask, kernel.nodes[mask].program);
  }
}

void VisibleKeys::need(int mask, int instruction) {
  if (!needed.insert(instruction).second)
    return;
  masksOf[instruction] = mask;
  for (int j = 0; j < kernel.instructions[instruction].operand_count; ++j)
    need(mask, kernel.instructions[instruction].operands[j]);
}

/// The tensors that masks and conditions read.
bool VisibleKeys::loadTables(const ScoreChain &chain, const Inputs &inputs) {
  std::vector<int> wanted;
  for (const HidingCondition &condition : chain.conditions)
    wanted.push_back(condition.condition);
  for (int i : needed)
    if (kernel.instructions[i].kind == scalar_op::element)
      wanted.push_back(kernel.nodes[masksOf[i]].operands[kernel.instructions[i].reference]);
  std::vector<bool> needs = reference::neededNodes(kernel, wanted);
  std::vector<reference::Tensor> arguments;
  for (int index : reference::argumentNodes(kernel)) {
    auto given = inputs.find(index);
    if (needs[index] && given == inputs.end())
      return false;
    Shape shape = *reference::shapeOf(kernel, kernel.nodes[index], values);
    arguments.push_back(needs[index] ? toReference(given->second) : reference::Tensor{shape, {}});
  }
  reference::Evaluation result = reference::evaluate(kernel, arguments, wanted);
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    Table &table = tables[wanted[i]];
    table = {result.outputs[i].shape, {}};
    for (const reference::Number &number : result.outputs[i].elements)
      table.elements.push_back(number.value);
  }
  return result.error.empty();
}

bool VisibleKeys::dependsOn(int axis) const {
  for (int i : needed)
    if (kernel.instructions[i].kind == scalar_op::position && kernel.instructions[i].reference == axis)
      return true;
  return std::any_of(conditions.begin(), conditions.end(),
                     [&](const Condition &condition) { return condition.strides[axis] != 0; });
}

const std::vector<std::uint8_t> &VisibleKeys::row(std::int64_t b, std::int64_t h, std::int64_t q) {
  std::int64_t keys = extents[3];
  visible.assign(keys, 1);
  for (int i : needed)
    evaluate(i, static_cast<double>(b), static_cast<double>(h), static_cast<double>(q), keys);
  for (int mask : masks)
    for (std::int64_t k = 0; k < keys; ++k)
      visible[k] &= rows[kernel.nodes[mask].program][k] != 0;
  for (const Condition &condition : conditions) {
    const double *first =
        condition.table->elements.data() + reference::offsetOf({b, h, q, 0}, condition.strides);
    for (std::int64_t k = 0; k < keys; ++k)
      visible[k] &= (first[k * condition.strides[3]] != 0) == condition.visibleWhen;
  }
  return visible;
}

double VisibleKeys::count() {
  std::int64_t counted[3];
  double repeats = 1, pairs = 0;
  for (int axis = 0; axis < 3; ++axis) {
    counted[axis] = dependsOn(axis) ? extents[axis] : std::min<std::int64_t>(extents[axis], 1);
    repeats *= counted[axis] ? static_cast<double>(extents[axis]) / static_cast<double>(counted[axis]) : 0;
  }
  for (std::int64_t b = 0; b < counted[0]; ++b)
    for (std::int64_t h = 0; h < counted[1]; ++h)
      for (std::int64_t q = 0; q < counted[2]; ++q) {
        const std::vector<std::uint8_t> &keys = row(b, h, q);
        pairs += static_cast<double>(std::count(keys.begin(), keys.end(), 1));
      }
  return pairs * repeats;
}

template <typename F> void VisibleKeys::map(int i, std::int64_t keys, F function) {
  const spec::instruction &instruction = kernel.instructions[i];
  const double *x[3] = {};
  for (int j = 0; j < instruction.operand_count && j < 3; ++j)
    x[j] = rows[instruction.operands[j]].data();
  for (std::int64_t k = 0; k < keys; ++k)
    rows[i][k] = function(x, k);
}

template <typename F> void VisibleKeys::unary(int i, std::int64_t keys, F function) {
  map(i, keys, [&](const double *const *x, std::int64_t k) { return double(function(x[0][k])); });
}

template <typename F> void VisibleKeys::binary(int i, std::int64_t keys, F function) {
  map(i, keys, [&](const double *const *x, std::int64_t k) { return double(function(x[0][k], x[1][k])); });
}

void VisibleKeys::element(int i, std::int64_t keys) {
  const spec::instruction &instruction = kernel.instructions[i];
  const Table &table = tables.at(kernel.nodes[masksOf[i]].operands[instruction.reference]);
  std::vector<std::int64_t> offsets(keys, 0);
  for (std::size_t axis = 0; axis < table.shape.size(); ++axis) {
    const std::vector<double> &index = rows[instruction.operands[axis]];
    double last = static_cast<double>(table.shape[axis] - 1);
    for (std::int64_t k = 0; k < keys; ++k)
      offsets[k] = offsets[k] * table.shape[axis] +
                   static_cast<std::int64_t>(std::fmax(0, std::fmin(last, std::trunc(index[k]))));
  }
  for (std::int64_t k = 0; k < keys; ++k)
    rows[i][k] = table.elements.empty() ? 0 : table.elements[offsets[k]];
}

void VisibleKeys::evaluate(int i, double b, double h, double q, std::int64_t keys) {
  const spec::instruction &instruction = kernel.instructions[i];
  rows[i].resize(keys);
  auto fill = [&](double value) { rows[i].assign(keys, value); };
  switch (instruction.kind) {
  case scalar_op::position:
    if (instruction.reference == 3)
      return map(i, keys, [](const double *const *, std::int64_t k) { return double(k); });
    return fill(instruction.reference == 0 ? b : instruction.reference == 1 ? h : q);
  case scalar_op::element:
    return element(i, keys);
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

void VisibleKeys::arithmetic(int i, std::int64_t keys) {
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

} // namespace heed::tools
