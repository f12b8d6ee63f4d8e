#include "Commands/TargetFlag.h"

#include "Target/Target.h"

namespace heed::tools {

void addTargetFlag(CLI::App &command, std::string &target) {
  command.add_option("--target", target, targetHelp.str())->capture_default_str();
}

} // namespace heed::tools
