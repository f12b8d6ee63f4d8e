#include "select.hpp"

#include "cpu_level.hpp"
#include "device/queues.hpp"
#include "sentence.hpp"

#include <new>

namespace heed::runtime {
namespace {

bool is_for_device(const heed_program &program) noexcept { return program.device_api != HEED_DEVICE_NONE; }

/// Whether its code for the CPU may run.
bool is_allowed(const heed_program &program, int limit) noexcept {
  return runs(machine_level(), program.cpu_level) && (limit == HEED_CPU_ANY || program.cpu_level <= limit);
}

/// What the programs of a chain are made for, in order.
sentence &write_targets(sentence &text, const heed_program *program) noexcept {
  for (const heed_program *at = program; at; at = at->otherwise) {
    const char *const level = heed_cpu_level_name(at->cpu_level);
    text << (at == program ? "" : ", ") << (level ? level : "an unknown level");
    if (is_for_device(*at)) {
      const char *const device = heed_device_api_name(at->device_api);
      text << "-" << (device ? device : "unknown device");
    }
  }
  return text;
}

heed_code no_level_fits(const heed_program &program, int limit, heed_status *status) noexcept {
  sentence text = fail(status, HEED_UNSUPPORTED);
  write_targets(text << program.name << ": it is compiled for ", &program);
  if (limit == HEED_CPU_ANY)
    return text << ", this CPU runs up to " << heed_cpu_level_name(machine_level())
                << "; compile it for that level too";
  return text << ", the level is limited to " << heed_cpu_level_name(limit)
              << "; compile it for that level too, or raise the limit";
}

heed_code no_device_fits(const heed_program &program, const heed_device &device,
                         heed_status *status) noexcept {
  const char *const name = heed_device_api_name(device.api);
  sentence text = fail(status, name ? HEED_UNSUPPORTED : HEED_INVALID_ARGUMENT);
  write_targets(text << program.name << ": it is compiled for ", &program);
  return text << ", the device of options is of " << (name ? name : "no known interface")
              << "; compile it for that, or pass another device";
}

const heed_program *find_cpu_program(const heed_program *chain, int limit) noexcept {
  for (const heed_program *at = chain; at; at = at->otherwise)
    if (!is_for_device(*at) && is_allowed(*at, limit))
      return at;
  return nullptr;
}

heed_code find_queue(const heed_device &device, selection &selected, heed_status *status) noexcept try {
  return device::find_queue(device, selected.queue, status);
} catch (const std::bad_alloc &) {
  return fail(status, HEED_OUT_OF_MEMORY)
         << "options: there is no memory to open the device, some is needed; free some memory";
}

/// A program for a device that is there; else the CPU's, if that is allowed. The first device that is not
/// there is reported.
heed_code select_for_device(const heed_program *chain, const heed_options &options, int limit,
                            selection &selected, heed_status *status) noexcept {
  heed_status why{HEED_OK, ""};
  for (const heed_program *at = chain; at; at = at->otherwise) {
    const heed_device wanted =
        options.device ? *options.device : heed_device{at->device_api, 0, nullptr, nullptr};
    if (!is_for_device(*at) || at->device_api != wanted.api || !is_allowed(*at, limit))
      continue;
    heed_status tried{HEED_OK, ""};
    tried.code = find_queue(wanted, selected, &tried);
    if (tried.code == HEED_OK) {
      selected.program = at;
      return HEED_OK;
    }
    if (why.code == HEED_OK)
      why = tried;
  }
  if (options.allow_cpu) {
    selected.program = find_cpu_program(chain, limit);
    if (selected.program)
      return HEED_OK;
  }
  if (why.code != HEED_OK)
    return fail(status, static_cast<heed_code>(why.code)) << why.message;
  return options.device ? no_device_fits(*chain, *options.device, status)
                        : no_level_fits(*chain, limit, status);
}

} // namespace

heed_code select(const heed_program *chain, const heed_options &options, selection &selected,
                 heed_status *status) noexcept {
  if (!chain)
    return fail(status, HEED_INVALID_ARGUMENT) << "program: it is null, a generated table is needed; pass "
                                                  "&heed_program_KERNEL";
  if (chain->version != HEED_ABI_VERSION)
    return fail(status, HEED_UNSUPPORTED)
           << chain->name << ": its table has version " << chain->version << ", version " << HEED_ABI_VERSION
           << " is needed; link the library and the runtime of the same heed";
  int limit;
  if (const heed_code code = find_limit(limit, status))
    return code;
  if (is_for_device(*chain) || options.device)
    return select_for_device(chain, options, limit, selected, status);
  selected.program = find_cpu_program(chain, limit);
  return selected.program ? HEED_OK : no_level_fits(*chain, limit, status);
}

} // namespace heed::runtime

const heed_program *heed_select_program(const heed_program *program, heed_status *status) {
  heed::runtime::selection selected;
  const heed_code code = heed::runtime::select(program, {}, selected, status);
  if (status)
    status->code = code;
  return selected.program;
}
