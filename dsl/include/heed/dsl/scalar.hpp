#pragma once
/// \file
/// Scalars of programs (mask, score_mod, tabulate): handles whose operators write instructions.

#include <heed/dsl/builder.hpp>

#include <cstdint>
#include <type_traits>

namespace heed {

/// One scalar of a program: an index, a score, an element of a captured tensor, or what operators made of
/// them. Its type is integer (64 bits), real or truth. Integers divide towards minus infinity, so -1 / 2 is
/// -1 and -1 % 8 is 7; with one real operand the result is real. Numbers and extents may stand beside
/// scalars.
class scalar {
public:
  constexpr scalar() = default;
  constexpr scalar(detail::builder *owner, std::int16_t id) : owner_(id < 0 ? nullptr : owner), id_(id) {}

  constexpr detail::builder *owner() const { return owner_; }
  constexpr std::int16_t id() const { return id_; }
  constexpr spec::scalar_type type() const { return owner_->instructions[id_].type; }

private:
  detail::builder *owner_ = nullptr;
  std::int16_t id_ = -1;
};

/// Position along an axis of the result: b, h, q and k of a mask's parameters. An integer.
class index : public scalar {
public:
  constexpr index() = default;
  constexpr index(const scalar &from, location where = {});
};

/// A score or what is made of scores and indices. A number.
class value : public scalar {
public:
  constexpr value() = default;
  constexpr value(const scalar &from, location where = {});
};

/// A truth value: what comparisons make and a mask returns.
class condition : public scalar {
public:
  constexpr condition() = default;
  constexpr condition(const scalar &from, location where = {});
};

/// What an operator of scalars takes: a scalar, number, truth value or extent, and the line where it was
/// written.
struct scalar_operand {
  enum class kind : unsigned char { absent, scalar, number, extent };

  kind is = kind::absent;
  scalar from;
  spec::scalar_type type = spec::scalar_type::integer;
  double number = 0;
  extent size = 1;
  location where;

  constexpr scalar_operand() : where(nullptr, 0) {}
  constexpr scalar_operand(const scalar &of, location at = {}) : is(kind::scalar), from(of), where(at) {}
  constexpr scalar_operand(const extent &of, location at = {}) : is(kind::extent), size(of), where(at) {}
  template <class arithmetic>
    requires std::is_arithmetic_v<arithmetic>
  constexpr scalar_operand(arithmetic of, location at = {})
      : is(kind::number), type(std::is_floating_point_v<arithmetic> ? spec::scalar_type::real
                               : std::is_same_v<arithmetic, bool>   ? spec::scalar_type::truth
                                                                    : spec::scalar_type::integer),
        number(static_cast<double>(of)), where(at) {}
};

namespace detail {

using spec::scalar_op;
using spec::scalar_type;

constexpr const char *scalar_type_name(scalar_type type) {
  constexpr const char *names[] = {"an integer", "a real number", "a condition"};
  return names[static_cast<int>(type)];
}

constexpr scalar add_instruction(builder *owner, const spec::instruction &made, location where) {
  if (owner->instructions.size() == max_instructions) {
    owner->fail(where, "graph: its programs have more than ", max_instructions,
                " instructions; split the block into several kernels");
    return {};
  }
  owner->instructions.push_back(made);
  return {owner, static_cast<std::int16_t>(owner->instructions.size() - 1)};
}

/// The scalar of an operand in the program that `owner` has open; an empty one after a fault.
constexpr scalar materialize(builder *owner, const scalar_operand &operand, const char *word) {
  if (operand.is == scalar_operand::kind::scalar) {
    if (operand.from.owner() == nullptr)
      owner->fail(
          operand.where, word,
          ": an operand is made of extents and numbers alone, an index or a score is needed in it; start "
          "from the index, as in q + keys - queries");
    else if (operand.from.owner() != owner || owner->program.word == nullptr ||
             operand.from.id() < owner->program.first)
      owner->fail(operand.where, word,
                  ": an operand belongs to another program, the parameters of this one are needed");
    return owner->failed() ? scalar() : operand.from;
  }
  spec::instruction made;
  made.type = operand.type;
  if (operand.is == scalar_operand::kind::extent) {
    made.kind = scalar_op::extent;
    made.reference = owner->intern(operand.size, word, operand.where);
    if (made.reference < 0)
      return {};
  } else {
    made.kind = scalar_op::number;
    made.number = operand.number;
  }
  return add_instruction(owner, made, operand.where);
}

/// Which operands an instruction takes and what it makes of them.
enum class scalar_rule : unsigned char {
  number,     ///< integers or reals; one real makes it real
  integer,    ///< integers
  real,       ///< integers or reals; real
  comparison, ///< integers or reals; truth
  logical,    ///< truth; truth
};

/// One instruction over up to two operands.
constexpr scalar apply(scalar_op kind, scalar_rule rule, const char *word, const scalar_operand &left,
                       const scalar_operand *right = nullptr) {
  builder *owner = left.from.owner();
  if (owner == nullptr && right != nullptr)
    owner = right->from.owner();
  if (owner == nullptr || owner->failed())
    return {};
  const scalar operands[] = {materialize(owner, left, word),
                             right != nullptr ? materialize(owner, *right, word) : scalar()};
  spec::instruction made;
  made.kind = kind;
  made.operand_count = right != nullptr ? 2 : 1;
  bool any_real = false;
  for (int i = 0; i < made.operand_count && !owner->failed(); ++i) {
    const scalar_type type = operands[i].type();
    const bool fits = rule == scalar_rule::logical   ? type == scalar_type::truth
                      : rule == scalar_rule::integer ? type == scalar_type::integer
                                                     : type != scalar_type::truth;
    if (!fits)
      owner->fail(left.where, word, ": an operand is ", scalar_type_name(type), ", ",
                  rule == scalar_rule::logical   ? "a condition is needed; compare it with a number"
                  : rule == scalar_rule::integer ? "an integer is needed"
                                                 : "a number is needed; write select(condition, a, b)");
    any_real |= type == scalar_type::real;
    made.operands[i] = operands[i].id();
  }
  if (owner->failed())
    return {};
  made.type = rule == scalar_rule::comparison || rule == scalar_rule::logical ? scalar_type::truth
              : rule == scalar_rule::real || any_real                         ? scalar_type::real
                                                                              : scalar_type::integer;
  return add_instruction(owner, made, left.where);
}

constexpr void require_type(const scalar &from, scalar_type type, const char *word, location where) {
  if (from.owner() != nullptr && from.type() != type)
    from.owner()->fail(where, word, ": the scalar is ", scalar_type_name(from.type()), ", ",
                       scalar_type_name(type), " is needed");
}

} // namespace detail

constexpr index::index(const scalar &from, location where) : scalar(from) {
  detail::require_type(from, spec::scalar_type::integer, "index", where);
}

constexpr value::value(const scalar &from, location where) : scalar(from) {
  if (from.owner() != nullptr && from.type() == spec::scalar_type::truth)
    from.owner()->fail(where,
                       "value: the scalar is a condition, a number is needed; write select(condition, a, b)");
}

constexpr condition::condition(const scalar &from, location where) : scalar(from) {
  detail::require_type(from, spec::scalar_type::truth, "condition", where);
}

} // namespace heed
