//===- Validate.cpp - Bounds of a spec's data ------------------------------===//

#include "Import/Import.h"
#include "Import/Program.h"

#include "mlir/IR/Diagnostics.h"

#include <cmath>

using namespace mlir;

namespace heed {
namespace {

using spec::op;
using spec::scalar_op;

/// How many operands an operation takes; programs take the scores and any captures.
struct Arity {
  unsigned least, most;
};

Arity arityOf(op kind) {
  switch (kind) {
  case op::input:
  case op::weight:
  case op::scalar:
  case op::state:
  case op::constant:
    return {0, 0};
  case op::tabulate:
    return {0, spec::max_operands};
  case op::mask:
  case op::score_mod:
    return {1, spec::max_operands};
  case op::convert:
    return {1, 1};
  case op::softmax:
  case op::log_sum_exp:
    return {1, 2};
  case op::linear:
    return {2, 3};
  case op::layer_norm:
    return {1, 3};
  case op::rms_norm:
    return {1, 2};
  case op::append:
    return {3, 3};
  case op::where:
  case op::dropout:
    return {3, 3};
  default:
    bool isUnary = (kind >= op::transpose && kind <= op::repeat_heads) ||
                   (kind >= op::negate && kind <= op::logistic) || kind == op::logical_not ||
                   (kind >= op::sum && kind <= op::argmax);
    return isUnary ? Arity{1, 1} : Arity{2, 2};
  }
}

bool hasProgram(op kind) { return kind == op::mask || kind == op::score_mod || kind == op::tabulate; }

/// Whether a number that stands for an integer is one of 64 bits.
bool isInteger(double number) { return number >= -0x1p63 && number < 0x1p63 && number == std::trunc(number); }

Arity arityOf(scalar_op kind) {
  if (kind <= scalar_op::extent)
    return {0, 0};
  if (kind == scalar_op::element)
    return {0, spec::max_rank};
  if (kind == scalar_op::select)
    return {3, 3};
  bool isUnary = (kind >= scalar_op::negate && kind <= scalar_op::logistic) || kind == scalar_op::logical_not;
  return isUnary ? Arity{1, 1} : Arity{2, 2};
}

class Validator {
public:
  Validator(MLIRContext *context, const spec::graph &graph) : context(context), graph(graph) {}

  LogicalResult run() {
    if (graph.version != spec::format_version)
      return fault(graph.line) << "the data have version " << graph.version << ", needed "
                               << spec::format_version << "; rebuild the spec with the headers of this heed";
    if (!graph.name)
      return fault(graph.line) << "the kernel has no name, needed one";
    if (failed(checkTable("symbols", graph.symbol_count, graph.symbols)) ||
        failed(checkTable("extents", graph.extent_count, graph.extents)) ||
        failed(checkTable("nodes", graph.node_count, graph.nodes)) ||
        failed(checkTable("instructions", graph.instruction_count, graph.instructions)) ||
        failed(checkTable("outputs", graph.output_count, graph.outputs)))
      return failure();
    for (int32_t i = 0; i < graph.symbol_count; ++i)
      if (!graph.symbols[i])
        return fault(graph.line) << "symbol " << i << " has no name, needed one";
    return success(succeeded(checkExtents()) && succeeded(checkInstructions()) && succeeded(checkNodes()) &&
                   succeeded(checkOutputs()));
  }

private:
  InFlightDiagnostic fault(int32_t line) {
    InFlightDiagnostic error = emitError(specLocation(context, graph, line));
    error << "graph: ";
    return error;
  }

  LogicalResult checkTable(StringRef what, int32_t count, const void *data) {
    if (count < 0 || (count > 0 && !data))
      return fault(graph.line) << count << " " << what << (data ? "" : " at a null pointer")
                               << ", needed a count of at least 0 and their data";
    return success();
  }

  LogicalResult checkIndex(int32_t line, StringRef what, int32_t index, int32_t count) {
    if (index < 0 || index >= count)
      return fault(line) << what << " is " << index << ", needed 0 to " << count - 1;
    return success();
  }

  LogicalResult checkExtents() {
    for (int32_t i = 0; i < graph.extent_count; ++i) {
      const spec::extent &extent = graph.extents[i];
      if (extent.numerator < 0 || extent.denominator <= 0)
        return fault(graph.line) << "extent " << i << " is " << extent.numerator << "/" << extent.denominator
                                 << ", needed a numerator of at least 0 and a positive denominator";
      if (extent.factor_count < 0 || extent.factor_count > spec::max_factors)
        return fault(graph.line) << "extent " << i << " has " << extent.factor_count
                                 << " factors, needed 0 to " << spec::max_factors;
      for (int32_t f = 0; f < extent.factor_count; ++f)
        if (failed(checkIndex(graph.line, "a symbol of an extent", extent.factors[f].symbol,
                              graph.symbol_count)))
          return failure();
    }
    return success();
  }

