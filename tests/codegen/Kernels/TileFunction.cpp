// What an object file asks of its surroundings, and what happens when memory is short.
#include "AttentionProblem.h"
#include "General.h"
#include "Linear.h"
#include "Rows.h"
#include "VectorMath.h"

#include "Target/CpuLevel.h"
#include <catch2/catch.hpp>

#include <chrono>
#include <cmath>
#include <set>

using namespace heed;
using namespace heed::kernels;

namespace {

std::vector<TileFunction> everyKernel(const CpuTarget &target) {
  AttentionKernel attention;
  attention.name = "attention";
  attention.program.apply = [](Halide::Expr score, const ScorePosition &at, const ElementAt &, const auto &) {
    return ScoreAndVisible{tanh(score), at.key <= at.query};
  };
  AttentionKernel listed = attention, weights = attention;
  listed.listed = listed.logSumExp = listed.hasSink = true;
  weights.statistics = true;
  const AttentionSchedule schedule = defaultSchedule(AttentionSizes{}, target.lanes);
  const LinearSchedule linear = defaultSchedule(LinearSizes{}, target.lanes);
  MapKernel map{.name = "map", .rank = 3, .operands = {Halide::Float(32), Halide::UInt(8)}};
  map.apply = [](const OperandAt &e, const auto &, const auto &) {
    return select(e(1, {}) != 0, exp(e(0, {})), 0.0f);
  };
  MapKernel erf{.name = "error_function", .operands = {Halide::Float(64)}, .result = Halide::Float(64)};
  erf.apply = [](const OperandAt &e, const auto &, const auto &) { return errorFunction(e(0, {})); };
  return {buildAttentionRows(attention, schedule.rows, target),
          buildAttentionRows(attention, schedule.small, target),
          buildAttentionRows(listed, schedule.rows, target),
          buildKeyLists(listed, schedule.rows, target),
          buildScoreMatrix(weights, schedule.rows, target),
          buildDepthPart(attention, 1, schedule.depthKeyChunk, target),
          buildDepthMerge(attention, 1, target),
          buildLinear({.name = "linear", .bias = true}, linear.block, target),
          buildLinear({.name = "linear_small"}, linear.small, target),
          buildMatmul({"matmul"}, defaultMatmulSchedule(target.lanes), target),
          buildSoftmax({"softmax"}, target),
          buildReduction({.name = "argmax", .kind = Reduction::Argmax}, target),
          buildNorm({.name = "layer_norm", .hasGain = true, .hasBias = true}, target),
          buildMap(map, defaultMapSchedule(target.lanes), target),
          buildMap(erf, defaultMapSchedule(target.lanes), target)};
}

} // namespace

TEST_CASE("an object needs nothing but scratch memory and the C library", "[tile]") {
  const std::set<std::string> allowed = {
      "heed_scratch_allocate", "heed_scratch_release", "memset", "memcpy", "logf", "erf"};
  for (const heed_cpu_level level :
       {HEED_CPU_X86_64_V2, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V4, HEED_CPU_AARCH64}) {
    const CpuTarget target = cpuTarget(level);
    for (const TileFunction &function : everyKernel(target))
      for (const std::string &symbol : undefinedSymbols(compile(function, target, Form::Object))) {
        INFO(levelName(level).str() << ", " << function.name);
        CHECK((allowed.count(symbol) == 1 ? std::string() : symbol) == "");
      }
  }
}

TEST_CASE("levels have lanes and registers", "[tile]") {
  const auto has = [](heed_cpu_level level, int lanes, int registers) {
    const CpuTarget target = cpuTarget(level);
    return target.lanes == lanes && target.registers == registers;
  };
  CHECK(has(HEED_CPU_X86_64_V2, 4, 16));
  CHECK(has(HEED_CPU_X86_64_V3, 8, 16));
  CHECK(has(HEED_CPU_X86_64_V4, 16, 32));
  CHECK(has(HEED_CPU_X86_64_V4_BF16, 16, 32));
  CHECK(has(HEED_CPU_AARCH64, 4, 32));
  CHECK_THROWS_AS(cpuTarget(HEED_CPU_ANY), std::logic_error);
}

TEST_CASE("without scratch memory a tile does nothing", "[tile]") {
  AttentionKernel kernel;
  kernel.name = "attention";
  const RowsTile tile = defaultSchedule(AttentionSizes{}, hostTarget().lanes).rows;
  const LoadedTile function(buildAttentionRows(kernel, tile, hostTarget()), hostTarget());
  AttentionProblem problem(1, 4, 40, 8, 8);
  const halide_type_t f32 = halide_type_of<float>();
  Operand q(problem.q.data(), f32, {{8, 1}, {4, 8}}), k(problem.k.data(), f32, {{8, 1}, {40, 8}}),
      v(problem.v.data(), f32, {{8, 1}, {40, 8}}), out(problem.out.data(), f32, {{8, 1}, {4, 8}});
  bool complete = false;
  for (int succeed = 0; succeed < 20 && !complete; ++succeed) {
    std::fill(problem.out.begin(), problem.out.end(), NAN);
    ScratchContext scratch;
    scratch.failAfter = succeed;
    CHECK(function(scratch, {0, 0, 0}, {&q, &k, &v, &out}) == 0);
    CHECK(scratch.inOrder);
    CHECK(scratch.current == 0);
    complete = scratch.failAfter != 0;
  }
  CHECK(complete);
  CHECK(problem.error(kernel, plainScore) < 2e-6);
}

TEST_CASE("scratch does not grow with the number of keys", "[tile]") {
  AttentionKernel kernel;
  kernel.name = "attention";
  const RowsTile tile = defaultSchedule(AttentionSizes{}, hostTarget().lanes).rows;
  const LoadedTile function(buildAttentionRows(kernel, tile, hostTarget()), hostTarget());
  const halide_type_t f32 = halide_type_of<float>();
  auto peak = [&](int keys) {
    AttentionProblem problem(1, 1, keys, 16, 16);
    Operand q(problem.q.data(), f32, {{16, 1}, {1, 16}}), k(problem.k.data(), f32, {{16, 1}, {keys, 16}}),
        v(problem.v.data(), f32, {{16, 1}, {keys, 16}}), out(problem.out.data(), f32, {{16, 1}, {1, 16}});
    ScratchContext scratch;
    function(scratch, {0, 0, 0}, {&q, &k, &v, &out});
    return scratch.peak;
  };
  const uint64_t few = peak(2 * tile.keyChunk);
  CHECK(few > 0);
  CHECK(peak(8 * tile.keyChunk) == few);
}

TEST_CASE("every form has text", "[tile]") {
  const TileFunction function =
      buildMatmul({"matmul"}, defaultMatmulSchedule(hostTarget().lanes), hostTarget());
  CHECK(compile(function, hostTarget(), Form::Stmt).find("produce packed") != std::string::npos);
  CHECK(compile(function, hostTarget(), Form::Assembly).find("matmul_argv") != std::string::npos);
}
