/// A matrix as coloured cells alone, without any text.
#ifndef HEED_PLOT_CELLS_HPP
#define HEED_PLOT_CELLS_HPP

#include "heed/plot/matrix.hpp"

namespace heed::plot {

enum class cell_palette {
  mask, ///< 0 is hidden, anything else visible
  heat, ///< values from 0 to 1, light yellow over green to dark blue
};

/// Cells are squares, as large as makes the longer side about `side` points; their borders show where they
/// are large enough. The suffix of `file`, .svg or .png, chooses the format. The same matrix gives the same
/// bytes. Throws error: another suffix, an empty matrix, a file that can't be written.
void draw_cells(const matrix &m, cell_palette palette, const std::string &file, double side = 320);

} // namespace heed::plot

#endif
