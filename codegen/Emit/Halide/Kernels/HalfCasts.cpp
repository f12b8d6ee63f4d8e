#include "HalfCasts.h"

#include <algorithm>
#include <functional>

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

/// An integer with the bits of a float.
Expr bitsOf(const Expr &x) { return reinterpret(x.type().with_code(Type::UInt), x); }

Expr constant(const Expr &like, uint64_t bits) { return make_const(like.type(), bits); }

/// Computes x once for all its uses in a formula.
Expr withValue(const Expr &x, const std::function<Expr(const Expr &)> &formula) {
  const std::string name = unique_name("half");
  return Let::make(name, x, formula(Variable::make(x.type(), name)));
}

Expr isAbove(const Expr &a, uint64_t bits) { return a > constant(a, bits); }
Expr isBelow(const Expr &a, uint64_t bits) { return a < constant(a, bits); }

/// Adds the lowest bits to halfway, so that what is shifted out rounds to the nearest, ties to even.
Expr roundedShift(const Expr &bits, int shift) {
  const Expr isOdd = (bits >> constant(bits, shift)) & constant(bits, 1);
  return (bits + constant(bits, (1u << (shift - 1)) - 1) + isOdd) >> constant(bits, shift);
}

/// The bits of a bf16 from those of an f32.
Expr bf16OfF32(const Expr &bits) {
  const Expr magnitude = bits & constant(bits, 0x7fffffff);
  const Expr quiet = (bits >> constant(bits, 16)) | constant(bits, 0x40);
  return select(isAbove(magnitude, 0x7f800000), quiet, roundedShift(bits, 16));
}

/// The bits of an f32 from those of an f16, zero-extended. The exponent moves from bias 15 to 127. A
/// subnormal is a normal f32: with an exponent bit more the subtraction of that bit's value normalizes it.
Expr f32OfF16(const Expr &bits) {
  const Expr magnitude = (bits & constant(bits, 0x7fff)) << constant(bits, 13);
  const Expr normal = magnitude + constant(bits, uint32_t(127 - 15) << 23);
  const Expr special = normal + constant(bits, uint32_t(128 - 16) << 23);
  const Type f32 = Float(32, bits.type().lanes());
  const Expr raised = reinterpret(f32, normal + constant(bits, 1u << 23));
  const Expr least = reinterpret(f32, constant(bits, 113u << 23));
  const Expr subnormal = bitsOf(strict_float(raised - least));
  const Expr sign = (bits & constant(bits, 0x8000)) << constant(bits, 16);
  return sign | select(isBelow(magnitude, 1u << 23), subnormal,
                       select(isBelow(magnitude, 0x7c00u << 13), normal, special));
}

/// The bits of an f16 from those of an f32. Where the result is subnormal, adding 1/2 moves the bits to keep
/// to the end of the mantissa, and rounds.
Expr f16OfF32(const Expr &bits) {
  const Expr sign = bits & constant(bits, 0x80000000);
  const Type f32 = Float(32, bits.type().lanes());
  return ((sign >> constant(bits, 16)) | withValue(bits ^ sign, [&](const Expr &magnitude) {
            const Expr nan =
                constant(bits, 0x7e00) | ((magnitude >> constant(bits, 13)) & constant(bits, 0x3ff));
            const Expr half = constant(bits, 126u << 23);
            const Expr subnormal =
                bitsOf(strict_float(reinterpret(f32, magnitude) + reinterpret(f32, half))) - half;
            const Expr normal = roundedShift(magnitude - constant(bits, uint32_t(127 - 15) << 23), 13);
            const Expr large = select(isAbove(magnitude, 255u << 23), nan, constant(bits, 0x7c00));
            return select(isBelow(magnitude, 113u << 23), subnormal,
                          select(isBelow(magnitude, (127u + 16) << 23), normal, large));
          }));
}

/// An f32 of an f64, towards zero, with the last bit 1 if it is not exact: rounding it further gives what
/// rounding the f64 would, since an f32 has more than two bits more than a half.
Expr roundedToOdd(const Expr &x) {
  const Type f32 = Float(32, x.type().lanes());
  return withValue(bitsOf(cast(f32, x)), [&](const Expr &nearest) {
    const auto magnitudeOfBits = [&](const Expr &bits) {
      return bitsOf(cast(x.type(), reinterpret(f32, bits))) &
             make_const(UInt(64, x.type().lanes()), INT64_MAX);
    };
    const Expr exact = bitsOf(x) & make_const(UInt(64, x.type().lanes()), INT64_MAX);
    return withValue(exact, [&](const Expr &right) {
      const Expr tooLarge = magnitudeOfBits(nearest) > right;
      return withValue(
          nearest - select(tooLarge, constant(nearest, 1), constant(nearest, 0)), [&](const Expr &truncated) {
            const Expr isExact = magnitudeOfBits(truncated) == right;
            return reinterpret(f32, truncated | select(isExact, constant(nearest, 0), constant(nearest, 1)));
          });
    });
  });
}

