#include "evaluate.hpp"

#include <heed/dsl/operation_names.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace heed::testing {
namespace {

using position = std::vector<std::int64_t>;
using spec::op;
using spec::scalar_op;

/// The values of a kernel's nodes, one after the other.
class evaluator {
public:
  evaluator(const spec::graph &kernel, const std::map<std::string, array> &arguments,
            const std::map<std::string, std::int64_t> &sizes)
      : kernel_(kernel), arguments_(arguments), sizes_(sizes) {
    for (int i = 0; i < kernel.node_count; ++i)
      values_.push_back(value_of(kernel.nodes[i]));
  }

  const array &value(int node) const { return values_[node]; }

private:
  std::int64_t size(const spec::extent &of) const {
    double product = static_cast<double>(of.numerator) / static_cast<double>(of.denominator);
    for (int i = 0; i < of.factor_count; ++i)
      product *= std::pow(sizes_.at(kernel_.symbols[of.factors[i].symbol]), of.factors[i].power);
    return std::llround(product);
  }

  array empty_of(const spec::node &node) const {
    position shape;
    for (int i = 0; i < node.rank; ++i)
      shape.push_back(size(kernel_.extents[node.shape[i]]));
    return array(shape);
  }

  const array &operand(const spec::node &node, int i) const { return values_[node.operands[i]]; }

  /// The element under which a position of the result finds a broadcast operand.
  static double broadcast(const array &from, const position &at) {
    position own;
    const std::size_t missing = at.size() - from.shape.size();
    for (std::size_t i = 0; i < from.shape.size(); ++i)
      own.push_back(from.shape[i] == 1 ? 0 : at[missing + i]);
    return from.at(own);
  }

  array value_of(const spec::node &node) {
    array result = empty_of(node);
    if (node.kind <= op::state) {
      const array &given = arguments_.at(node.name);
      if (given.shape != result.shape)
        throw std::invalid_argument(std::string(node.name) + ": another shape than the kernel's");
      return given;
    }
    for_each_position(result.shape, [&](const position &at) { result.at(at) = element(node, at); });
    return result;
  }

  double element(const spec::node &node, const position &at) {
    position from = at;
    switch (node.kind) {
    case op::constant:
      return node.value;
    case op::matmul:
      return product(operand(node, 0), operand(node, 1), at);
    case op::transpose:
      std::swap(from[from.size() - 1], from[from.size() - 2]);
      return operand(node, 0).at(from);
    case op::append_axis:
      from.pop_back();
      return operand(node, 0).at(from);
    case op::drop_axis:
      from.insert(from.begin() + node.axis, 0);
      return operand(node, 0).at(from);
    case op::slice:
      from[node.axis] += node.start < 0 ? 0 : size(kernel_.extents[node.start]);
      return operand(node, 0).at(from);
    case op::split_heads:
      return operand(node, 0).at({at[0], at[2], at[1] * size(kernel_.extents[node.shape[3]]) + at[3]});
    case op::merge_heads:
      return operand(node, 0).at(
          {at[0], at[2] / operand(node, 0).shape[3], at[1], at[2] % operand(node, 0).shape[3]});
    case op::linear:
      return projected(node, at);
    case op::append:
      return appended(node, at);
    case op::sum:
    case op::amax:
    case op::argmax:
      return reduced(node, at);
    case op::layer_norm:
    case op::rms_norm:
      return standardized(node, at);
    case op::repeat_heads:
      from[1] = from[1] * operand(node, 0).shape[1] / size(kernel_.extents[node.shape[1]]);
      return operand(node, 0).at(from);
    case op::where:
      return broadcast(operand(node, broadcast(operand(node, 0), at) != 0 ? 1 : 2), at);
    case op::softmax:
    case op::log_sum_exp:
      return normalized(node, at);
    case op::mask:
      return run(node, at) != 0 ? operand(node, 0).at(at) : -std::numeric_limits<double>::infinity();
    case op::score_mod:
    case op::tabulate:
      return run(node, at);
    default:
      return of_elements(node, at);
    }
  }

