#include "RandomFiles.h"

namespace heed::tests {

namespace {

class Source {
public:
  Source(std::mt19937_64 &random, int lanes) : random(random), lanes(lanes) {}

  int between(int least, int most) { return least + int(random() % uint64_t(most - least + 1)); }

  std::vector<std::string> comments() {
    static constexpr std::string_view texts[] = {"",        " two blanks before", "81 % of the peak ✓",
                                                 "# again", "trailing blank ",    "attention x { a 1 }",
                                                 "\ttab"};
    std::vector<std::string> lines(between(0, 3));
    for (std::string &line : lines)
      line = texts[between(0, 6)];
    return lines;
  }

  void change(AttentionSchedule &s) {
    s.rows = rows();
    s.small = rows();
    s.smallLimit = int64_t(random() >> 1);
    s.depthRowLimit = between(0, 8);
    s.depthKeyChunk = lanes * between(1, 64);
  }
  void change(ScoresSchedule &s) {
    s.block = withValuesOf(s.block, rows());
    s.small = withValuesOf(s.small, rows());
  }
  void change(LinearSchedule &s) {
    s.block = linear();
    s.small = linear();
    s.smallLimit = between(0, 1000);
    s.fewRowLimit = between(0, 8);
    const int fewColumns = between(1, 32);
    s.few = {fewColumns * between(1, 32), between(1, 8), fewColumns};
  }
  void change(MatmulSchedule &s) { s = {between(1, 100), lanes * between(1, 20)}; }
  void change(RowsSchedule &s) { s = {between(1, 65536)}; }
  void change(MapSchedule &s) { s = {between(1, 65536), between(1, 65536)}; }
  void change(DeviceAttentionSchedule &s) {
    s = {attentionTile(), attentionTile(), between(0, 8), 32 * between(1, 9)};
  }
  void change(DeviceScoresSchedule &s) { s = {deviceTile()}; }
  void change(DeviceLinearSchedule &s) { s = {deviceTile()}; }
  void change(DeviceMatmulSchedule &s) { s = {deviceTile()}; }
  void change(DeviceRowsSchedule &s) { s = {1 << between(0, 5), between(1, 8)}; }
  void change(DeviceMapSchedule &s) { s = {between(1, 16), between(1, 16), between(1, 16)}; }

private:
  /// Scores have no tile of outputs in their text.
  static RowsTile withValuesOf(const RowsTile &before, RowsTile tile) {
    tile.valueTile = before.valueTile;
    tile.valueVectors = before.valueVectors;
    return tile;
  }
  RowsTile rows() {
    RowsTile tile;
    tile.vectors = between(1, 8);
    tile.queryBlock = tile.vectors * lanes * between(1, 4);
    tile.keyTile = between(1, 32);
    tile.keyChunk = tile.keyTile * between(1, 32);
    tile.valueTile = between(1, 32);
    do
      tile.valueVectors = between(1, tile.vectors);
    while (tile.vectors % tile.valueVectors != 0);
    return tile;
  }
  LinearTile linear() {
    LinearTile tile;
    tile.vectors = between(1, 8);
    tile.rowBlock = tile.vectors * lanes * between(1, 4);
    tile.columnTile = between(1, 32);
    tile.columnBlock = tile.columnTile * between(1, 32);
    tile.depthChunk = between(1, 4096);
    return tile;
  }

  DeviceAttentionTile attentionTile() {
    return {8, between(1, 8), between(1, 4), 4, between(1, 2), 4 * between(1, 4), 4 << between(0, 3)};
  }
  DeviceTile deviceTile() {
    return {between(1, 8), between(1, 8), between(1, 16), between(1, 16), 4 * between(1, 4)};
  }

  std::mt19937_64 &random;
  int lanes;
};

} // namespace

ScheduleLimits limitsOf(int lanes) {
  ScheduleLimits limits(32 << 10, 256);
  limits.lanes = lanes;
  return limits;
}

ScheduledOperations everyOperation(int lanes) {
  return {{"block.attention", {defaultSchedule(AttentionSizes{}, lanes), {"batch", "keys", "queries"}}},
          {"block.linear", {defaultSchedule(LinearSizes{}, lanes), {"tokens"}}},
          {"block.map", {defaultMapSchedule(lanes), {"tokens"}}},
          {"block.matmul", {defaultMatmulSchedule(lanes), {"keys", "queries"}}},
          {"block.scores", {defaultScoresSchedule(lanes), {"keys", "queries"}}},
          {"block.softmax", {defaultRowsSchedule(512), {}}},
          {"device.attention", {defaultDeviceSchedule(AttentionSizes{}), {"keys", "queries"}}},
          {"device.linear", {defaultDeviceSchedule(LinearSizes{}), {"tokens"}}},
          {"device.map", {defaultDeviceMapSchedule(std::nullopt, 2), {"tokens"}}},
          {"device.matmul", {defaultDeviceMatmulSchedule(), {"keys", "queries"}}},
          {"device.scores", {defaultDeviceScoresSchedule(), {"keys", "queries"}}},
          {"device.softmax", {defaultDeviceRowsSchedule(512), {}}}};
}

ScheduleFile randomFile(std::mt19937_64 &random, int lanes) {
  Source source(random, lanes);
  ScheduleFile file;
  if (source.between(0, 1))
    file.target = "x86-64-v4";
  file.comments = source.comments();
  for (const auto &[name, operation] : everyOperation(lanes)) {
    const int sized = operation.symbols.empty() ? 0 : source.between(0, 3);
    const bool unsized = source.between(0, 1);
    std::vector<SizedSchedule> entries;
    for (int i = unsized ? -1 : 0; i < sized; ++i) {
      SizedSchedule &entry = entries.emplace_back(SizedSchedule{{}, operation.defaults, source.comments()});
      std::visit([&](auto &schedule) { source.change(schedule); }, entry.schedule);
      if (i >= 0)
        for (const std::string &symbol : operation.symbols)
          entry.sizes[symbol] = 1 + (int64_t(i) << source.between(4, 18)) * (1 + i);
    }
    // Sizes with the same product as others are left out.
    sortEntries(entries);
    for (size_t i = entries.size(); i-- > 1;)
      if (!entries[i - 1].sizes.empty() && sizeProduct(entries[i].sizes) == sizeProduct(entries[i - 1].sizes))
        entries.erase(entries.begin() + i);
    if (!entries.empty())
      file.entries[name] = entries;
  }
  return file;
}

} // namespace heed::tests
