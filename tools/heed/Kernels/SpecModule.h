//===- SpecModule.h - The kernels of a spec ---------------------*- C++ -*-===//
///
/// \file
/// From SPEC on the command line to plain graphs. A .cpp file is compiled with the user's compiler into a
/// module in the cache folder, under a name that is a hash of the preprocessed source, the compiler and its
/// flags; anything else must be such a module already.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_SPECMODULE_H
#define HEED_TOOLS_SPECMODULE_H

#include "heed/dsl/graph_data.hpp"

#include <string>
#include <vector>

namespace heed::tools {

/// The kernels of some specs, in the order of the files and of their lines. Their modules stay loaded until
/// the program ends, since graphs point into them.
class Specs {
public:
  /// Throws ToolError: a spec that doesn't compile, exports nothing, was built for another version, or
  /// kernels that share a name.
  explicit Specs(const std::vector<std::string> &files);

  const std::vector<const spec::graph *> &kernels() const { return all; }

  /// Their source files: the .cpp files, and those that modules were built from, as far as they are there.
  const std::vector<std::string> &sources() const { return sourceFiles; }

  /// The kernel of that name; the only kernel when the name is empty. Throws ToolError with the list
  /// otherwise.
  const spec::graph &kernel(const std::string &name) const;

  /// The kernel of that name; all kernels when the name is empty.
  std::vector<const spec::graph *> select(const std::string &name) const;

private:
  void addSource(const std::string &file);

  std::vector<const spec::graph *> all;
  std::vector<std::string> sourceFiles;
};

/// Options for some kernels of these specs, whose schedule files may speak of all of them and lie beside the
/// sources.
template <typename Options> Options withSpecs(Options options, const Specs &specs) {
  options.spec = specs.kernels();
  if (options.sources.empty())
    options.sources = specs.sources();
  return options;
}

/// "cross_attention.cpp:9"
std::string location(const spec::graph &kernel, int line);

} // namespace heed::tools

#endif // HEED_TOOLS_SPECMODULE_H
