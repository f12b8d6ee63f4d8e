#include "Reference/Rounding.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heed::reference {

namespace {

using spec::op;

constexpr double infinity = std::numeric_limits<double>::infinity();

bool isHalf(spec::dtype type) { return type == spec::dtype::f16 || type == spec::dtype::bf16; }

/// The least magnitude that rounds to infinity: half a step above the largest number.
double overflow(spec::dtype type) { return type == spec::dtype::f16 ? 65520 : std::ldexp(2 - 0x1p-8, 127); }

Number storedNumber(Number x, spec::dtype type) {
  if (x.absent)
    return x;
  double least = std::fabs(x.value) - x.bound, most = std::fabs(x.value) + x.bound;
  if (std::isfinite(x.value) && most >= overflow(type))
    return least >= overflow(type) ? Number{std::copysign(infinity, x.value)} : Number{x.value, infinity};
  return rounded(x.value, x.bound, unitRoundoff(type));
}

Number maybeStoredNumber(Number x, spec::dtype type) {
  Number result = storedNumber(x, type);
  return std::isinf(result.value) && !std::isinf(x.value) ? Number{x.value, infinity} : result;
}

bool isOnElements(op kind) {
  return (kind >= op::add && kind <= op::where) || kind == op::mask || kind == op::score_mod ||
         kind == op::dropout || kind == op::convert;
}

/// Operands at the same index: words have all of theirs there, programs the first.
int elementOperands(const spec::node &node) {
  bool isWord = (node.kind >= op::add && node.kind <= op::where) || node.kind == op::convert;
  return isWord ? node.operand_count : 1;
}

/// The first product that scores come from, operands from left to right; -1 if there is none.
int productOf(const spec::graph &kernel, int scores) {
  const spec::node &node = kernel.nodes[scores];
  if (node.kind == op::matmul)
    return scores;
  for (int k = 0; isOnElements(node.kind) && k < elementOperands(node); ++k)
    if (int product = productOf(kernel, node.operands[k]); product >= 0)
      return product;
  return -1;
}

/// Marks what lies between the product and the scores.
bool markPath(const spec::graph &kernel, int scores, int product, std::vector<bool> &onPath) {
  if (scores == product)
    return onPath[scores] = true;
  const spec::node &node = kernel.nodes[scores];
  bool depends = false;
  for (int k = 0; isOnElements(node.kind) && k < elementOperands(node); ++k)
    depends |= markPath(kernel, node.operands[k], product, onPath);
  onPath[scores] = onPath[scores] || depends;
  return depends;
}

bool readsScores(const spec::node &node, int operand) {
  return operand == 0 && (node.kind == op::softmax || node.kind == op::log_sum_exp);
}

} // namespace

bool isView(op kind) { return (kind >= op::transpose && kind <= op::repeat_heads) || kind == op::append; }

double computingRoundoff(spec::dtype type) {
  return std::min(unitRoundoff(type), unitRoundoff(spec::dtype::f32));
}

Tensor stored(Tensor tensor, spec::dtype type) {
  if (isHalf(type))
    for (Number &x : tensor.elements)
      x = storedNumber(x, type);
  return tensor;
}

Tensor maybeStored(Tensor tensor, spec::dtype type) {
  if (isHalf(type))
    for (Number &x : tensor.elements)
      x = maybeStoredNumber(x, type);
  return tensor;
}

Tensor maybeNarrowed(const Tensor &left) { return maybeStored(left, spec::dtype::bf16); }

std::vector<bool> unroundedScores(const spec::graph &kernel) {
  std::vector<bool> onPath(kernel.node_count, false), unrounded(kernel.node_count, true);
  for (int i = 0; i < kernel.node_count; ++i) {
    const spec::node &node = kernel.nodes[i];
    if (!readsScores(node, 0))
      continue;
    if (int product = productOf(kernel, node.operands[0]); product >= 0)
      markPath(kernel, node.operands[0], product, onPath);
  }
  for (int i = kernel.node_count - 1; i >= 0; --i) {
    const spec::node &node = kernel.nodes[i];
    unrounded[i] = unrounded[i] && onPath[i];
    for (int k = 0; k < node.operand_count; ++k)
      if (!readsScores(node, k) && !(unrounded[i] && isOnElements(node.kind)))
        unrounded[node.operands[k]] = false;
  }
  return unrounded;
}

} // namespace heed::reference
