//===- ToolError.h - A failure that ends a sub-command ----------*- C++ -*-===//
///
/// \file
/// What a sub-command throws when it can't go on: a sentence for the user. main prints it and exits with
/// status 1.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_TOOLERROR_H
#define HEED_TOOLS_TOOLERROR_H

#include <stdexcept>

namespace heed::tools {

struct ToolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace heed::tools

#endif // HEED_TOOLS_TOOLERROR_H
