// The micro-tiles of the default schedules fit the registers of each level.
#include "Assembly.h"
#include "Compile.h"
#include "LevelKernels.h"
#include "Target/CpuLevel.h"

#include <catch2/catch.hpp>

using namespace heed;
using heed::tests::Loop;
using heed::tests::microKernels;

namespace {

std::string assemblyOf(const spec::graph &kernel, heed_cpu_level level) {
  CompileOptions options;
  options.name = "test";
  options.target = levelName(level).str();
  llvm::Expected<std::string> text = printStage(kernel, Stage::Asm, options);
  REQUIRE(bool(text));
  return *text;
}

constexpr heed_cpu_level levelsWithCode[] = {HEED_CPU_X86_64_V2, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V4,
                                             HEED_CPU_AARCH64};

/// Every function of the kernel, with as many products in a round of its hot loops as fill the vector units.
void checkNoSpills(const spec::graph &kernel, const std::vector<std::string> &functions, int products,
                   size_t loopCount) {
  for (const heed_cpu_level level : levelsWithCode) {
    const std::string assembly = assemblyOf(kernel, level);
    CHECK(assembly.find("8-byte ") != std::string::npos); // spills of addresses, in the same words
    const auto found = microKernels(assembly);
    for (const std::string &function : functions) {
      INFO(levelName(level).str() << " " << function);
      REQUIRE(found.count(function) == 1);
      const std::vector<Loop> &loops = found.at(function);
      CHECK(loops.size() >= loopCount);
      for (const Loop &loop : loops) {
        CHECK(loop.products >= products);
        CHECK(loop.spills == std::vector<std::string>());
      }
    }
  }
}

/// Every loop over dot products takes at least 4 per broadcast, 16 with its own sums.
void checkPairs(const spec::graph &kernel, const std::string &operation, size_t loopCount) {
  INFO(kernel.name);
  const auto found = microKernels(assemblyOf(kernel, HEED_CPU_X86_64_V4_BF16));
  const std::vector<Loop> &loops = found.at("heed_test_" + std::string(kernel.name) + "_" + operation);
  CHECK(loops.size() >= loopCount);
  for (const Loop &loop : loops) {
    CHECK(loop.dots >= 16);
    CHECK(loop.dots == loop.products);
    CHECK(loop.broadcasts > 0); // in words that are known
    CHECK(4 * loop.broadcasts <= loop.dots);
    CHECK(4 * loop.loads <= loop.dots);
    CHECK(loop.gathers == 0);
    CHECK(loop.spills == std::vector<std::string>());
  }
}

} // namespace

TEST_CASE("attention keeps its sums in registers, of scores and of outputs") {
  checkNoSpills(levels::attention_d64,
                {"heed_test_attention_d64_attention", "heed_test_attention_d64_attention_small"}, 4, 2);
  checkNoSpills(levels::attention_d80, {"heed_test_attention_d80_attention"}, 4, 2);
  checkNoSpills(levels::attention_d96, {"heed_test_attention_d96_attention"}, 4, 2);
}

TEST_CASE("linear keeps its sums in registers") {
  checkNoSpills(levels::linear_512, {"heed_test_linear_512_linear", "heed_test_linear_512_linear_small"}, 8,
                1);
}

TEST_CASE("loops over pairs of bf16, of scores and of outputs, do 16 dot products per 4 broadcasts") {
  checkPairs(levels::bf16_d64, "attention", 2);
  checkPairs(levels::bf16_d80, "attention", 2);
  checkPairs(levels::bf16_d128, "attention", 2);
}

TEST_CASE("loops of linear over pairs of bf16 do 16 dot products per 4 broadcasts") {
  checkPairs(levels::bf16_linear_512, "linear", 1);
  checkPairs(levels::bf16_linear_2048, "linear", 1);
}

TEST_CASE("spills are found in assembly, and in the loops that count only") {
  const auto found = microKernels("# heed_f\n"
                                  ".LBB0_1:\n"
                                  ".LBB0_2: # inner\n"
                                  "\tvfmadd231ps\t%ymm1, %ymm2, %ymm3\n"
                                  "\tvmovaps\t%ymm4, 32(%rsp)  # 32-byte Spill\n"
                                  "\tmovq\t8(%rsp), %rax\n"
                                  "\tjne\t.LBB0_2\n"
                                  ".LBB0_3:\n"
                                  "\tvfmadd231ps\t%ymm1, %ymm2, %ymm3\n"
                                  "\tvpslld\t$23, %ymm4, %ymm4\n"
                                  "\tjne\t.LBB0_3\n"
                                  "\tvmovaps\t%ymm5, 64(%rsp)\n"
                                  "\tjne\t.LBB0_1\n"
                                  "# heed_g\n"
                                  ".LBB1_1:\n"
                                  "\tfmla\tv0.4s, v1.4s, v2.s[0]\n"
                                  "\tstr\tq0, [sp, #16] // 16-byte Spill\n"
                                  "\tb.ne\t.LBB1_1\n");
  REQUIRE(found.size() == 2);
  REQUIRE(found.at("heed_f").size() == 1);
  CHECK(found.at("heed_f")[0].products == 1);
  CHECK(found.at("heed_f")[0].spills.size() == 1);
  CHECK(found.at("heed_g")[0].spills.size() == 1);
}
