#pragma once
/// \file
/// Evaluates graphs on small sizes in double precision, so that tests compare what a spec means with an
/// independent formula. It has the operations that the DSL's own blocks, masks and score functions use.

#include <heed/dsl.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heed::testing {

/// A dense tensor; truth is 0 and 1.
struct array {
  std::vector<std::int64_t> shape;
  std::vector<double> elements;

  array() = default;
  explicit array(std::vector<std::int64_t> extents, double fill = 0);
  double &at(const std::vector<std::int64_t> &position);
  double at(const std::vector<std::int64_t> &position) const;
};

/// Calls `visit` with every position of a shape, in row-major order.
void for_each_position(const std::vector<std::int64_t> &shape,
                       const std::function<void(const std::vector<std::int64_t> &)> &visit);

/// An array of the shape with elements made from their positions, or from the range -1 to 1 by a fixed
/// sequence.
array filled(std::vector<std::int64_t> shape,
             const std::function<double(const std::vector<std::int64_t> &)> &element);
array mixed(std::vector<std::int64_t> shape, unsigned seed);

/// The output `name` of the kernel, or what it leaves in the state `name`, for these arguments; extents by
/// name have these sizes.
array evaluate(const spec::graph &kernel, const std::map<std::string, array> &arguments,
               const std::map<std::string, std::int64_t> &sizes, const std::string &name = "y");

} // namespace heed::testing
