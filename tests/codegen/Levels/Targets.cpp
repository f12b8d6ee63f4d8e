// What --target names.
#include "Target/Target.h"

#include <catch2/catch.hpp>

#include <heed/cpu_level.hpp>

using namespace heed;

namespace {

Targets targetsOf(const char *text, bool dotsBf16 = false) {
  llvm::Expected<Targets> targets = parseTarget(text, dotsBf16);
  INFO(text);
  REQUIRE(bool(targets));
  return *targets;
}

CpuLevels parsed(const char *text, bool dotsBf16 = false) {
  CpuLevels levels;
  for (const Target &target : targetsOf(text, dotsBf16)) {
    CHECK_FALSE(target.isDevice());
    levels.push_back(target.level);
  }
  return levels;
}

std::string refused(const char *text) {
  llvm::Expected<Targets> targets = parseTarget(text, /*dotsBf16=*/false);
  return targets ? "" : llvm::toString(targets.takeError());
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

TEST_CASE("devices come first, each with the CPU that drives it") {
  const heed_cpu_level best = parsed("host").front();
  CHECK(targetsOf("host-opencl") == Targets{{best, HEED_DEVICE_OPENCL}});
  CHECK(targetsOf("metal") == Targets{{best, HEED_DEVICE_METAL}});
  CHECK(targetsOf("x86-64-cuda", true) == Targets{{HEED_CPU_X86_64_V2, HEED_DEVICE_CUDA}});
  CHECK(targetsOf("aarch64-vulkan") == Targets{{HEED_CPU_AARCH64, HEED_DEVICE_VULKAN}});
  CHECK(targetsOf("x86-64-v2,x86-64-v3,x86-64-v3-cuda,x86-64-opencl") ==
        Targets{{HEED_CPU_X86_64_V3, HEED_DEVICE_CUDA},
                {HEED_CPU_X86_64_V2, HEED_DEVICE_OPENCL},
                {HEED_CPU_X86_64_V3},
                {HEED_CPU_X86_64_V2}});
  CHECK(targetsOf("x86-64-v3-opencl,x86-64-v3-opencl").size() == 1);
  CHECK(refused("x86-64-v3-opencl,x86-64-opencl") ==
        "target: found 'x86-64-v3-opencl,x86-64-opencl', one CPU that drives a device is needed; name opencl "
        "once");
  CHECK_THAT(refused("x86-64-opencl,aarch64"), Catch::Matchers::Contains("one architecture"));
}

TEST_CASE("a target's name is what schedules hold for, and it can be written again") {
  const Target device{HEED_CPU_X86_64_V3, HEED_DEVICE_OPENCL}, level{HEED_CPU_X86_64_V3};
  CHECK(device.name() == "opencl");
  CHECK(level.name() == "x86-64-v3");
  for (const Target &target : {device, level})
    CHECK(targetsOf(target.written().c_str()) == Targets{target});
}

TEST_CASE("other targets are refused with what can be written") {
  CHECK(
      refused("avx2") ==
      "target: found 'avx2', host, x86-64 or the name of a CPU level or a device interface is needed; write "
      "for example x86-64-v3, x86-64-v3,x86-64-v4 or host-opencl");
  for (const char *target : {"", "x86-64-v5", "x86-64-v3,", "X86-64-v3", "x86-64-linux-avx2", "-opencl",
                             "hostopencl", "x86-64-v5-cuda", "host-opencl-cuda"})
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
