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

heed_cpu_level machine_level() noexcept {
  static const heed_cpu_level level = detect_level();
  return level;
}

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

/// The highest level that is allowed; HEED_CPU_ANY: all.
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

/// The levels of a chain, highest first.
sentence &write_levels(sentence &text, const heed_program *program) noexcept {
  for (const heed_program *at = program; at; at = at->otherwise) {
    const char *const name = heed_cpu_level_name(at->cpu_level);
    text << (at == program ? "" : ", ") << (name ? name : "an unknown level");
  }
  return text;
}

heed_code none_fits(const heed_program &program, int limit, heed_status *status) noexcept {
  sentence text = fail(status, HEED_UNSUPPORTED);
  write_levels(text << program.name << ": it is compiled for ", &program);
  if (limit == HEED_CPU_ANY)
    return text << ", this CPU runs up to " << heed_cpu_level_name(machine_level())
                << "; compile it for that level too";
  return text << ", the level is limited to " << heed_cpu_level_name(limit)
              << "; compile it for that level too, or raise the limit";
}

} // namespace

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

heed_code select_program(const heed_program *program, const heed_program *&selected,
                         heed_status *status) noexcept {
  if (!program)
    return fail(status, HEED_INVALID_ARGUMENT) << "program: it is null, a generated table is needed; pass "
                                                  "&heed_program_KERNEL";
  if (program->version != HEED_ABI_VERSION)
    return fail(status, HEED_UNSUPPORTED)
           << program->name << ": its table has version " << program->version << ", version "
           << HEED_ABI_VERSION << " is needed; link the library and the runtime of the same heed";
  int limit;
  if (const heed_code code = find_limit(limit, status))
    return code;
  for (const heed_program *at = program; at; at = at->otherwise)
    if (runs(machine_level(), at->cpu_level) && (limit == HEED_CPU_ANY || at->cpu_level <= limit)) {
      selected = at;
      return HEED_OK;
    }
  return none_fits(*program, limit, status);
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

const heed_program *heed_select_program(const heed_program *program, heed_status *status) {
  const heed_program *selected = nullptr;
  const heed_code code = select_program(program, selected, status);
  if (status)
    status->code = code;
  return selected;
}
