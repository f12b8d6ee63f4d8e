#include "Scalars.h"

#include <cmath>

namespace heed::tests {

/// The position along the table's own axis, or anything else, which is clamped.
scalar ScalarWriter::index(const Table &table, size_t axis) {
  Axis kind = table.axes[axis];
  if (kind != Axis::free && positions.size() == 4 && dice.chance(0.85))
    return at(kind);
  if (kind == Axis::free && positions.size() == 4 && dice.chance(0.5))
    return at(Axis::query) - at(Axis::key) + dice.between(0, 8);
  return integer(1) + 0;
}

std::optional<scalar> ScalarWriter::read(spec::scalar_type type) {
  std::vector<const Table *> fitting;
  for (const Table &table : tables)
    if (detail::element_type(table.elements.type()) == type)
      fitting.push_back(&table);
  if (fitting.empty() || readsAround == 3)
    return std::nullopt;
  const Table &table = *fitting[dice.between(0, int64_t(fitting.size()) - 1)];
  scalar_operand indices[4];
  ++readsAround;
  for (size_t i = 0; i < table.axes.size(); ++i)
    indices[i] = index(table, i);
  --readsAround;
  return table.elements(indices[0], indices[1], indices[2], indices[3]);
}

scalar ScalarWriter::leafInteger() {
  if (dice.chance(0.25))
    if (auto element = read(spec::scalar_type::integer))
      return *element;
  scalar position = positions[dice.between(0, int64_t(positions.size()) - 1)];
  if (positions.size() == 4 && dice.chance(0.6))
    position = at(dice.pick({Axis::query, Axis::key}));
  switch (dice.between(0, 9)) {
  case 0:
    return position - keys;
  case 1:
    return keys - position;
  case 2:
    return position * dice.between(-3, 3);
  default:
    return position;
  }
}

scalar ScalarWriter::integer(int depth) {
  if (depth <= 0)
    return leafInteger();
  scalar a = integer(depth - 1);
  auto b = [&]() -> scalar_operand {
    return dice.chance(0.6) ? scalar_operand(dice.between(-2, 9)) : scalar_operand(integer(depth - 1));
  };
  auto divisor = [&]() -> scalar_operand {
    return dice.chance(0.9) ? scalar_operand(dice.pick({-3, 1, 2, 3, 4, 7, 16})) : b();
  };
  switch (dice.between(0, 10)) {
  case 0:
    return a + b();
  case 1:
    return a - b();
  case 2:
    return a * b();
  case 3:
    return a / divisor();
  case 4:
    return a % divisor();
  case 5:
    return min(a, b());
  case 6:
    return max(a, b());
  case 7:
    return abs(a);
  case 8:
    return -a;
  case 9:
    // Beyond 32 bits.
    return dice.chance(0.1) ? leafInteger() * 1000003 * 10007 % 13 : a + b();
  default:
    return select(truth(depth - 1), a, b());
  }
}

/// Masks that have names.
scalar ScalarWriter::usualMask() {
  scalar q = at(Axis::query), k = at(Axis::key);
  switch (dice.between(0, 8)) {
  case 0:
    return k <= q;
  case 1:
    return k <= q + keys - dice.between(1, 60);
  case 2:
    return q - k < dice.between(0, 40);
  case 3:
    return abs(q - k) <= dice.between(0, 20);
  case 4:
    return k < dice.between(0, 50);
  case 5:
    return (q - k) % dice.between(2, 5) == 0;
  case 6:
    return k / dice.between(1, 20) == q / dice.between(1, 20);
  case 7:
    return k / dice.between(1, 20) <= q / dice.between(1, 20);
  default: {
    // Lengths per batch entry, or anything else that a table of integers holds.
    auto element = read(spec::scalar_type::integer);
    return element ? k < *element : k > q - dice.between(1, 9);
  }
  }
}

scalar ScalarWriter::truth(int depth) {
  if (dice.chance(0.25))
    if (auto element = read(spec::scalar_type::truth))
      return *element;
  if (positions.size() == 4 && dice.chance(depth > 0 ? 0.25 : 0.7))
    return usualMask();
  if (depth <= 0) {
    scalar a = leafInteger();
    scalar_operand b = dice.chance(0.5) ? scalar_operand(dice.between(0, 30)) : scalar_operand(leafInteger());
    switch (dice.between(0, 5)) {
    case 0:
      return a < b;
    case 1:
      return a <= b;
    case 2:
      return a > b;
    case 3:
      return a >= b;
    case 4:
      return a == b;
    default:
      return a != b;
    }
  }
  switch (dice.between(0, 9)) {
  case 0:
  case 1:
  case 2:
    return truth(depth - 1) && truth(depth - 1);
  case 3:
  case 4:
  case 5:
    return truth(depth - 1) || truth(depth - 1);
  case 6:
    return !truth(depth - 1);
  case 7:
    return select(truth(depth - 1), truth(depth - 1), truth(depth - 1));
  case 8:
    return integer(depth) < integer(depth - 1);
  default:
    return real(depth - 1).value > dice.real(-1, 1);
  }
}

Real ScalarWriter::bounded(Real a, double bound) {
  if (a.bound <= bound)
    return a;
  if (dice.chance(0.5))
    return {min(max(a.value, -bound), bound), bound};
  return {tanh(a.value / a.bound) * bound, bound};
}

Real ScalarWriter::leafReal() {
  if (dice.chance(0.5))
    if (auto element = read(spec::scalar_type::real))
      return bounded({*element, 8}, 4);
  if (dice.chance(0.1))
    return {select(truth(0), dice.real(-2, 2), dice.real(-2, 2)), 2};
  scalar clamped = min(max(integer(1), -200), 200);
  double factor = dice.real(-0.05, 0.05);
  return {clamped * factor, 200 * std::fabs(factor) + 0.001};
}

Real ScalarWriter::combined(Real a, Real b) {
  switch (dice.between(0, 6)) {
  case 0:
    return {a.value + b.value, a.bound + b.bound};
  case 1:
    return {a.value - b.value, a.bound + b.bound};
  case 2:
    a = bounded(a, 4), b = bounded(b, 4);
    return {a.value * b.value, a.bound * b.bound};
  case 3:
    return {a.value / (abs(b.value) + 0.5), 2 * a.bound};
  case 4:
    return {min(a.value, b.value), std::max(a.bound, b.bound)};
  case 5:
    return {max(a.value, b.value), std::max(a.bound, b.bound)};
  default:
    return {select(truth(0), a.value, b.value), std::max(a.bound, b.bound)};
  }
}

Real ScalarWriter::function(Real a) {
  switch (dice.between(0, 7)) {
  case 0:
    a = bounded(a, 1.5);
    return {exp(a.value), std::exp(a.bound)};
  case 1:
    return {log(abs(a.value) + 0.5), std::log(a.bound + 0.5) + 1};
  case 2:
    return {sin(a.value), 1};
  case 3:
    return {cos(a.value), 1};
  case 4:
    return {tanh(a.value), 1};
  case 5:
    return {sigmoid(a.value), 1};
  case 6:
    return {abs(a.value), a.bound};
  default:
    return {-a.value, a.bound};
  }
}

Real ScalarWriter::real(int depth) {
  if (depth <= 0)
    return leafReal();
  Real a = real(depth - 1);
  return bounded(dice.chance(0.5) ? combined(a, real(dice.chance(0.5) ? depth - 1 : 0)) : function(a), 10);
}

scalar ScalarWriter::score(const scalar &old, bool hidden) {
  // These keep a score of -infinity where it is.
  int64_t form = dice.between(0, hidden && dice.chance(0.75) ? 3 : 11);
  switch (form) {
  case 0:
    return old + real(2).value;
  case 1:
    return old - real(1).value;
  case 2:
    return old * dice.real(0.2, 1.5);
  case 3:
    return select(truth(1), old, dice.chance(0.5) ? -infinity : -1e9);
  case 4: {
    double cap = dice.real(0.5, 5);
    return cap * tanh(old / cap);
  }
  case 5:
    return old * bounded(real(1), 2).value;
  case 6:
    return max(old, dice.real(-2, 0));
  case 7:
    return sin(old) + real(0).value;
  case 8:
    return select(truth(1), old + real(0).value, old * 0.5);
  case 9:
    return log(sigmoid(old) + 0.01);
  case 10:
    return select(old > dice.real(-1, 1), old, -infinity);
  default:
    return -abs(old - real(0).value);
  }
}

} // namespace heed::tests
