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

} // namespace

void addDeviceSpace(const DeviceAttentionSchedule &standard, const Problem &problem, const AddSchedule &add) {
  for (int threadsX : {8, 16, 32})
    for (int threadsY : {4, 8, 16, 32})
      for (int rowTile : {1, 2, 4, 8})
        for (int keyTile : {2, 4, 8})
          for (int depthChunk : {16, 32, 64})
            for (int valueChunk : {8, 16, 32}) {
              DeviceAttentionSchedule s = standard;
              s.threadsX = threadsX, s.threadsY = threadsY, s.rowTile = rowTile, s.keyTile = keyTile;
              s.depthChunk = depthChunk, s.valueChunk = valueChunk;
              s.columnVectors = std::max(int((problem.valueDepth + 4 * threadsX - 1) / (4 * threadsX)), 1);
              if (isUseful(s.queryBlock(), problem.rows, 16) && isUseful(s.keyChunk(), problem.columns, 32) &&
                  isUseful(depthChunk, problem.depth, 16) && threadsX * threadsY >= 32)
                add(s);
            }
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
  const double rows = roundUp(double(problem.rows), s.queryBlock()),
               keys = roundUp(double(problem.columns), s.keyChunk());
  const double scoreWork = double(s.rowTile) * s.keyTile, scoreLoads = s.rowTile + s.keyTile;
  const double columns = 4.0 * s.columnVectors, outputWork = s.rowTile * columns,
               outputLoads = s.rowTile + columns;
  const double staged = 8.0 / s.queryBlock() + 64.0 / (s.depthChunk * scoreWork);
  return problem.instances * rows * keys *
         (problem.depth * ((scoreWork + scoreLoads) / scoreWork + staged) +
          roundUp(double(problem.valueDepth), s.threadsX * columns) *
              ((outputWork + outputLoads) / outputWork + staged) +
          32.0);
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
