//===- WriteDriver.cpp - Programs as C ------------------------------------===//

#include "WriteDriver.h"

#include "Target/CpuLevel.h"
#include "TileFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace heed::program;
using llvm::formatv;

namespace heed {
namespace {

const char *enumerator(heed_dtype type) {
  static constexpr const char *names[] = {"HEED_B8",   "HEED_I32", "HEED_I64", "HEED_F16",
                                          "HEED_BF16", "HEED_F32", "HEED_F64"};
  return names[type];
}

const char *enumerator(heed_cpu_level level) {
  switch (level) {
  case HEED_CPU_ANY:
    return "HEED_CPU_ANY";
  case HEED_CPU_X86_64_V2:
    return "HEED_CPU_X86_64_V2";
  case HEED_CPU_X86_64_V3:
    return "HEED_CPU_X86_64_V3";
  case HEED_CPU_X86_64_V4:
    return "HEED_CPU_X86_64_V4";
  case HEED_CPU_X86_64_V4_BF16:
    return "HEED_CPU_X86_64_V4_BF16";
  case HEED_CPU_AARCH64:
    return "HEED_CPU_AARCH64";
  }
  llvm_unreachable("every level is listed");
}

const char *enumerator(heed_device_api device) {
  static constexpr const char *names[] = {"HEED_DEVICE_NONE", "HEED_DEVICE_OPENCL", "HEED_DEVICE_CUDA",
                                          "HEED_DEVICE_VULKAN", "HEED_DEVICE_METAL"};
  return names[device];
}

/// What the program is made for: "x86-64-v3", "x86-64-v3-opencl".
std::string madeFor(const Program &program) {
  static constexpr const char *suffixes[] = {"", "-opencl", "-cuda", "-vulkan", "-metal"};
  return levelName(program.level).str() + suffixes[program.device];
}

/// Writes one program; nested arrays come before the table that points to them. The programs of lower levels
/// are seen in this file only, and come before those that lead to them.
class Writer {
public:
  /// `otherwise` is the program of the next lower level, if any.
  Writer(llvm::raw_ostream &os, const Program &program, bool isHighest, const Program *otherwise)
      : os(os), program(program), isHighest(isHighest), otherwise(otherwise) {}

  void write() {
    os << formatv("// ---- {0}, {1}\n\n", program.name, madeFor(program));
    symbols();
    extents();
    arguments();
    temporaries();
    for (auto [number, step] : llvm::enumerate(program.steps))
      for (auto [choice, alternative] : llvm::enumerate(step.alternatives))
        launches(alternative, id(formatv("step{0}_{1}", number, choice).str()));
    steps();
    bounds();
    os << formatv("{0} = {{\n    .version = HEED_ABI_VERSION,\n    .name = \"{1}\",\n",
                  isHighest ? "const heed_program heed_program_" + program.name
                            : "static const heed_program " + id("program"),
                  program.name);
    table("symbol", "symbols", program.symbols.size());
    table("extent", "extents", program.extents.size());
    table("argument", "arguments", program.arguments.size());
    table("temporary", "temporaries", program.temporaries.size());
    os << formatv("    .slot_count = {0},\n", program.slots);
    table("step", "steps", program.steps.size());
    if (!program.bounds.empty())
      table("bound", "bounds", program.bounds.size());
    os << formatv("    .cpu_level = {0},\n", enumerator(program.level));
    if (otherwise)
      os << formatv("    .otherwise = &{0},\n", idOf(*otherwise, "program"));
    if (program.device != HEED_DEVICE_NONE)
      os << formatv("    .device_api = {0},\n", enumerator(program.device));
    os << "};\n";
  }

private:
  static std::string idOf(const Program &lower, llvm::StringRef part) {
    return lower.name + "_" + identifier(madeFor(lower)) + "_" + part.str();
  }
  std::string id(llvm::StringRef part) const {
    return isHighest ? program.name + "_" + part.str() : idOf(program, part);
  }

  void table(llvm::StringRef one, llvm::StringRef many, size_t size) {
    os << formatv("    .{0}_count = {1},\n", one, size);
    if (size)
      os << formatv("    .{0} = {1},\n", many, id(many));
  }

  std::string list(llvm::ArrayRef<unsigned> extents) const {
    return "{" + llvm::join(llvm::map_range(extents, [](unsigned e) { return std::to_string(e); }), ", ") +
           "}";
  }

  std::string shape(llvm::ArrayRef<unsigned> extents) const {
    return "(" + llvm::join(llvm::map_range(extents, [&](unsigned e) { return program.text(e); }), ", ") +
           ")";
  }

  void symbols() {
    if (program.symbols.empty())
      return;
    os << formatv("static const char *const {0}[] = {{", id("symbols"));
    llvm::interleaveComma(program.symbols, os,
                          [&](const std::string &symbol) { os << '"' << symbol << '"'; });
    os << "};\n\n";
  }

