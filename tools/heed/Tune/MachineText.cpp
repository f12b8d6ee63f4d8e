#include "Tune/MachineText.h"

#include "Measure/DeviceArguments.h"
#include "Support/ToolError.h"
#include "Tune/ChildProcess.h"

#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <unistd.h>

namespace heed::tools {

namespace {

std::optional<std::string> firstLine(const std::string &file) {
  std::ifstream stream(file);
  std::string line;
  return std::getline(stream, line) ? std::optional(line) : std::nullopt;
}

/// From the C library, else from the kernel's list of caches: "48K", "1M".
std::int64_t cacheBytes(int name, int level, std::int64_t usual) {
  if (long bytes = sysconf(name); bytes > 0)
    return bytes;
  for (int index = 0; index < 8; ++index) {
    std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    std::optional<std::string> size = firstLine(folder + "size");
    if (!size || firstLine(folder + "level") != std::to_string(level) ||
        firstLine(folder + "type") == "Instruction")
      continue;
    std::int64_t number = std::atoll(size->c_str());
    return number << (size->ends_with("K") ? 10 : size->ends_with("M") ? 20 : 0);
  }
  return usual;
}

std::string cpuModel() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  }
  return "CPU";
}

} // namespace

tune::Machine machineFor(const Target &target, const ScheduleLimits &limits, int threads) {
  tune::Machine machine;
  machine.lanes = limits.lanes;
  machine.sharedBytes = limits.sharedBytes;
  machine.blockThreads = limits.blockThreads;
  machine.registers = limits.lanes >= 16 || target.level == HEED_CPU_AARCH64 ? 32 : 16;
  machine.firstCache = cacheBytes(_SC_LEVEL1_DCACHE_SIZE, 1, 32 << 10);
  machine.secondCache = cacheBytes(_SC_LEVEL2_CACHE_SIZE, 2, 512 << 10);
  machine.threads = threads;
  return machine;
}

std::string machineText(const Target &target, const tune::Machine &machine) {
  if (target.isDevice()) {
    constexpr double seconds = 60;
    const ChildReport report =
        runInChild([&](const Announce &) { return deviceName(target); }, seconds, [] { return false; });
    if (report.end != ChildEnd::Finished)
      throw ToolError(report.end == ChildEnd::Threw
                          ? report.result
                          : fmt::format("{}: its driver ended with {}", target.name(), report.words));
    return report.result;
  }
  return fmt::format("{}, {} thread{}, {} KiB and {} KiB of cache", cpuModel(), machine.threads,
                     machine.threads == 1 ? "" : "s", machine.firstCache >> 10, machine.secondCache >> 10);
}

} // namespace heed::tools
