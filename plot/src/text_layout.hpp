/// Text as pango sets it: measured and drawn in the same way, at any turn and magnification.
#ifndef HEED_PLOT_TEXT_LAYOUT_HPP
#define HEED_PLOT_TEXT_LAYOUT_HPP

#include "heed/plot/page.hpp"

#include <cairo.h>

namespace heed::plot {

/// A label with its size: the box holds all ink and the line's height. Text longer than `limit` loses letters
/// in its middle for an ellipsis; a title is broken into lines. 0: no limit.
label measured(label_role role, std::string text, double size, double limit = 0);

void draw(cairo_t *context, const label &l);

} // namespace heed::plot

#endif