  void extents() {
    os << formatv("static const heed_extent {0}[] = {{\n", id("extents"));
    for (auto [number, extent] : llvm::enumerate(program.extents)) {
      os << formatv("    {{{0}, {1}, {2}, {3}, {{", extent.numerator, extent.denominator, int(extent.roundUp),
                    extent.factors.size());
      if (extent.factors.empty())
        os << "{0, 0}";
      llvm::interleaveComma(extent.factors, os,
                            [&](auto &f) { os << formatv("{{{0}, {1}}", f.symbol, f.power); });
      os << formatv("}}, // {0}: {1}\n", number, program.text(number));
    }
    os << "};\n\n";
  }

  void arguments() {
    static constexpr const char *roles[] = {"HEED_INPUT", "HEED_WEIGHT", "HEED_OUTPUT", "HEED_SCALAR",
                                            "HEED_STATE"};
    os << formatv("static const heed_argument {0}[] = {{\n", id("arguments"));
    for (auto [number, argument] : llvm::enumerate(program.arguments))
      os << formatv("    {{\"{0}\", {1}, {2}, {3}, {4}}, // {5}: {6}\n", argument.name, roles[argument.role],
                    enumerator(argument.dtype), argument.extents.size(),
                    argument.extents.empty() ? "{0}" : list(argument.extents), number,
                    shape(argument.extents));
    os << "};\n\n";
  }

  void temporaries() {
    if (program.temporaries.empty())
      return;
    os << formatv("static const heed_temporary {0}[] = {{\n", id("temporaries"));
    for (auto [number, temporary] : llvm::enumerate(program.temporaries))
      os << formatv("    {{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, // {8}: {9}{10}\n",
                    enumerator(temporary.dtype), temporary.extents.size(),
                    temporary.extents.empty() ? "{0}" : list(temporary.extents), temporary.slot,
                    temporary.limited, temporary.moreThan, temporary.atMost, temporary.rowBlock,
                    number + program.arguments.size(), shape(temporary.extents), condition(temporary));
    os << "};\n\n";
  }

  std::string condition(const Temporary &temporary) const {
    std::string text, extent = program.text(temporary.limited);
    if (temporary.moreThan > 0)
      text = formatv(", when {0} > {1}", extent, temporary.moreThan);
    if (temporary.atMost > 0)
      text += formatv(", when {0} <= {1}", extent, temporary.atMost);
    return text;
  }

  std::string condition(const Alternative &alternative) const {
    std::string text;
    for (const Condition &condition : alternative.conditions)
      text += formatv("{0}{1} <= {2}", text.empty() ? "" : ", ", program.text(condition.extent),
                      condition.atMost);
    if (alternative.zeroArgument)
      text += (text.empty() ? "" : ", ") + program.arguments[*alternative.zeroArgument].name + " == 0";
    return text.empty() ? text : " // " + text;
  }

  std::string bufferName(unsigned buffer) const {
    if (buffer < program.arguments.size())
      return program.arguments[buffer].name;
    return formatv("temporary {0}", buffer);
  }

  std::string operandText(const Operand &operand) const {
    llvm::SmallVector<unsigned> extents;
    for (const Axis &axis : operand.axes)
      extents.push_back(axis.extent);
    std::string text;
    llvm::raw_string_ostream os(text);
    os << formatv("    // {0}: {1} {2}\n    {{{3}, {4}, {5}, {6}, {{", operand.name,
                  bufferName(operand.buffer), shape(extents), operand.buffer, operand.kernelRank,
                  operand.axes.size(), int(operand.isOutput));
    if (operand.axes.empty())
      os << "{0, 0, 0, 0, 0}";
    llvm::interleaveComma(operand.axes, os, [&](const Axis &axis) {
      os << formatv("{{{0}, {1}, {2}, {3}, {4}}", axis.extent, axis.multiplier, axis.axis, axis.grid,
                    int(axis.byTile));
    });
    os << "}";
    offsets(os, operand);
    os << "},\n";
    return text;
  }

  static void offsets(llvm::raw_ostream &os, const Operand &operand) {
    if (operand.offsets.empty())
      return;
    os << formatv(", {0}, {{", operand.offsets.size());
    llvm::interleaveComma(operand.offsets, os, [&](const Offset &offset) {
      os << formatv("{{{0}, {1}, {2}}",
                    offset.kind == HEED_OFFSET_EXTENT ? "HEED_OFFSET_EXTENT" : "HEED_OFFSET_ARGUMENT",
                    offset.axis, offset.index);
    });
    os << "}";
  }

  /// The name of a constant array with this content; alternatives of a step share most of theirs.
  std::string array(llvm::StringRef type, const std::string &content, const std::string &name) {
    auto [known, isNew] = arrays.try_emplace(content, name);
    if (isNew)
      os << formatv("static const {0} {1}[] = {{{2}};\n", type, name, content);
    return known->second;
  }

  std::string scalarsText(const Launch &launch) const {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(launch.scalars, os, [&](const Scalar &scalar) {
      os << formatv("{{{0}, {1}}", scalar.kind == HEED_EXTENT ? "HEED_EXTENT" : "HEED_TILE_START",
                    scalar.index);
    });
    return text;
  }

