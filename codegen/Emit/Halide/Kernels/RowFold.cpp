#include "RowFold.h"

#include "Numerics.h"

using namespace Halide;

namespace heed::kernels {

namespace {

/// Enough to hide the latency of an addition, few enough that short rows fill them.
constexpr int vectorsPerBlock = 4;

Values valuesAt(const Func &f, const Expr &lane, const Expr &row) {
  if (f.outputs() == 1)
    return {f(lane, row)};
  Values values;
  for (int n = 0; n < f.outputs(); ++n)
    values.push_back(f(lane, row)[n]);
  return values;
}

void define(Func &f, const Expr &lane, const Expr &row, const Values &values) {
  if (values.size() == 1)
    f(lane, row) = values.front();
  else
    f(lane, row) = Tuple(values);
}

} // namespace

Fold sumOf(std::string name, const std::vector<Type> &types, std::function<Values(const Expr &)> term) {
  Values zeros;
  for (const Type &type : types)
    zeros.push_back(Internal::make_zero(type));
  return {std::move(name), zeros, std::move(term), [](const Values &a, const Values &b) {
            Values sums;
            for (size_t n = 0; n < a.size(); ++n)
              sums.push_back(a[n] + b[n]);
            return sums;
          }};
}

RowFold::RowFold(const Fold &fold, const Var &row, const Expr &count, int lanes)
    : lanes(lanes), partial(fold.name + "_lanes") {
  const int width = lanes * vectorsPerBlock;
  const Expr whole = count / width * width;
  const RDom blocks(0, count / width, fold.name + "_block");
  RDom rest(0, min(count - whole, 1), fold.name + "_rest");
  rest.where(whole + lane < count);
  block = blocks.x;
  auto partials = [&] { return valuesAt(partial, lane, row); };
  define(partial, lane, row, fold.identity);
  define(partial, lane, row, fold.combine(partials(), fold.term(blocks * width + lane)));
  define(partial, lane, row, fold.combine(partials(), fold.term(rest + whole + lane)));
  Func from = partial;
  for (int half = width / 2; half > 0; half /= 2) {
    Func to(fold.name + "_" + std::to_string(half));
    define(to, lane, row, fold.combine(valuesAt(from, lane, row), valuesAt(from, lane + half, row)));
    halves.push_back(to);
    from = to;
  }
}

Values RowFold::operator()(const Expr &row) const { return valuesAt(halves.back(), 0, row); }

void RowFold::schedule(const LoopLevel &level) {
  const int width = lanes * vectorsPerBlock;
  partial.compute_at(level).bound(lane, 0, width).vectorize(lane, lanes).unroll(lane);
  partial.update(0).reorder(lane, block).vectorize(lane, lanes).unroll(lane);
  partial.update(1).vectorize(lane, lanes).unroll(lane);
  int half = width;
  for (Func &to : halves) {
    half /= 2;
    to.compute_at(level).bound(lane, 0, half);
    if (half > lanes)
      to.vectorize(lane, lanes).unroll(lane);
    else if (half > 1)
      to.vectorize(lane, half);
  }
}

} // namespace heed::kernels
