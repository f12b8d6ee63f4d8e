//===- Library.h - Objects and C text become an archive ---------*- C++ -*-===//
///
/// \file
/// The last step of a compilation: the driver's C text goes through the C compiler ($CC, else cc; for another
/// architecture $CC if it compiles for that, else the cross compiler), and its object and those of the tile
/// functions into one static library. All objects are position independent.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_EMIT_LIBRARY_H
#define HEED_CODEGEN_EMIT_LIBRARY_H

#include "heed/abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace heed {

/// Compiles C11 text that includes <heed/abi.h> into an object file for the architecture of a CPU level.
/// `scratch` is an existing folder.
llvm::Error compileDriver(llvm::StringRef text, heed_cpu_level level, llvm::StringRef scratch,
                          llvm::StringRef object);

/// Writes a static library with these members, replacing an older one.
llvm::Error writeArchive(llvm::StringRef archive, llvm::ArrayRef<std::string> objects);

/// Links libraries into a shared object that can be loaded; `archives` are taken whole.
llvm::Error linkSharedObject(llvm::StringRef output, llvm::ArrayRef<std::string> archives);

/// Writes a file whole, or leaves the old one.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef text);

/// A folder that is removed at the end of its scope.
class ScratchFolder {
public:
  static llvm::Expected<ScratchFolder> create();
  ScratchFolder(ScratchFolder &&other) : path(std::move(other.path)) { other.path.clear(); }
  ~ScratchFolder();
  const std::string &operator*() const { return path; }

private:
  explicit ScratchFolder(std::string path) : path(std::move(path)) {}
  std::string path;
};

} // namespace heed

#endif // HEED_CODEGEN_EMIT_LIBRARY_H
