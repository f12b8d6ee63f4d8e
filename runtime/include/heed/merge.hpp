#pragma once
/// \file
/// Attention over keys in two parts, merged; <heed/merge.h> says how.

#include <heed/merge.h>
#include <heed/options.hpp>
#include <heed/status.hpp>
#include <heed/view.hpp>

namespace heed {

/// What an attention over some of the keys gives.
template <class T> struct attention_view {
  view<T, 4> output;      ///< (batch, heads, queries, width)
  view<T, 3> log_sum_exp; ///< (batch, heads, queries)
};

namespace detail {
template <class T>
status merge(const attention_view<const T> &first, const attention_view<const T> &second,
             const attention_view<T> &merged, const options &options) noexcept {
  status result;
  const heed_options c_options = options;
  heed_merge(first.output, first.log_sum_exp, second.output, second.log_sum_exp, merged.output,
             merged.log_sum_exp, &c_options, result.c_status());
  return result;
}
} // namespace detail

/// `heed::merge({near, near_lse}, {far, far_lse}, {all, all_lse})`
inline status merge(const attention_view<const float> &first, const attention_view<const float> &second,
                    const attention_view<float> &merged, const options &options = {}) noexcept {
  return detail::merge(first, second, merged, options);
}
inline status merge(const attention_view<const double> &first, const attention_view<const double> &second,
                    const attention_view<double> &merged, const options &options = {}) noexcept {
  return detail::merge(first, second, merged, options);
}

} // namespace heed