  LogicalResult checkInstructions() {
    for (int32_t i = 0; i < graph.instruction_count; ++i) {
      const spec::instruction &instruction = graph.instructions[i];
      if (instruction.kind > scalar_op::select || instruction.type > spec::scalar_type::truth)
        return fault(graph.line) << "instruction " << i << " has kind " << int(instruction.kind)
                                 << " and type " << int(instruction.type) << ", needed ones of this version";
      Arity arity = arityOf(instruction.kind);
      if (instruction.operand_count < arity.least || instruction.operand_count > arity.most)
        return fault(graph.line) << "instruction " << i << " has " << int(instruction.operand_count)
                                 << " operands, needed " << arity.least << " to " << arity.most;
      for (int k = 0; k < instruction.operand_count; ++k)
        if (failed(checkIndex(graph.line, "an operand of an instruction", instruction.operands[k], i)))
          return failure();
      if (instruction.kind == scalar_op::extent &&
          failed(checkIndex(graph.line, "the extent of an instruction", instruction.reference,
                            graph.extent_count)))
        return failure();
      if (instruction.kind == scalar_op::number && instruction.type != spec::scalar_type::real &&
          !isInteger(instruction.number))
        return fault(graph.line) << "instruction " << i << " is the integer " << instruction.number
                                 << ", needed a whole number of 64 bits";
    }
    return success();
  }

  LogicalResult checkNodes() {
    for (int32_t i = 0; i < graph.node_count; ++i)
      if (failed(checkNode(i, graph.nodes[i])))
        return failure();
    return success();
  }

  LogicalResult checkNode(int32_t i, const spec::node &node) {
    if (node.kind > op::convert || node.type > spec::dtype::f64)
      return fault(node.line) << "node " << i << " has kind " << int(node.kind) << " and type "
                              << int(node.type) << ", needed ones of this version";
    if (node.rank > spec::max_rank)
      return fault(node.line) << "node " << i << " has " << int(node.rank) << " axes, needed at most "
                              << spec::max_rank;
    Arity arity = arityOf(node.kind);
    if (node.operand_count < arity.least || node.operand_count > arity.most)
      return fault(node.line) << "node " << i << " has " << int(node.operand_count) << " operands, needed "
                              << arity.least << " to " << arity.most;
    for (int axis = 0; axis < node.rank; ++axis)
      if (failed(checkIndex(node.line, "an extent of a node", node.shape[axis], graph.extent_count)))
        return failure();
    for (int k = 0; k < node.operand_count; ++k)
      if (failed(checkIndex(node.line, "an operand of a node", node.operands[k], i)))
        return failure();
    if (node.kind <= op::state && !node.name)
      return fault(node.line) << "an argument has no name, needed one";
    if (node.kind == op::constant && node.type <= spec::dtype::i64 && !isInteger(node.value))
      return fault(node.line) << "a constant is the integer " << node.value
                              << ", needed a whole number of 64 bits";
    if (node.kind == op::slice && node.start >= 0 &&
        failed(checkIndex(node.line, "the start of a slice", node.start, graph.extent_count)))
      return failure();
    if (failed(checkStates(node)))
      return failure();
    return hasProgram(node.kind) ? checkProgram(node) : success();
  }

  /// What the leaves of a program refer to depends on the node.
  LogicalResult checkProgram(const spec::node &node) {
    if (failed(checkIndex(node.line, "the program of a node", node.program, graph.instruction_count)))
      return failure();
    std::vector<bool> needed = neededInstructions(graph, node.program);
    int axes = node.kind == op::tabulate ? node.rank : 4;
    for (size_t i = 0; i < needed.size(); ++i) {
      const spec::instruction &instruction = graph.instructions[i];
      if (!needed[i])
        continue;
      if (instruction.kind == scalar_op::position &&
          failed(checkIndex(node.line, "the axis of a position", instruction.reference, axes)))
        return failure();
      if (instruction.kind == scalar_op::score && node.kind != op::score_mod)
        return fault(node.line) << (node.kind == op::mask ? "mask" : "tabulate")
                                << " reads a score, needed only positions; use score_mod";
      if (instruction.kind == scalar_op::element && failed(checkElement(node, instruction)))
        return failure();
    }
    return success();
  }

  /// A state is the cache of an append, and only that; the position is an argument.
  LogicalResult checkStates(const spec::node &node) {
    for (int k = 0; k < node.operand_count; ++k) {
      bool isState = graph.nodes[node.operands[k]].kind == op::state;
      if (isState != (node.kind == op::append && k == 0))
        return fault(node.line) << (isState ? "a state is read by another operation than append"
                                            : "append has a cache that is no state")
                                << ", needed append of a state";
    }
    if (node.kind == op::append && graph.nodes[node.operands[2]].kind != op::scalar)
      return fault(node.line) << "append has a position that is no scalar argument, needed one";
    return success();
  }

  LogicalResult checkElement(const spec::node &node, const spec::instruction &instruction) {
    int first = firstCapture(node.kind);
    if (instruction.reference < first || instruction.reference >= node.operand_count)
      return fault(node.line) << "an element of operand " << instruction.reference << " is read, needed "
                              << first << " to " << int(node.operand_count) - 1;
    int rank = graph.nodes[node.operands[instruction.reference]].rank;
    if (instruction.operand_count != rank)
      return fault(node.line) << "an element of " << rank << " axes has " << int(instruction.operand_count)
                              << " indices, needed one per axis";
    return success();
  }

  LogicalResult checkOutputs() {
    for (int32_t i = 0; i < graph.output_count; ++i) {
      const spec::output &output = graph.outputs[i];
      if (!output.name)
        return fault(output.line) << "an output has no name, needed one";
      if (failed(checkIndex(output.line, "the node of an output", output.node, graph.node_count)))
        return failure();
    }
    return success();
  }

  MLIRContext *context;
  const spec::graph &graph;
};

} // namespace

Location specLocation(MLIRContext *context, const spec::graph &graph, int32_t line) {
  return FileLineColLoc::get(context, graph.file ? graph.file : "", line, 0);
}

LogicalResult validateGraph(MLIRContext *context, const spec::graph &graph) {
  return Validator(context, graph).run();
}

} // namespace heed
