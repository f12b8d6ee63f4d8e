#include "Kernels/RunTarget.h"

#include "Compile.h"
#include "Emit/EmitLibrary.h"
#include "Support/ToolError.h"

#include <vector>

namespace heed::tools {

Target runTarget(const spec::graph &kernel, const std::string &target) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto fused = fuseKernels(context, &kernel);
  if (!fused)
    throw ToolError(llvm::toString(fused.takeError()));
  llvm::Expected<Targets> targets = targetsOf(**fused, target);
  if (!targets)
    throw ToolError(llvm::toString(targets.takeError()));
  std::vector<heed_program> programs(targets->size());
  std::string name = "target " + target;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    programs[i].version = HEED_ABI_VERSION;
    programs[i].name = name.c_str();
    programs[i].cpu_level = static_cast<std::uint8_t>((*targets)[i].level);
    programs[i].device_api = static_cast<std::uint8_t>((*targets)[i].device);
    programs[i].otherwise = i + 1 < programs.size() ? &programs[i + 1] : nullptr;
  }
  heed_status status = {};
  if (const heed_program *selected = heed_select_program(programs.data(), &status))
    return targetOf(*selected);
  throw ToolError(status.message);
}

Target targetOf(const heed_program &program) {
  return {static_cast<heed_cpu_level>(program.cpu_level), static_cast<heed_device_api>(program.device_api)};
}

} // namespace heed::tools
