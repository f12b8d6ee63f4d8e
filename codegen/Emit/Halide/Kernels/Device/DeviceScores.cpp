#include "DeviceAttentionOperands.h"
#include "DeviceMath.h"
#include "DeviceProduct.h"
#include "Numerics.h"
#include "Scores.h"

#include <limits>

using namespace Halide;

namespace heed::kernels {

namespace {

class DeviceScores {
public:
  explicit DeviceScores(const AttentionKernel &kernel)
      : in(kernel, /*isMatrix=*/true), largest(in.accumulator, 1, in.gridRank, "largest"),
        sum(in.accumulator, 1, in.gridRank, "sum") {}

  DeviceFunction build(const DeviceTile &tile, const DeviceTarget &target) const;

private:
  HeadPlace headOf(const GridIndices &tile) const {
    return {std::vector<Expr>(tile.begin(), tile.begin() + in.headRank)};
  }
  Expr weight(const Expr &score, const HeadPlace &head, const Expr &row, const Expr &key) const;
  DeviceResult result() const;

  const DeviceAttentionOperands in;
  const DeviceOperand largest, sum;
};

Expr DeviceScores::weight(const Expr &score, const HeadPlace &head, const Expr &row, const Expr &key) const {
  const GridIndices tile = in.tile(head);
  const Expr ofRow = sum({row}, tile), zero = number(in.accumulator, 0);
  const Expr relative = exp2OnDevice(strictDifference(score, largest({row}, tile)) * in.unit);
  // A hidden pair has weight 0 also in a row whose sum is NaN.
  const Expr share = choose(isHidden(score), zero, strict_float(relative / ofRow));
  const Expr empty =
      in.kernel.nanForEmpty ? number(in.accumulator, std::numeric_limits<double>::quiet_NaN()) : zero;
  const Expr weight = choose(strict_float(ofRow == zero), empty, share);
  return in.kernel.program.weigh ? in.weighed(weight, head, row, key) : weight;
}

DeviceResult DeviceScores::result() const {
  return {in.kernel.types.output, 2,
          [](const Expr &key, const Expr &row) { return std::vector<Expr>{key, row}; },
          [this](const Expr &dot, const Expr &key, const Expr &row, const GridIndices &tile) {
            const HeadPlace head = headOf(tile);
            const Expr score = in.score(dot, head, row, key);
            return in.kernel.statistics ? weight(score, head, row, key) : score;
          }};
}

DeviceFunction DeviceScores::build(const DeviceTile &tile, const DeviceTarget &target) const {
  std::vector<bool> walked(in.headRank, true);
  walked.resize(in.gridRank, false);
  const DeviceFactor queries{[this](const Expr &d, const Expr &row, const GridIndices &tile) {
                               return in.query(headOf(tile), d, row);
                             },
                             in.rows};
  const DeviceFactor keys{[this](const Expr &d, const Expr &key, const GridIndices &tile) {
                            return in.key(headOf(tile), d, key);
                          },
                          in.keys};
  const DeviceProduct product =
      multiply({in.accumulator, in.depth, in.kernel.depth, walked}, queries, keys, result(), tile, target);
  DeviceFunction function{in.kernel.name, Pipeline(product.output), {}, {}, {product.sums}};
  in.appendTo(function, {&in.q, &in.k});
  if (in.kernel.statistics) {
    in.append(function, largest);
    in.append(function, sum);
  }
  function.operands.push_back(product.output.name());
  return function;
}

} // namespace

DeviceFunction buildDeviceScores(const AttentionKernel &kernel, const DeviceScoresSchedule &schedule,
                                 const DeviceTarget &target) {
  return DeviceScores(kernel).build(schedule.block, target);
}

} // namespace heed::kernels
