//===- Number.h - Double-precision numbers with an error bound --*- C++ -*-===//
///
/// \file
/// Arithmetic of the reference evaluator. Beside its value in double precision a number carries a bound on
/// how far an evaluation in the kernel's own precision may lie from it (running error analysis, Higham,
/// "Accuracy and Stability of Numerical Algorithms", section 3.3). `heed verify` compares with that bound, so
/// that no tolerance has to be guessed: it follows from the inputs, the sizes and the unit roundoff u of the
/// element type.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_REFERENCE_NUMBER_H
#define HEED_CODEGEN_REFERENCE_NUMBER_H

#include "heed/dsl/graph_data.hpp"

namespace heed::reference {

struct Number {
  double value = 0;
  /// |result of the kernel - value| <= bound, up to second order in u. Infinite where rounding decides
  /// between results of any distance: then nothing is known about the result.
  double bound = 0;
  /// A hidden key: a score of -infinity by the spec's word, or a weight of 0. Whatever such a score is added
  /// to or a weight is multiplied with, NaN included, the key stays hidden and never enters a result.
  bool absent = false;
};

/// The score of a hidden key.
Number hiddenScore();

/// Whether a score of -infinity is certain.
bool isHidden(Number score);

/// A kernel may flush results below the smallest normal float to zero.
inline constexpr double underflow = 1.2e-38;

/// Largest relative error of one rounding to the type; 0 for b8 and integers, which are exact.
double unitRoundoff(spec::dtype type);

/// Error growth of a sum of n terms in any order, in units of u·Σ|terms|. The worst case is n. Rounding
/// errors are as good as independent, so beyond a few terms 4·√n holds except with negligible probability
/// (Higham and Mary, "A New Approach to Probabilistic Rounding Error Analysis", 2019).
double sumGrowth(double n);

/// The product of two bounds or magnitudes, where 0·inf is 0: an exact zero stays exact, as does NaN.
double boundProduct(double a, double b);

Number rounded(double value, double bound, double u);

/// A constant of the spec as the kernel holds it; exact where a float can hold it. -infinity hides.
Number constant(double value, double u);

Number add(Number a, Number b, double u);
Number subtract(Number a, Number b, double u);
Number multiply(Number a, Number b, double u);
Number divide(Number a, Number b, double u);
/// NaN in either operand gives NaN.
Number minimum(Number a, Number b);
Number maximum(Number a, Number b);
Number negate(Number a);
Number absolute(Number a);
Number squareRoot(Number a, double u);
Number exponential(Number a, double u);
Number logarithm(Number a, double u);
Number sine(Number a, double u);
Number cosine(Number a, double u);
Number hyperbolicTangent(Number a, double u);
Number errorFunction(Number a, double u);
Number logistic(Number a, double u);

/// `then` or `otherwise` by a condition of which nothing is known when it is `uncertain`.
Number chosen(bool condition, bool uncertain, Number then, Number otherwise);

/// Integer division towards minus infinity and the remainder that goes with it, whose sign is the divisor's.
/// Both are 0 for a divisor of 0.
std::int64_t floorDivide(std::int64_t a, std::int64_t b);
std::int64_t floorRemainder(std::int64_t a, std::int64_t b);

} // namespace heed::reference

#endif // HEED_CODEGEN_REFERENCE_NUMBER_H
