// Linear layers of every size against the naive evaluation, each operand before a guard page.
#include "Linear.h"
#include "LinearProblem.h"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::kernels;

namespace {

template <class T>
double linearError(const LoadedTile &tile, const LinearTile &block, bool bias, int rows, int inputs,
                   int columns) {
  return linearError<T>(tile, LinearProblem{rows, inputs, columns, bias}, block.rowBlock, block.columnBlock);
}

} // namespace

TEST_CASE("linear of any size equals the naive evaluation", "[linear]") {
  const CpuTarget target = hostTarget();
  LinearSchedule schedule = defaultSchedule(LinearSizes{}, target.lanes);
  LinearTile chunked = schedule.block;
  chunked.depthChunk = 10;
  for (const LinearTile &block : {schedule.block, schedule.small, chunked})
    for (bool bias : {true, false}) {
      const LoadedTile tile(buildLinear({.name = "linear", .bias = bias}, block, target), target);
      for (auto [rows, inputs, columns] : {std::array{1, 1, 1},
                                           {15, 10, 8},
                                           {65, 33, 17},
                                           {3, 100, 70},
                                           {130, 64, 64},
                                           {7, 5, 1},
                                           {0, 4, 4},
                                           {4, 4, 0},
                                           {2, 0, 3}}) {
        INFO(rows << "x" << inputs << " -> " << columns << ", bias " << bias);
        CHECK(linearError<float>(tile, block, bias, rows, inputs, columns) < 1e-6);
      }
    }
}

TEST_CASE("linear with a known depth and an epilogue", "[linear]") {
  const CpuTarget target = hostTarget();
  const LinearTile block = defaultSchedule(LinearSizes{}, target.lanes).block;
  const LoadedTile plain(buildLinear({.name = "plain", .inputs = 512, .bias = true}, block, target), target);
  CHECK(linearError<float>(plain, block, true, 70, 512, 512) < 1e-6);

  LinearKernel positive{.name = "positive", .inputs = 3};
  positive.epilogue.apply = [](auto &sum, auto &, auto &, auto &) { return max(sum, 0.0f); };
  const LoadedTile tile(buildLinear(positive, block, target), target);
  const halide_type_t f32 = halide_type_of<float>();
  const float x[] = {1, 2, 3}, w[] = {1, 1, 1, -1, -1, -1};
  float y[] = {NAN, NAN};
  Operand tileX(x, f32, {{3, 1}, {1, 3}}), tileW(w, f32, {{3, 1}, {2, 3}}), tileY(y, f32, {{2, 1}, {1, 2}});
  ScratchContext scratch;
  tile(scratch, {}, {&tileX, &tileW, &tileY});
  CHECK(y[0] == 6.0f);
  CHECK(y[1] == 0.0f);
}

TEST_CASE("linear in double precision", "[linear][double]") {
  const CpuTarget target = hostTarget();
  const LinearSchedule schedule = defaultSchedule(LinearSizes{}, target.lanes);
  LinearKernel kernel{.name = "linear", .types = LinearTypes::all(Halide::Float(64)), .bias = true};
  kernel.epilogue.apply = [](auto &sum, auto &, auto &, auto &) {
    return sum * Halide::Internal::make_const(sum.type(), 1.0);
  };
  for (const LinearTile &block : {schedule.block, schedule.small}) {
    const LoadedTile tile(buildLinear(kernel, block, target), target);
    for (auto [rows, inputs, columns] :
         {std::array{1, 1, 1}, {5, 7, 3}, {65, 129, 33}, {70, 600, 40}, {0, 3, 4}, {3, 4, 0}}) {
      INFO(rows << "x" << inputs << "x" << columns << ", blocks of " << block.rowBlock);
      CHECK(linearError<double>(tile, block, true, rows, inputs, columns) < 1e-15);
    }
  }
}
