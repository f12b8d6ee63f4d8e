//===- TileFunctions.h - The machine code of a library ----------*- C++ -*-===//
///
/// \file
/// The tile functions that the kernels of one library need. Two launches that need the same code share one
/// function: what identifies a function is the text of everything it is built from. Building is put off until
/// the whole library is known, and then runs in parallel. A back end adds functions; nobody else knows how it
/// compiles them.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_TILEFUNCTIONS_H
#define HEED_CODEGEN_EMIT_TILEFUNCTIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <string>
#include <vector>

namespace heed {

/// What a tile function can be compiled to.
enum class CodeForm { Object, Statement, Assembly };

class TileFunctions {
public:
  /// Symbols start with `heed_LIBRARY_`, so that several libraries link into one program.
  explicit TileFunctions(llvm::StringRef library);

  /// The bytes of one function in a form. Called from any thread.
  using Compile = std::function<llvm::Expected<std::string>(CodeForm form)>;
  /// Prepares the function with this symbol.
  using Build = llvm::function_ref<llvm::Expected<Compile>(const std::string &symbol)>;

  /// The symbol of the function with this key; a new one is built and named after `name`.
  llvm::Expected<std::string> add(llvm::StringRef name, std::string key, Build build);

  struct Compiled {
    std::string symbol;
    std::string code;
  };
  /// All functions, in the order in which they were added; `threads` at a time (0: one per core).
  llvm::Expected<std::vector<Compiled>> compile(CodeForm form, unsigned threads) const;

  /// All functions as one text.
  llvm::Expected<std::string> print(CodeForm form, unsigned threads) const;

private:
  struct Function {
    std::string symbol, key;
    Compile compile;
  };
  std::string prefix;
  std::vector<Function> functions;
};

/// A text as part of a C identifier.
std::string identifier(llvm::StringRef text);

} // namespace heed

#endif // HEED_CODEGEN_EMIT_TILEFUNCTIONS_H
