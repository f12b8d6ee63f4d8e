//===- ExpressionText.h - Programs of masks and scores ----------*- C++ -*-===//
///
/// \file
/// A mask, score program or table as one expression, for `heed show`.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_EXPRESSIONTEXT_H
#define HEED_TOOLS_EXPRESSIONTEXT_H

#include "heed/dsl/graph_data.hpp"

#include <string>

namespace heed::tools {

/// "k <= q && k < lengths[b]". Positions are b, h, q and k, or i0, i1, … in a table. What is nested too
/// deeply is left out.
std::string expressionText(const spec::graph &kernel, const spec::node &node);

} // namespace heed::tools

#endif // HEED_TOOLS_EXPRESSIONTEXT_H
