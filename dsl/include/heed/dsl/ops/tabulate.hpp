#pragma once
/// \file
/// tabulate(g, type, {extents}, make): a tensor whose elements are a formula of their position.

#include <heed/dsl/graph.hpp>
#include <heed/dsl/program_node.hpp>

#include <initializer_list>
#include <type_traits>
#include <utility>

namespace heed {
namespace detail {

template <std::size_t> using index_at = index;

template <class function, std::size_t... axes> constexpr bool makes_element(std::index_sequence<axes...>) {
  if constexpr (std::is_invocable_v<const function &, index_at<axes>...>)
    return std::is_convertible_v<std::invoke_result_t<const function &, index_at<axes>...>, scalar_operand>;
  return false;
}

template <class function, std::size_t... axes>
constexpr scalar element_made(builder *owner, const function &make, std::index_sequence<axes...>,
                              location where) {
  const index at[] = {position(owner, axes, where)...};
  return materialize(owner, make(at[axes]...), "tabulate");
}

/// Calls `make` with as many positions as the open program has axes; `rank` counts up to that.
template <int rank, class function>
constexpr scalar element_of(builder *owner, const function &make, location where) {
  if (owner->program.result.rank == rank)
    if constexpr (makes_element<function>(std::make_index_sequence<rank>()))
      return element_made(owner, make, std::make_index_sequence<rank>(), where);
  if constexpr (rank < spec::max_rank)
    return element_of<rank + 1>(owner, make, where);
  owner->fail(where, "tabulate: the shape is ", owner->program.result,
              ", a function that takes one index for each of its axes and returns a scalar is needed");
  return {};
}

/// tabulate for functions that have a tensor's builder and no graph; `shape` has one to six axes.
template <class function>
constexpr tensor tabulate(builder *owner, dtype type, const shape &shape, const function &make,
                          location where) {
  if (owner->failed() || open(owner, "tabulate", shape, where) == nullptr)
    return {};
  scalar made = element_of<1>(owner, make, where);
  if (owner->failed())
    return {};
  const scalar_type needed = element_type(type);
  if (needed == scalar_type::real && made.type() == scalar_type::integer)
    made = made + 0.0;
  if (!owner->failed() && made.type() != needed)
    owner->fail(where, "tabulate: the function returns ", scalar_type_name(made.type()),
                " for elements of type ", type, ", ", scalar_type_name(needed), " is needed");
  return owner->failed() ? tensor() : close(owner, spec::op::tabulate, type, made, where);
}

} // namespace detail

/// y[i, j, …] = make(i, j, …), of one to six axes; integers become reals where the type is floating.
/// `make` is a lambda over one `index` for each axis; it may use numbers, extents and elements of other
/// tensors, see program.hpp: tabulate(g, f32, {batch, 2 * n}, [&](index b, index i) { return x(b, i / 2); }).
/// Errors: no axes or more than six; an extent that is not valid; a function of another number of indices; a
/// result of another kind than the type.
template <class function>
constexpr tensor tabulate(graph &g, dtype type, std::initializer_list<extent> extents, const function &make,
                          location where = {}) {
  detail::builder &owner = g.build();
  if (owner.failed())
    return {};
  const detail::shape shape = owner.shape_of(extents, "tabulate", where);
  return owner.failed() ? tensor() : detail::tabulate(&owner, type, shape, make, where);
}

} // namespace heed
