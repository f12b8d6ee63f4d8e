#include "Schedules.h"

namespace heed::tests {

static RowsTile drawTile(Dice &dice, int lanes) {
  RowsTile tile;
  tile.vectors = int(dice.pick({1, 1, 2}));
  tile.queryBlock = tile.vectors * lanes * int(dice.between(1, 2));
  tile.keyTile = int(dice.pick({1, 2, 4}));
  tile.valueTile = int(dice.pick({1, 2, 4}));
  tile.valueVectors = int(dice.between(1, tile.vectors));
  // A multiple of a key list's block.
  tile.keyChunk = int(dice.pick({64, 128}));
  return tile;
}

static DeviceAttentionTile drawDeviceTile(Dice &dice) {
  DeviceAttentionTile tile;
  tile.threadsX = int(dice.pick({8, 16}));
  tile.threadsY = int(dice.between(1, 3));
  tile.rowTile = int(dice.between(1, 3));
  tile.keyTile = int(dice.pick({1, 2, 4}));
  tile.columnVectors = int(dice.between(1, 2));
  tile.depthChunk = 4 * int(dice.between(1, 4));
  tile.valueChunk = int(dice.pick({4, 8}));
  return tile;
}

static void change(Schedule &schedule, Dice &dice, int lanes) {
  if (auto *attention = std::get_if<AttentionSchedule>(&schedule)) {
    attention->rows = drawTile(dice, lanes);
    attention->small = drawTile(dice, lanes);
    attention->small.keyChunk = attention->small.keyTile * int(dice.between(1, 9));
    attention->smallLimit = dice.pick({0, 0, 2 * lanes, 1000});
    attention->depthRowLimit = int(dice.pick({0, 1, 3, 8}));
    attention->depthKeyChunk = lanes * int(dice.between(1, 8));
  } else if (auto *scores = std::get_if<ScoresSchedule>(&schedule)) {
    scores->block = drawTile(dice, lanes);
    scores->small = drawTile(dice, lanes);
    scores->smallLimit = dice.pick({0, 0, 1000});
  } else if (auto *linear = std::get_if<LinearSchedule>(&schedule)) {
    linear->smallLimit = dice.pick({0, 0, 2 * lanes, 1000});
    linear->fewRowLimit = int(dice.pick({0, 1, 3, 8}));
    linear->few.rowTile = int(dice.pick({1, 2, 3}));
    linear->few.columnTile = int(dice.pick({1, 2, 4, 5}));
    linear->few.columnBlock = linear->few.columnTile * int(dice.between(1, 9));
  } else if (auto *onDevice = std::get_if<DeviceAttentionSchedule>(&schedule)) {
    onDevice->few = drawDeviceTile(dice);
    onDevice->fewRowLimit = int(dice.pick({0, 1, 3, 8}));
    onDevice->fewPartKeys = onDevice->few.keyChunk() * int(dice.between(1, 3));
  }
}

void drawSchedules(ScheduleTable &schedules, int lanes) {
  for (auto &[name, schedule] : schedules) {
    Dice dice(std::stoull(name.substr(1)) + 77);
    change(schedule, dice, lanes);
  }
}

} // namespace heed::tests
