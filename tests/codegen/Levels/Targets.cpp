// What --target names.
#include "Target/CpuLevel.h"

#include <catch2/catch.hpp>

#include <heed/cpu_level.hpp>

using namespace heed;

namespace {

CpuLevels parsed(const char *target, bool dotsBf16 = false) {
  llvm::Expected<CpuLevels> levels = parseTarget(target, dotsBf16);
  INFO(target);
  REQUIRE(bool(levels));
  return *levels;
}

std::string refused(const char *target) {
  llvm::Expected<CpuLevels> levels = parseTarget(target, /*dotsBf16=*/false);
  return levels ? "" : llvm::toString(levels.takeError());
}

} // namespace

TEST_CASE("targets are levels, lists of them, an architecture or this machine") {
  CHECK(parsed("x86-64-v2") == CpuLevels{HEED_CPU_X86_64_V2});
  CHECK(parsed("x86-64-v4-bf16") == CpuLevels{HEED_CPU_X86_64_V4_BF16});
  CHECK(parsed("aarch64") == CpuLevels{HEED_CPU_AARCH64});
  CHECK(parsed("x86-64") == CpuLevels{HEED_CPU_X86_64_V4, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V2});
  CHECK(parsed("x86-64-v2,x86-64-v4") == CpuLevels{HEED_CPU_X86_64_V4, HEED_CPU_X86_64_V2});
  CHECK(parsed("x86-64-v3,x86-64-v3") == CpuLevels{HEED_CPU_X86_64_V3});
}

TEST_CASE("the level for dot products of bf16 is taken for kernels that have some, or by its name") {
  const CpuLevels all = {HEED_CPU_X86_64_V4_BF16, HEED_CPU_X86_64_V4, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V2};
  CHECK(parsed("x86-64", true) == all);
  CHECK(parsed("host", true) == CpuLevels{hostLevel()});
  CHECK(parsed("host") ==
        CpuLevels{hostLevel() == HEED_CPU_X86_64_V4_BF16 ? HEED_CPU_X86_64_V4 : hostLevel()});
  CHECK(parsed("x86-64-v4", true) == CpuLevels{HEED_CPU_X86_64_V4});
}

TEST_CASE("other targets are refused with what can be written") {
  CHECK(refused("avx2") ==
        "target: found 'avx2', host, x86-64 or the name of a CPU level is needed; write for "
        "example x86-64-v3, or x86-64-v3,x86-64-v4");
  for (const char *target :
       {"", "x86-64-v5", "x86-64-v3,", "X86-64-v3", "host,x86-64-v3", "x86-64-linux-avx2"})
    CHECK_THAT(refused(target), Catch::Matchers::StartsWith("target: found '"));
  CHECK(refused("x86-64-v3,aarch64") == "target: found 'x86-64-v3,aarch64', levels of one architecture are "
                                        "needed; compile a library for each");
}

TEST_CASE("the compiler and the runtime know the same levels and the same machine") {
  for (const heed_cpu_level level : {HEED_CPU_ANY, HEED_CPU_X86_64_V2, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V4,
                                     HEED_CPU_X86_64_V4_BF16, HEED_CPU_AARCH64})
    CHECK(levelName(level) == name(level));
  CHECK(hostLevel() == machine_cpu_level());
}
