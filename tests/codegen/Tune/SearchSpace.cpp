#include "Tune/SearchSpace.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace heed;
using namespace heed::tune;

namespace {

const Machine wide{16, 32, 48 << 10, 1 << 20, 2}, narrow{8, 16, 32 << 10, 512 << 10, 2};

Problem attentionOf(int64_t queries, int64_t keys) { return {16, queries, keys, 64, 64, 4}; }

} // namespace

TEST_CASE("every schedule of a space is possible, new, and holds its tile in registers") {
  for (const Machine &machine : {wide, narrow}) {
    Schedule standard = defaultSchedule(AttentionSizes{}, machine.lanes);
    std::vector<Schedule> space = searchSpace(standard, attentionOf(2048, 2048), machine);
    CHECK(space.front() == standard);
    CHECK(space.size() > 500);
    for (const Schedule &schedule : space) {
      CHECK_FALSE(checkSchedule(schedule, machine.lanes));
      const RowsTile &tile = std::get<AttentionSchedule>(schedule).rows;
      CHECK(tile.vectors * tile.keyTile + tile.vectors < machine.registers);
      CHECK(tile.valueVectors * tile.valueTile + tile.valueVectors < machine.registers);
    }
    for (size_t i = 0; i < space.size(); i += 37)
      CHECK(std::count(space.begin(), space.end(), space[i]) == 1);
  }
}

TEST_CASE("blocks and chunks end with the operand") {
  Schedule standard = defaultSchedule(AttentionSizes{}, wide.lanes);
  for (const Schedule &schedule : searchSpace(standard, attentionOf(100, 100), wide)) {
    if (schedule == standard)
      continue;
    const RowsTile &tile = std::get<AttentionSchedule>(schedule).rows;
    CHECK(tile.keyChunk - 64 * tile.keyTile < 128);
    CHECK(tile.queryBlock - tile.vectors * wide.lanes < 100);
  }
  CHECK(searchSpace(standard, attentionOf(0, 5), wide).size() == 1);
}

TEST_CASE("only what runs is varied") {
  AttentionSchedule standard = defaultSchedule(AttentionSizes{}, wide.lanes);
  for (const Schedule &schedule : searchSpace(standard, attentionOf(2048, 2048), wide)) {
    const auto &s = std::get<AttentionSchedule>(schedule);
    CHECK(familyAt(s, attentionOf(2048, 2048)) == AttentionFamily::Rows);
    CHECK(s.small == standard.small);
    CHECK(s.smallLimit == standard.smallLimit);
    CHECK(s.depthKeyChunk == standard.depthKeyChunk);
  }
  bool hasDepth = false, hasSmall = false;
  for (const Schedule &schedule : searchSpace(standard, attentionOf(4, 512), wide)) {
    const auto &s = std::get<AttentionSchedule>(schedule);
    CHECK(s.rows == standard.rows);
    hasDepth |= familyAt(s, attentionOf(4, 512)) == AttentionFamily::Depth;
    hasSmall |= familyAt(s, attentionOf(4, 512)) == AttentionFamily::Small;
  }
  CHECK(hasDepth);
  CHECK(hasSmall);
}

TEST_CASE("few rows of a linear layer may run in any family") {
  LinearSchedule standard = defaultSchedule(LinearSizes{}, wide.lanes);
  Problem few{1, 4, 512, 512, 0, 4};
  bool has[3] = {};
  for (const Schedule &schedule : searchSpace(standard, few, wide)) {
    const auto &s = std::get<LinearSchedule>(schedule);
    CHECK(s.block == standard.block);
    has[int(familyAt(s, few))] = true;
  }
  CHECK(has[int(LinearFamily::Few)]);
  CHECK(has[int(LinearFamily::Small)]);
  CHECK_FALSE(has[int(LinearFamily::Block)]);
}

TEST_CASE("a trial leaves out what does not run") {
  Schedule standard = defaultSchedule(AttentionSizes{}, wide.lanes);
  auto s = std::get<AttentionSchedule>(onlyWhatRuns(standard, attentionOf(2048, 2048)));
  CHECK(s.smallLimit == 0);
  CHECK(s.depthRowLimit == 0);
  CHECK(s.rows == std::get<AttentionSchedule>(standard).rows);
  s = std::get<AttentionSchedule>(onlyWhatRuns(standard, attentionOf(1, 2048)));
  CHECK(s.smallLimit == 0);
  CHECK(s.depthRowLimit == 1);
  auto linear = std::get<LinearSchedule>(
      onlyWhatRuns(Schedule(defaultSchedule(LinearSizes{}, wide.lanes)), {1, 2048, 512, 512, 0, 4}));
  CHECK(linear.smallLimit == 0);
  CHECK(linear.fewRowLimit == 0);
}

TEST_CASE("few rows on a device may run in parts of the keys or in a block") {
  Machine device;
  device.sharedBytes = 48 << 10;
  device.blockThreads = 256;
  const DeviceAttentionSchedule standard = defaultDeviceSchedule(AttentionSizes{{}, {}, 64, 64});
  int inParts = 0, inBlocks = 0;
  for (const Schedule &schedule : searchSpace(standard, attentionOf(4, 512), device)) {
    const auto &s = std::get<DeviceAttentionSchedule>(schedule);
    CHECK_FALSE(checkSchedule(schedule, device.limits()));
    const bool areFew =
        std::get<DeviceAttentionSchedule>(onlyWhatRuns(schedule, attentionOf(4, 512))).fewRowLimit > 0;
    CHECK((areFew ? s.block : s.few) == (areFew ? standard.block : standard.few));
    ++(areFew ? inParts : inBlocks);
  }
  CHECK(inParts > 100);
  CHECK(inBlocks > 100);
  for (const Schedule &schedule : searchSpace(standard, attentionOf(512, 512), device)) {
    const auto &s = std::get<DeviceAttentionSchedule>(schedule);
    CHECK(s.few == standard.few);
    CHECK(s.fewRowLimit == standard.fewRowLimit);
  }
}

TEST_CASE("every kind of operation has a space") {
  Problem problem{8, 300, 500, 256, 0, 4};
  for (const Schedule &standard :
       {Schedule(defaultScoresSchedule(16)), Schedule(defaultSchedule(LinearSizes{}, 16)),
        Schedule(defaultMatmulSchedule(16)), Schedule(defaultRowsSchedule(500)),
        Schedule(defaultMapSchedule(16))})
    CHECK(searchSpace(standard, problem, wide).size() > 5);
}
