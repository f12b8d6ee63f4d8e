#pragma once
/// \file
/// t5_bias(table, …): a learned number for each bucket of distances and each head (T5, Raffel et al. 2020,
/// arXiv:1910.10683, section 2.1).

#include <heed/dsl/element.hpp>

#include <cstdint>

namespace heed {
namespace detail {

/// A natural number of up to 2048 bits, to compare products of powers exactly.
class natural {
public:
  /// base^power
  static constexpr natural power_of(std::int64_t base, int power) {
    natural result;
    for (int i = 0; i < power; ++i)
      result.multiply(static_cast<std::uint32_t>(base));
    return result;
  }

  constexpr natural &multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (int i = 0; i < size_; ++i) {
      carry += static_cast<std::uint64_t>(digits_[i]) * factor;
      digits_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0 && size_ < capacity)
      digits_[size_++] = static_cast<std::uint32_t>(carry);
    return *this;
  }

  constexpr bool operator>=(const natural &other) const {
    if (size_ != other.size_)
      return size_ > other.size_;
    for (int i = size_ - 1; i >= 0; --i)
      if (digits_[i] != other.digits_[i])
        return digits_[i] > other.digits_[i];
    return true;
  }

private:
  static constexpr int capacity = 64;
  int size_ = 1;
  std::uint32_t digits_[capacity] = {1};
};

/// Distances in buckets: the first `exact` buckets hold one distance each, the others grow geometrically.
struct t5_buckets {
  int exact = 0, all = 0;
  std::int64_t max_distance = 0;

  /// The first distance of bucket exact + j: the least d with (d / exact)^n >= (max_distance / exact)^j,
  /// where n = all - exact. Since both sides are powers of integers, d^n · exact^j >= max_distance^j ·
  /// exact^n decides.
  constexpr std::int64_t first_distance(int j) const {
    const int n = all - exact;
    natural right = natural::power_of(max_distance, j);
    for (int i = j; i < n; ++i)
      right.multiply(static_cast<std::uint32_t>(exact));
    std::int64_t low = exact, high = max_distance;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (natural::power_of(middle, n) >= right)
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

  constexpr scalar bucket_of(const scalar &distance) const {
    scalar bucket = min(distance, exact);
    for (int j = 1; j < all - exact; ++j)
      bucket = bucket + select(distance >= first_distance(j), 1, 0);
    return bucket;
  }
};

constexpr bool check_t5(builder *owner, const tensor &table, bool bidirectional, std::int64_t max_distance,
                        location where) {
  const extent buckets = table.size(0);
  const std::int64_t unit = bidirectional ? 4 : 2, most = 64 * unit / 2;
  if (table.rank() != 2 || !is_floating(table.type()))
    owner->fail(where, "t5_bias: the table is ", table.shape(), " of ", table.type(),
                ", floats of shape (buckets, heads) are needed");
  else if (!buckets.is_number() || buckets.number() % unit != 0 || buckets.number() > most)
    owner->fail(where, "t5_bias: the table is ", table.shape(), ", a multiple of ", unit, " buckets up to ",
                most, " is needed");
  else if (max_distance <= buckets.number() / unit || max_distance > 1 << 20)
    owner->fail(where, "t5_bias: the greatest distance is ", max_distance, ", a number above ",
                buckets.number() / unit, " and up to ", 1 << 20, " is needed");
  return !owner->failed();
}

} // namespace detail

struct t5_options {
  bool bidirectional = true; ///< half of the buckets are for keys after the query; else those are distance 0
  std::int64_t max_distance = 128; ///< from here on, one bucket for each direction
};

/// score + table[bucket(k - q), h], table (buckets, heads). Of the buckets of one direction, half hold one
/// distance each, the others floor(exact + log(distance / exact) / log(max_distance / exact) · (buckets -
/// exact)), computed exactly when the spec is compiled: at run time distances are compared with whole
/// numbers. For queries that do not begin at token 0, write shifted(t5_bias(table), offset). Errors: a table
/// of another kind; buckets that are no number or do not halve; a distance out of range.
constexpr auto t5_bias(const tensor &table, const t5_options &options = {}, location where = {}) {
  detail::t5_buckets buckets;
  if (table.owner() != nullptr &&
      detail::check_t5(table.owner(), table, options.bidirectional, options.max_distance, where)) {
    buckets.all = static_cast<int>(table.size(0).number()) / (options.bidirectional ? 2 : 1);
    buckets.exact = buckets.all / 2;
    buckets.max_distance = options.max_distance;
  }
  return [=, both = options.bidirectional](value score, index, index h, index q, index k) {
    const scalar distance = both ? abs(q - k) : max(q - k, 0);
    const scalar near = buckets.bucket_of(distance);
    const scalar bucket = both ? near + select(k > q, buckets.all, 0) : near;
    return score + table(bucket, h, {}, {}, {}, {}, where);
  };
}

} // namespace heed