  void launches(const Alternative &alternative, const std::string &prefix) {
    std::vector<std::pair<std::string, std::string>> tables; // scalars and operands
    for (auto [number, launch] : llvm::enumerate(alternative.launches)) {
      std::string name = prefix + "_" + std::to_string(number);
      std::string operands = "\n";
      for (const Operand &operand : launch.operands)
        operands += operandText(operand);
      std::string scalars =
          launch.scalars.empty() ? "" : array("heed_scalar", scalarsText(launch), name + "_scalars");
      tables.push_back({scalars, array("heed_operand", operands, name + "_operands")});
    }
    os << formatv("static const heed_launch {0}_launches[] = {{\n", prefix);
    for (auto [launch, names] : llvm::zip_equal(alternative.launches, tables))
      this->launch(launch, names.first, names.second);
    os << "};\n\n";
  }

  void launch(const Launch &launch, const std::string &scalars, const std::string &operands) {
    os << formatv("    {{.function = {0},\n     .name = \"{1}\",\n", launch.function, launch.name);
    if (!launch.grid.empty()) {
      os << formatv("     .grid_rank = {0},\n     .grid = {{", launch.grid.size());
      llvm::interleaveComma(launch.grid, os, [&](const GridAxis &axis) {
        os << formatv("{{{0}, {1}, {2}}", axis.extent, int(axis.joinsNext), axis.block);
      });
      os << "}, // ";
      llvm::interleave(
          launch.grid, os,
          [&](const GridAxis &axis) {
            os << program.text(axis.extent);
            if (axis.block != 1)
              os << " by " << axis.block;
          },
          " x ");
      os << "\n";
    }
    if (!launch.scalars.empty())
      os << formatv("     .scalar_count = {0},\n     .scalars = {1},\n", launch.scalars.size(), scalars);
    os << formatv("     .operand_count = {0},\n     .operands = {1},\n     .work = {2}}, // {3}\n",
                  launch.operands.size(), operands, launch.work, program.text(launch.work));
  }

  void steps() {
    for (auto [number, step] : llvm::enumerate(program.steps)) {
      std::string name = id(formatv("step{0}", number).str());
      os << formatv("static const heed_alternative {0}[] = {{\n", name);
      for (auto [choice, alternative] : llvm::enumerate(step.alternatives)) {
        os << formatv("    {{{0}, {1}, {{", alternative.zeroArgument ? int(*alternative.zeroArgument) : -1,
                      alternative.conditions.size());
        if (alternative.conditions.empty())
          os << "{0, 0}";
        llvm::interleaveComma(alternative.conditions, os,
                              [&](auto &c) { os << formatv("{{{0}, {1}}", c.extent, c.atMost); });
        os << formatv("}, {0}, {1}_{2}_launches},{3}\n", alternative.launches.size(), name, choice,
                      condition(alternative));
      }
      os << "};\n";
    }
    os << "\n";
    if (program.steps.empty())
      return;
    os << formatv("static const heed_step {0}[] = {{\n", id("steps"));
    for (auto [number, step] : llvm::enumerate(program.steps))
      os << formatv("    {{{0}, {1}},\n", step.alternatives.size(), id(formatv("step{0}", number).str()));
    os << "};\n\n";
  }

  void bounds() {
    if (program.bounds.empty())
      return;
    os << formatv("static const heed_bound {0}[] = {{\n", id("bounds"));
    for (const Bound &bound : program.bounds)
      os << formatv("    {{{0}, {1}, {2}}, // 0 <= {3} <= {4} - {5}\n", bound.argument, bound.whole,
                    bound.part, program.arguments[bound.argument].name, program.text(bound.whole),
                    program.text(bound.part));
    os << "};\n\n";
  }

  llvm::raw_ostream &os;
  const Program &program;
  bool isHighest;
  const Program *otherwise;
  std::map<std::string, std::string> arrays; ///< content -> name
};

} // namespace

/// All functions, each once.
static void declareFunctions(llvm::raw_ostream &os, llvm::ArrayRef<ProgramsOfKernel> kernels) {
  llvm::StringSet<> declared;
  for (const ProgramsOfKernel &programs : kernels)
    for (const Program &program : programs)
      for (const Step &step : program.steps)
        for (const Alternative &alternative : step.alternatives)
          for (const Launch &launch : alternative.launches)
            if (declared.insert(launch.function).second)
              os << formatv("int {0}(void **args);\n", launch.function);
}

std::string writeDriver(llvm::ArrayRef<ProgramsOfKernel> kernels) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "// Generated by heed. Axes of operands are innermost first.\n#include <heed/abi.h>\n\n";
  declareFunctions(os, kernels);
  for (const ProgramsOfKernel &programs : kernels)
    for (size_t level = programs.size(); level-- > 0;) {
      os << "\n";
      bool isLowest = level + 1 == programs.size();
      Writer(os, programs[level], level == 0, isLowest ? nullptr : &programs[level + 1]).write();
    }
  return text;
}

} // namespace heed
