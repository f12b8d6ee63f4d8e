/// Drawings into files, which appear whole or not at all.
#ifndef HEED_PLOT_OUTPUT_HPP
#define HEED_PLOT_OUTPUT_HPP

#include <cairo.h>
#include <functional>
#include <string>

namespace heed::plot {

enum class format { svg, png };

/// By the suffix; throws error where it is neither.
format format_of(const std::string &file);

struct canvas {
  double width, height;        ///< in points
  double pixels_per_point = 1; ///< of a PNG
};

/// The bytes of the picture that `draw` makes.
std::string drawn(format f, const canvas &size, const std::string &file,
                  const std::function<void(cairo_t *)> &draw);

/// Writes a neighbour of `file`, then renames it; what isn't a regular file is written as it is.
void write_file(const std::string &file, const std::string &bytes);

} // namespace heed::plot

#endif
