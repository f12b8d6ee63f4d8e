#include "evaluate.hpp"

#include <heed/dsl/operation_names.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
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
    if (node.kind == op::input || node.kind == op::weight || node.kind == op::scalar) {
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

std::size_t offset(const position &shape, const position &at) {
  std::size_t result = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (at[i] < 0 || at[i] >= shape[i])
      throw std::out_of_range("a position outside of its array");
    result = result * shape[i] + at[i];
  }
  return result;
}

} // namespace

array::array(position extents, double fill) : shape(std::move(extents)) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape)
    count *= extent;
  elements.assign(count, fill);
}

double &array::at(const position &at) { return elements[offset(shape, at)]; }
double array::at(const position &at) const { return elements[offset(shape, at)]; }

void for_each_position(const position &shape, const std::function<void(const position &)> &visit) {
  position at(shape.size(), 0);
  for (const std::int64_t extent : shape)
    if (extent == 0)
      return;
  for (bool more = true; more;) {
    visit(at);
    more = false;
    for (std::size_t i = shape.size(); i > 0 && !more; --i) {
      more = ++at[i - 1] < shape[i - 1];
      at[i - 1] = more ? at[i - 1] : 0;
    }
  }
}

array filled(position shape, const std::function<double(const position &)> &element) {
  array result(std::move(shape));
  for_each_position(result.shape, [&](const position &at) { result.at(at) = element(at); });
  return result;
}

array mixed(position shape, unsigned seed) {
  return filled(std::move(shape), [state = seed](const position &) mutable {
    state = state * 1664525u + 1013904223u;
    return static_cast<double>(state >> 8) / (1 << 23) - 1;
  });
}

array evaluate(const spec::graph &kernel, const std::map<std::string, array> &arguments,
               const std::map<std::string, std::int64_t> &sizes, const std::string &name) {
  const evaluator all(kernel, arguments, sizes);
  for (int i = 0; i < kernel.output_count; ++i)
    if (kernel.outputs[i].name == name)
      return all.value(kernel.outputs[i].node);
  throw std::invalid_argument("the kernel has no output " + name);
}

} // namespace heed::testing
