//===- Pieces.h - Kernels of several operations as MLIR text ----*- C++ -*-===//
#ifndef HEED_TESTS_CODEGEN_EMIT_PIECES_H
#define HEED_TESTS_CODEGEN_EMIT_PIECES_H

#include <string>
#include <vector>

namespace heed::text {

inline std::string tensor(const std::string &shape, const std::string &element = "f32") {
  return "!heed.tensor<[" + shape + "], " + element + ">";
}

struct Named {
  std::string name, type, role = "input";
};

/// `%RESULT = heed.WORDS : (A, B) -> R` on a line of its own.
inline std::string line(const std::string &result, const std::string &words,
                        const std::vector<std::string> &operands, const std::string &type) {
  std::string text = "%" + result + " = heed." + words + " : (";
  for (size_t i = 0; i < operands.size(); ++i)
    text += (i ? ", " : "") + operands[i];
  return text + ") -> " + type + "\n";
}

/// `%NAME` is the output NAME, `%NAME_after` the new value of the state NAME.
inline std::string kernel(const std::string &name, const std::vector<Named> &arguments,
                          const std::vector<Named> &results, const std::string &body) {
  std::string text = "heed.kernel @" + name + "(", values, types;
  for (const Named &argument : arguments)
    text += (&argument == arguments.data() ? "%" : ", %") + argument.name + ": " + argument.type +
            " {heed.name = \"" + argument.name + "\", heed.role = \"" + argument.role + "\"}";
  text += ") -> (";
  for (const Named &result : results) {
    std::string comma = &result == results.data() ? "" : ", ";
    bool isState = result.role == "state";
    text += comma + result.type + " {heed.name = \"" + result.name + "\"" +
            (isState ? ", heed.role = \"state\"}" : "}");
    values += comma + "%" + result.name + (isState ? "_after" : "");
    types += comma + result.type;
  }
  return text + ") {\n" + body + "heed.return " + values + " : " + types + "\n}\n";
}

/// Attention on (b, h, s, d); the region's arguments are %score, %b, %h, %i, %j, and %m for a capture.
inline std::string attention(const std::string &result, const std::vector<Named> &operands,
                             const std::string &type, const std::string &region, const Named &capture = {}) {
  std::string words, types;
  for (const Named &operand : operands) {
    words += (words.empty() ? "%" : ", %") + operand.name;
    types += (types.empty() ? "" : ", ") + operand.type;
  }
  std::string captures, captured, argument;
  if (!capture.name.empty()) {
    captures = " captures(%" + capture.name + ")";
    captured = ", " + capture.type;
    argument = ", %m: " + capture.type;
  }
  return "%" + result + " = heed.attention " + words + captures + " scale 0.25 : (" + types + captured +
         ") -> " + type + " {\n^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64" + argument + "):\n" +
         region + "}\n";
}

} // namespace heed::text

#endif // HEED_TESTS_CODEGEN_EMIT_PIECES_H
