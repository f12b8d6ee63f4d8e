#pragma once
/// \file
/// The formulas evaluated one element at a time in double precision, without heed.

#include "array.hpp"

#include <functional>
#include <limits>

using doubles = std::vector<double>;

doubles widened(const array &a);

/// x (rows, in) · wᵀ + bias with w (out, in); no bias when it is empty.
doubles linear(const doubles &x, const array &w, const array &bias = {});

/// What attention needs beside its operands.
struct attention_form {
  std::int64_t batch, heads, queries, keys;
  std::function<bool(std::int64_t b, std::int64_t q, std::int64_t k)> visible; ///< empty: everything
  double fill = -std::numeric_limits<double>::infinity();                      ///< score of what is hidden
};

/// softmax(q·kᵀ / √depth)·v; q, k, v and the result are (batch, tokens, heads, depth).
doubles attention(const attention_form &form, const doubles &q, const doubles &k, const doubles &v);
