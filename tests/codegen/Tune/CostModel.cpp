#include "Tune/CostModel.h"

#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::tune;

namespace {

const Machine machine{16, 32, 48 << 10, 1 << 20, 2};
const Problem problem{16, 2048, 2048, 64, 64, 4};

double attentionCost(const RowsTile &tile, const Problem &of = problem, const Machine &on = machine) {
  AttentionSchedule s = defaultSchedule(AttentionSizes{}, on.lanes);
  s.rows = tile;
  s.smallLimit = s.depthRowLimit = 0;
  return predictedCycles(s, of, on);
}

} // namespace

TEST_CASE("a register tile needs products enough per load, and registers enough") {
  double square = attentionCost({64, 256, 4, 4, 4, 4});
  CHECK(square < attentionCost({64, 256, 4, 1, 4, 4}));
  CHECK(square < attentionCost({64, 256, 1, 16, 4, 1}));
  CHECK(square < attentionCost({64, 256, 4, 16, 4, 4}));
  CHECK(square < attentionCost({64, 256, 4, 4, 16, 4}));
}

TEST_CASE("small chunks rescale more often, large ones leave the cache") {
  CHECK(attentionCost({64, 256, 4, 4, 4, 4}) < attentionCost({64, 16, 4, 4, 4, 4}));
  Machine smallCache = machine;
  smallCache.secondCache = 64 << 10;
  CHECK(attentionCost({64, 128, 4, 4, 4, 4}, problem, smallCache) <
        attentionCost({64, 2048, 4, 4, 4, 4}, problem, smallCache));
}

TEST_CASE("waste in the last block and idle threads count") {
  Problem odd = problem;
  odd.rows = 2049;
  CHECK(attentionCost({64, 256, 4, 4, 4, 4}, odd) > attentionCost({64, 256, 4, 4, 4, 4}));
  CHECK(attentionCost({16, 256, 1, 12, 12, 1}, odd) < attentionCost({64, 256, 4, 4, 4, 4}, odd) * 1.5);
  Problem few{1, 128, 2048, 64, 64, 4}; // two blocks of 64 for two threads, or one of 128
  CHECK(attentionCost({64, 256, 4, 4, 4, 4}, few) < attentionCost({128, 256, 4, 4, 4, 4}, few));
}

TEST_CASE("cost grows with every size and shrinks with threads") {
  Schedule linear = defaultSchedule(LinearSizes{}, 16);
  Problem of{1, 2048, 512, 512, 0, 4};
  double cost = predictedCycles(linear, of, machine);
  CHECK(cost > 0);
  for (int64_t Problem::*size : {&Problem::instances, &Problem::rows, &Problem::columns, &Problem::depth}) {
    Problem larger = of;
    larger.*size *= 2;
    CHECK(predictedCycles(linear, larger, machine) > cost * 1.5);
  }
  Machine more = machine;
  more.threads = 4;
  CHECK(predictedCycles(linear, of, more) < cost * 0.6);
}

TEST_CASE("pairs of bf16 halve the steps, and f16 only saves bytes") {
  const RowsTile tile{64, 256, 4, 4, 4, 4};
  Problem bf16 = problem, f16 = problem;
  f16.elementBytes = bf16.elementBytes = 2;
  bf16.productsPerLane = 2;
  CHECK(attentionCost(tile, f16) == attentionCost(tile));
  CHECK(attentionCost(tile, bf16) < 0.7 * attentionCost(tile));
  CHECK(attentionCost(tile, bf16) > 0.5 * attentionCost(tile)); // weights cost what they did
  Schedule linear = defaultSchedule(LinearSizes{}, 16);
  const Problem wide{1, 2048, 512, 512, 0, 4}, paired{1, 2048, 512, 512, 0, 2, 2};
  CHECK(predictedCycles(linear, paired, machine) < 0.6 * predictedCycles(linear, wide, machine));
}

TEST_CASE("one row over a cache takes the time to read it") {
  AttentionSchedule s = defaultSchedule(AttentionSizes{}, machine.lanes);
  const Problem wide{8, 1, 16384, 128, 128, 4}, half{8, 1, 16384, 128, 128, 2};
  CHECK(predictedCycles(s, half, machine) < 0.6 * predictedCycles(s, wide, machine));
}
