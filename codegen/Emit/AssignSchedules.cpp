//===- AssignSchedules.cpp - One schedule per operation -------------------===//

#include "Emit/AssignSchedules.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;

namespace heed {

static ScheduleTable defaultSchedules(ModuleOp kernels, const HalideBackend &backend) {
  ScheduleTable schedules;
  for (auto kernel : kernels.getOps<ir::KernelOp>())
    backend.addDefaultSchedules(kernel, schedules);
  return schedules;
}

llvm::Expected<ScheduleTable> assignSchedules(ModuleOp kernels, ModuleOp spec, const HalideBackend &backend,
                                              const std::string &scheduleFile) {
  ScheduleTable chosen = defaultSchedules(kernels, backend);
  if (scheduleFile.empty())
    return chosen;
  auto file = llvm::MemoryBuffer::getFile(scheduleFile, /*IsText=*/true);
  if (!file)
    return llvm::createFileError(scheduleFile, file.getError());
  ScheduleTable all = defaultSchedules(spec, backend);
  std::string text = (*file)->getBuffer().str();
  if (std::optional<std::string> fault = parseSchedules(text, scheduleFile, backend.lanes(), all))
    return llvm::createStringError(*fault);
  for (auto &[operation, schedule] : chosen)
    schedule = all.at(operation);
  return chosen;
}

} // namespace heed
