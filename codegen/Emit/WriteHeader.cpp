//===- WriteHeader.cpp - What a library's caller includes -----------------===//

#include "WriteHeader.h"

#include "TileFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace heed::program;
using llvm::formatv;

namespace heed {
namespace {

const char *cppType(heed_dtype type) {
  static constexpr const char *names[] = {"bool",           "std::int32_t", "std::int64_t", "heed::float16",
                                          "heed::bfloat16", "float",        "double"};
  return names[type];
}

const char *cType(heed_dtype type) {
  static constexpr const char *names[] = {"uint8_t",  "int32_t", "int64_t", "uint16_t",
                                          "uint16_t", "float",   "double"};
  return names[type];
}

/// Names that neither language leaves to users.
bool isReserved(llvm::StringRef name) {
  static constexpr llvm::StringLiteral words[] = {
      "alignas",  "auto",      "bool",      "break",    "case",    "catch",     "char",     "class",
      "const",    "continue",  "default",   "delete",   "do",      "double",    "else",     "enum",
      "explicit", "export",    "extern",    "false",    "float",   "for",       "friend",   "goto",
      "if",       "inline",    "int",       "long",     "mutable", "namespace", "new",      "operator",
      "private",  "protected", "public",    "register", "return",  "short",     "signed",   "sizeof",
      "static",   "struct",    "switch",    "template", "this",    "throw",     "true",     "try",
      "typedef",  "union",     "unsigned",  "using",    "virtual", "void",      "volatile", "while",
      "options",  "status",    "arguments", "heed",     "std"};
  return llvm::is_contained(words, name);
}

std::string parameter(const Argument &argument) {
  std::string text = identifier(argument.name);
  return isReserved(text) || llvm::isDigit(text.front()) ? text + "_" : text;
}

std::string shape(const Program &program, const Argument &argument) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(argument.extents, os, [&](unsigned extent) { os << program.text(extent); });
  return text + ")";
}

/// One line per argument: name, role, shape, element type.
void describe(llvm::raw_ostream &os, const Program &program) {
  static constexpr const char *roles[] = {"input", "weight", "output", "scalar", "state"};
  size_t widest = 0, widestShape = 0;
  for (const Argument &argument : program.arguments) {
    widest = std::max(widest, parameter(argument).size());
    widestShape = std::max(widestShape, shape(program, argument).size());
  }
  for (const Argument &argument : program.arguments)
    os << formatv("///   {0}  {1,-6}  {2}  {3}\n", llvm::left_justify(parameter(argument), widest),
                  roles[argument.role], llvm::left_justify(shape(program, argument), widestShape),
                  name(argument.dtype));
}

/// Where rows may go.
void describeBounds(llvm::raw_ostream &os, const Program &program) {
  for (const Bound &bound : program.bounds)
    os << formatv("/// 0 <= {0} <= {1} - {2}.\n", parameter(program.arguments[bound.argument]),
                  program.text(bound.whole), program.text(bound.part));
}

void describeSymbols(llvm::raw_ostream &os, const Program &program) {
  if (program.symbols.empty())
    return;
  os << "/// Extents known at run time, equal wherever the name is equal: ";
  llvm::interleaveComma(program.symbols, os);
  os << ".\n";
}

constexpr const char *generalRule = "// A call checks every argument and returns a status: on success all "
                                    "outputs are written, else the message names\n"
                                    "// the argument, what was found and what is needed. It never throws, "
                                    "prints or aborts, and may be made from several\n"
                                    "// threads at once. Extents may be 0. Strides are free, except that the "
                                    "innermost axis is dense. Outputs must not\n"
                                    "// overlap other arguments.\n";

constexpr const char *stateRule =
    "// A state is changed in place: a call writes the rows that it appends and leaves the others as they "
    "are.\n"
    "// States must not overlap other arguments either. A call that is refused for its arguments leaves "
    "them\n"
    "// untouched; one that fails for want of memory may have written its rows, and can be made again.\n";

constexpr const char *deviceRule =
    "// Kernels are compiled for a device ({0}). Arguments on the host are copied there and outputs back; "
    "such a\n"
    "// call returns when they are. Arguments in memory of the device (heed_memory) are used in place: a "
    "call of\n"
    "// those alone returns when it is enqueued, and heed_device_wait of <heed/device.h> waits. "
    "options.device is\n"
    "// which device, or the caller's context and queue; null is the first. Without a device a call is "
    "refused,\n"
    "// or runs on the CPU if options.allow_cpu is set and the library was compiled for the CPU, too.\n";

/// The interfaces that kernels are made for, each once.
std::string devices(llvm::ArrayRef<Program> programs) {
  static constexpr const char *names[] = {"", "OpenCL", "CUDA", "Vulkan", "Metal"};
  std::string text;
  for (size_t device = 1; device < std::size(names); ++device)
    if (llvm::any_of(programs, [&](const Program &program) { return program.device == int(device); }))
      text += (text.empty() ? "" : ", ") + std::string(names[device]);
  return text;
}

std::string rule(llvm::ArrayRef<Program> programs) {
  bool hasStates = llvm::any_of(programs, [](const Program &program) {
    return llvm::any_of(program.arguments,
                        [](const Argument &argument) { return argument.role == HEED_STATE; });
  });
  std::string text = std::string(generalRule) + (hasStates ? stateRule : "");
  std::string interfaces = devices(programs);
  return interfaces.empty() ? text : text + formatv(deviceRule, interfaces).str();
}

std::string cppParameter(const Argument &argument) {
  if (argument.role == HEED_SCALAR)
    return formatv("{0} {1}", cppType(argument.dtype), parameter(argument));
  bool isWritten = argument.role == HEED_OUTPUT || argument.role == HEED_STATE;
  return formatv("heed::view<{0}{1}, {2}> {3}", isWritten ? "" : "const ", cppType(argument.dtype),
                 argument.extents.size(), parameter(argument));
}

/// A parameter as an element of the array of views; that of a scalar points to the parameter.
std::string cppView(const Argument &argument) {
  return argument.role == HEED_SCALAR ? "heed::view{&" + parameter(argument) + "}" : parameter(argument);
}

std::string cView(const Argument &argument) {
  if (argument.role != HEED_SCALAR)
    return parameter(argument);
  return formatv("{{&{0}, HEED_{1}, 0, {{0}, {{0}, HEED_MEMORY_HOST, 0}", parameter(argument),
                 name(argument.dtype).upper());
}

void writeFunction(llvm::raw_ostream &os, const Program &program) {
  os << "\n";
  describe(os, program);
  describeSymbols(os, program);
  describeBounds(os, program);
  os << formatv("inline heed::status {0}(", program.name);
  llvm::interleave(
      program.arguments, os, [&](const Argument &argument) { os << cppParameter(argument); }, ",\n    ");
  os << ",\n    const heed::options &options = {}) noexcept {\n  const heed_view arguments[] = {";
  llvm::interleaveComma(program.arguments, os, [&](const Argument &argument) { os << cppView(argument); });
  os << formatv("};\n  return heed::call(heed_program_{0}, arguments, options);\n}\n", program.name);
}

void writeCFunction(llvm::raw_ostream &os, const Program &program) {
  os << formatv("\nextern const heed_program heed_program_{0};\n\n", program.name);
  describe(os, program);
  describeSymbols(os, program);
  describeBounds(os, program);
  os << formatv("static inline int32_t heed_kernels_{0}(", program.name);
  for (const Argument &argument : program.arguments)
    os << formatv("{0} {1},\n    ", argument.role == HEED_SCALAR ? cType(argument.dtype) : "heed_view",
                  parameter(argument));
  os << "const heed_options *options, heed_status *status) {\n  const heed_view arguments[] = {";
  llvm::interleaveComma(program.arguments, os, [&](const Argument &argument) { os << cView(argument); });
  os << formatv("};\n  return heed_call(&heed_program_{0}, arguments, options, status);\n}\n", program.name);
}

} // namespace

