#include "Tune/CostModel.h"

#include "Tune/DeviceSpace.h"
#include "Tune/SearchSpace.h"

#include <algorithm>
#include <cmath>

namespace heed::tune {

namespace {

constexpr double tileStart = 600, weightCost = 12;

double divideUp(double value, double unit) { return std::ceil(value / unit); }
double roundUp(double value, double unit) { return divideUp(value, unit) * unit; }

class Model {
public:
  Model(const Problem &problem, const Machine &machine)
      : problem(problem), machine(machine),
        lanes(std::max(1.0, machine.lanes * 4.0 / std::max(problem.elementBytes, 4))),
        vectorBytes(lanes * std::max(problem.elementBytes, 4)), pairs(problem.productsPerLane),
        packedBytes(problem.productsPerLane == 2 ? 2 : std::max(problem.elementBytes, 4)) {}

  double operator()(const AttentionSchedule &s) const {
    switch (familyAt(s, problem)) {
    case AttentionFamily::Depth:
      return depth(s);
    case AttentionFamily::Small:
      return rows(s.small);
    case AttentionFamily::Rows:
      return rows(s.rows);
    }
    return 0;
  }

  template <class Device> double operator()(const Device &s) const { return deviceCost(s, problem); }

  double operator()(const ScoresSchedule &s) const {
    const RowsTile &tile = problem.rows <= s.smallLimit ? s.small : s.block;
    double vectors = vectorsOf(tile.queryBlock, tile.vectors);
    double steps =
        vectors / tile.vectors * divideUp(problem.columns, tile.keyTile) * divideUp(problem.depth, pairs);
    double bytes = double(tile.queryBlock) * problem.depth * packedBytes;
    double tiles = blocks(tile.queryBlock) * divideUp(problem.columns, tile.keyChunk);
    return total(steps * step(tile.vectors, tile.keyTile, bytes) + vectors * problem.columns * 2, tiles);
  }

  double operator()(const LinearSchedule &s) const {
    LinearFamily family = familyAt(s, problem);
    if (family == LinearFamily::Few)
      return few(s.few);
    const LinearTile &tile = family == LinearFamily::Small ? s.small : s.block;
    double columnBlock = std::min<double>(tile.columnBlock, roundUp(problem.columns, tile.columnTile));
    double columnBlocks = divideUp(problem.columns, columnBlock);
    double chunk = std::min<double>(tile.depthChunk, problem.depth);
    double vectors = vectorsOf(tile.rowBlock, tile.vectors),
           columns = roundUp(problem.columns, tile.columnTile);
    double operand = (tile.vectors * lanes + tile.columnTile) * chunk * packedBytes;
    double cycles = vectors / tile.vectors * columns / tile.columnTile * divideUp(problem.depth, pairs) *
                    step(tile.vectors, tile.columnTile, operand);
    cycles += vectors * columns * 2 * divideUp(problem.depth, std::max(chunk, 1.0));
    cycles += vectors * problem.depth * 2 * columnBlocks;
    double weights = columnBlock * chunk * problem.elementBytes;
    if (weights > machine.secondCache)
      cycles *= 1.1;
    return total(cycles, blocks(tile.rowBlock) * columnBlocks);
  }

  double operator()(const MatmulSchedule &s) const {
    double rows = roundUp(problem.rows, 4), columns = roundUp(problem.columns, lanes);
    double right = double(s.columnBlock) * problem.depth * problem.elementBytes;
    double cycles = rows * columns / lanes * problem.depth * (right > machine.firstCache ? 1.2 : 1.0);
    return total(cycles, blocks(s.rowBlock) * divideUp(problem.columns, s.columnBlock));
  }

  double operator()(const RowsSchedule &s) const {
    return total(elements(double(s.rowBlock) * problem.columns), blocks(s.rowBlock));
  }

  double operator()(const MapSchedule &s) const {
    double inner = std::min<double>(s.innerBlock, problem.columns);
    return total(elements(inner * std::min<double>(s.outerBlock, problem.rows)),
                 blocks(s.outerBlock) * divideUp(problem.columns, std::max(inner, 1.0)));
  }

private:
  /// Cycles of one step of a register tile, see the header.
  double step(double vectors, double columns, double operandBytes) const {
    double products = vectors * columns;
    double spilled = std::max(0.0, products + vectors + 1 - machine.registers);
    double bandwidth = operandBytes <= machine.firstCache    ? 128
                       : operandBytes <= machine.secondCache ? 48
                                                             : 16;
    double issue = std::max({products, vectors + columns, 8.0}) / 2 + 2 * spilled;
    return std::max(issue, vectors * vectorBytes / bandwidth);
  }

