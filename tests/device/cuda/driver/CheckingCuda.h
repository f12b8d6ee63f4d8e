//===- CheckingCuda.h - A driver of CUDA that checks its callers -*- C++ -*-===//
///
/// \file
/// A libcuda.so.1 for tests: one device, or some, whose memory is the host's. It checks what a driver leaves
/// undefined or finds out too late: handles, the stack of contexts, the range of every copy, limits of a
/// launch, the memory behind its parameters. It runs PTX, instruction by instruction, and checks what threads
/// do with memory. Work is done when somebody waits for it, as late as a driver may.
///
/// What is wrong is noted as a line of text, also in the file that HEED_CHECKING_CUDA_LOG names. With
/// HEED_CHECKING_CUDA_ABORT it ends the program.
///
/// These functions are for tests, which find them with dlsym.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_CUDA_DRIVER_CHECKINGCUDA_H
#define HEED_TESTS_DEVICE_CUDA_DRIVER_CHECKINGCUDA_H

#include <cstdint>

struct CheckingCudaState {
  int devices = 1;
  int sharedBytes = 227 << 10;    ///< the most that a block of threads may ask for
  int64_t instructions = 1 << 30; ///< of a thread, after which a launch is given up; 0: none is run
  int misuses = 0;                ///< so far
  int waits = 0;                  ///< calls so far that waited for work
  // What is alive.
  int contexts = 0, streams = 0, events = 0, modules = 0, allocations = 0;
  int depth = 0; ///< of the calling thread's stack of contexts
};

struct CheckingCudaLaunch {
  char entry[128];
  unsigned blocks[3], threads[3], sharedBytes;
  void *context, *stream;
  int parameterCount;
  uint64_t parameters[128]; ///< as in PTX, zeros behind shorter ones
};

extern "C" {
CheckingCudaState checkingCudaState();
/// The lines of what was wrong; cut at `size`.
void checkingCudaMisuses(char *text, int size);
/// Forgets what was wrong, injected results and launches.
void checkingCudaClear();
/// What the next devices are opened with.
void checkingCudaDevices(int count, int sharedBytes);
/// How many instructions of a thread are run; HEED_CHECKING_CUDA_INSTRUCTIONS says so, too.
void checkingCudaInstructions(int64_t count);
/// A function that returns `result` without doing anything, after `after` more calls and until all is
/// cleared. Of a result that says that a kernel failed the context stays lost.
void checkingCudaFail(const char *function, int after, int result);
/// Whether these bytes lie at an address of the device, in any context.
bool checkingCudaHolds(uint64_t address, const void *data, uint64_t bytes);
/// Launches so far, the last 256 at most; returns how many were written.
int checkingCudaLaunches(CheckingCudaLaunch *launches, int count);
}

#endif // HEED_TESTS_DEVICE_CUDA_DRIVER_CHECKINGCUDA_H