  static double product(const array &left, const array &right, const position &at) {
    double sum = 0;
    position l = at, r = at;
    for (std::int64_t i = 0; i < left.shape.back(); ++i) {
      l[l.size() - 1] = i;
      r[r.size() - 2] = i;
      sum += broadcast(left, l) * broadcast(right, r);
    }
    return sum;
  }

  double projected(const spec::node &node, const position &at) const {
    position row = at;
    double sum = node.operand_count > 2 ? operand(node, 2).elements[at.back()] : 0;
    const array &weight = operand(node, 1);
    for (std::int64_t i = 0; i < weight.shape[1]; ++i) {
      row.back() = i;
      sum += operand(node, 0).at(row) * weight.at({at.back(), i});
    }
    return sum;
  }

  double appended(const spec::node &node, position at) const {
    const array &rows = operand(node, 1);
    const std::int64_t first = std::llround(operand(node, 2).elements[0]), i = at[node.axis] - first;
    if (first < 0 || first + rows.shape[node.axis] > operand(node, 0).shape[node.axis])
      throw std::out_of_range("rows that do not fit into their state");
    if (i < 0 || i >= rows.shape[node.axis])
      return operand(node, 0).at(at);
    at[node.axis] = i;
    return rows.at(at);
  }

  /// The row of operand 0 in which a position lies.
  std::vector<double> row_of(const spec::node &node, position at) const {
    const array &x = operand(node, 0);
    at.resize(x.shape.size());
    std::vector<double> row;
    for (at.back() = 0; at.back() < x.shape.back(); ++at.back())
      row.push_back(x.at(at));
    return row;
  }

  double reduced(const spec::node &node, const position &at) const {
    const std::vector<double> row = row_of(node, at);
    const auto top = std::max_element(row.begin(), row.end());
    if (node.kind == op::sum)
      return std::accumulate(row.begin(), row.end(), 0.0);
    return node.kind == op::amax ? *top : static_cast<double>(top - row.begin());
  }

  double standardized(const spec::node &node, const position &at) const {
    const std::vector<double> row = row_of(node, at);
    const double count = static_cast<double>(row.size());
    const double mean = node.kind == op::rms_norm ? 0 : std::accumulate(row.begin(), row.end(), 0.0) / count;
    double squares = 0;
    for (const double x : row)
      squares += (x - mean) * (x - mean);
    const double gain = node.operand_count > 1 ? operand(node, 1).elements[at.back()] : 1;
    const double bias = node.operand_count > 2 ? operand(node, 2).elements[at.back()] : 0;
    return (row[at.back()] - mean) / std::sqrt(squares / count + node.value) * gain + bias;
  }

  double normalized(const spec::node &node, const position &at) const {
    const array &x = operand(node, 0);
    position row = at;
    if (node.kind == op::log_sum_exp)
      row.push_back(0);
    const bool has_sink = node.operand_count == 2;
    const double sink = has_sink ? operand(node, 1).elements[row[1]] : 0;
    double top = has_sink ? sink : -std::numeric_limits<double>::infinity(), sum = 0;
    for (row.back() = 0; row.back() < x.shape.back(); ++row.back())
      top = std::max(top, x.at(row));
    const double base = std::isinf(top) ? 0 : top;
    for (row.back() = 0; row.back() < x.shape.back(); ++row.back())
      sum += std::exp(x.at(row) - base);
    sum += has_sink ? std::exp(sink - base) : 0;
    if (node.kind == op::log_sum_exp)
      return std::log(sum) + base;
    return sum == 0 ? 0 : std::exp(x.at(at) - base) / sum;
  }

  double of_elements(const spec::node &node, const position &at) const {
    const double a = broadcast(operand(node, 0), at);
    const double b = node.operand_count > 1 ? broadcast(operand(node, 1), at) : 0;
    switch (node.kind) {
    case op::convert:
      return a;
    case op::add:
      return a + b;
    case op::subtract:
      return a - b;
    case op::multiply:
      return a * b;
    case op::divide:
      return a / b;
    case op::maximum:
      return std::max(a, b);
    case op::exponential:
      return std::exp(a);
    case op::logarithm:
      return std::log(a);
    case op::hyperbolic_tangent:
      return std::tanh(a);
    case op::error_function:
      return std::erf(a);
    case op::logistic:
      return 1 / (1 + std::exp(-a));
    case op::greater:
      return a > b;
    case op::equal:
      return a == b;
    default:
      throw std::invalid_argument(std::string("no test has needed ") +
                                  spec::operation_names[static_cast<int>(node.kind)]);
    }
  }

