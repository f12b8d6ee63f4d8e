#include "cpu_level.hpp"

#include "cpu.hpp"
#include "sentence.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>

namespace heed::runtime {
namespace {

constexpr struct {
  heed_cpu_level level;
  const char *name;
} levels[] = {{HEED_CPU_ANY, "any"},
              {HEED_CPU_X86_64_V2, "x86-64-v2"},
              {HEED_CPU_X86_64_V3, "x86-64-v3"},
              {HEED_CPU_X86_64_V4, "x86-64-v4"},
              {HEED_CPU_X86_64_V4_BF16, "x86-64-v4-bf16"},
              {HEED_CPU_AARCH64, "aarch64"}};

constexpr const char *variable = "HEED_CPU_LEVEL";

std::atomic<std::int32_t> chosen_limit{HEED_CPU_ANY};

/// What the environment said when it was first asked.
struct environment_limit {
  char text[32] = {}; ///< cut, for messages
  heed_cpu_level level = HEED_CPU_ANY;
  bool is_set = false;

  environment_limit() noexcept {
    const char *const value = std::getenv(variable);
    if (!value || !*value)
      return;
    is_set = true;
    const std::string_view given(value);
    given.copy(text, sizeof text - 1);
    level = level_named(given);
  }
};

const environment_limit &environment() noexcept {
  static const environment_limit limit;
  return limit;
}

} // namespace

heed_cpu_level machine_level() noexcept {
  static const heed_cpu_level level = detect_level();
  return level;
}

heed_cpu_level level_named(std::string_view name) noexcept {
  const auto found = std::find_if(std::begin(levels), std::end(levels),
                                  [&](const auto &entry) { return name == entry.name; });
  return found == std::end(levels) ? HEED_CPU_ANY : found->level;
}

bool runs(heed_cpu_level machine, int level) noexcept {
  if (level == HEED_CPU_ANY)
    return true;
  const bool is_x86 = level >= HEED_CPU_X86_64_V2 && level <= HEED_CPU_X86_64_V4_BF16;
  return is_x86 ? machine <= HEED_CPU_X86_64_V4_BF16 && level <= machine : level == machine;
}

heed_code find_limit(int &limit, heed_status *status) noexcept {
  limit = chosen_limit.load(std::memory_order_relaxed);
  if (limit != HEED_CPU_ANY || !environment().is_set)
    return HEED_OK;
  limit = environment().level;
  if (limit == HEED_CPU_ANY)
    return fail(status, HEED_INVALID_ARGUMENT)
           << variable << ": found '" << environment().text
           << "', the name of a CPU level is needed; write for example x86-64-v3, or unset it";
  if (!runs(machine_level(), limit))
    return fail(status, HEED_UNSUPPORTED)
           << variable << ": found '" << environment().text << "', this CPU runs up to "
           << heed_cpu_level_name(machine_level()) << "; write a level up to that, or unset it";
  return HEED_OK;
}

} // namespace heed::runtime

using namespace heed::runtime;

int32_t heed_set_cpu_level(int32_t level) {
  if (!heed_cpu_level_name(level))
    return HEED_INVALID_ARGUMENT;
  if (!runs(machine_level(), level))
    return HEED_UNSUPPORTED;
  chosen_limit.store(level, std::memory_order_relaxed);
  return HEED_OK;
}

int32_t heed_machine_cpu_level(void) { return machine_level(); }

const char *heed_cpu_level_name(int32_t level) {
  for (const auto &entry : levels)
    if (entry.level == level)
      return entry.name;
  return nullptr;
}