std::string writeHeader(llvm::StringRef library, llvm::ArrayRef<Program> programs) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << formatv("// {0}.h: generated by heed. Link lib{0}.a and the heed runtime.\n//\n", library)
     << rule(programs)
     << "#pragma once\n\n#include <heed/runtime.hpp>\n\n#include <cstdint>\n\nextern \"C\" {\n";
  for (const Program &program : programs)
    os << formatv("extern const heed_program heed_program_{0};\n", program.name);
  os << "}\n\nnamespace heed_kernels {\n";
  for (const Program &program : programs)
    writeFunction(os, program);
  os << "\n} // namespace heed_kernels\n";
  return text;
}

std::string writeCHeader(llvm::StringRef library, llvm::ArrayRef<Program> programs) {
  std::string text, guard = "HEED_KERNELS_" + llvm::StringRef(identifier(library)).upper() + "_C_H";
  llvm::raw_string_ostream os(text);
  os << formatv("// {0}_c.h: generated by heed. Link lib{0}.a and the heed runtime (a C++ library).\n//\n",
                library)
     << rule(programs) << "// Options and status may be null.\n"
     << formatv("#ifndef {0}\n#define {0}\n\n#include <heed/abi.h>\n\n#ifdef __cplusplus\nextern \"C\" "
                "{{\n#endif\n",
                guard);
  for (const Program &program : programs)
    writeCFunction(os, program);
  os << formatv("\n#ifdef __cplusplus\n}\n#endif\n\n#endif // {0}\n", guard);
  return text;
}

} // namespace heed
