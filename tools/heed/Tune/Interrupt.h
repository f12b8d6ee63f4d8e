//===- Interrupt.h - Ctrl-C as a wish to end early --------------*- C++ -*-===//
#ifndef HEED_TOOLS_INTERRUPT_H
#define HEED_TOOLS_INTERRUPT_H

#include <csignal>

namespace heed::tools {

/// While one lives, the first Ctrl-C (SIGINT) only sets a flag; the second ends the program as ever.
class Interrupt {
public:
  Interrupt();
  ~Interrupt();
  Interrupt(const Interrupt &) = delete;
  Interrupt &operator=(const Interrupt &) = delete;

  bool wanted() const;

private:
  struct sigaction before;
};

} // namespace heed::tools

#endif // HEED_TOOLS_INTERRUPT_H
