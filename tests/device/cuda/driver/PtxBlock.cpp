#include "PtxBlock.h"

#include <algorithm>
#include <cstring>

namespace checking {

Block::Block(Context &context, const Kernel &kernel, const CheckingCudaLaunch &launch)
    : context(context), kernel(kernel), launch(launch), shared(launch.sharedBytes), uses(launch.sharedBytes) {
  threads.resize(size_t(launch.threads[0]) * launch.threads[1] * launch.threads[2]);
}

void Block::begin(Thread &thread, int number, const unsigned (&index)[3]) const {
  thread.registers.assign(kernel.registers.size(), 0);
  thread.local.assign(size_t(kernel.localBytes), std::byte(255));
  thread.next = 0;
  thread.count = 0;
  thread.number = number;
  thread.isDone = thread.isWaiting = false;
  unsigned rest = unsigned(number);
  for (int axis = 0; axis < 3; ++axis) {
    const auto set = [&](const char *name, unsigned value) {
      const auto found = kernel.registers.find(std::string(name) + "." + "xyz"[axis]);
      if (found != kernel.registers.end())
        thread.registers[size_t(found->second)] = value;
    };
    set("%tid", rest % launch.threads[axis]);
    set("%ntid", launch.threads[axis]);
    set("%ctaid", index[axis]);
    set("%nctaid", launch.blocks[axis]);
    rest /= launch.threads[axis];
  }
}

void Block::runToBarrier(Thread &thread) {
  while (!thread.isDone && !thread.isWaiting && !isWrong && !isGivenUp) {
    isGivenUp = ++thread.count > driver().configured.instructions;
    if (thread.next == kernel.code.size()) {
      thread.isDone = true;
      return;
    }
    const Instruction &instruction = kernel.code[thread.next++];
    if (instruction.guard < 0 ||
        (thread.registers[size_t(instruction.guard)] != 0) != instruction.isGuardNegated)
      instruction.run(*this, thread, instruction);
  }
}

Block::End Block::run(const unsigned (&index)[3]) {
  std::fill(shared.begin(), shared.end(), std::byte(255));
  for (size_t i = 0; i < threads.size(); ++i)
    begin(threads[i], int(i), index);
  const auto isDone = [](const Thread &thread) { return thread.isDone; };
  while (!isWrong && !isGivenUp && !std::all_of(threads.begin(), threads.end(), isDone)) {
    ++interval;
    for (Thread &thread : threads) {
      thread.isWaiting = false;
      runToBarrier(thread);
    }
  }
  return isWrong ? End::wrong : isGivenUp ? End::givenUp : End::right;
}

void Block::note(const Thread &thread, const Instruction &instruction, const std::string &what) {
  if (!isWrong)
    Misuse(illegalAddress) << launch.entry << ", thread " << thread.number << ": " << instruction.text << ": "
                           << what;
  isWrong = true;
}

Block::Use &Block::useOf(uint64_t address) {
  Use &use = uses[address - sharedBase];
  if (use.interval != interval)
    use = {interval, -1, -1};
  return use;
}

std::byte *Block::placeOfShared(const Thread &thread, const Instruction &instruction, uint64_t address,
                                int bytes) {
  if (address >= sharedBase && address - sharedBase + uint64_t(bytes) <= shared.size())
    return shared.data() + (address - sharedBase);
  note(thread, instruction,
       "address " + std::to_string(address) + " is not in shared memory, " + std::to_string(shared.size()) +
           " bytes from " + std::to_string(sharedBase) + " on");
  return nullptr;
}

bool Block::isAligned(const Thread &thread, const Instruction &instruction, uint64_t address,
                      uint64_t bytes) {
  if (address % bytes != 0)
    note(thread, instruction, "address " + std::to_string(address) + " is misaligned");
  return address % bytes == 0;
}

/// In local memory, or in a table, which is read.
std::byte *Block::placeOfOwn(const Thread &thread, const Instruction &instruction, uint64_t address,
                             int bytes) {
  const std::vector<std::byte> &all = address < tablesBase ? thread.local : *kernel.tables;
  const uint64_t offset = address - (address < tablesBase ? localBase : tablesBase);
  if (offset + uint64_t(bytes) <= all.size())
    return const_cast<std::byte *>(all.data()) + offset;
  note(thread, instruction, "the address is not in local memory");
  return nullptr;
}

std::byte *Block::place(const Thread &thread, const Instruction &instruction, uint64_t address, int bytes) {
  if (address < localBase)
    return placeOfShared(thread, instruction, address, bytes);
  if (address < globalBase)
    return placeOfOwn(thread, instruction, address, bytes);
  if (address < cachedBegin || address + uint64_t(bytes) > cachedEnd) {
    auto after = context.allocations.upper_bound(address);
    if (after == context.allocations.begin() ||
        address + uint64_t(bytes) > std::prev(after)->first + std::prev(after)->second.bytes) {
      note(thread, instruction, "the address is in no allocation");
      return nullptr;
    }
    const auto &[begin, allocation] = *std::prev(after);
    cachedBegin = begin;
    cachedEnd = begin + allocation.bytes;
    cached = allocation.data.get();
  }
  return cached + (address - cachedBegin);
}

uint64_t Block::load(const Thread &thread, const Instruction &instruction, uint64_t address, int bytes) {
  uint64_t value = 0;
  const std::byte *from = place(thread, instruction, address, bytes);
  if (!from)
    return 0;
  std::memcpy(&value, from, size_t(bytes));
  for (int i = 0; address < localBase && i < bytes; ++i) {
    Use &use = useOf(address + uint64_t(i));
    if (use.writer >= 0 && use.writer != thread.number)
      note(thread, instruction,
           "thread " + std::to_string(use.writer) + " wrote there since the last barrier");
    use.reader = use.reader == -1 || use.reader == thread.number ? thread.number : several;
  }
  return value;
}

void Block::store(const Thread &thread, const Instruction &instruction, uint64_t address, int bytes,
                  uint64_t value) {
  std::byte *to = place(thread, instruction, address, bytes);
  if (!to)
    return;
  const bool isSame = std::memcmp(to, &value, size_t(bytes)) == 0; // two threads may write the same
  std::memcpy(to, &value, size_t(bytes));
  for (int i = 0; address < localBase && i < bytes; ++i) {
    Use &use = useOf(address + uint64_t(i));
    if (!isSame && ((use.writer >= 0 && use.writer != thread.number) ||
                    (use.reader != -1 && use.reader != thread.number)))
      note(thread, instruction,
           "thread " + std::to_string(std::max(use.writer, use.reader)) +
               " used what is there since the last barrier");
    use.writer = thread.number;
  }
}

} // namespace checking
