/// Pages into files.
#ifndef HEED_PLOT_WRITE_HPP
#define HEED_PLOT_WRITE_HPP

#include "heed/plot/page.hpp"

namespace heed::plot {

/// The suffix of `file`, .svg or .png, chooses the format. SVG has letters as outlines, so that it looks the
/// same everywhere, and title and description as text. A PNG has `pixels_per_point` times the page's size.
/// The file appears whole or not at all. Throws error: another suffix, a page too large for a PNG, a file
/// that can't be written.
void write(const page &p, const std::string &file, double pixels_per_point = 2);

} // namespace heed::plot

#endif
