#pragma once
/// \file
/// The parts of a transformer's layer as formulas on arrays (batch, tokens, width), written without the DSL.

#include "../evaluate.hpp"

namespace heed::testing::formulas {

using arguments = std::map<std::string, array>;

/// Values for every argument of a kernel that has none yet: mixed ones, small for weights.
arguments completed(const spec::graph &kernel, arguments given,
                    const std::map<std::string, std::int64_t> &sizes);

/// x · wᵀ + b; no bias when there is none of the name.
array linear(const array &x, const arguments &with, const std::string &weight, const std::string &bias);

/// PREFIX_w_q … PREFIX_b_o; `visible` may be empty.
array multi_head(const array &queries, const array &context, const arguments &with, const std::string &prefix,
                 std::int64_t heads, std::int64_t key_heads,
                 const std::function<bool(std::int64_t b, std::int64_t q, std::int64_t k)> &visible);

array layer_norm(const array &x, const arguments &with, const std::string &prefix);
array rms_norm(const array &x, const arguments &with, const std::string &prefix);
array add(const array &a, const array &b);
array mapped(const array &x, double (*function)(double));
array product(const array &a, const array &b);

double largest_difference(const array &a, const array &b);

} // namespace heed::testing::formulas
