#include "Kernels/DeviceCode.h"

#include "Support/Process.h"
#include "Support/ToolError.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace heed::tools {

namespace {

/// What a multiprocessor of compute capabilities 8.0 and 9.0 has.
constexpr int registersOfProcessor = 65536, threadsOfProcessor = 2048, blocksOfProcessor = 32, warp = 32;

/// That the system takes of every block's.
constexpr int sharedOfBlock = 1024;

/// As ptxas, and the lines before the code, say it.
struct KernelUse {
  int registers = 0, spilled = 0, shared = 0, threads = 0;
};

std::optional<std::string> ptxas() {
  std::vector<llvm::StringRef> folders;
  std::string ofCuda;
  for (const char *name : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *folder = std::getenv(name))
      ofCuda = std::string(folder) + "/bin";
  if (!ofCuda.empty())
    folders.push_back(ofCuda);
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas", folders))
    return *found;
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"}))
    return *found;
  return std::nullopt;
}

std::string contentOf(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

/// What blocks of each kernel are, as the lines before the code say.
std::map<std::string, KernelUse> blocksOf(const std::string &code) {
  static const std::regex line(R"(// (\w+): (\d+) x (\d+) x (\d+) threads a block, (\d+) bytes)");
  std::map<std::string, KernelUse> blocks;
  for (std::sregex_iterator at(code.begin(), code.end(), line), end; at != end; ++at)
    blocks[(*at)[1]] = {.shared = std::stoi((*at)[5]),
                        .threads = std::stoi((*at)[2]) * std::stoi((*at)[3]) * std::stoi((*at)[4])};
  return blocks;
}

std::map<std::string, KernelUse> usesOf(const std::string &log, const std::string &ptx) {
  std::map<std::string, KernelUse> uses = blocksOf(ptx);
  std::string name;
  std::istringstream lines(log);
  const std::regex entry(R"(entry function '(\w+)')"), spills(R"((\d+) bytes spill stores)"),
      registers(R"(Used (\d+) registers)");
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, entry))
      name = match[1];
    if (std::regex_search(line, match, spills))
      uses[name].spilled = std::stoi(match[1]);
    if (std::regex_search(line, match, registers))
      uses[name].registers = std::stoi(match[1]);
  }
  return uses;
}

/// Blocks that are on a processor at once.
int residentBlocks(const KernelUse &use, int sharedOfProcessor) {
  const int warps = (use.threads + warp - 1) / warp;
  const int registersOfWarp = (use.registers * warp + 255) / 256 * 256;
  return std::min({blocksOfProcessor, threadsOfProcessor / (warps * warp),
                   registersOfProcessor / std::max(registersOfWarp * warps, 1),
                   sharedOfProcessor / (use.shared + sharedOfBlock)});
}

std::string useText(const std::string &name, const KernelUse &use, int sharedOfProcessor) {
  std::string text = fmt::format("      {}: {} registers, {} bytes spilled, {} bytes of shared memory", name,
                                 use.registers, use.spilled, use.shared);
  if (use.threads == 0)
    return text + "\n";
  const int blocks = residentBlocks(use, sharedOfProcessor);
  return text + fmt::format("; {} blocks of {} threads at once: occupancy {:.0f} %\n", blocks, use.threads,
                            100.0 * blocks * use.threads / threadsOfProcessor);
}

std::string cudaText(const TileFunctions::Compiled &function, const std::string &program) {
  TemporaryDirectory scratch;
  const std::filesystem::path ptx = scratch.path() / "code.ptx", log = scratch.path() / "log";
  std::ofstream(ptx) << function.code.c_str();
  std::string text;
  for (const auto &[architecture, shared] : {std::pair("sm_80", 164 * 1024), {"sm_90", 228 * 1024}}) {
    const std::string target = std::string("-arch=") + architecture, in = ptx.string();
    const std::string out = (scratch.path() / "code.cubin").string(), to = log.string();
    const std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), llvm::StringRef(to),
                                                        llvm::StringRef(to)};
    const int status =
        llvm::sys::ExecuteAndWait(program, {program, target, "-v", in, "-o", out}, std::nullopt, redirects);
    text += fmt::format("    {} on {}\n", function.symbol, architecture);
    if (status != 0)
      throw ToolError(fmt::format("{}: ptxas refuses its code\n{}", function.symbol, contentOf(log)));
    for (const auto &[name, use] : usesOf(contentOf(log), function.code))
      text += useText(name, use, shared);
  }
  return text;
}

} // namespace

std::string deviceCodeText(const spec::graph &kernel, const CompileOptions &options) {
  llvm::Expected<Targets> targets = parseTarget(options.target, /*dotsBf16=*/false);
  if (!targets)
    throw ToolError(llvm::toString(targets.takeError()));
  std::string text;
  for (const Target &target : *targets) {
    if (!target.isDevice())
      continue;
    CompileOptions one = options;
    one.target = target.written();
    auto functions = compileFunctions(kernel, CodeForm::Assembly, one);
    if (!functions)
      throw ToolError(llvm::toString(functions.takeError()));
    text += fmt::format("  code for {}\n", target.name());
    const bool isCuda = target.device == HEED_DEVICE_CUDA;
    const std::optional<std::string> program = isCuda ? ptxas() : std::nullopt;
    for (const TileFunctions::Compiled &function : *functions)
      text += program ? cudaText(function, *program)
                      : fmt::format("    {}: {} bytes\n", function.symbol, function.code.size());
    if (isCuda && !program)
      text +=
          "    ptxas was not found, it tells registers and shared memory; install the CUDA toolkit, or set "
          "CUDA_HOME\n";
  }
  return text;
}

} // namespace heed::tools
