#include "Kernels/RunLevel.h"

#include "Compile.h"
#include "Emit/EmitLibrary.h"
#include "Support/ToolError.h"

#include <vector>

namespace heed::tools {

heed_cpu_level runLevel(const spec::graph &kernel, const std::string &target) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  auto fused = fuseKernels(context, &kernel);
  if (!fused)
    throw ToolError(llvm::toString(fused.takeError()));
  llvm::Expected<CpuLevels> levels = levelsOf(**fused, target);
  if (!levels)
    throw ToolError(llvm::toString(levels.takeError()));
  std::vector<heed_program> programs(levels->size());
  std::string name = "target " + target;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    programs[i].version = HEED_ABI_VERSION;
    programs[i].name = name.c_str();
    programs[i].cpu_level = static_cast<std::uint8_t>((*levels)[i]);
    programs[i].otherwise = i + 1 < programs.size() ? &programs[i + 1] : nullptr;
  }
  heed_status status = {};
  if (const heed_program *selected = heed_select_program(programs.data(), &status))
    return static_cast<heed_cpu_level>(selected->cpu_level);
  throw ToolError(status.message);
}

} // namespace heed::tools
