//===- Target.cpp - What code is compiled for -----------------------------===//

#include "Target.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace heed {
namespace {

constexpr std::pair<llvm::StringLiteral, heed_device_api> devices[] = {{"opencl", HEED_DEVICE_OPENCL},
                                                                       {"cuda", HEED_DEVICE_CUDA},
                                                                       {"vulkan", HEED_DEVICE_VULKAN},
                                                                       {"metal", HEED_DEVICE_METAL}};

llvm::Error wrongTarget(llvm::StringRef target, llvm::StringRef needed) {
  return llvm::createStringError(llvm::formatv("target: found '{0}', {1}", target, needed));
}

/// The levels of a word that names CPUs, highest first; none for any other word.
CpuLevels levelsNamed(llvm::StringRef word, bool dotsBf16) {
  const auto isDistinct = [&](heed_cpu_level level) { return dotsBf16 || level != HEED_CPU_X86_64_V4_BF16; };
  if (word == "host")
    return {*llvm::find_if(hostLevels(), isDistinct)};
  if (word == "x86-64")
    return llvm::to_vector<4>(llvm::make_filter_range(x86Levels(), isDistinct));
  std::optional<heed_cpu_level> level = levelNamed(word);
  return level ? CpuLevels{*level} : CpuLevels();
}

/// A device and the level of the code that drives it, which has no dot products.
std::optional<Target> deviceNamed(llvm::StringRef word) {
  for (auto [name, device] : devices) {
    llvm::StringRef host = word;
    if (!host.consume_back(name))
      continue;
    if (!host.empty() && !host.consume_back("-"))
      continue;
    CpuLevels levels = levelsNamed(host.empty() && word == name ? "host" : host, /*dotsBf16=*/false);
    if (!levels.empty())
      return Target{levels.back(), device};
  }
  return std::nullopt;
}

} // namespace

llvm::StringRef deviceName(heed_device_api device) {
  for (auto [name, other] : devices)
    if (other == device)
      return name;
  return "none";
}

std::string Target::name() const { return (isDevice() ? deviceName(device) : levelName(level)).str(); }

std::string Target::written() const {
  return isDevice() ? (levelName(level) + "-" + deviceName(device)).str() : name();
}

Targets merged(llvm::ArrayRef<Targets> lists) {
  Targets result, levels;
  for (const Targets &list : lists)
    for (const Target &target : list) {
      Targets &kind = target.isDevice() ? result : levels;
      if (!llvm::is_contained(kind, target))
        kind.push_back(target);
    }
  llvm::sort(levels, [](const Target &a, const Target &b) { return a.level > b.level; });
  llvm::append_range(result, levels);
  return result;
}

llvm::Expected<Targets> parseTarget(llvm::StringRef text, bool dotsBf16) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ',');
  llvm::SmallVector<Targets> lists;
  for (llvm::StringRef word : words) {
    Targets &list = lists.emplace_back();
    if (std::optional<Target> device = deviceNamed(word))
      list.push_back(*device);
    for (heed_cpu_level level : levelsNamed(word, dotsBf16))
      list.push_back({level});
    if (list.empty())
      return wrongTarget(word, "host, x86-64 or the name of a CPU level or a device interface is needed; "
                               "write for example x86-64-v3, x86-64-v3,x86-64-v4 or host-opencl");
  }
  Targets result = merged(lists);
  const auto isArm = [](const Target &target) { return target.level == HEED_CPU_AARCH64; };
  if (llvm::any_of(result, isArm) && !llvm::all_of(result, isArm))
    return wrongTarget(text, "levels of one architecture are needed; compile a library for each");
  for (const Target &target : result)
    if (target.isDevice() &&
        llvm::count_if(result, [&](const Target &other) { return other.device == target.device; }) > 1)
      return wrongTarget(text, "one CPU that drives a device is needed; name " + target.name() + " once");
  return result;
}

} // namespace heed
