#include "Tune/DeviceSpace.h"

#include <algorithm>
#include <cmath>

namespace heed::tune {

namespace {

/// A block is no longer than twice the operand, unless it is the smallest.
bool isUseful(int64_t block, int64_t extent, int64_t least) { return block <= least || block / 2 < extent; }

double roundUp(double value, double unit) { return std::ceil(value / unit) * unit; }

template <class S> void addTiles(const S &, const Problem &problem, const AddSchedule &add) {
  for (int threadsX : {8, 16, 32})
    for (int threadsY : {4, 8, 16, 32})
      for (int rowTile : {1, 2, 4, 8})
        for (int columnTile : {2, 4, 8})
          for (int depthChunk : {8, 16, 32})
            if (isUseful(threadsY * rowTile, problem.rows, 16) &&
                isUseful(threadsX * columnTile, problem.columns, 32) &&
                isUseful(depthChunk, problem.depth, 8) && threadsX * threadsY >= 32)
              add(S{{rowTile, columnTile, threadsX, threadsY, depthChunk}});
}

double tileCost(const DeviceTile &tile, const Problem &problem) {
  const double rows = roundUp(double(problem.rows), tile.threadsY * tile.rowTile),
               columns = roundUp(double(problem.columns), tile.threadsX * tile.columnTile);
  const double work = double(tile.rowTile) * tile.columnTile, loads = tile.rowTile + tile.columnTile;
  // Every block brings its chunks from the device's memory.
  const double staged = 1.0 / (tile.threadsY * tile.rowTile) + 1.0 / (tile.threadsX * tile.columnTile);
  const double barriers = 64.0 / (tile.depthChunk * work);
  return problem.instances * rows * columns * std::max<double>(problem.depth, 1) *
         ((work + loads) / work + 8 * staged + barriers);
}

constexpr int64_t mostFewRows = 8; ///< that parts of the keys are tried for

template <class F> void forEachAttentionTile(const Problem &problem, int leastRows, int mostRows, F f) {
  for (int threadsX : {8, 16, 32})
    for (int threadsY : {1, 2, 4, 8, 16, 32})
      for (int rowTile : {1, 2, 4, 8})
        for (int keyTile : {2, 4, 8})
          for (int depthChunk : {16, 32, 64})
            for (int valueChunk : {8, 16, 32}) {
              const int vectors = int((problem.valueDepth + 4 * threadsX - 1) / (4 * threadsX));
              const DeviceAttentionTile tile{threadsX,   threadsY,  rowTile, keyTile, std::max(vectors, 1),
                                             depthChunk, valueChunk};
              if (tile.queryBlock() >= leastRows && tile.queryBlock() <= mostRows &&
                  isUseful(tile.keyChunk(), problem.columns, 32) && isUseful(depthChunk, problem.depth, 16) &&
                  threadsX * threadsY >= 32)
                f(tile);
            }
}

double tileCost(const DeviceAttentionTile &tile, const Problem &problem) {
  const double rows = roundUp(double(problem.rows), tile.queryBlock()),
               keys = roundUp(double(problem.columns), tile.keyChunk());
  const double scoreWork = double(tile.rowTile) * tile.keyTile, scoreLoads = tile.rowTile + tile.keyTile;
  const double columns = 4.0 * tile.columnVectors, outputWork = tile.rowTile * columns,
               outputLoads = tile.rowTile + columns;
  const double staged = 8.0 / tile.queryBlock() + 64.0 / (tile.depthChunk * scoreWork);
  return problem.instances * rows * keys *
         (problem.depth * ((scoreWork + scoreLoads) / scoreWork + staged) +
          roundUp(double(problem.valueDepth), tile.threadsX * columns) *
              ((outputWork + outputLoads) / outputWork + staged) +
          32.0);
}

/// Fewer blocks leave processors of a large device without work; parts are written, and read by the merge.
double fewCost(const DeviceAttentionSchedule &s, const Problem &problem) {
  constexpr double enoughBlocks = 512, perPartElement = 16;
  const double parts = std::ceil(double(problem.columns) / s.fewPartKeys);
  const double blocks = problem.instances * parts * std::ceil(double(problem.rows) / s.few.queryBlock());
  return tileCost(s.few, problem) * std::max(enoughBlocks / blocks, 1.0) +
         problem.instances * problem.rows * parts * problem.valueDepth * perPartElement;
}

} // namespace

bool runsFewRows(const DeviceAttentionSchedule &schedule, const Problem &problem) {
  return problem.rows <= schedule.fewRowLimit;
}

void addDeviceSpace(const DeviceAttentionSchedule &standard, const Problem &problem, const AddSchedule &add) {
  if (problem.rows <= mostFewRows && problem.valueDepth > 0)
    forEachAttentionTile(problem, 1, mostFewRows, [&](const DeviceAttentionTile &tile) {
      for (int partKeys : {128, 256, 512, 1024}) {
        DeviceAttentionSchedule s = standard;
        s.few = tile;
        s.fewRowLimit = std::max(s.fewRowLimit, int(problem.rows));
        s.fewPartKeys = partKeys;
        if (isUseful(partKeys, problem.columns, 128))
          add(s);
      }
    });
  const int mostRows = int(std::clamp<int64_t>(2 * problem.rows, 16, 256));
  forEachAttentionTile(problem, 4, mostRows, [&](const DeviceAttentionTile &tile) {
    DeviceAttentionSchedule s = standard;
    s.block = tile;
    s.fewRowLimit = int(std::min<int64_t>(s.fewRowLimit, problem.rows - 1));
    add(s);
  });
}

void addDeviceSpace(const DeviceScoresSchedule &s, const Problem &problem, const AddSchedule &add) {
  addTiles(s, problem, add);
}
void addDeviceSpace(const DeviceLinearSchedule &s, const Problem &problem, const AddSchedule &add) {
  addTiles(s, problem, add);
}
void addDeviceSpace(const DeviceMatmulSchedule &s, const Problem &problem, const AddSchedule &add) {
  addTiles(s, problem, add);
}

void addDeviceSpace(const DeviceRowsSchedule &, const Problem &problem, const AddSchedule &add) {
  for (int threads = 1; threads <= 512; threads *= 2)
    for (int rows = 1; rows <= 64; rows *= 2)
      if (isUseful(threads, problem.columns, 1) && isUseful(rows, problem.rows, 1))
        add(DeviceRowsSchedule{threads, rows});
}

void addDeviceSpace(const DeviceMapSchedule &, const Problem &problem, const AddSchedule &add) {
  for (int threadsX = 1; threadsX <= 256; threadsX *= 2)
    for (int threadsY = 1; threadsY <= 64; threadsY *= 2)
      for (int elements : {1, 2, 4, 8})
        if (isUseful(threadsX * elements, problem.columns, 1) && isUseful(threadsY, problem.rows, 1))
          add(DeviceMapSchedule{threadsX, threadsY, elements});
}

double deviceCost(const DeviceAttentionSchedule &s, const Problem &problem) {
  return runsFewRows(s, problem) ? fewCost(s, problem) : tileCost(s.block, problem);
}

double deviceCost(const DeviceScoresSchedule &s, const Problem &problem) {
  return tileCost(s.block, problem);
}
double deviceCost(const DeviceLinearSchedule &s, const Problem &problem) {
  return tileCost(s.block, problem);
}
double deviceCost(const DeviceMatmulSchedule &s, const Problem &problem) {
  return tileCost(s.block, problem);
}

double deviceCost(const DeviceRowsSchedule &s, const Problem &problem) {
  const double perThread = std::ceil(double(problem.columns) / s.threads);
  return problem.instances * roundUp(double(problem.rows), s.rows) * s.threads *
         (perThread + 4 * std::log2(double(s.threads)) + 1);
}

double deviceCost(const DeviceMapSchedule &s, const Problem &problem) {
  return problem.instances * roundUp(double(problem.rows), s.threadsY) *
         roundUp(double(problem.columns), s.threadsX * s.elements) * (1 + 1.0 / s.elements);
}

} // namespace heed::tune
