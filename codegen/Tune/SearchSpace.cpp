#include "Tune/SearchSpace.h"

#include "Tune/DeviceSpace.h"

#include <algorithm>
#include <numeric>

namespace heed::tune {

namespace {

constexpr int64_t mostFewRows = 8; ///< of one tile with depth or inputs in lanes

int64_t roundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

/// V × C sums, V vectors and a broadcast fit the registers.
bool fits(int vectors, int columns, const Machine &machine) {
  return vectors * columns + vectors + 1 <= machine.registers;
}

class Space {
public:
  Space(const Problem &problem, const Machine &machine) : problem(problem), machine(machine) {}

  void addFor(const AttentionSchedule &standard) {
    if (problem.rows <= mostFewRows)
      addDepth(standard);
    if (problem.rows <= 4 * machine.lanes)
      forEachRowsTile(true, [&](const RowsTile &tile) {
        AttentionSchedule s = standard;
        s.small = tile;
        s.smallLimit = std::max(s.smallLimit, problem.rows);
        s.depthRowLimit = std::min<int64_t>(s.depthRowLimit, problem.rows - 1);
        add(s);
      });
    else
      forEachRowsTile(true, [&](const RowsTile &tile) {
        AttentionSchedule s = standard;
        s.rows = tile;
        s.smallLimit = std::min(s.smallLimit, problem.rows - 1);
        add(s);
      });
  }

  void addFor(const ScoresSchedule &standard) {
    forEachRowsTile(false, [&](const RowsTile &tile) {
      ScoresSchedule s = standard;
      (problem.rows <= standard.smallLimit ? s.small : s.block) = tile;
      add(s);
    });
  }

  void addFor(const LinearSchedule &standard) {
    if (problem.rows <= mostFewRows)
      addFewRows(standard);
    bool isSmall = problem.rows <= standard.smallLimit;
    forEachRegisterTile([&](int vectors, int columns) {
      for (int rowBlock : blocksOf(vectors * machine.lanes))
        for (int columnBlock : {64, 128, 256, 512, 1024})
          for (int depthChunk : {128, 256, 512, 1024, 2048}) {
            LinearSchedule s = standard;
            (isSmall ? s.small : s.block) = {rowBlock, int(roundUp(columnBlock, columns)), depthChunk,
                                             vectors, columns};
            s.fewRowLimit = int(std::min<int64_t>(s.fewRowLimit, problem.rows - 1));
            // A block or chunk beyond the operand is the same as the next smaller one.
            if (columnBlock / 2 < problem.columns && depthChunk / 2 < problem.depth)
              add(s);
          }
    });
  }

  void addFor(const MatmulSchedule &) {
    for (int rowBlock : {4, 8, 16, 32, 64, 128})
      for (int vectors : {1, 2, 4, 8, 16})
        if (rowBlock / 2 < problem.rows && vectors * machine.lanes / 2 < problem.columns)
          add(MatmulSchedule{rowBlock, vectors * machine.lanes});
  }

  void addFor(const RowsSchedule &) {
    for (int rowBlock = 1; rowBlock <= 512 && rowBlock / 2 < problem.rows; rowBlock *= 2)
      add(RowsSchedule{rowBlock});
  }

  void addFor(const MapSchedule &) {
    for (int inner = machine.lanes; inner <= 16384 && inner / 2 < problem.columns; inner *= 2)
      for (int outer = 1; outer <= 256 && outer / 2 < problem.rows; outer *= 2)
        add(MapSchedule{inner, outer});
  }

  template <class Device> void addFor(const Device &standard) {
    addDeviceSpace(standard, problem, [this](const Schedule &schedule) { add(schedule); });
  }

  void add(const Schedule &schedule) {
    if (schedule != all.front() && !checkSchedule(schedule, machine.limits()))
      all.push_back(schedule);
  }

  std::vector<Schedule> all;

private:
  /// Of whole register tiles; the last reaches over all rows that there are, if they are few.
  std::vector<int> blocksOf(int rowsOfTile) const {
    std::vector<int> blocks;
    for (int tiles : {1, 2, 3, 4})
      if (blocks.empty() || blocks.back() < problem.rows)
        if (rowsOfTile * tiles <= 256 || blocks.empty())
          blocks.push_back(rowsOfTile * tiles);
    return blocks;
  }

  template <class F> void forEachRegisterTile(F f) const {
    for (int vectors : {1, 2, 3, 4, 6, 8})
      for (int columns : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16})
        if (isWorthRegisters(vectors, columns))
          f(vectors, columns);
  }

