//===- Npy.h - NumPy array files --------------------------------*- C++ -*-===//
///
/// \file
/// Host arrays from and to .npy files; heed::weights reads them.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_NPY_H
#define HEED_TOOLS_NPY_H

#include "Arrays/HostTensor.h"
#include "heed/weights/dense_array.hpp"

namespace heed::tools {

HostTensor toHost(const dense_array &array);

/// The array in C order; b1 and u1 become b8 that keeps its byte. Throws ToolError naming the file.
HostTensor readNpy(const std::string &file);

/// bf16, which NumPy lacks, is written as f4.
void writeNpy(const std::string &file, const HostTensor &tensor);

/// The same array with another element type. Throws ToolError, beginning with `what`, at the first element
/// that the type can't hold exactly; true and false are 1 and 0.
HostTensor converted(const HostTensor &tensor, spec::dtype type, const std::string &what);

} // namespace heed::tools

#endif // HEED_TOOLS_NPY_H
