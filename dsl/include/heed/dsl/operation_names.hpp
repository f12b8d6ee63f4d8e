#pragma once
/// \file
/// The operations of a graph by name, as the dialect and every printed form call them.

#include <heed/dsl/graph_data.hpp>

namespace heed::spec {

/// In the order of heed::spec::op.
inline constexpr const char *operation_names[] = {"input",
                                                  "weight",
                                                  "scalar",
                                                  "state",
                                                  "constant",
                                                  "linear",
                                                  "matmul",
                                                  "transpose",
                                                  "split_heads",
                                                  "merge_heads",
                                                  "permute",
                                                  "append_axis",
                                                  "drop_axis",
                                                  "slice",
                                                  "repeat_heads",
                                                  "add",
                                                  "subtract",
                                                  "multiply",
                                                  "divide",
                                                  "minimum",
                                                  "maximum",
                                                  "negate",
                                                  "absolute",
                                                  "square_root",
                                                  "exponential",
                                                  "logarithm",
                                                  "hyperbolic_tangent",
                                                  "error_function",
                                                  "logistic",
                                                  "less",
                                                  "less_equal",
                                                  "greater",
                                                  "greater_equal",
                                                  "equal",
                                                  "not_equal",
                                                  "logical_and",
                                                  "logical_or",
                                                  "logical_not",
                                                  "where",
                                                  "softmax",
                                                  "log_sum_exp",
                                                  "sum",
                                                  "amax",
                                                  "argmax",
                                                  "layer_norm",
                                                  "rms_norm",
                                                  "dropout",
                                                  "mask",
                                                  "score_mod",
                                                  "tabulate",
                                                  "append",
                                                  "convert"};
static_assert(sizeof operation_names / sizeof *operation_names == static_cast<int>(op::convert) + 1);

} // namespace heed::spec
