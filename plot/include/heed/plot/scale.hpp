/// The range of values that colours stand for.
#ifndef HEED_PLOT_SCALE_HPP
#define HEED_PLOT_SCALE_HPP

#include "heed/plot/matrix.hpp"

namespace heed::plot {

struct value_scale {
  double low = 0, high = 1;

  /// 0 at `low`, 1 at `high`, clamped.
  double part(double value) const;
};

struct scale_tick {
  double part; ///< 0 at the scale's low end, 1 at its high one
  std::string text;
};

/// From the smallest to the largest finite value. A single value gets a range that reaches to 0.
value_scale scale_of(std::span<const matrix> matrices);

/// Round numbers within the scale, at most eight, in ascending order, with different texts.
std::vector<scale_tick> ticks_of(const value_scale &scale);

/// The value with the digits that tell about a hundredth of the scale.
std::string value_text(double value, const value_scale &scale);

} // namespace heed::plot

#endif
