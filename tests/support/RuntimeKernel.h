//===- RuntimeKernel.h - A graph that the DSL builds at run time -*- C++ -*-===//
///
/// \file
/// The DSL's words are constexpr functions, so they also run in a test: a graph whose shapes and programs are
/// only known then. Its tables live in the object.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_SUPPORT_RUNTIMEKERNEL_H
#define HEED_TESTS_SUPPORT_RUNTIMEKERNEL_H

#include <heed/dsl.hpp>

#include <functional>
#include <string>
#include <vector>

namespace heed::tests {

class RuntimeKernel {
public:
  RuntimeKernel(std::string name, const std::function<void(graph &)> &block);
  RuntimeKernel(const RuntimeKernel &) = delete;

  /// The DSL's first fault; empty when there is none.
  const std::string &error() const { return fault; }
  const spec::graph *data() const { return &made; }

private:
  std::string name, fault;
  std::vector<const char *> symbols;
  std::vector<spec::extent> extents;
  std::vector<spec::node> nodes;
  std::vector<spec::instruction> instructions;
  std::vector<spec::output> outputs;
  std::vector<char> characters;
  spec::graph made;
};

} // namespace heed::tests

#endif // HEED_TESTS_SUPPORT_RUNTIMEKERNEL_H
