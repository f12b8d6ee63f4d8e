#pragma once
/// \file
/// The graph that the block of a kernel fills.

#include <heed/dsl/tensor.hpp>

#include <initializer_list>

namespace heed {

/// What a kernel's block receives. Arguments of the generated function are the inputs, weights, scalars and
/// states in the order in which they are made, then the outputs.
class graph {
public:
  constexpr graph() = default;
  graph(const graph &) = delete;
  graph &operator=(const graph &) = delete;

  /// An argument of the call, with up to 6 axes: `g.input("x", f32, {batch, queries, 64})`.
  /// Errors: the name is no C identifier or taken; no axes or more than 6; an extent that is not valid.
  constexpr tensor input(const name &name, dtype type, std::initializer_list<extent> extents,
                         location where = {}) {
    return argument(spec::op::input, "input", name, type, extents, where);
  }

  /// An argument that stays the same over many calls. Weights of linear are (out, in). Errors as for input.
  constexpr tensor weight(const name &name, dtype type, std::initializer_list<extent> extents,
                          location where = {}) {
    return argument(spec::op::weight, "weight", name, type, extents, where);
  }

  /// An argument of the call that is one number, a tensor of rank 0: `g.scalar("p", f32)`. Programs read it
  /// as `p()`. Errors: the name, as for input; f16 or bf16.
  constexpr tensor scalar(const name &name, dtype type, location where = {}) {
    if (type == dtype::f16 || type == dtype::bf16)
      build_.fail(where, "scalar: the type is ", type, ", one of b8, i32, i64, f32 and f64 is needed");
    return argument(spec::op::scalar, "scalar", name, type, detail::shape(), where);
  }

  /// An argument that the call changes in place, such as a cache of keys: `g.state("k_cache", f32, {batch,
  /// heads, capacity, 64})`. `append` writes it and gives its new content; nothing else can use it. Errors as
  /// for input.
  constexpr tensor state(const name &name, dtype type, std::initializer_list<extent> extents,
                         location where = {}) {
    ++build_.state_count;
    return argument(spec::op::state, "state", name, type, extents, where);
  }

  /// Makes a tensor a result of the kernel. Errors: the name, as for input; an empty tensor; one of another
  /// graph.
  constexpr void output(const name &name, const tensor &result, location where = {}) {
    if (build_.failed())
      return;
    if (result.owner() == nullptr)
      build_.fail(where, "output: the tensor is empty, one that an operation has made is needed");
    else if (result.owner() != &build_)
      build_.fail(where,
                  "output: the tensor belongs to another graph, one of the graph of the kernel is needed");
    else if (!build_.is_free_state(result.node(), where) &&
             build_.add_argument(name, static_cast<std::int16_t>(build_.outputs.size()), true, "output",
                                 where))
      build_.outputs.push_back({nullptr, result.node(), build_.line_of(where)});
  }

  /// The tables; for the DSL's own headers.
  constexpr detail::builder &build() { return build_; }

private:
  constexpr tensor argument(spec::op kind, const char *word, const name &name, dtype type,
                            std::initializer_list<extent> extents, location where) {
    if (build_.failed())
      return {};
    return argument(kind, word, name, type, build_.shape_of(extents, word, where), where);
  }

  constexpr tensor argument(spec::op kind, const char *word, const name &name, dtype type,
                            const detail::shape &shape, location where) {
    if (build_.failed() ||
        !build_.add_argument(name, static_cast<std::int16_t>(build_.nodes.size()), false, word, where))
      return {};
    return detail::make(&build_, kind, type, shape, {}, where);
  }

  detail::builder build_;
};

} // namespace heed
