// Largest scores and sums of weights are taken in the loops that compute scores and weights; where nothing
// reads the scores later, the weights take their memory.
#include "Emit/Halide/Kernels/Attention.h"

#include <catch2/catch.hpp>
#include <string>

using namespace heed;
using namespace heed::kernels;

namespace {

std::string lowered(const AttentionKernel &kernel) {
  const CpuTarget target = cpuTarget(HEED_CPU_X86_64_V4);
  return compile(buildAttentionRows(kernel, {64, 256, 4, 4, 4, 4}, target), target, Form::Stmt);
}

AttentionKernel attention() {
  AttentionKernel kernel;
  kernel.name = "attention";
  kernel.depth = kernel.valueDepth = 64;
  return kernel;
}

/// Loops whose variable is named so, counting those over a part of a register tile.
size_t loopsNamed(const std::string &text, const std::string &name) {
  size_t count = 0;
  for (size_t at = text.find("for ("); at != std::string::npos; at = text.find("for (", at + 1))
    count += text.substr(at, text.find(',', at) - at).find(name) != std::string::npos;
  return count;
}

size_t copiesOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

/// On the stack, or a pointer to scratch memory.
bool hasMemoryOfWeights(const std::string &text) {
  const std::string pointer = " = (void *)heed_scratch_allocate";
  bool found = text.find("allocate weights") != std::string::npos;
  for (size_t at = text.find(pointer); at != std::string::npos; at = text.find(pointer, at + 1))
    found = found || text.substr(text.rfind('\n', at), at - text.rfind('\n', at)).find("let weights") !=
                         std::string::npos;
  return found;
}

} // namespace

TEST_CASE("a plain chunk folds scores and weights where it computes them, in one memory") {
  const std::string text = lowered(attention());
  const size_t chunks = loopsNamed(text, "s0.j.jo");
  REQUIRE(chunks > 0);
  CHECK(loopsNamed(text, "sum_key") == 0);
  CHECK(loopsNamed(text, "max_key") <= chunks); // the last keys, fewer than a register tile holds
  CHECK(copiesOf(text, "produce weights") > 0);
  CHECK_FALSE(hasMemoryOfWeights(text));
}

TEST_CASE("a masked chunk keeps its scores beside the weights") {
  AttentionKernel kernel = attention();
  kernel.program.apply = [](Halide::Expr score, const ScorePosition &at, const ElementAt &,
                            const std::vector<Halide::Expr> &) {
    return ScoreAndVisible{score, (at.query + at.key) % 3 != 0};
  };
  const std::string text = lowered(kernel);
  CHECK(loopsNamed(text, "sum_key") == 0);
  CHECK(hasMemoryOfWeights(text));
}
