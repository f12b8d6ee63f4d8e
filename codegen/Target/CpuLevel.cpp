//===- CpuLevel.cpp - What code needs of a CPU ----------------------------===//

#include "CpuLevel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

namespace heed {
namespace {

struct Named {
  heed_cpu_level level;
  llvm::StringLiteral name;
};

/// Highest first.
constexpr Named levels[] = {{HEED_CPU_AARCH64, "aarch64"},
                            {HEED_CPU_X86_64_V4_BF16, "x86-64-v4-bf16"},
                            {HEED_CPU_X86_64_V4, "x86-64-v4"},
                            {HEED_CPU_X86_64_V3, "x86-64-v3"},
                            {HEED_CPU_X86_64_V2, "x86-64-v2"}};

/// The levels of x86-64, highest first.
constexpr heed_cpu_level levelsOfX86[] = {HEED_CPU_X86_64_V4_BF16, HEED_CPU_X86_64_V4, HEED_CPU_X86_64_V3,
                                          HEED_CPU_X86_64_V2};

/// What LLVM must find for code of a level to run, beside what the level below needs.
llvm::ArrayRef<llvm::StringLiteral> features(heed_cpu_level level) {
  static constexpr llvm::StringLiteral v2[] = {"ssse3", "sse4.1", "cx16"};
  static constexpr llvm::StringLiteral v3[] = {"sse4.2", "movbe", "popcnt", "avx",  "avx2",
                                               "fma",    "f16c",  "bmi",    "bmi2", "lzcnt"};
  static constexpr llvm::StringLiteral v4[] = {"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"};
  static constexpr llvm::StringLiteral v4Bf16[] = {
      "avx512bf16", "avx512bitalg",    "avx512ifma", "avx512vbmi", "avx512vbmi2",
      "avx512vnni", "avx512vpopcntdq", "gfni",       "vaes",       "vpclmulqdq"};
  switch (level) {
  case HEED_CPU_X86_64_V2:
    return v2;
  case HEED_CPU_X86_64_V3:
    return v3;
  case HEED_CPU_X86_64_V4:
    return v4;
  case HEED_CPU_X86_64_V4_BF16:
    return v4Bf16;
  default:
    llvm_unreachable("a level of x86-64");
  }
}

#ifndef __aarch64__
/// SSE4.1 where the CPU has not even that, since something must be named.
CpuLevels x86HostLevels() {
  llvm::StringMap<bool> found = llvm::sys::getHostCPUFeatures();
  CpuLevels result;
  for (heed_cpu_level level : llvm::reverse(levelsOfX86)) {
    bool runs = llvm::all_of(features(level), [&](llvm::StringRef feature) { return found.lookup(feature); });
    if (!runs && level != HEED_CPU_X86_64_V2)
      break;
    result.insert(result.begin(), level);
  }
  return result;
}
#endif

} // namespace

llvm::StringRef levelName(heed_cpu_level level) {
  const Named *found = llvm::find_if(levels, [&](const Named &named) { return named.level == level; });
  return found == std::end(levels) ? llvm::StringRef("any") : llvm::StringRef(found->name);
}

const CpuLevels &hostLevels() {
#ifdef __aarch64__
  static const CpuLevels levels = {HEED_CPU_AARCH64};
#else
  static const CpuLevels levels = x86HostLevels();
#endif
  return levels;
}

heed_cpu_level hostLevel() { return hostLevels().front(); }

llvm::ArrayRef<heed_cpu_level> x86Levels() { return levelsOfX86; }

std::optional<heed_cpu_level> levelNamed(llvm::StringRef name) {
  const Named *found = llvm::find_if(levels, [&](const Named &named) { return named.name == name; });
  return found == std::end(levels) ? std::nullopt : std::optional(found->level);
}

} // namespace heed
