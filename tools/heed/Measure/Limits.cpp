#include "Measure/Limits.h"

#include "Support/Progress.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace heed::tools {

namespace {

constexpr std::size_t hugePage = std::size_t{2} << 20;

/// Keeps results alive.
std::atomic<float> sink;

/// Runs body(thread) on all threads at once, the caller's among them; seconds from the common start to the
/// last end.
template <typename F> double timeOnThreads(int threads, F body) {
  std::atomic<int> waiting{threads - 1};
  std::atomic<bool> go{false};
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread)
    others.emplace_back([&, thread] {
      --waiting;
      while (!go)
        std::this_thread::yield();
      body(thread);
    });
  while (waiting > 0)
    std::this_thread::yield();
  auto start = std::chrono::steady_clock::now();
  go = true;
  body(0);
  for (std::thread &other : others)
    other.join();
  return secondsSince(start);
}

/// Large against any cache, small against the memory.
std::size_t probeBytes() {
  long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE), cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
  std::size_t memory = pages > 0 && page > 0 ? static_cast<std::size_t>(pages) * page : std::size_t{1} << 31;
  std::size_t wanted = std::max(std::size_t{512} << 20, cache > 0 ? 4 * static_cast<std::size_t>(cache) : 0);
  return std::min({wanted, std::size_t{2} << 30, memory / 8}) / hugePage * hugePage;
}

} // namespace

std::unique_ptr<float, void (*)(void *)> allocateHuge(std::size_t bytes) {
  std::size_t rounded = std::max(hugePage, (bytes + hugePage - 1) / hugePage * hugePage);
  void *memory = std::aligned_alloc(hugePage, rounded);
  if (!memory)
    throw std::bad_alloc();
  madvise(memory, rounded, MADV_HUGEPAGE);
  return {static_cast<float *>(memory), std::free};
}

ArithmeticProbe::ArithmeticProbe(int threads, heed_cpu_level level, Arithmetic kind)
    : threads(threads), rate(1e7) {
  const ProbeLoops loops = probeLoops(level);
  const bool isDot = kind == Arithmetic::Bf16Dot;
  loop = isDot ? loops.bf16Dot : loops.fma;
  operationsPerRound = loops.operationsPerRound * (isDot ? 2 : 1);
  for (int round = 0; round < 3; ++round)
    measure(0.01);
}

double ArithmeticProbe::measure(double seconds) {
  auto rounds = std::max<std::int64_t>(1000, static_cast<std::int64_t>(rate * seconds));
  double elapsed = timeOnThreads(threads, [&](int) { sink = loop(rounds); });
  rate = static_cast<double>(rounds) / elapsed;
  return static_cast<double>(rounds) * operationsPerRound * threads / elapsed;
}

BandwidthProbe::BandwidthProbe(int threads)
    : threads(threads), loops(probeLoops(static_cast<heed_cpu_level>(heed_machine_cpu_level()))),
      bytes(probeBytes()), buffer(allocateHuge(bytes)), rate(1e10) {
  timeOnThreads(threads, [&](int thread) {
    std::size_t part = bytes / sizeof(float) / threads;
    std::fill_n(buffer.get() + thread * part, part, 1.0f);
  });
  double best = 0;
  for (int candidate : {1, 2, 4, 8}) {
    double fastest = 0;
    for (int round = 0; round < 3; ++round)
      fastest = std::max(fastest, readOnce(bytes / threads, candidate));
    if (fastest > best) {
      best = fastest;
      streams = candidate;
    }
  }
  rate = best;
}

BandwidthProbe::~BandwidthProbe() = default;

double BandwidthProbe::readOnce(std::size_t bytesPerThread, int streamCount) {
  // Every thread reads its own part, cut into streams; counts are whole unrolled iterations.
  constexpr std::size_t unit = 256;
  std::size_t part = bytes / sizeof(float) / threads / unit * unit;
  std::size_t pitch = part / streamCount / unit * unit;
  std::size_t count =
      std::min(pitch, std::max(unit, bytesPerThread / sizeof(float) / streamCount / unit * unit));
  if (next + count > pitch)
    next = 0;
  double elapsed = timeOnThreads(threads, [&](int thread) {
    sink = loops.read(buffer.get() + thread * part + next, count, pitch, streamCount);
  });
  next += count;
  return static_cast<double>(count) * streamCount * threads * sizeof(float) / elapsed;
}

double BandwidthProbe::measure(double seconds) {
  double wanted = rate * seconds / threads;
  rate = readOnce(static_cast<std::size_t>(std::min(wanted, static_cast<double>(bytes) / threads)), streams);
  return rate;
}

} // namespace heed::tools
