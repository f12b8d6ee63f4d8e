#include "Arrays/ProtectedMemory.h"

#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace heed::tools {

namespace {

FaultReport::Explain explainFault;
void *explainClosure;
struct sigaction previous[2];

void say(const char *text) {
  // Nothing sensible is left to do when standard error can't be written to.
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
}

void onFault(int, siginfo_t *info, void *) {
  say("heed: ");
  say(explainFault(explainClosure, info->si_addr));
  say("\n");
  _exit(1);
}

} // namespace

ProtectedMemory::ProtectedMemory(std::size_t bytes) : bytes(bytes) {
  auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t inside = (bytes + page - 1) / page * page;
  mapped = inside + 2 * page;
  void *memory = mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  mapping = static_cast<std::byte *>(memory);
  if (inside > 0 && mprotect(mapping + page, inside, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping, mapped);
    throw std::bad_alloc();
  }
  first = mapping + page + inside - bytes;
}

ProtectedMemory::~ProtectedMemory() {
  if (mapping)
    munmap(mapping, mapped);
}

ProtectedMemory::ProtectedMemory(ProtectedMemory &&other) noexcept
    : mapping(std::exchange(other.mapping, nullptr)), mapped(other.mapped), first(other.first),
      bytes(other.bytes) {}

bool ProtectedMemory::surrounds(const void *address) const {
  auto at = static_cast<const std::byte *>(address);
  return at >= mapping && at < mapping + mapped;
}

FaultReport::FaultReport(Explain explain, void *closure) {
  explainFault = explain;
  explainClosure = closure;
  struct sigaction action = {};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, &previous[0]);
  sigaction(SIGBUS, &action, &previous[1]);
}

FaultReport::~FaultReport() {
  sigaction(SIGSEGV, &previous[0], nullptr);
  sigaction(SIGBUS, &previous[1], nullptr);
}

} // namespace heed::tools
