//===- Text.h - Kernels of one operation as MLIR text -----------*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_EMIT_TEXT_H
#define HEED_TESTS_CODEGEN_EMIT_TEXT_H

#include <string>
#include <vector>

namespace heed {

inline std::string tensor(const std::string &shape, const std::string &type = "f32") {
  return "!heed.tensor<[" + shape + "], " + type + ">";
}

/// A kernel of one operation per line; the types of arguments and result are given.
inline std::string kernel(const std::string &name, const std::vector<std::string> &arguments,
                          const std::string &result, const std::string &body) {
  std::string text = "heed.kernel @" + name + "(";
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string argument = "x" + std::to_string(i);
    text += (i ? ", %" : "%") + argument + ": " + arguments[i] + " {heed.name = \"" + argument +
            "\", heed.role = \"input\"}";
  }
  return text + ") -> (" + result + " {heed.name = \"y\"}) {\n" + body + "\n}\n";
}

/// `%y = OP : (A, B) -> R` and its return.
inline std::string only(const std::string &op, const std::vector<std::string> &operands,
                        const std::string &result) {
  std::string text = "%y = " + op + " : (";
  for (size_t i = 0; i < operands.size(); ++i)
    text += (i ? ", " : "") + operands[i];
  return text + ") -> " + result + "\nheed.return %y : " + result;
}

} // namespace heed

#endif // HEED_TESTS_CODEGEN_EMIT_TEXT_H
