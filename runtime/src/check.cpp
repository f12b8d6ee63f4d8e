#include "check.hpp"

#include "checked.hpp"
#include "element.hpp"
#include "sentence.hpp"

#include <cstdint>

namespace heed::runtime {
namespace {

/// Writes `(4,7,1)`.
sentence &write_list(sentence &text, const std::int64_t *numbers, int count) noexcept {
  for (int i = 0; i < count; ++i)
    text << (i ? "," : "(") << numbers[i];
  return text << (count ? ")" : "()");
}

/// An axis must step over everything that the axes of smaller stride reach; else elements may share memory.
bool elements_are_apart(const heed_view &view) noexcept {
  int order[HEED_MAX_RANK];
  int count = 0;
  for (int axis = 0; axis < view.rank; ++axis) {
    if (view.extents[axis] <= 1)
      continue;
    int place = count++;
    for (; place > 0 && view.strides[order[place - 1]] > view.strides[axis]; --place)
      order[place] = order[place - 1];
    order[place] = axis;
  }
  std::int64_t reach = 0;
  for (int i = 0; i < count; ++i) {
    if (view.strides[order[i]] <= reach)
      return false;
    reach = add(reach, multiply(view.extents[order[i]] - 1, view.strides[order[i]]));
  }
  return true;
}

heed_code check_type(const heed_argument &argument, const heed_view &view, heed_status *status) noexcept {
  if (view.dtype == argument.dtype)
    return HEED_OK;
  sentence text = fail(status, HEED_INVALID_ARGUMENT);
  text << argument.name << ": ";
  if (view.dtype == HEED_FAULT_DEVICE)
    return text << "its memory is on a device of DLPack type " << view.rank
                << ", CPU memory is needed; copy the tensor to the CPU first";
  const std::string_view needed = elements[argument.dtype].name;
  if (view.dtype == HEED_FAULT_TYPE)
    return text << "its DLPack type has code " << (view.rank & 0xff) << ", " << (view.rank >> 8 & 0xff)
                << " bits, " << (static_cast<std::uint32_t>(view.rank) >> 16) << " lanes, " << needed
                << " is needed; convert the tensor to " << needed;
  if (view.dtype < 0 || view.dtype >= element_count)
    return text << "its element type is number " << view.dtype << ", " << needed
                << " is needed; set dtype to a heed_dtype";
  return text << "its elements are " << elements[view.dtype].name << ", " << needed
              << " is needed; convert the tensor to " << needed;
}

heed_code check_strides(const heed_argument &argument, const heed_view &view, heed_status *status) noexcept {
  const int inner = view.rank - 1;
  for (int axis = 0; axis < view.rank; ++axis)
    if (view.strides[axis] < 0 && view.extents[axis] > 1)
      return fail(status, HEED_INVALID_ARGUMENT)
             << argument.name << ": the stride of axis " << axis << " is " << view.strides[axis]
             << ", 0 or more is needed; copy the tensor in forward order";
  if (inner >= 0 && view.extents[inner] > 1 && view.strides[inner] != 1)
    return fail(status, HEED_INVALID_ARGUMENT)
           << argument.name << ": the stride of the last axis is " << view.strides[inner]
           << ", 1 is needed; copy the tensor so that the last axis is contiguous";
  if (!is_written(argument) || elements_are_apart(view))
    return HEED_OK;
  sentence text = fail(status, HEED_INVALID_ARGUMENT);
  write_list(text << argument.name << ": strides ", view.strides, view.rank);
  write_list(text << " with extents ", view.extents, view.rank);
  const std::string_view role = role_name(argument);
  return text << " make elements share memory, " << role << " needs memory of its own for each; pass a dense "
              << role.substr(role.find(' ') + 1);
}

const char *memory_name(std::int32_t memory) noexcept {
  return memory == HEED_MEMORY_OPENCL ? "of OpenCL" : memory == HEED_MEMORY_CUDA ? "of CUDA" : "on a device";
}

/// The memory that is known to be of an interface; some have no kind of their own.
std::int32_t memory_of(const heed_program &program) noexcept {
  switch (program.device_api) {
  case HEED_DEVICE_NONE:
    return HEED_MEMORY_HOST;
  case HEED_DEVICE_OPENCL:
    return HEED_MEMORY_OPENCL;
  case HEED_DEVICE_CUDA:
    return HEED_MEMORY_CUDA;
  default:
    return HEED_MEMORY_DEVICE;
  }
}

/// Of a view that is not on the host: that the program can work there.
heed_code check_memory(const heed_program &program, const heed_argument &argument, const heed_view &view,
                       heed_status *status) noexcept {
  const std::int32_t needed = memory_of(program);
  const auto refuse = [&] { return fail(status, HEED_INVALID_ARGUMENT) << argument.name << ": "; };
  if (view.memory < HEED_MEMORY_HOST || view.memory > HEED_MEMORY_CUDA)
    return refuse() << "its memory is number " << view.memory
                    << ", a heed_memory is needed; set memory to HEED_MEMORY_HOST or HEED_MEMORY_DEVICE";
  if (needed == HEED_MEMORY_HOST)
    return refuse() << "its memory is " << memory_name(view.memory)
                    << ", CPU memory is needed; copy the tensor to the CPU, or compile for the device";
  if (view.memory != HEED_MEMORY_DEVICE && view.memory != needed)
    return refuse() << "its memory is " << memory_name(view.memory) << ", memory " << memory_name(needed)
                    << " or of the CPU is needed; copy the tensor, or compile for its device";
  if (argument.role == HEED_SCALAR)
    return refuse() << "its memory is " << memory_name(view.memory)
                    << ", CPU memory is needed for a scalar; pass it by value";
  if (view.first < 0)
    return refuse() << "it begins at element " << view.first
                    << " of its memory, 0 or more is needed; pass the memory that it lies in";
  return HEED_OK;
}

heed_code check_alignment(const heed_argument &argument, const heed_view &view,
                          heed_status *status) noexcept {
  const int bytes = elements[argument.dtype].bytes;
  const auto address = reinterpret_cast<std::uintptr_t>(view.data);
  if ((address & static_cast<std::uintptr_t>(bytes - 1)) == 0)
    return HEED_OK;
  return fail(status, HEED_INVALID_ARGUMENT)
         << argument.name << ": its address is " << static_cast<std::int64_t>(address & 63)
         << " past a multiple of 64, a multiple of " << bytes << " is needed for "
         << elements[argument.dtype].name << "; pass memory that is aligned for its elements";
}

heed_code check_argument(const heed_program &program, const heed_argument &argument, const heed_view &view,
                         bool &empty, heed_status *status) noexcept {
  if (const heed_code code = check_type(argument, view, status))
    return code;
  const bool host = view.memory == HEED_MEMORY_HOST;
  if (!host)
    if (const heed_code code = check_memory(program, argument, view, status))
      return code;
  if (view.rank != argument.rank)
    return fail(status, HEED_INVALID_ARGUMENT)
           << argument.name << ": it has " << view.rank << " axes, " << argument.rank
           << " are needed; pass a tensor of rank " << argument.rank;
  for (int axis = 0; axis < view.rank; ++axis) {
    if (view.extents[axis] < 0)
      return fail(status, HEED_INVALID_ARGUMENT)
             << argument.name << ": axis " << axis << " is " << view.extents[axis]
             << ", 0 or more is needed; pass the number of elements along it";
    empty |= view.extents[axis] == 0;
  }
  if (empty)
    return HEED_OK;
  if (!view.data)
    return fail(status, HEED_INVALID_ARGUMENT)
           << argument.name
           << ": its data is null, memory for its elements is needed; pass a pointer to them";
  if (host)
    if (const heed_code code = check_alignment(argument, view, status))
      return code;
  if (const heed_code code = check_strides(argument, view, status))
    return code;
  const std::uintptr_t address = host ? reinterpret_cast<std::uintptr_t>(view.data) : 0;
  const std::int64_t first = host ? 0 : view.first;
  const std::int64_t length = multiply(add(first, add(span(view), 1)), elements[argument.dtype].bytes);
  std::uintptr_t end;
  if (length == too_large || __builtin_add_overflow(address, static_cast<std::uintptr_t>(length), &end))
    return fail(status, HEED_INVALID_ARGUMENT)
           << argument.name << ": its last element is " << span(view)
           << " elements from its first, beyond the address space; pass the strides of memory that exists";
  return HEED_OK;
}

/// The sentence about rows that don't fit.
heed_code report_bound(const heed_program &program, const heed_bound &bound, std::int64_t position,
                       std::int64_t whole, std::int64_t part, heed_status *status) noexcept {
  sentence text = fail(status, HEED_INVALID_ARGUMENT);
  text << program.arguments[bound.argument].name << ": ";
  if (part > whole)
    return text << part << " rows begin at it, at most " << whole
                << " fit; pass fewer rows or a state of more";
  text << "it is " << position << ", ";
  if (position < 0)
    return text << "0 or more is needed; pass the index of the first row to write";
  return text << "at most " << whole - part << " is needed for rows " << part << " of " << whole
              << "; pass a position that leaves room";
}

} // namespace

std::string_view role_name(const heed_argument &argument) noexcept {
  return argument.role == HEED_STATE ? "a state" : "an output";
}

heed_code check_arguments(const heed_program &program, const heed_view *views, bool &some_are_empty,
                          heed_status *status) noexcept {
  some_are_empty = false;
  for (int a = 0; a < program.argument_count; ++a) {
    bool empty = false;
    if (const heed_code code = check_argument(program, program.arguments[a], views[a], empty, status))
      return code;
    some_are_empty |= empty;
  }
  return HEED_OK;
}

heed_code check_bounds(const heed_program &program, const heed_view *views, const std::int64_t *extents,
                       heed_status *status) noexcept {
  for (int b = 0; b < program.bound_count; ++b) {
    const heed_bound &bound = program.bounds[b];
    const std::int64_t position = integer(views[bound.argument]);
    const std::int64_t whole = extents[bound.whole], part = extents[bound.part];
    if (position < 0 || part > whole || position > whole - part)
      return report_bound(program, bound, position, whole, part, status);
  }
  return HEED_OK;
}

} // namespace heed::runtime
