//===- Diagnostics.cpp - MLIR's diagnostics as errors ---------------------===//

#include "Support/Diagnostics.h"

#include "Dialect/Heed.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace heed {
namespace {

void append(std::string &text, Location location, llvm::StringRef kind, llvm::StringRef message) {
  llvm::raw_string_ostream os(text);
  if (!text.empty())
    os << '\n';
  if (std::string place = ir::locationStr(location); !place.empty())
    os << place << ": " << kind;
  os << message;
}

} // namespace

std::string printed(Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << *op << '\n';
  return text;
}

DiagnosticsAsError::DiagnosticsAsError(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        append(text, diagnostic.getLocation(), "error: ", diagnostic.str());
        for (Diagnostic &note : diagnostic.getNotes())
          append(text, note.getLocation(), "note: ", note.str());
        return success();
      }) {}

llvm::Error DiagnosticsAsError::check(LogicalResult result) {
  if (succeeded(result))
    return llvm::Error::success();
  return llvm::createStringError(text.empty() ? "the compiler failed without a reason" : text);
}

} // namespace heed
