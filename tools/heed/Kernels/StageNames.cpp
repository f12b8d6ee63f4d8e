#include "Kernels/StageNames.h"

#include "Kernels/GraphText.h"
#include "Support/Progress.h"
#include "Support/ToolError.h"

#include <algorithm>
#include <fmt/format.h>

namespace heed::tools {

const std::vector<std::string> &stageNames() {
  static const std::vector<std::string> names = {"graph",  "heed", "fused", "schedule",
                                                 "driver", "stmt", "asm"};
  return names;
}

std::string stageText(const spec::graph &kernel, const std::string &stage, const CompileOptions &options) {
  if (stage == "graph")
    return graphText(kernel);
  Progress progress(fmt::format("compiling kernel {}", kernel.name));
  static constexpr Stage stages[] = {Stage::Heed,   Stage::Fused, Stage::Schedule,
                                     Stage::Driver, Stage::Stmt,  Stage::Asm};
  const std::vector<std::string> &names = stageNames();
  std::size_t index = std::find(names.begin(), names.end(), stage) - names.begin();
  llvm::Expected<std::string> text = printStage(kernel, stages[index - 1], options);
  if (!text)
    throw ToolError(llvm::toString(text.takeError()));
  return *text;
}

} // namespace heed::tools
