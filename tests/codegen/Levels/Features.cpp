// Code of x86-64-v4-bf16 has only instructions that every CPU of the level has.
#include "Compile.h"
#include "LevelKernels.h"

#include <catch2/catch.hpp>

#include <regex>
#include <sstream>

using namespace heed;

namespace {

std::string assemblyOf(const spec::graph &kernel, const char *target) {
  CompileOptions options;
  options.name = "test";
  options.target = target;
  llvm::Expected<std::string> text = printStage(kernel, Stage::Asm, options);
  REQUIRE(bool(text));
  return *text;
}

/// AMD's SSE4A, which Intel's CPUs lack; FP16, AMX, and VNNI in its shorter encoding, which Zen 4 lacks. Of
/// FP16 also moves to and from its registers; conversions of F16C (vcvtph2ps, vcvtps2ph) are allowed.
const std::regex foreign("\\s+(?:extrq|insertq|movnts[sd]"
                         "|(?!vcvtps2ph\\s)v\\w*(?:ph|sh|phx|psx)|vcvt[ps]h2(?!ps\\s)\\w+|vmovw"
                         "|tile\\w+|ldtilecfg|sttilecfg|tdp\\w+|tcmm\\w+|\\{vex\\})\\s.*");

std::vector<std::string> foreignIn(const std::string &assembly) {
  std::vector<std::string> found;
  std::istringstream lines(assembly);
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, foreign))
      found.push_back(line);
  return found;
}

/// Without comments, which hold names of the compiler's own.
std::string instructionsOf(const std::string &assembly) {
  return std::regex_replace(assembly, std::regex("[ \\t]*#[^\\n]*"), "");
}

using Graphs = std::vector<const spec::graph *>;

bool hasDots(const std::string &assembly) { return assembly.find("vdpbf16ps") != std::string::npos; }

} // namespace

TEST_CASE("kernels with products of bf16 take dot products and nothing that some CPU of the level lacks") {
  for (const spec::graph *kernel : Graphs{&levels::bf16_d64, &levels::bf16_causal_d21,
                                          &levels::bf16_linear_512, &levels::bf16_linear_odd}) {
    INFO(kernel->name);
    const std::string assembly = assemblyOf(*kernel, "x86-64-v4-bf16");
    const bool hasSome = hasDots(assembly);
    CHECK(hasSome);
    CHECK(foreignIn(assembly) == std::vector<std::string>());
  }
}

TEST_CASE("levels below take no dot products, and f16 has none") {
  const bool below = hasDots(assemblyOf(levels::bf16_linear_512, "x86-64-v4")),
             ofF16 = hasDots(assemblyOf(levels::f16_d64, "x86-64-v4-bf16"));
  CHECK_FALSE(below);
  CHECK_FALSE(ofF16);
}

TEST_CASE("without products of bf16 the code of the level is that of the one below") {
  for (const spec::graph *kernel : Graphs{&levels::linear_512, &levels::f16_linear_512}) {
    INFO(kernel->name);
    const bool isSame = instructionsOf(assemblyOf(*kernel, "x86-64-v4-bf16")) ==
                        instructionsOf(assemblyOf(*kernel, "x86-64-v4"));
    CHECK(isSame);
  }
}

TEST_CASE("foreign instructions are found in assembly") {
  for (const char *line :
       {"\textrq\t$16, $0, %xmm0", "\tinsertq\t%xmm1, %xmm0", "\tmovntss\t%xmm0, (%rdi)",
        "\tvaddph\t%zmm1, %zmm0, %zmm0", "\tvfmadd231sh\t%xmm1, %xmm2, %xmm0", "\tvcvtph2psx\t%ymm0, %zmm0",
        "\tvcvtps2phx\t%zmm0, %ymm0", "\tvmovsh\t(%rdi), %xmm0", "\tvmovw\t%xmm0, %eax",
        "\tvcvtw2ph\t%zmm0, %zmm0", "\ttdpbf16ps\t%tmm2, %tmm1, %tmm0", "\ttileloadd\t(%rdi,%rsi), %tmm0",
        "\t{vex}\tvpdpbusd\t%ymm2, %ymm1, %ymm0"})
    CHECK(foreignIn(line).size() == 1);
  for (const char *line :
       {"\tvcvtph2ps\t%ymm0, %zmm0", "\tvcvtps2ph\t$8, %zmm0, %ymm0", "\tvdpbf16ps\t%zmm2, %zmm1, %zmm0",
        "\tvfmadd231ps\t%zmm2, %zmm1, %zmm0", "\tvpdpbusd\t%zmm2, %zmm1, %zmm0", "\tvmovdqu16\t(%rdi), %zmm0",
        "\tvcvtneps2bf16\t%zmm0, %ymm0", "\tvpermt2w\t%zmm2, %zmm1, %zmm0",
        "\tvshufps\t$1, %xmm1, %xmm0, %xmm0"})
    CHECK(foreignIn(line) == std::vector<std::string>());
}
