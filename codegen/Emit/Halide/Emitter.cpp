//===- Emitter.cpp - One overload per fused operation ---------------------===//

#include "Emitter.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace heed {
namespace {

kernels::Form kernelForm(CodeForm form) {
  switch (form) {
  case CodeForm::Object:
    return kernels::Form::Object;
  case CodeForm::Statement:
    return kernels::Form::Stmt;
  case CodeForm::Assembly:
    return kernels::Form::Assembly;
  }
  llvm_unreachable("every form is listed");
}

kernels::DeviceForm deviceForm(CodeForm form) {
  switch (form) {
  case CodeForm::Object:
    return kernels::DeviceForm::Object;
  case CodeForm::Statement:
    return kernels::DeviceForm::Statement;
  case CodeForm::Assembly:
    return kernels::DeviceForm::Source;
  }
  llvm_unreachable("every form is listed");
}

/// Halide throws; the rest of the compiler doesn't.
template <typename T> llvm::Expected<T> withoutExceptions(llvm::function_ref<T()> run) {
  try {
    return run();
  } catch (const Halide::Error &failure) { // no std::exception
    return llvm::createStringError(failure.what());
  } catch (const std::exception &failure) {
    return llvm::createStringError(failure.what());
  }
}

} // namespace

LogicalResult Emitter::emit(Operation *op, StringRef operationName) {
  name = operationName.str();
  const auto found = schedules.find(name);
  if (found == schedules.end())
    return emitStep(op); // an error
  const ScheduleChoice &choice = found->second;
  std::vector<program::Step> &steps = builder.program.steps;
  std::vector<unsigned> factors;
  for (const std::string &symbol : choice.symbols)
    factors.push_back(builder.extent(ir::ExtentAttr::get(op->getContext(), StringRef(symbol))));
  program::Step step;
  for (const ScheduleChoice::Range &range : choice.ranges) {
    current = &range.schedule;
    if (failed(emitStep(op)))
      return failure();
    for (program::Alternative &alternative : steps.back().alternatives) {
      if (range.atMost >= 0)
        alternative.conditions.push_back({builder.program.product(factors), range.atMost});
      step.alternatives.push_back(std::move(alternative));
    }
    steps.pop_back();
  }
  steps.push_back(std::move(step));
  return success();
}

LogicalResult Emitter::emitStep(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ir::AttentionOp, ir::ScoresOp, ir::LinearOp, ir::MatmulOp, ir::SoftmaxOp, ir::LogSumExpOp,
            ir::SumOp, ir::AmaxOp, ir::ArgmaxOp, ir::LayerNormOp, ir::RmsNormOp, ir::MapOp>(
          [&](auto fused) { return emit(fused); })
      .Default([](Operation *other) {
        return other->emitError() << "found '" << other->getName()
                                  << "', an operation that the back end emits is needed";
      });
}

FailureOr<std::string>
Emitter::tileFunction(Operation *op, StringRef part, StringRef key,
                      llvm::function_ref<kernels::TileFunction(const std::string &)> build) {
  return addFunction<kernels::TileFunction>(
      op, part, key, build, [target = target](const kernels::TileFunction &function, CodeForm form) {
        return kernels::compile(function, target, kernelForm(form));
      });
}

FailureOr<std::string>
Emitter::deviceFunction(Operation *op, StringRef part, StringRef key,
                        llvm::function_ref<kernels::DeviceFunction(const std::string &)> build) {
  return addFunction<kernels::DeviceFunction>(
      op, part, key, build, [device = *device](const kernels::DeviceFunction &function, CodeForm form) {
        return kernels::compile(function, device, deviceForm(form));
      });
}

template <typename Function, typename CompileTo>
FailureOr<std::string> Emitter::addFunction(Operation *op, StringRef part, StringRef key,
                                            llvm::function_ref<Function(const std::string &)> build,
                                            CompileTo compile) {
  std::string functionName = part.empty() ? name : name + "_" + part.str();
  llvm::Expected<std::string> symbol =
      functions.add(functionName, (op->getName().getStringRef() + "|" + part + "|" + key).str(),
                    [&](const std::string &symbol) -> llvm::Expected<TileFunctions::Compile> {
                      auto function = withoutExceptions<Function>([&] { return build(symbol); });
                      if (!function)
                        return function.takeError();
                      return [function = std::move(*function), compile](CodeForm form) {
                        return withoutExceptions<std::string>([&] { return compile(function, form); });
                      };
                    });
  if (!symbol)
    return op->emitError() << llvm::toString(symbol.takeError());
  return *symbol + "_argv"; // Halide's name of the entry point with the argv convention
}

program::Launch Emitter::launch(std::string function, StringRef part) const {
  program::Launch launch;
  launch.function = std::move(function);
  launch.name = part.empty() ? name : name + " " + part.str();
  return launch;
}

int Emitter::addGridAxis(program::Launch &launch, ir::ExtentAttr extent, int block, bool joinsNext) {
  launch.grid.push_back({builder.extent(extent), joinsNext && !device, block});
  return launch.grid.size() - 1;
}

void Emitter::addStep(program::Launch launch) {
  program::Alternative alternative;
  alternative.launches.push_back(std::move(launch));
  builder.program.steps.push_back({{std::move(alternative)}});
}

LogicalResult Emitter::addStep(ir::ExtentAttr size, ArrayRef<Family> families) {
  program::Step step;
  std::optional<int64_t> known = staticValue(size);
  for (const Family &family : families) {
    bool isLimited = family.atMost >= 0;
    if (family.atMost == 0 || (known && isLimited && *known > family.atMost))
      continue;
    // Of the families for a known size, the first is taken.
    bool isChosen = known.has_value() || !isLimited;
    bool isDecided = llvm::any_of(step.alternatives, [&](const program::Alternative &other) {
      return isChosen && other.conditions.empty() && other.zeroArgument == family.zeroArgument;
    });
    if (isDecided)
      continue;
    FailureOr<std::vector<program::Launch>> launches = family.launches();
    if (failed(launches))
      return failure();
    program::Alternative &alternative = step.alternatives.emplace_back(
        family.zeroArgument, decltype(program::Alternative::conditions)(), std::move(*launches));
    if (!isChosen)
      alternative.conditions.push_back({builder.extent(size), family.atMost});
    if (isChosen && !family.zeroArgument)
      break;
  }
  builder.program.steps.push_back(std::move(step));
  return success();
}

ir::ExtentAttr volume(Value value, int64_t operations) {
  auto product = ir::ExtentAttr::get(value.getContext(), operations);
  for (ir::ExtentAttr axis : ir::tensorType(value).getShape())
    product = product.multiply(axis);
  return product;
}

std::optional<int64_t> staticValue(ir::ExtentAttr extent) {
  return extent.isStatic() ? std::optional(extent.getValue()) : std::nullopt;
}

} // namespace heed
