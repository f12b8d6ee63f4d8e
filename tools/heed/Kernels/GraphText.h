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

} // namespace heed::tools

#endif // HEED_TOOLS_GRAPHTEXT_H
