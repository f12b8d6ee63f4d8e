#include "Tune/Interrupt.h"

namespace heed::tools {

namespace {

volatile std::sig_atomic_t isWanted = 0;

void onSignal(int) { isWanted = 1; }

} // namespace

Interrupt::Interrupt() {
  isWanted = 0;
  struct sigaction action = {};
  action.sa_handler = onSignal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &before);
}

Interrupt::~Interrupt() { sigaction(SIGINT, &before, nullptr); }

bool Interrupt::wanted() const { return isWanted != 0; }

} // namespace heed::tools
