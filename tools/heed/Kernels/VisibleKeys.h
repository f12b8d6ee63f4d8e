//===- VisibleKeys.h - What the masks of an attention let through -*- C++ -*-===//
///
/// \file
/// Evaluates the masks of an attention for given sizes and inputs, a row of keys at a time: to count visible
/// pairs, to explain which tiles are skipped, and to draw masks.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TOOLS_VISIBLEKEYS_H
#define HEED_TOOLS_VISIBLEKEYS_H

#include "Arrays/HostTensor.h"
#include "Kernels/Scores.h"

#include <map>
#include <optional>
#include <set>

namespace heed::tools {

/// Arguments by node.
using Inputs = std::map<int, HostTensor>;

class VisibleKeys {
public:
  /// Nothing when a mask needs an argument that isn't among `inputs`. All extents must have values. Whatever
  /// the masks read that isn't an argument is computed by the evaluator.
  static std::optional<VisibleKeys> of(const spec::graph &kernel, const ScoreChain &chain,
                                       const reference::SymbolValues &values, const Inputs &inputs);

  /// (b, h, q, k)
  const Shape &shape() const { return extents; }

  /// Whether visibility differs along an axis of shape().
  bool dependsOn(int axis) const;

  /// One byte per key, 1 where it is visible from (b, h, q); valid until the next call.
  const std::vector<std::uint8_t> &row(std::int64_t b, std::int64_t h, std::int64_t q);

  /// Visible pairs over all of shape(); takes time for each row that may differ.
  double count();

private:
  struct Table {
    Shape shape;
    std::vector<double> elements;
  };
  struct Condition {
    Shape strides; ///< along shape()
    const Table *table;
    bool visibleWhen;
  };

  VisibleKeys(const spec::graph &kernel, const ScoreChain &chain, const reference::SymbolValues &values);

  bool loadTables(const ScoreChain &chain, const Inputs &inputs);
  void need(int mask, int instruction);
  void evaluate(int i, double b, double h, double q, std::int64_t keys);
  void arithmetic(int i, std::int64_t keys);
  void element(int i, std::int64_t keys);
  template <typename F> void map(int i, std::int64_t keys, F function);
  template <typename F> void unary(int i, std::int64_t keys, F function);
  template <typename F> void binary(int i, std::int64_t keys, F function);

  const spec::graph &kernel;
  reference::SymbolValues values;
  Shape extents;
  std::vector<int> masks;
  std::vector<Condition> conditions;
  std::map<int, Table> tables;           ///< by node
  std::map<int, int> masksOf;            ///< an instruction's mask node
  std::set<int> needed;                  ///< ascending: operands come before users
  std::vector<std::vector<double>> rows; ///< by instruction; integers are exact below 2^53
  std::vector<std::uint8_t> visible;
};

} // namespace heed::tools

#endif // HEED_TOOLS_VISIBLEKEYS_H
