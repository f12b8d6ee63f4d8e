//===- MatrixPicture.h - A matrix as a picture ------------------*- C++ -*-===//
///
/// \file
/// Draws a matrix of numbers as coloured cells, into an SVG or a PNG file.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_MATRIXPICTURE_H
#define HEED_TOOLS_MATRIXPICTURE_H

#include <cstdint>
#include <string>
#include <vector>

namespace heed::tools {

/// Row 0 is at the top. Values go from 0 to 1; NaN stands for a cell without a value.
struct Matrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<double> values; ///< row-major
};

enum class Palette {
  Mask, ///< 0 is hidden, anything else visible
  Heat, ///< light yellow over green to dark blue
};

/// Cells are squares, as large as makes the longer side about `side` points; their borders show where they
/// are large enough. The suffix of `file`, .svg or .png, chooses the format. The same matrix gives the same
/// bytes. Throws ToolError: another suffix, an empty matrix, a file that can't be written.
void drawMatrix(const Matrix &matrix, Palette palette, const std::string &file, double side = 320);

/// The smallest value becomes 0, the largest 1; what isn't finite becomes NaN.
Matrix normalized(Matrix matrix);

} // namespace heed::tools

#endif // HEED_TOOLS_MATRIXPICTURE_H
