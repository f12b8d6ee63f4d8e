#pragma once
/// \file
/// The same block evaluated naively in double precision, from the formulas and without heed.

#include "array.hpp"

/// Inputs and parameters of one cross-attention block; biases may be empty.
struct block {
  std::int64_t heads;
  array queries, keys, values;          // (b, q, in), (b, k, in), (b, k, in)
  array mask;                           // (b, h, q, k), 0 hides; empty: everything is visible
  array w_query, w_key, w_value, w_out; // (out, in)
  array b_query, b_key, b_value, b_out; // (out)
};

/// Result in double precision: the heads' outputs side by side, and after the last projection, both (b, q,
/// out).
struct block_result {
  std::vector<double> weights; // (b, h, q, k)
  std::vector<double> attended, y;
};

block_result evaluate(const block &b);
