//===- GraphText.h - A graph as text and as a picture -----------*- C++ -*-===//
///
/// \file
/// `heed show --form graph` and `--dot`: the plain graph, before any compiler has seen it.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_GRAPHTEXT_H
#define HEED_TOOLS_GRAPHTEXT_H

#include "heed/dsl/graph_data.hpp"

#include <string>

namespace heed::tools {

/// A line per value: "%5 = softmax %4 : f32 (batch, heads, queries, keys)   // line 17".
std::string graphText(const spec::graph &kernel);

/// The same for Graphviz.
std::string graphDot(const spec::graph &kernel);

/// The word of an operation: "split_heads".
const char *operationName(spec::op kind);

/// A mask or score program as one expression: "k <= q". What lies deeper than `depth` operations is left out.
std::string expressionText(const spec::graph &kernel, int result, int depth = 12);

} // namespace heed::tools

#endif // HEED_TOOLS_GRAPHTEXT_H
