//===- KernelOps.cpp - A kernel and its end -------------------------------===//

#include "Dialect/Heed.h"

#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace heed;
using namespace heed::ir;

static StringRef stringAttr(ArrayAttr attributes, unsigned index, StringRef name) {
  if (!attributes)
    return {};
  auto value = cast<DictionaryAttr>(attributes[index]).getAs<StringAttr>(name);
  return value ? value.getValue() : StringRef();
}

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name, FunctionType type) {
  state.addAttribute(getSymNameAttrName(state.name), builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  Block &block = state.addRegion()->emplaceBlock();
  for (Type argument : type.getInputs())
    block.addArgument(argument, state.location);
}

StringRef KernelOp::getArgumentName(unsigned argument) {
  return stringAttr(getArgAttrsAttr(), argument, nameAttr);
}

bool KernelOp::isWeight(unsigned argument) {
  return stringAttr(getArgAttrsAttr(), argument, roleAttr) == "weight";
}

StringRef KernelOp::getOutputName(unsigned output) { return stringAttr(getResAttrsAttr(), output, nameAttr); }

std::optional<unsigned> KernelOp::getStateOf(unsigned result) {
  if (stringAttr(getResAttrsAttr(), result, roleAttr) != "state")
    return std::nullopt;
  for (unsigned argument = 0; argument < getArgumentTypes().size(); ++argument)
    if (getArgumentName(argument) == getOutputName(result) &&
        stringAttr(getArgAttrsAttr(), argument, roleAttr) == "state")
      return argument;
  return std::nullopt;
}

void KernelOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, getArgumentName(argument.getArgNumber()));
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> arguments, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) { return builder.getFunctionType(arguments, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
                                           getArgAttrsAttrName(), getResAttrsAttrName());
}

/// Every state is used by one append only, at a position that is known before the call, and a result hands it
/// back.
static LogicalResult verifyStates(KernelOp kernel) {
  llvm::SmallDenseSet<unsigned> handedBack;
  for (unsigned i = 0; i < kernel.getResultTypes().size(); ++i)
    if (std::optional<unsigned> state = kernel.getStateOf(i)) {
      handedBack.insert(*state);
      auto append = kernel.getBody().front().getTerminator()->getOperand(i).getDefiningOp<AppendOp>();
      BlockArgument cache = kernel.getBody().getArgument(*state);
      if (!append || append.getCache() != cache || !cache.hasOneUse())
        return kernel.emitError()
               << "kernel: state '" << kernel.getArgumentName(*state)
               << "' is not used by one append alone, whose result is handed back, needed that";
      auto position = dyn_cast<BlockArgument>(append.getPosition());
      if (!position ||
          stringAttr(kernel.getArgAttrsAttr(), position.getArgNumber(), KernelOp::roleAttr) != "scalar")
        return kernel.emitError() << "kernel: state '" << kernel.getArgumentName(*state)
                                  << "' gets rows at a position that is no scalar argument, needed one";
    }
  for (unsigned i = 0; i < kernel.getArgumentTypes().size(); ++i)
    if (stringAttr(kernel.getArgAttrsAttr(), i, KernelOp::roleAttr) == "state" && !handedBack.contains(i))
      return kernel.emitError() << "kernel: state '" << kernel.getArgumentName(i)
                                << "' has no result with its name and the role 'state', needed one";
  return success();
}

LogicalResult KernelOp::verify() {
  if (getResultTypes().empty())
    return emitError() << "kernel: " << getSymName() << " has no output, needed at least one";
  llvm::StringSet<> names;
  auto check = [&](StringRef what, unsigned index, StringRef name, Type type) -> LogicalResult {
    if (!isa<ir::TensorType>(type))
      return emitError() << "kernel: " << what << " " << index << " is " << type << ", needed a heed.tensor";
    if (name.empty())
      return emitError() << "kernel: " << what << " " << index << " has no heed.name, needed one";
    if (!names.insert(name).second)
      return emitError() << "kernel: two arguments or outputs are named '" << name
                         << "', needed different names; rename one";
    return success();
  };
  for (auto [i, type] : llvm::enumerate(getArgumentTypes())) {
    if (failed(check("argument", i, getArgumentName(i), type)))
      return failure();
    StringRef role = stringAttr(getArgAttrsAttr(), i, roleAttr);
    if (role != "input" && role != "weight" && role != "scalar" && role != "state")
      return emitError() << "kernel: argument '" << getArgumentName(i) << "' has the role '" << role
                         << "', needed 'input', 'weight', 'scalar' or 'state'";
    if (role == "scalar" && cast<ir::TensorType>(type).getRank() != 0)
      return emitError() << "kernel: scalar '" << getArgumentName(i) << "' is "
                         << cast<ir::TensorType>(type).shapeStr() << ", needed no axes, ()";
  }
  for (auto [i, type] : llvm::enumerate(getResultTypes()))
    if (!getStateOf(i) && failed(check("output", i, getOutputName(i), type)))
      return failure();
  return verifyStates(*this);
}

LogicalResult ReturnOp::verify() {
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (getOutputs().getTypes() == kernel.getResultTypes())
    return success();
  InFlightDiagnostic error = emitError() << "return: values are (";
  llvm::interleaveComma(getOutputs().getTypes(), error);
  error << "), the outputs of " << kernel.getSymName() << " are (";
  llvm::interleaveComma(kernel.getResultTypes(), error);
  return error << "), needed the same";
}

static LogicalResult verifyKernelAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == KernelOp::nameAttr || attribute.getName() == KernelOp::roleAttr)
    return success();
  return op->emitError() << "kernel: attribute '" << attribute.getName().strref()
                         << "', needed heed.name or heed.role";
}

LogicalResult HeedDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                                    NamedAttribute attribute) {
  return verifyKernelAttribute(op, attribute);
}

LogicalResult HeedDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                                       NamedAttribute attribute) {
  return verifyKernelAttribute(op, attribute);
}
