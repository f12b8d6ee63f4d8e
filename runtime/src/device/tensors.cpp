#include "tensors.hpp"

#include "checked.hpp"
#include "element.hpp"
#include "sentence.hpp"

#include <algorithm>
#include <cstring>

namespace heed::runtime::device {
namespace {

constexpr std::int64_t no_strides[HEED_MAX_RANK] = {};

/// Bytes of zeros for tensors without elements, and of each scalar after them.
constexpr int zero_bytes = 64, scalar_bytes = 8;

} // namespace

tensors::tensors(const heed_program &program, const heed_view *views, const tables &tables, queue &queue)
    : program_(program), views_(views), tables_(tables), queue_(queue),
      arguments_(static_cast<std::size_t>(program.argument_count)) {}

tensors::~tensors() {
  if (is_busy_)
    queue_.driver.wait(queue_.native, nullptr);
}

/// Why no memory was given: a device that failed gives none, and only waiting says so.
heed_code tensors::no_memory(const char *name, std::int64_t bytes, heed_status *status) const noexcept {
  if (const heed_code code = queue_.driver.wait(queue_.native, status))
    return code;
  return fail(status, HEED_OUT_OF_MEMORY)
         << name << ": the device has no memory for a copy of it, " << bytes
         << " bytes are needed; call on parts of the batch, or free memory of the device";
}

/// Whether it has elements there that the call needs on the device.
bool tensors::is_on_host(int number) const noexcept {
  return program_.arguments[number].role != HEED_SCALAR && views_[number].memory == HEED_MEMORY_HOST &&
         !is_empty(views_[number]);
}

heed_code tensors::bring(heed_status *status) {
  bool will_wait = false;
  for (int a = 0; a < program_.argument_count; ++a)
    will_wait |= is_on_host(a) && is_written(program_.arguments[a]);
  for (int a = 0; a < program_.argument_count; ++a)
    if (const heed_code code = is_on_host(a) ? bring(a, !will_wait, status) : check_room(a, status))
      return code;
  const std::int64_t bytes = lay_out_arena(program_, tables_.extents, tables_.slots, tables_.temporaries);
  if (bytes == 0)
    return HEED_OK;
  arena_ = lease(queue_.blocks, static_cast<std::uint64_t>(bytes));
  if (arena_.memory())
    return HEED_OK;
  const heed_code code = queue_.driver.wait(queue_.native, status);
  return code ? code : report_arena(program_, bytes, status);
}

heed_code tensors::check_room(int number, heed_status *status) const noexcept {
  const heed_view &view = views_[number];
  if (view.memory == HEED_MEMORY_HOST || is_empty(view))
    return HEED_OK;
  const std::int64_t needed = (view.first + span(view) + 1) * elements[view.dtype].bytes;
  const std::int64_t found = queue_.driver.bytes_at(reinterpret_cast<handle>(view.data));
  if (needed <= found)
    return HEED_OK;
  return fail(status, HEED_INVALID_ARGUMENT)
         << program_.arguments[number].name << ": its memory on the device holds " << found << " bytes, "
         << needed << " are needed for its elements; pass memory of the queue's context that is large enough";
}

heed_code tensors::bring(int number, bool wait, heed_status *status) {
  const heed_view &view = views_[number];
  argument &argument = arguments_[number];
  const host_copy &copy = argument.copy.emplace(view);
  const char *const name = program_.arguments[number].name;
  if (copy.bytes == too_large)
    return no_memory(name, copy.bytes, status);
  const auto bytes = static_cast<std::uint64_t>(copy.bytes);
  argument.memory = lease(queue_.blocks, bytes);
  if (!argument.memory.memory())
    return no_memory(name, copy.bytes, status);
  if (!copy.is_direct())
    argument.packed.resize(bytes);
  if (program_.arguments[number].role == HEED_OUTPUT)
    return HEED_OK;
  const void *from = view.data;
  if (!copy.is_direct()) {
    copy.pack(view, argument.packed.data());
    from = argument.packed.data();
  }
  is_busy_ |= !wait;
  return queue_.driver.write(queue_.native, argument.memory.memory(), 0, from, bytes, wait, status);
}

heed_code tensors::fetch(heed_status *status) {
  bool some = false;
  for (int a = 0; a < program_.argument_count; ++a)
    if (is_on_host(a) && is_written(program_.arguments[a])) {
      some = is_busy_ = true;
      if (const heed_code code = fetch(a, status))
        return code;
    }
  if (!some)
    return queue_.driver.submit(queue_.native, status);
  if (const heed_code code = queue_.driver.wait(queue_.native, status))
    return code;
  is_busy_ = false;
  for (int a = 0; a < program_.argument_count; ++a)
    if (is_on_host(a) && is_written(program_.arguments[a]) && !arguments_[a].copy->is_direct())
      arguments_[a].copy->unpack(arguments_[a].packed.data(), views_[a]);
  return HEED_OK;
}

heed_code tensors::fetch(int number, heed_status *status) {
  argument &argument = arguments_[number];
  void *const to = argument.copy->is_direct() ? views_[number].data : argument.packed.data();
  return queue_.driver.read(queue_.native, argument.memory.memory(), 0, to,
                            static_cast<std::uint64_t>(argument.copy->bytes), status);
}

heed_code tensors::fill_constants(heed_status *status) {
  std::int64_t needed = zero_bytes;
  for (int a = 0; a < program_.argument_count; ++a)
    needed += program_.arguments[a].role == HEED_SCALAR ? scalar_bytes : 0;
  std::vector<std::byte> constants(ceil_divide(needed, fill_bytes) * fill_bytes);
  std::byte *next = constants.data() + zero_bytes;
  for (int a = 0; a < program_.argument_count; ++a)
    if (program_.arguments[a].role == HEED_SCALAR) {
      std::memcpy(next, views_[a].data, elements[views_[a].dtype].bytes);
      next += scalar_bytes;
    }
  constants_ = lease(queue_.blocks, constants.size());
  if (!constants_.memory())
    return no_memory("scalars", needed, status);
  for (std::size_t at = 0; at < constants.size(); at += fill_bytes)
    if (const heed_code code =
            queue_.driver.fill(queue_.native, constants_.memory(), at, constants.data() + at, status))
      return code;
  return HEED_OK;
}

heed_code tensors::find_nothing(std::uint8_t dtype, place &found, heed_status *status) {
  if (!constants_.memory())
    if (const heed_code code = fill_constants(status))
      return code;
  found = {constants_.memory(), 0, no_strides, dtype};
  return HEED_OK;
}

heed_code tensors::find(int buffer, place &found, heed_status *status) {
  if (buffer >= program_.argument_count) {
    const int number = buffer - program_.argument_count;
    const heed_temporary &temporary = program_.temporaries[number];
    found = {arena_.memory(), tables_.slots[temporary.slot] / elements[temporary.dtype].bytes,
             tables_.temporaries[number].strides, temporary.dtype};
    return HEED_OK;
  }
  const heed_view &view = views_[buffer];
  const auto dtype = static_cast<std::uint8_t>(view.dtype);
  const bool is_scalar = program_.arguments[buffer].role == HEED_SCALAR;
  if (is_scalar || is_empty(view)) {
    if (const heed_code code = find_nothing(dtype, found, status))
      return code;
    if (is_scalar) {
      const auto before =
          std::count_if(program_.arguments, program_.arguments + buffer,
                        [](const heed_argument &argument) { return argument.role == HEED_SCALAR; });
      found.first = (zero_bytes + before * scalar_bytes) / elements[dtype].bytes;
    }
    return HEED_OK;
  }
  if (view.memory != HEED_MEMORY_HOST)
    found = {reinterpret_cast<handle>(view.data), view.first, view.strides, dtype};
  else
    found = {arguments_[buffer].memory.memory(), 0, arguments_[buffer].copy->strides, dtype};
  return HEED_OK;
}

} // namespace heed::runtime::device
