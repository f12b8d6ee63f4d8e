//===- CostModel.h - What a schedule should cost ----------------*- C++ -*-===//
///
/// \file
/// An estimate in cycles of one core, only good enough to say which candidates are worth a measurement first.
///
/// A register tile of V vectors times C columns does V·C multiply-adds per step of its loop, or as many dot
/// products of two pairs of bf16, which halve the number of steps, for V loads of vectors and C broadcasts.
/// With two of either per cycle a step takes
///
///   max(V·C, V + C, 8) / 2 + 2 · max(0, V·C + V + 1 − registers)
///
/// cycles: 8 sums hide the latency of two units, and every value that has no register is stored and loaded.
/// A step is no faster than its V vectors come from the cache that holds the tile's operand (rows of the tile
/// × chunk): 128 bytes per cycle from the first, 48 from the second, 16 from beyond.
///
///   attention   score steps · V × key_tile + value steps · V × value_tile + 12 per vector of weights
///               + per chunk what it costs to rescale and add its outputs
///   linear      steps · V × column_tile + partial sums per depth chunk + packing rows per column block
///               (few rows: at least the time to read the weights)
///   others      elements, slower where a tile leaves the first cache
///
/// Rows are rounded up to whole register tiles per block and columns to the tile, as the kernels do, so that
/// waste in the last block counts. Every tile adds its start. The sum is multiplied by the imbalance
/// ⌈tiles / threads⌉ · threads / tiles.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TUNE_COSTMODEL_H
#define HEED_CODEGEN_TUNE_COSTMODEL_H

#include "Tune/Problem.h"

namespace heed::tune {

double predictedCycles(const Schedule &schedule, const Problem &problem, const Machine &machine);

} // namespace heed::tune

#endif // HEED_CODEGEN_TUNE_COSTMODEL_H
