//===- Npy.h - NumPy array files --------------------------------*- C++ -*-===//
///
/// \file
/// Reads and writes .npy files (NumPy Enhancement Proposal 1), formats 1.0 and 2.0, little endian, C and
/// Fortran order, of types b1, u1, i4, i8, f2, f4 and f8.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_NPY_H
#define HEED_TOOLS_NPY_H

#include "Arrays/HostTensor.h"

namespace heed::tools {

/// The array in C order; b1 and u1 become b8 that keeps its byte. Throws ToolError naming the file.
HostTensor readNpy(const std::string &file);

/// bf16, which NumPy lacks, is written as f4.
void writeNpy(const std::string &file, const HostTensor &tensor);

/// The same array with another element type. Throws ToolError, beginning with `what`, at the first element
/// that the type can't hold exactly; true and false are 1 and 0.
HostTensor converted(const HostTensor &tensor, spec::dtype type, const std::string &what);

} // namespace heed::tools

#endif // HEED_TOOLS_NPY_H
