#include "Measure/Against.h"

#include "Measure/Paired.h"
#include "Schedule/ScheduleFile.h"
#include "Support/Process.h"
#include "Tune/Evidence.h"

#include <fstream>

namespace heed::tools {

LoadedKernel loadAgainst(const spec::graph &kernel, KernelOptions options, const std::string &schedules) {
  TemporaryDirectory directory;
  options.scheduleFile = schedules;
  if (schedules == "default") {
    // A file that is given hides those beside the spec.
    options.scheduleFile = (directory.path() / "default.schedule").string();
    std::ofstream(options.scheduleFile) << printScheduleFile({});
  }
  return LoadedKernel(kernel, options);
}

AgainstResult timeAgainst(const std::function<void()> &first, const std::function<void()> &second,
                          int pairs) {
  std::vector<double> gains = timePairs(second, first, pairs).gains();
  return {tune::quantile(gains, 0.5), tune::quantile(gains, 0.25), tune::quantile(gains, 0.75)};
}

} // namespace heed::tools
