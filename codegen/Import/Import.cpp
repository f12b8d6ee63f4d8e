//===- Import.cpp - From a spec's data to the dialect ---------------------===//

#include "Import/Import.h"

#include "Dialect/Scalars.h"
#include "Dialect/Shapes.h"
#include "Import/Program.h"
#include "heed/dsl/operation_names.hpp"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace heed::ir;

namespace heed {
namespace {

using spec::op;

class KernelImporter {
public:
  KernelImporter(ModuleOp module, const spec::graph &graph)
      : builder(module.getBodyRegion()), context(module.getContext()), graph(graph) {
    builder.setInsertionPointToEnd(module.getBody());
  }

  FailureOr<KernelOp> run() {
    if (failed(validateGraph(context, graph)))
      return failure();
    for (int32_t i = 0; i < graph.extent_count; ++i)
      extents.push_back(importExtent(graph.extents[i]));
    KernelOp kernel = createKernel();
    builder.setInsertionPointToEnd(&kernel.getBody().front());
    unsigned argument = 0;
    for (int32_t i = 0; i < graph.node_count; ++i) {
      const spec::node &node = graph.nodes[i];
      Value value = node.kind <= op::state ? kernel.getBody().getArgument(argument++) : importNode(node);
      if (!value) {
        kernel.erase();
        return failure();
      }
      values.push_back(value);
    }
    createReturn();
    if (failed(mlir::verify(kernel))) {
      kernel.erase();
      return failure();
    }
    return kernel;
  }

private:
  Location at(int32_t line) { return specLocation(context, graph, line); }

  ExtentAttr importExtent(const spec::extent &extent) {
    ExtentAttr result =
        ExtentAttr::get(context, extent.numerator).divide(ExtentAttr::get(context, extent.denominator));
    for (int32_t f = 0; f < extent.factor_count; ++f) {
      ExtentAttr symbol = ExtentAttr::get(context, graph.symbols[extent.factors[f].symbol]);
      int power = extent.factors[f].power;
      for (int i = 0; i < std::abs(power); ++i)
        result = power > 0 ? result.multiply(symbol) : result.divide(symbol);
    }
    return result;
  }

  Type elementType(spec::dtype type) {
    switch (type) {
    case spec::dtype::b8:
      return builder.getI1Type();
    case spec::dtype::i32:
      return builder.getI32Type();
    case spec::dtype::i64:
      return builder.getI64Type();
    case spec::dtype::f16:
      return builder.getF16Type();
    case spec::dtype::bf16:
      return builder.getBF16Type();
    case spec::dtype::f32:
      return builder.getF32Type();
    case spec::dtype::f64:
      return builder.getF64Type();
    }
    llvm_unreachable("validated");
  }

  ir::TensorType typeOf(const spec::node &node) {
    SmallVector<ExtentAttr> shape;
    for (int axis = 0; axis < node.rank; ++axis)
      shape.push_back(extents[node.shape[axis]]);
    return ir::TensorType::get(shape, elementType(node.type));
  }

  auto nodesOf(op kind) {
    return llvm::make_filter_range(llvm::ArrayRef(graph.nodes, graph.node_count),
                                   [kind](const spec::node &node) { return node.kind == kind; });
  }

