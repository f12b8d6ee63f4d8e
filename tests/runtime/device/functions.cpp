#include "functions.hpp"

#include <cstdint>

namespace heed::test {
namespace {

constexpr char scale_code[] = R"(
__kernel void scale(__global const float *x, __global const float *factor, __global float *y,
                    const int first_x, const int first_factor, const int first_y,
                    const int extent, const int step_x, const int step_y, const int tile_x, const int tile_y,
                    __local float *shared) {
  const int i = get_global_id(0), tile = get_group_id(1);
  shared[get_local_id(0)] = factor[first_factor];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < extent)
    y[first_y + i * step_y + tile * tile_y] = x[first_x + i * step_x + tile * tile_x] * shared[get_local_id(0)] + 1;
}
)";

constexpr int threads = 8;

/// Starts `entry` of `code` on the buffers x, factor, y, whose offsets are before them. A block per eight
/// elements and per tile.
int start(void **args, const char *code, int size, const char *entry, int shared_bytes) {
  static void *state;
  void *const context = context_of(args);
  if (const int failed = heed_device_load(context, &state, code, size))
    return failed;
  int first[3];
  for (int o = 0; o < 3; ++o)
    first[o] = scalar_at(args, 1 + o);
  const heed_buffer &x = buffer_at(args, 4), &factor = buffer_at(args, 5), &y = buffer_at(args, 6);
  int extent = y.dim[0].extent, tiles = extent_of(y, 1);
  int step_x = x.dim[0].stride, step_y = y.dim[0].stride;
  int tile_x = x.dimensions > 1 ? x.dim[1].stride : 0, tile_y = y.dimensions > 1 ? y.dim[1].stride : 0;
  const void *arguments[] = {&x,      &factor, &y,      &first[0], &first[1], &first[2],
                             &extent, &step_x, &step_y, &tile_x,   &tile_y,   nullptr};
  const std::uint64_t sizes[] = {8, 8, 8, 4, 4, 4, 4, 4, 4, 4, 4, 0};
  const std::int8_t are_buffers[] = {1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  return heed_device_run(context, state, entry, (extent + threads - 1) / threads, tiles, 1, threads, 1, 1,
                         shared_bytes, sizes, const_cast<void **>(arguments), are_buffers);
}

} // namespace

int scale(void **args) {
  return start(args, scale_code, sizeof scale_code, "scale", threads * static_cast<int>(sizeof(float)));
}

int broken(void **args) {
  static constexpr char code[] = "__kernel void broken(__global float *x) { this_is_no_function(x); }";
  return start(args, code, sizeof code, "broken", 0);
}

int greedy(void **args) { return start(args, scale_code, sizeof scale_code, "scale", 1 << 30); }

} // namespace heed::test
