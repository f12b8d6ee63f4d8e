#include "arena.hpp"

#include "checked.hpp"
#include "element.hpp"

#include <algorithm>
#include <utility>

namespace heed::runtime {
namespace {

constexpr std::int64_t slot_alignment = 64;

/// Whether (b, h, s, d) lies as (b, s, h, d); see heed_temporary.
bool lies_tokens_first(const heed_temporary &temporary, const std::int64_t *extents) noexcept {
  if (temporary.row_block == 0 || extents[temporary.extents[0]] == 1)
    return false;
  const std::int64_t rows = extents[temporary.extents[2]] % temporary.row_block;
  const std::int64_t empty = rows == 0 ? 0 : temporary.row_block - rows;
  return multiply(empty, 16) > add(extents[temporary.extents[2]], empty);
}

/// Fills the strides and returns the size in bytes.
std::int64_t lay_out(const heed_temporary &temporary, const std::int64_t *extents,
                     std::int64_t *strides) noexcept {
  constexpr int tokens_first[] = {0, 2, 1, 3};
  const bool exchanged = lies_tokens_first(temporary, extents);
  std::int64_t elements_inside = 1;
  for (int place = temporary.rank - 1; place >= 0; --place) {
    const int axis = exchanged ? tokens_first[place] : place;
    strides[axis] = elements_inside;
    elements_inside = multiply(elements_inside, extents[temporary.extents[axis]]);
  }
  return multiply(elements_inside, elements[temporary.dtype].bytes);
}

} // namespace

std::byte *call_memory::allocate(std::uint64_t bytes) noexcept {
  if (bytes <= inline_bytes)
    return inline_;
  block_ = source_.take_kept(use_);
  if (block_.bytes < bytes) {
    source_.release(std::exchange(block_, {}));
    block_ = source_.allocate(bytes);
  }
  return block_.memory;
}

std::int64_t lay_out_arena(const heed_program &program, const std::int64_t *extents, std::int64_t *slots,
                           temporary_buffer *temporaries) noexcept {
  std::fill_n(slots, program.slot_count, 0);
  for (int t = 0; t < program.temporary_count; ++t) {
    const heed_temporary &temporary = program.temporaries[t];
    const std::int64_t limited = extents[temporary.limited];
    if ((temporary.at_most > 0 && limited > temporary.at_most) ||
        (temporary.more_than > 0 && limited <= temporary.more_than))
      continue;
    const std::int64_t bytes = lay_out(temporary, extents, temporaries[t].strides);
    std::int64_t &slot = slots[temporary.slot];
    slot = std::max(slot, bytes);
  }
  std::int64_t total = 0;
  for (int s = 0; s < program.slot_count; ++s) {
    const std::int64_t start = total;
    total = add(total, add(slots[s], slot_alignment - 1)) / slot_alignment * slot_alignment;
    slots[s] = start;
  }
  return total;
}

heed_code report_arena(const heed_program &program, std::int64_t bytes, heed_status *status) noexcept {
  return fail(status, HEED_OUT_OF_MEMORY) << program.name << ": there is no memory for its temporaries, "
                                          << bytes << " bytes are needed; call it on parts of the batch";
}

heed_code plan_arena(const heed_program &program, const std::int64_t *extents, std::int64_t *slots,
                     temporary_buffer *temporaries, call_memory &arena, heed_status *status) noexcept {
  const std::int64_t total = lay_out_arena(program, extents, slots, temporaries);
  std::byte *const base = arena.allocate(static_cast<std::uint64_t>(total));
  if (!base)
    return report_arena(program, total, status);
  for (int t = 0; t < program.temporary_count; ++t)
    temporaries[t].data = base + slots[program.temporaries[t].slot];
  return HEED_OK;
}

} // namespace heed::runtime