  /// Vectors of rows of one instance, with the waste of whole register tiles.
  double vectorsOf(double block, double vectors) const {
    double rest = std::fmod(problem.rows, block);
    double rows = problem.rows - rest + roundUp(rest, vectors * lanes);
    return rows / lanes;
  }

  double blocks(double block) const { return divideUp(problem.rows, block); }

  /// Of all instances, with tiles (of one instance) shared by the threads.
  double total(double cycles, double tiles) const {
    tiles = std::max(1.0, tiles * problem.instances);
    double balance = divideUp(tiles, machine.threads) * machine.threads / tiles;
    return (cycles * problem.instances + tiles * tileStart) * balance / machine.threads;
  }

  double elements(double ofTile) const {
    double cycles = double(problem.rows) * problem.columns / lanes * 4;
    return ofTile * problem.elementBytes * 2 <= machine.firstCache ? cycles : cycles * 1.2;
  }

  double rows(const RowsTile &tile) const {
    double vectors = vectorsOf(tile.queryBlock, tile.vectors), keys = problem.columns;
    double chunk = std::min<double>(tile.keyChunk, roundUp(keys, tile.keyTile));
    double rowsOfTile = tile.vectors * lanes;
    double queryBytes = rowsOfTile * problem.depth * packedBytes;
    double weightBytes = rowsOfTile * chunk * packedBytes;
    double cycles = vectors / tile.vectors * roundUp(keys, tile.keyTile) / tile.keyTile *
                    divideUp(problem.depth, pairs) * step(tile.vectors, tile.keyTile, queryBytes);
    cycles += vectors / tile.valueVectors * divideUp(problem.valueDepth, tile.valueTile) *
              divideUp(keys, pairs) * step(tile.valueVectors, tile.valueTile, weightBytes);
    cycles += vectors * keys * weightCost;
    cycles += vectors * problem.valueDepth * 4 * divideUp(keys, std::max(chunk, 1.0));
    // What all row groups of a block share: a chunk of scores, and its keys and values.
    double held = tile.queryBlock * chunk * std::max(problem.elementBytes, 4) +
                  chunk * double(problem.depth + problem.valueDepth) * problem.elementBytes;
    if (held > machine.secondCache)
      cycles *= 1.05;
    return total(cycles, blocks(tile.queryBlock));
  }

  /// Weights are read once from memory; sums are folded over the lanes.
  double few(const FewRowsTile &tile) const {
    double rows = roundUp(problem.rows, tile.rowTile), columns = roundUp(problem.columns, tile.columnTile);
    double steps = rows / tile.rowTile * columns / tile.columnTile * problem.depth / (lanes * pairs);
    double bytes = double(problem.columns) * problem.depth * problem.elementBytes;
    double cycles = std::max(steps * step(tile.rowTile, tile.columnTile, 0), bytes / 12) + rows * columns * 2;
    return total(cycles, divideUp(problem.columns, tile.columnBlock));
  }

  /// Keys and values are read once; parts are merged.
  double depth(const AttentionSchedule &s) const {
    double bytes = double(problem.columns) * (problem.depth + problem.valueDepth) * problem.elementBytes;
    double chunks = divideUp(problem.columns, s.depthKeyChunk);
    return total(bytes / 12 * problem.rows + chunks * problem.valueDepth * problem.rows / lanes * 4, chunks);
  }

  const Problem &problem;
  const Machine &machine;
  const double lanes, vectorBytes;
  const double pairs; ///< products of one lane in a step
  /// Of an element in the operand that is put in order for the register tile: pairs of bf16 stay as they are,
  /// all else of 16 bits is widened.
  const double packedBytes;
};

} // namespace

double predictedCycles(const Schedule &schedule, const Problem &problem, const Machine &machine) {
  return std::visit(Model(problem, machine), schedule);
}

} // namespace heed::tune
