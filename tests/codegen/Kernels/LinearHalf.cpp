// Linear layers of 16-bit floats and mixes with f32, against the naive evaluation of the rounded operands.
#include "Linear.h"
#include "LinearProblem.h"
#include "Target/CpuLevel.h"

#include <catch2/catch.hpp>

#include <regex>

using namespace heed;
using namespace heed::kernels;
using Halide::bfloat16_t, Halide::float16_t;

namespace {

/// Sums are those of f32, whatever the operands.
constexpr double tolerance = 1e-6;

std::vector<CpuTarget> runnableTargets() {
  std::vector<CpuTarget> list;
  for (heed_cpu_level level :
       {HEED_CPU_X86_64_V2, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V4, HEED_CPU_X86_64_V4_BF16})
    if (level <= hostTarget().level)
      list.push_back(cpuTarget(level));
  return list;
}

template <class X, class W, class B, class Y> LinearKernel kernelOf(bool bias, std::optional<int> known) {
  LinearKernel kernel{.name = "linear_half"};
  kernel.types = {halide_type_of<X>(), halide_type_of<W>(), halide_type_of<B>(), halide_type_of<Y>()};
  kernel.bias = bias;
  if (known)
    kernel.inputs = *known;
  return kernel;
}

constexpr std::array<int, 3> sizes[] = {{1, 1, 1}, {15, 10, 8}, {65, 33, 17}, {3, 100, 70}, {70, 515, 40},
                                        {7, 5, 1}, {0, 4, 4},   {4, 4, 0},    {2, 0, 3},    {33, 64, 64}};

template <class X, class W = X, class B = X, class Y = X>
void checkBlock(const CpuTarget &target, const LinearTile &block, bool bias,
                std::optional<int> known = std::nullopt) {
  const LoadedTile tile(buildLinear(kernelOf<X, W, B, Y>(bias, known), block, target), target);
  for (auto [rows, inputs, columns] : sizes)
    for (int gap : {0, 3}) {
      const LinearProblem problem{rows, known.value_or(inputs), columns, bias, gap};
      INFO(levelName(target.level).str()
           << ", " << rows << "x" << problem.inputs << " -> " << columns << ", bias " << bias << ", gap "
           << gap << ", " << block.vectors << " vectors of rows");
      CHECK(linearError<X, W, B, Y>(tile, problem, block.rowBlock, block.columnBlock) < tolerance);
    }
}

template <class X, class W = X, class B = X, class Y = X>
void checkFewRows(const CpuTarget &target, bool bias, std::optional<int> known = std::nullopt) {
  const FewRowsTile form = defaultSchedule(LinearSizes{}, target.lanes).few;
  const LoadedTile tile(buildFewRows(kernelOf<X, W, B, Y>(bias, known), form, target), target);
  for (int rows : {1, 2, 5})
    for (auto [inputs, columns] : {std::pair(0, 3), {1, 1}, {5, 9}, {33, 17}, {100, 131}, {512, 70}})
      for (int gap : {0, 3}) {
        const LinearProblem problem{rows, known.value_or(inputs), columns, bias, gap};
        INFO(levelName(target.level).str()
             << ", " << rows << "x" << problem.inputs << " -> " << columns << ", gap " << gap);
        CHECK(linearError<X, W, B, Y>(tile, problem, rows, form.columnBlock) < tolerance);
      }
}

template <class X, class W = X, class B = X, class Y = X> void checkMix() {
  const CpuTarget target = hostTarget();
  checkBlock<X, W, B, Y>(target, defaultSchedule(LinearSizes{}, target.lanes).block, true);
  checkFewRows<X, W, B, Y>(target, true);
}

int countOf(const std::string &text, const std::string &word) {
  int count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

} // namespace

TEST_CASE("linear of bf16 and of f16 equals the naive evaluation at every level", "[linear][half]") {
  for (const CpuTarget &target : runnableTargets()) {
    const LinearSchedule schedule = defaultSchedule(LinearSizes{}, target.lanes);
    LinearTile chunked = schedule.block, narrow = schedule.small;
    chunked.depthChunk = 11;
    narrow.vectors = 1;
    for (const LinearTile &block : {schedule.block, schedule.small, chunked, narrow}) {
      checkBlock<bfloat16_t>(target, block, block == schedule.block);
      checkBlock<float16_t>(target, block, block != schedule.block);
    }
  }
}

TEST_CASE("linear of halves with a known number of inputs", "[linear][half]") {
  const CpuTarget target = hostTarget();
  const LinearTile block = defaultSchedule(LinearSizes{}, target.lanes).block;
  for (int inputs : {1, 3, 30, 64, 512, 515}) {
    checkBlock<bfloat16_t>(target, block, true, inputs);
    checkFewRows<bfloat16_t>(target, true, inputs);
  }
  checkBlock<float16_t>(target, block, true, 512);
}

TEST_CASE("few rows of halves equal the naive evaluation at every level", "[linear][half]") {
  for (const CpuTarget &target : runnableTargets()) {
    checkFewRows<bfloat16_t>(target, true);
    checkFewRows<float16_t>(target, false);
  }
}

TEST_CASE("every operand of a linear may have another type", "[linear][half]") {
  checkMix<float, bfloat16_t, float, float>();
  checkMix<bfloat16_t, float, float, bfloat16_t>();
  checkMix<bfloat16_t, bfloat16_t, float, float>();
  checkMix<float16_t, bfloat16_t, float16_t, float16_t>();
  checkMix<bfloat16_t, float16_t, bfloat16_t, float>();
  checkMix<float, float16_t, bfloat16_t, float16_t>();
}

TEST_CASE("linear of bf16 keeps infinity and NaN to their rows and columns", "[linear][half]") {
  constexpr int rows = 37, columns = 21;
  for (const CpuTarget &target : runnableTargets())
    for (int inputs : {64, 67}) {
      const LinearTile block = defaultSchedule(LinearSizes{}, target.lanes).block;
      const LoadedTile tile(
          buildLinear(kernelOf<bfloat16_t, bfloat16_t, bfloat16_t, bfloat16_t>(false, std::nullopt), block,
                      target),
          target);
      const LinearProblem problem{rows, inputs, columns};
      LinearArrays<bfloat16_t, bfloat16_t, bfloat16_t, bfloat16_t> plain(problem), special(problem);
      special.w.row(3)[inputs - 1] = bfloat16_t(INFINITY);
      special.w.row(5)[0] = bfloat16_t(NAN);
      special.x.row(34)[inputs - 1] = bfloat16_t(NAN);
      REQUIRE(plain.run(tile, problem, block.rowBlock, block.columnBlock));
      REQUIRE(special.run(tile, problem, block.rowBlock, block.columnBlock));
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
          const float y = float(special.y.row(row)[column]);
          INFO(levelName(target.level).str() << ", " << inputs << " inputs, " << row << ", " << column);
          if (column == 5 || row == 34)
            CHECK(std::isnan(y));
          else if (column == 3)
            CHECK(y == std::copysign(INFINITY, float(special.x.row(row)[inputs - 1])));
          else
            CHECK(y == float(plain.y.row(row)[column]));
        }
    }
}

