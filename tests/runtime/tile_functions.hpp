#pragma once
/// \file
/// Tile functions in plain C++, which note what they were given.

#include <heed/abi.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

namespace heed::test {

inline const heed_buffer &buffer_at(void **args, int index) {
  return *static_cast<heed_buffer *>(args[index]);
}
inline int scalar_at(void **args, int index) { return *static_cast<std::int32_t *>(args[index]); }
inline void *context_of(void **args) { return *static_cast<void **>(args[0]); }

inline float &element(const heed_buffer &buffer, std::array<int, 3> at) {
  auto *host = reinterpret_cast<float *>(buffer.host);
  for (int d = 0; d < buffer.dimensions; ++d)
    host += std::int64_t{at[static_cast<std::size_t>(d)]} * buffer.dim[d].stride;
  return *host;
}
inline int extent_of(const heed_buffer &buffer, int d) {
  return d < buffer.dimensions ? buffer.dim[d].extent : 1;
}

/// Extents of the output of every tile that ran, in no order.
class tile_log {
public:
  void clear() {
    std::lock_guard guard(mutex_);
    tiles_.clear();
  }
  void note(const heed_buffer &output) {
    std::lock_guard guard(mutex_);
    tiles_.push_back({extent_of(output, 0), extent_of(output, 1), extent_of(output, 2)});
  }
  std::vector<std::array<int, 3>> tiles() {
    std::lock_guard guard(mutex_);
    return tiles_;
  }

private:
  std::mutex mutex_;
  std::vector<std::array<int, 3>> tiles_;
};
inline tile_log logged;

/// out = f(in, …) at every index of out; all operands have the axes of out.
template <class F> void for_each_index(const heed_buffer &out, F f) {
  for (int k = 0; k < extent_of(out, 2); ++k)
    for (int j = 0; j < extent_of(out, 1); ++j)
      for (int i = 0; i < extent_of(out, 0); ++i)
        f(std::array<int, 3>{i, j, k});
}

/// in, out: out = in + 1.
inline int increment(void **args) {
  const auto &in = buffer_at(args, 1), &out = buffer_at(args, 2);
  logged.note(out);
  for_each_index(out, [&](auto at) { element(out, at) = element(in, at) + 1; });
  return 0;
}

/// left, right, out: out = left + right.
inline int sum(void **args) {
  const auto &left = buffer_at(args, 1), &right = buffer_at(args, 2), &out = buffer_at(args, 3);
  logged.note(out);
  for_each_index(out, [&](auto at) { element(out, at) = element(left, at) + element(right, at); });
  return 0;
}

/// in (keys, rows), out (rows): the sum over keys, so zero where there are none.
inline int sum_keys(void **args) {
  const auto &in = buffer_at(args, 1), &out = buffer_at(args, 2);
  for (int row = 0; row < extent_of(out, 0); ++row) {
    float total = 0;
    for (int key = 0; key < extent_of(in, 0); ++key)
      total += element(in, {key, row, 0});
    element(out, {row, 0, 0}) = total;
  }
  return 0;
}

} // namespace heed::test
