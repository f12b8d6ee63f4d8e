/// \file
/// Attention over keys in two parts, merged: of a cache and of new tokens, of a window and of what lies
/// outside, of what two machines hold. Plain C11.
#ifndef HEED_MERGE_H
#define HEED_MERGE_H

#include <heed/abi.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

/// Merges the results of two attentions of the same queries over disjoint sets of keys into that over both.
///
///   l = log(exp(l1) + exp(l2)),  o = (exp(l1) o1 + exp(l2) o2) / exp(l)
///
/// `first` and `second` are outputs (batch, heads, queries, width), their `_lse` the log-sum-exps (batch,
/// heads, queries) of the scores, all f32 or all f64. A row whose log-sum-exp is -infinity saw no key and is
/// not looked at, NaN or not; where both are, the result is 0 and -infinity. Views, checks, options and
/// status are as those of a generated function; results overlap nothing.
int32_t heed_merge(heed_view first, heed_view first_lse, heed_view second, heed_view second_lse,
                   heed_view merged, heed_view merged_lse, const heed_options *options, heed_status *status);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