TEST_CASE("large bf16 are multiplied as they are", "[linear][half]") {
  const float large = 133120; // beyond f16
  const CpuTarget target = hostTarget();
  const LinearTile block = defaultSchedule(LinearSizes{}, target.lanes).block;
  const LoadedTile tile(buildLinear(kernelOf<bfloat16_t, bfloat16_t, float, float>(false, 2), block, target),
                        target);
  const bfloat16_t x[] = {bfloat16_t(large), bfloat16_t(-large)}, w[] = {bfloat16_t(1), bfloat16_t(0.5f)};
  float y = NAN;
  Operand tileX(x, halide_type_of<bfloat16_t>(), {{2, 1}, {1, 2}}),
      tileW(w, halide_type_of<bfloat16_t>(), {{2, 1}, {1, 2}}),
      tileY(&y, halide_type_of<float>(), {{1, 1}, {1, 1}});
  ScratchContext scratch;
  tile(scratch, {}, {&tileX, &tileW, &tileY});
  CHECK(y == float(bfloat16_t(large)) / 2);
}

TEST_CASE("linear of bf16 is dot products of pairs whose sums stay in registers", "[linear][half]") {
  const CpuTarget target = cpuTarget(HEED_CPU_X86_64_V4_BF16);
  for (int inputs : {512, 2048}) {
    const LinearTile block = defaultSchedule(LinearSizes{.inputs = inputs}, target.lanes).block;
    const std::string text = compile(
        buildLinear(kernelOf<bfloat16_t, bfloat16_t, bfloat16_t, bfloat16_t>(true, inputs), block, target),
        target, Form::Assembly);
    CHECK(text.find("gather") == std::string::npos);
    static const std::regex loop(R"(\n\.LBB\w+:[^\n]*for_partial[^"\n]*\.s1\.depth[^\n]*\n)");
    std::smatch found;
    REQUIRE(std::regex_search(text, found, loop));
    const size_t start = found.position() + found.length();
    const std::string body = text.substr(start, text.find("\tj", start) - start);
    INFO(body);
    const int products = countOf(body, "\tvdpbf16ps");
    CHECK(products >= 16);
    CHECK(products % (block.vectors * block.columnTile) == 0);
    CHECK(countOf(body, "\tvbroadcast") + countOf(body, "{1to16}") == products / block.vectors);
    CHECK(body.find("(%rsp)") == std::string::npos);
  }
}

TEST_CASE("few rows of bf16 are dot products of pairs", "[linear][half]") {
  const CpuTarget target = cpuTarget(HEED_CPU_X86_64_V4_BF16);
  const FewRowsTile form = defaultSchedule(LinearSizes{}, target.lanes).few;
  const std::string text =
      compile(buildFewRows(kernelOf<bfloat16_t, bfloat16_t, bfloat16_t, bfloat16_t>(true, 512), form, target),
              target, Form::Assembly);
  CHECK(countOf(text, "\tvdpbf16ps") >= form.rowTile * form.columnTile);
  CHECK(text.find("gather") == std::string::npos);
  CHECK(text.find("vfmadd") == std::string::npos);
}
