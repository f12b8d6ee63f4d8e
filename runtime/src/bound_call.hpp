#pragma once
/// \file
/// What calls on the CPU and on devices have in common: arguments that were checked, the sizes they imply,
/// and which launches these choose.

#include "arena.hpp"
#include "check.hpp"
#include "element.hpp"
#include "heed/abi.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heed::runtime {

/// That there are arguments and sensible options.
heed_code check_call(const heed_program &program, const heed_view *views, const heed_options &options,
                     heed_status *status) noexcept;

heed_code report_tables(const heed_program &program, heed_status *status) noexcept;

/// Whether there is nothing to write.
bool outputs_are_empty(const heed_program &program, const heed_view *views) noexcept;

/// The numbers a call needs, cut from one piece of memory.
struct tables {
  std::int64_t *extents, *slots;
  temporary_buffer *temporaries;

  static std::uint64_t bytes(const heed_program &program) noexcept {
    return (static_cast<std::uint64_t>(program.extent_count) +
            static_cast<std::uint64_t>(program.slot_count)) *
               sizeof(std::int64_t) +
           static_cast<std::uint64_t>(program.temporary_count) * sizeof(temporary_buffer);
  }
  tables(const heed_program &program, std::byte *memory) noexcept
      : extents(reinterpret_cast<std::int64_t *>(memory)), slots(extents + program.extent_count),
        temporaries(reinterpret_cast<temporary_buffer *>(slots + program.slot_count)) {}
};

/// The alternative of a step that is run, or one past the last.
inline const heed_alternative *choose(const heed_step &step, const std::int64_t *extents,
                                      const heed_view *views) noexcept {
  const heed_alternative *const end = step.alternatives + step.alternative_count;
  return std::find_if(step.alternatives, end, [&](const heed_alternative &alternative) {
    return std::all_of(alternative.conditions, alternative.conditions + alternative.condition_count,
                       [&](const heed_condition &condition) {
                         return extents[condition.extent] <= condition.at_most;
                       }) &&
           (alternative.zero_argument < 0 || is_zero(views[alternative.zero_argument]));
  });
}

heed_code report_step(const heed_program &program, int step, heed_status *status) noexcept;

} // namespace heed::runtime