  /// The result of a node's program at one position of its result. Instructions come after their operands.
  double run(const spec::node &node, const position &at) {
    registers_.resize(kernel_.instruction_count);
    for (int i = first_of(node); i <= node.program; ++i)
      registers_[i] = instruction(node, kernel_.instructions[i], at);
    return registers_[node.program];
  }

  /// Programs begin with the positions of their axes.
  int first_of(const spec::node &node) const {
    int first = node.program;
    while (kernel_.instructions[first].kind != scalar_op::position ||
           kernel_.instructions[first].reference != 0)
      --first;
    return first;
  }

  double instruction(const spec::node &node, const spec::instruction &made, const position &at) const {
    switch (made.kind) {
    case scalar_op::position:
      return static_cast<double>(at[made.reference]);
    case scalar_op::score:
      return operand(node, 0).at(at);
    case scalar_op::number:
      return made.number;
    case scalar_op::extent:
      return static_cast<double>(size(kernel_.extents[made.reference]));
    case scalar_op::element:
      return looked_up(operand(node, made.reference), made);
    default:
      return of_scalars(made);
    }
  }

  double looked_up(const array &table, const spec::instruction &made) const {
    position at;
    for (int i = 0; i < made.operand_count; ++i)
      at.push_back(
          std::clamp<std::int64_t>(std::llround(registers_[made.operands[i]]), 0, table.shape[i] - 1));
    return table.at(at);
  }

  double of_scalars(const spec::instruction &made) const {
    const double a = registers_[made.operands[0]];
    const double b = made.operand_count > 1 ? registers_[made.operands[1]] : 0;
    switch (made.kind) {
    case scalar_op::add:
      return a + b;
    case scalar_op::subtract:
      return a - b;
    case scalar_op::multiply:
      return a * b;
    case scalar_op::divide:
      return made.type == spec::scalar_type::integer ? std::floor(a / b) : a / b;
    case scalar_op::remainder:
      return a - b * std::floor(a / b);
    case scalar_op::minimum:
      return std::min(a, b);
    case scalar_op::maximum:
      return std::max(a, b);
    case scalar_op::negate:
      return -a;
    case scalar_op::absolute:
      return std::abs(a);
    case scalar_op::exponential:
      return std::exp(a);
    case scalar_op::hyperbolic_tangent:
      return std::tanh(a);
    case scalar_op::error_function:
      return std::erf(a);
    case scalar_op::less:
      return a < b;
    case scalar_op::less_equal:
      return a <= b;
    case scalar_op::greater:
      return a > b;
    case scalar_op::greater_equal:
      return a >= b;
    case scalar_op::equal:
      return a == b;
    case scalar_op::not_equal:
      return a != b;
    case scalar_op::logical_and:
      return a != 0 && b != 0;
    case scalar_op::logical_or:
      return a != 0 || b != 0;
    case scalar_op::logical_not:
      return a == 0;
    case scalar_op::select:
      return a != 0 ? b : registers_[made.operands[2]];
    default:
      throw std::invalid_argument("no test has needed scalar operation " +
                                  std::to_string(static_cast<int>(made.kind)));
    }
  }

  const spec::graph &kernel_;
  const std::map<std::string, array> &arguments_;
  const std::map<std::string, std::int64_t> &sizes_;
  std::vector<array> values_;
  std::vector<double> registers_;
};

} // namespace

array evaluate(const spec::graph &kernel, const std::map<std::string, array> &arguments,
               const std::map<std::string, std::int64_t> &sizes, const std::string &name) {
  const evaluator all(kernel, arguments, sizes);
  for (int i = 0; i < kernel.output_count; ++i)
    if (kernel.outputs[i].name == name)
      return all.value(kernel.outputs[i].node);
  for (int i = 0; i < kernel.node_count; ++i)
    if (kernel.nodes[i].kind == op::append && kernel.nodes[kernel.nodes[i].operands[0]].name == name)
      return all.value(i);
  throw std::invalid_argument("the kernel has no output or state " + name);
}

} // namespace heed::testing
