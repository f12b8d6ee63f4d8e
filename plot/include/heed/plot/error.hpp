/// A picture that can't be made or written.
#ifndef HEED_PLOT_ERROR_HPP
#define HEED_PLOT_ERROR_HPP

#include <stdexcept>

namespace heed::plot {

/// Its text is a sentence: `<argument>: <what was found>, <what is needed>; <what to write instead>`.
struct error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace heed::plot

#endif