  /// Multiples of the tile's width and of 64 keys, the blocks of a key list.
  std::vector<int> chunksOf(int keyTile) const {
    std::vector<int> chunks;
    for (int chunk : {64, 128, 256, 512, 1024, 2048, 4096}) {
      int rounded = int(roundUp(chunk, std::lcm(64, keyTile)));
      if (chunks.empty() || (rounded > chunks.back() && chunks.back() < problem.columns))
        chunks.push_back(rounded);
    }
    return chunks;
  }

  template <class F> void forEachRowsTile(bool hasValue, F f) const {
    forEachRegisterTile([&](int vectors, int keyTile) {
      for (auto [valueTile, valueVectors] : valueTiles(hasValue, vectors))
        for (int queryBlock : blocksOf(vectors * machine.lanes))
          for (int keyChunk : chunksOf(keyTile))
            f(RowsTile{queryBlock, keyChunk, vectors, keyTile, valueTile, valueVectors});
    });
  }

  /// Widths and heights of register tiles of outputs, for scores' tiles of `vectors`.
  std::vector<std::pair<int, int>> valueTiles(bool hasValue, int vectors) const {
    if (!hasValue)
      return {{4, vectors}};
    std::vector<std::pair<int, int>> tiles;
    for (int height = 1; height <= vectors; ++height)
      for (int columns : {2, 3, 4, 5, 6, 7, 8, 10, 12, 13, 16, 20, 24})
        if (vectors % height == 0 && isWorthRegisters(height, columns))
          tiles.emplace_back(columns, height);
    return tiles;
  }

  bool isWorthRegisters(int vectors, int columns) const {
    return fits(vectors, columns, machine) && vectors * columns * 4 > machine.registers;
  }

  void addDepth(const AttentionSchedule &standard) {
    for (int chunk = 128; chunk <= 16384 && chunk / 2 < problem.columns; chunk *= 2) {
      AttentionSchedule s = standard;
      s.depthRowLimit = std::max<int64_t>(s.depthRowLimit, problem.rows);
      s.depthKeyChunk = chunk;
      add(s);
    }
  }

  void addFewRows(const LinearSchedule &standard) {
    for (int rowTile : {1, 2, 4, 8})
      for (int columnTile : {1, 2, 4, 8, 16})
        for (int columnBlock : {16, 32, 64, 128, 256, 512}) {
          LinearSchedule s = standard;
          s.fewRowLimit = int(std::max<int64_t>(s.fewRowLimit, problem.rows));
          s.few = {columnBlock, rowTile, columnTile};
          if (rowTile * columnTile + rowTile < machine.registers && rowTile / 2 < problem.rows &&
              columnBlock / 2 < problem.columns)
            add(s);
        }
  }

  const Problem &problem;
  const Machine &machine;
};

} // namespace

LinearFamily familyAt(const LinearSchedule &schedule, const Problem &problem) {
  return problem.rows <= schedule.fewRowLimit  ? LinearFamily::Few
         : problem.rows <= schedule.smallLimit ? LinearFamily::Small
                                               : LinearFamily::Block;
}

AttentionFamily familyAt(const AttentionSchedule &schedule, const Problem &problem) {
  return problem.rows <= schedule.depthRowLimit ? AttentionFamily::Depth
         : problem.rows <= schedule.smallLimit  ? AttentionFamily::Small
                                                : AttentionFamily::Rows;
}

std::vector<Schedule> searchSpace(const Schedule &standard, const Problem &problem, const Machine &machine) {
  Space space(problem, machine);
  space.all.push_back(standard);
  if (problem.rows > 0 && problem.columns > 0)
    std::visit([&](const auto &schedule) { space.addFor(schedule); }, standard);
  return std::move(space.all);
}

Schedule onlyWhatRuns(const Schedule &schedule, const Problem &problem) {
  Schedule result = schedule;
  if (auto *attention = std::get_if<AttentionSchedule>(&result)) {
    AttentionFamily family = familyAt(*attention, problem);
    if (family != AttentionFamily::Depth)
      attention->depthRowLimit = 0;
    if (family != AttentionFamily::Small)
      attention->smallLimit = 0;
  } else if (auto *scores = std::get_if<ScoresSchedule>(&result)) {
    scores->smallLimit = problem.rows <= scores->smallLimit ? scores->smallLimit : 0;
  } else if (auto *linear = std::get_if<LinearSchedule>(&result)) {
    LinearFamily family = familyAt(*linear, problem);
    if (family != LinearFamily::Few)
      linear->fewRowLimit = 0;
    if (family != LinearFamily::Small)
      linear->smallLimit = 0;
  } else if (auto *onDevice = std::get_if<DeviceAttentionSchedule>(&result)) {
    onDevice->fewRowLimit = runsFewRows(*onDevice, problem) ? onDevice->fewRowLimit : 0;
  }
  return result;
}

} // namespace heed::tune
