//===- Compiled.h - Kernels in fused form, compiled and loaded --*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_EMIT_COMPILED_H
#define HEED_TESTS_CODEGEN_EMIT_COMPILED_H

#include "Emit/Program.h"
#include "Tensor.h"
#include "heed/abi.h"

#include <string>
#include <vector>

namespace heed {

/// The library of the kernels in an MLIR text, loaded into the test. A failure to compile fails the test.
class Compiled {
public:
  explicit Compiled(const std::string &mlir, const std::string &schedule = "",
                    const std::string &target = "host");
  ~Compiled();
  Compiled(const Compiled &) = delete;

  /// Calls a kernel; its message is empty when all went well.
  std::string call(const std::string &kernel, const std::vector<heed_view> &arguments,
                   const heed_options *options = nullptr) const;

  /// The table of a kernel, as it was linked.
  const heed_program *table(const std::string &kernel) const;

  std::vector<program::Program> programs;
  std::string driver;

private:
  std::string folder;
  void *handle = nullptr;
};

/// What a library is made of, for a machine that doesn't depend on the one the test runs on.
struct Written {
  std::string driver, header, cHeader;
};
Written written(const std::string &mlir, const std::string &library, const std::string &schedule);

/// Writes libNAME.a with its headers into a folder.
void writeArchiveOf(const std::string &mlir, const std::string &name, const std::string &folder);

/// The first error of compiling a text; empty when there is none.
std::string compileError(const std::string &mlir, const std::string &schedule = "");

/// The kernels of a text after copies were added, as text.
std::string withCopies(const std::string &mlir);

} // namespace heed

#endif // HEED_TESTS_CODEGEN_EMIT_COMPILED_H