/// An integer as f64, so that rounding it further rounds once: what lies beyond 53 bits becomes one odd bit.
Expr doubleOfInteger(const Expr &x) {
  const Type type = x.type(), f64 = Float(64, type.lanes());
  if (type.bits() < 64)
    return cast(f64, x);
  return withValue(x, [&](const Expr &value) {
    const Expr low = value & make_const(type, 1023), zero = make_zero(type);
    const Expr odd = (value - low) | select(low == zero, zero, make_const(type, 1024));
    const Expr limit = make_const(type, int64_t(1) << 53);
    return cast(f64, select(value < limit && value > -limit, value, odd));
  });
}

Expr widenedCast(const Expr &half) { return Cast::make(Float(32, half.type().lanes()), half); }

/// The minimum or maximum of two halves as that of two f32.
Expr extremeOfWidened(const Expr &e) {
  if (const Min *min = e.as<Min>())
    return Min::make(widenedCast(min->a), widenedCast(min->b));
  if (const Max *max = e.as<Max>())
    return Max::make(widenedCast(max->a), widenedCast(max->b));
  return {};
}

} // namespace

bool isHalf(const Type &type) { return type.is_float() && type.bits() == 16; }

Expr LowerHalfCasts::widened(const Expr &half) const {
  const Type f32 = Float(32, half.type().lanes());
  if (!half.type().is_bfloat() && convertsF16)
    return Cast::make(f32, half);
  const Expr bits = cast(UInt(32, f32.lanes()), bitsOf(half));
  if (half.type().is_bfloat())
    return reinterpret(f32, bits << constant(bits, 16));
  return reinterpret(f32, withValue(bits, f32OfF16));
}

Expr LowerHalfCasts::narrowed(const Type &half, const Expr &value) const {
  if (!half.is_bfloat() && convertsF16)
    return Cast::make(half, value);
  const Expr bits = withValue(bitsOf(value), half.is_bfloat() ? bf16OfF32 : f16OfF32);
  return reinterpret(half, cast(UInt(16, half.lanes()), bits));
}

Expr LowerHalfCasts::visit(const Cast *op) {
  if (isHalf(op->value.type()))
    if (const Expr extreme = extremeOfWidened(op->value); extreme.defined())
      return mutate(Cast::make(op->type, extreme));
  const Expr value = mutate(op->value);
  const Type from = value.type(), to = op->type, f32 = Float(32, to.lanes());
  if (isHalf(from))
    return to == f32 ? widened(value) : visit(Cast::make(to, widened(value)).as<Cast>());
  if (!isHalf(to))
    return Cast::make(to, value);
  if (from == f32)
    return narrowed(to, value);
  if (from.bits() == 64 && from.is_float())
    return withValue(value, [&](const Expr &x) { return narrowed(to, roundedToOdd(x)); });
  if (from.bits() < 32)
    return narrowed(to, cast(f32, value));
  return mutate(Cast::make(to, doubleOfInteger(value)));
}

Expr LowerHalfCasts::visit(const Call *op) {
  const bool ofHalves =
      std::any_of(op->args.begin(), op->args.end(), [](const Expr &e) { return isHalf(e.type()); });
  if (ofHalves && op->is_intrinsic())
    if (const Expr arithmetic = lower_intrinsic(op); arithmetic.defined())
      return mutate(arithmetic);
  return IRMutator::visit(op);
}

Expr LowerHalfCasts::visit(const Min *op) {
  return isHalf(op->type) ? mutate(Cast::make(op->type, extremeOfWidened(op))) : IRMutator::visit(op);
}

Expr LowerHalfCasts::visit(const Max *op) {
  return isHalf(op->type) ? mutate(Cast::make(op->type, extremeOfWidened(op))) : IRMutator::visit(op);
}

Expr LowerHalfCasts::visit(const VectorReduce *op) {
  const Mul *product = op->op == VectorReduce::Add ? op->value.as<Mul>() : nullptr;
  const int lanes = op->value.type().lanes();
  if (!dotsBf16 || !product || op->type.element_of() != Float(32) || lanes / op->type.lanes() % 2 != 0)
    return IRMutator::visit(op);
  const Type bf16 = BFloat(16, lanes), f32 = Float(32, lanes);
  const Expr a = lossless_cast(bf16, product->a), b = lossless_cast(bf16, product->b);
  if (!a.defined() || !b.defined())
    return IRMutator::visit(op);
  return VectorReduce::make(op->op, Mul::make(Cast::make(f32, mutate(a)), Cast::make(f32, mutate(b))),
                            op->type.lanes());
}

} // namespace heed::kernels