  KernelOp createKernel() {
    SmallVector<Type> arguments, results;
    SmallVector<Attribute> argumentAttributes, resultAttributes;
    SmallVector<Location> locations;
    for (int32_t i = 0; i < graph.node_count; ++i) {
      const spec::node &node = graph.nodes[i];
      if (node.kind > op::state)
        continue;
      arguments.push_back(typeOf(node));
      locations.push_back(at(node.line));
      argumentAttributes.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr(KernelOp::nameAttr, builder.getStringAttr(node.name)),
           builder.getNamedAttr(KernelOp::roleAttr,
                                builder.getStringAttr(spec::operation_names[unsigned(node.kind)]))}));
    }
    for (int32_t i = 0; i < graph.output_count; ++i) {
      results.push_back(typeOf(graph.nodes[graph.outputs[i].node]));
      resultAttributes.push_back(builder.getDictionaryAttr(
          builder.getNamedAttr(KernelOp::nameAttr, builder.getStringAttr(graph.outputs[i].name))));
    }
    for (const spec::node &node : nodesOf(op::append)) {
      const spec::node &state = graph.nodes[node.operands[0]];
      results.push_back(typeOf(node));
      resultAttributes.push_back(builder.getDictionaryAttr(
          {builder.getNamedAttr(KernelOp::nameAttr, builder.getStringAttr(state.name)),
           builder.getNamedAttr(KernelOp::roleAttr, builder.getStringAttr("state"))}));
    }
    auto kernel =
        KernelOp::create(builder, at(graph.line), graph.name, builder.getFunctionType(arguments, results));
    kernel.setArgAttrsAttr(builder.getArrayAttr(argumentAttributes));
    kernel.setResAttrsAttr(builder.getArrayAttr(resultAttributes));
    for (auto [argument, location] : llvm::zip_equal(kernel.getBody().getArguments(), locations))
      argument.setLoc(location);
    return kernel;
  }

  void createReturn() {
    SmallVector<Value> outputs;
    for (int32_t i = 0; i < graph.output_count; ++i)
      outputs.push_back(values[graph.outputs[i].node]);
    for (const spec::node &node : nodesOf(op::append))
      outputs.push_back(values[&node - graph.nodes]);
    ReturnOp::create(builder, at(graph.output_count ? graph.outputs[0].line : graph.line), outputs);
  }

  /// Null after a reported error. The result has the type that the spec says; the verifier compares it with
  /// what the operands imply.
  Value importNode(const spec::node &node) {
    SmallVector<Value> operands;
    for (int k = 0; k < node.operand_count; ++k)
      operands.push_back(values[node.operands[k]]);
    if (node.kind == op::tabulate)
      return importTable(node, operands);
    OperationState state(at(node.line),
                         ("heed." + StringRef(spec::operation_names[unsigned(node.kind)])).str());
    state.addOperands(operands);
    state.addTypes(typeOf(node));
    switch (node.kind) {
    case op::linear:
      // Bias or none; no inputs, no captures, no epilogue.
      state.addAttribute("operandSegmentSizes",
                         builder.getDenseI32ArrayAttr({1, 1, node.operand_count - 2, 0, 0}));
      state.addRegion();
      break;
    case op::constant:
      state.addAttribute("value", builder.getF64FloatAttr(node.value));
      break;
    case op::split_heads:
      if (node.rank != 4) {
        emitError(state.location) << "split_heads: result is " << typeOf(node).shapeStr()
                                  << ", needed four axes";
        return {};
      }
      state.addAttribute("heads", extents[node.shape[1]]);
      break;
    case op::permute: {
      SmallVector<int64_t> permutation(node.permutation, node.permutation + node.rank);
      state.addAttribute("permutation", builder.getDenseI64ArrayAttr(permutation));
      break;
    }
    case op::softmax:
      if (node.nan_for_empty)
        state.addAttribute("nan_for_empty", builder.getUnitAttr());
      break;
    case op::drop_axis:
    case op::slice:
    case op::append:
      state.addAttribute("axis", builder.getI64IntegerAttr(node.axis));
      if (node.kind == op::slice && node.start >= 0)
        state.addAttribute("start", extents[node.start]);
      break;
    case op::layer_norm:
    case op::rms_norm:
      state.addAttribute("epsilon", builder.getF64FloatAttr(node.value));
      break;
    case op::dropout:
      state.addAttribute("site", builder.getI32IntegerAttr(node.site));
      break;
    case op::mask:
    case op::score_mod:
      if (failed(importRegion(node, operands, *state.addRegion())))
        return {};
      break;
    default:
      break;
    }
    return builder.create(state)->getResult(0);
  }

  LogicalResult importRegion(const spec::node &node, ValueRange operands, Region &region) {
    OpBuilder::InsertionGuard guard(builder);
    Location location = at(node.line);
    Type i64 = builder.getI64Type();
    Block *block = builder.createBlock(&region);
    ProgramScope scope;
    scope.real = tensorType(operands[0]).getScalarType();
    if (!isa<FloatType>(scope.real))
      return emitError(location) << spec::operation_names[unsigned(node.kind)] << ": scores are "
                                 << operands[0].getType() << ", needed floating point";
    if (node.kind == op::score_mod)
      scope.score = block->addArgument(scope.real, location);
    for (int axis = 0; axis < 4; ++axis)
      scope.positions.push_back(block->addArgument(i64, location));
    Type type = node.kind == op::mask ? Type(builder.getI1Type()) : scope.real;
    fillRegion(node, operands.drop_front(), scope, type);
    return success();
  }

  /// A table without inputs: its program reads positions and captures.
  Value importTable(const spec::node &node, ValueRange operands) {
    OpBuilder::InsertionGuard guard(builder);
    Location location = at(node.line);
    auto map = MapOp::create(builder, location, typeOf(node), /*inputs=*/ValueRange(), operands);
    builder.createBlock(&map.getBody());
    ProgramScope scope;
    scope.real = node.type == spec::dtype::f64 ? builder.getF64Type() : builder.getF32Type();
    for (int64_t axis = 0; axis < node.rank; ++axis)
      scope.positions.push_back(PositionOp::create(builder, location, builder.getI64Type(), axis));
    fillRegion(node, operands, scope, typeOf(node).getScalarType());
    return map.getResult();
  }

  /// The rest of a region: its captures, the program, and what it yields.
  void fillRegion(const spec::node &node, ValueRange operands, ProgramScope &scope, Type result) {
    Location location = at(node.line);
    Block *block = builder.getInsertionBlock();
    unsigned first = block->getNumArguments();
    for (Value capture : operands)
      block->addArgument(capture.getType(), location);
    scope.extents = extents;
    SmallVector<Value> captures(block->getArguments().drop_front(first));
    scope.captures = captures;
    Value value = importProgram(builder, location, graph, node, scope);
    YieldOp::create(builder, location, ScalarBuilder(builder, location).convert(value, result));
  }

  OpBuilder builder;
  MLIRContext *context;
  const spec::graph &graph;
  SmallVector<ExtentAttr> extents;
  SmallVector<Value> values;
};

} // namespace

FailureOr<KernelOp> importKernel(ModuleOp module, const spec::graph &graph) {
  return KernelImporter(module, graph).run();
}

} // namespace heed
