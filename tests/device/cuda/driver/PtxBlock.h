//===- PtxBlock.h - A block of threads that runs ----------------*- C++ -*-===//
///
/// \file
/// Runs the threads of a block one after the other, from barrier to barrier, and watches what they do with
/// memory: accesses outside, misaligned ones, and those of two threads that no barrier keeps apart.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_CUDA_DRIVER_PTXBLOCK_H
#define HEED_TESTS_DEVICE_CUDA_DRIVER_PTXBLOCK_H

#include "Driver.h"
#include "PtxCode.h"

namespace checking {

struct Thread {
  std::vector<uint64_t> registers;
  std::vector<std::byte> local;
  size_t next = 0;   ///< instruction
  int64_t count = 0; ///< of instructions so far
  int number = 0;
  bool isDone = false, isWaiting = false, carry = false;
};

class Block {
public:
  Block(Context &context, const Kernel &kernel, const CheckingCudaLaunch &launch);

  enum class End { right, wrong, givenUp };
  /// Runs one block of the grid. Something wrong ends it, and is noted; too long a thread ends it, too.
  End run(const unsigned (&index)[3]);

  /// Whether an access of so many bytes is; noted if not.
  bool isAligned(const Thread &thread, const Instruction &instruction, uint64_t address, uint64_t bytes);
  uint64_t load(const Thread &thread, const Instruction &instruction, uint64_t address, int bytes);
  void store(const Thread &thread, const Instruction &instruction, uint64_t address, int bytes,
             uint64_t value);
  uint64_t parameter(uint64_t place) const { return launch.parameters[place]; }

private:
  /// Who used a byte of shared memory since the last barrier.
  struct Use {
    int interval = -1, writer = -1, reader = -1; ///< a second reader is `several`
  };
  static constexpr int several = -2;

  void begin(Thread &thread, int number, const unsigned (&index)[3]) const;
  void runToBarrier(Thread &thread);
  std::byte *place(const Thread &thread, const Instruction &instruction, uint64_t address, int bytes);
  std::byte *placeOfShared(const Thread &thread, const Instruction &instruction, uint64_t address, int bytes);
  std::byte *placeOfOwn(const Thread &thread, const Instruction &instruction, uint64_t address, int bytes);
  Use &useOf(uint64_t address);
  void note(const Thread &thread, const Instruction &instruction, const std::string &what);

  Context &context;
  const Kernel &kernel;
  const CheckingCudaLaunch &launch;
  std::vector<Thread> threads;
  std::vector<std::byte> shared;
  std::vector<Use> uses; ///< by byte of shared memory
  int interval = 0;      ///< counts barriers
  bool isWrong = false, isGivenUp = false;
  uint64_t cachedBegin = 0, cachedEnd = 0; ///< the allocation that was accessed last
  std::byte *cached = nullptr;
};

} // namespace checking

#endif // HEED_TESTS_DEVICE_CUDA_DRIVER_PTXBLOCK_H
