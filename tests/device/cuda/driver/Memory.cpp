#include "Memory.h"

#include "Streams.h"

#include <cstdlib>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

namespace checking {

namespace {

/// More than there is on the device.
constexpr size_t tooMuch = size_t(141) << 30;
/// Copies on the device of more are checked, and not made.
constexpr size_t longCopy = size_t(64) << 20;
/// What a copy takes.
double millisecondsOf(size_t bytes) { return double(bytes) / 4e9 + 0.001; }

bool isReadableAt(const void *pointer) {
  char byte;
  const iovec here{&byte, 1}, there{const_cast<void *>(pointer), 1};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1;
}

/// Copies now, or notes why not.
void copyToDevice(Context &context, uint64_t to, const void *from, size_t bytes) {
  std::byte *place = find(context, to, bytes);
  if (place && isReadable(from, bytes))
    std::memcpy(place, from, bytes);
  context.milliseconds += millisecondsOf(bytes);
}

void copyToHost(Context &context, void *to, uint64_t from, size_t bytes) {
  const std::byte *place = find(context, from, bytes);
  if (place && isReadable(to, bytes))
    std::memcpy(to, place, bytes);
  context.milliseconds += millisecondsOf(bytes);
}

Result checkCopy(Context &context, uint64_t device, const void *host, size_t bytes) {
  return find(context, device, bytes) && isReadable(host, bytes) ? success : invalidValue;
}

} // namespace

std::byte *find(Context &context, uint64_t address, size_t bytes) {
  auto after = context.allocations.upper_bound(address);
  if (after != context.allocations.begin()) {
    const auto &[begin, allocation] = *std::prev(after);
    if (address - begin <= allocation.bytes && bytes <= allocation.bytes - (address - begin))
      return allocation.data.get() + (address - begin);
  }
  Misuse(invalidValue) << bytes << " bytes at 0x" << std::hex << address
                       << " are not in one allocation of the current context";
  return nullptr;
}

bool isReadable(const void *pointer, size_t bytes) {
  if (bytes == 0 || (isReadableAt(pointer) && isReadableAt(static_cast<const char *>(pointer) + bytes - 1)))
    return true;
  Misuse(invalidValue) << bytes << " bytes at " << pointer << " are not the host's";
  return false;
}

} // namespace checking

using namespace checking;

extern "C" {
int cuMemAlloc_v2(uint64_t *address, size_t bytes) {
  return inContext("cuMemAlloc", [&](Context &context) -> Result {
    if (bytes == 0)
      return Misuse(invalidValue) << "0 bytes are asked for";
    auto *data = bytes > tooMuch ? nullptr : static_cast<std::byte *>(std::calloc(bytes, 1));
    if (!data)
      return outOfMemory;
    *address = driver().nextAddress;
    driver().nextAddress += (bytes + (1 << 20)) / 512 * 512;
    context.allocations[*address] = {bytes, {data, std::free}};
    return success;
  });
}

int cuMemFree_v2(uint64_t address) {
  return inContext("cuMemFree", [&](Context &context) -> Result {
    finishAll(context); // as drivers do
    if (context.allocations.erase(address) == 0)
      return Misuse(invalidValue) << "0x" << std::hex << address
                                  << " is no allocation of the current context";
    return success;
  });
}

int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes) {
  return inContext("cuMemcpyHtoD", [&](Context &context) {
    finish(context, nullptr);
    const Result result = checkCopy(context, to, from, bytes);
    if (!result)
      copyToDevice(context, to, from, bytes);
    return result;
  });
}

int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) {
  return inContext("cuMemcpyDtoH", [&](Context &context) {
    finish(context, nullptr);
    const Result result = checkCopy(context, from, to, bytes);
    if (!result)
      copyToHost(context, to, from, bytes);
    return result;
  });
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, void *stream) {
  return inContext("cuMemcpyHtoDAsync", [&](Context &context) {
    const Result result = checkCopy(context, to, from, bytes);
    return result ? result
                  : enqueue(context, stream, [=, &context] { copyToDevice(context, to, from, bytes); });
  });
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream) {
  return inContext("cuMemcpyDtoHAsync", [&](Context &context) {
    const Result result = checkCopy(context, from, to, bytes);
    return result ? result
                  : enqueue(context, stream, [=, &context] { copyToHost(context, to, from, bytes); });
  });
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream) {
  return inContext("cuMemcpyDtoDAsync", [&](Context &context) -> Result {
    if (!find(context, to, bytes) || !find(context, from, bytes))
      return invalidValue;
    return enqueue(context, stream, [=, &context] {
      std::byte *there = find(context, to, bytes), *here = find(context, from, bytes);
      if (there && here && bytes <= longCopy)
        std::memmove(there, here, bytes);
      context.milliseconds += millisecondsOf(bytes);
    });
  });
}

int cuMemsetD32Async(uint64_t to, unsigned word, size_t count, void *stream) {
  return inContext("cuMemsetD32Async", [&](Context &context) -> Result {
    if (to % sizeof word != 0)
      return Misuse(invalidValue) << "0x" << std::hex << to << " is no address of words";
    if (!find(context, to, count * sizeof word))
      return invalidValue;
    return enqueue(context, stream, [=, &context] {
      if (std::byte *place = find(context, to, count * sizeof word))
        for (size_t i = 0; i < count; ++i)
          std::memcpy(place + i * sizeof word, &word, sizeof word);
    });
  });
}
}
