/// Says which of all levels a call would run, under the HEED_CPU_LEVEL of its environment and the limit
/// LIMIT: "CODE LEVEL MESSAGE".

#include <heed/runtime.hpp>

#include <cstdio>
#include <cstdlib>

int main() {
  heed_program programs[5] = {};
  for (int i = 0; i < 5; ++i) {
    programs[i].version = HEED_ABI_VERSION;
    programs[i].name = "kernel";
    programs[i].cpu_level = static_cast<std::uint8_t>(HEED_CPU_X86_64_V4_BF16 - i);
    programs[i].otherwise = i < 4 ? &programs[i + 1] : nullptr;
  }
  if (const char *const limit = std::getenv("LIMIT"))
    heed_set_cpu_level(std::atoi(limit));
  heed_status status = {};
  const heed_program *const selected = heed_select_program(&programs[0], &status);
  std::printf("%d %d %s", status.code, selected ? selected->cpu_level : -1, status.message);
}
