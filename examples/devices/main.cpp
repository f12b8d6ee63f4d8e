// One program, two processors: two functions for the CPU around one for an OpenCL device. The result is
// compared with the formulas in double precision. With --without-device, or where there is no device, the CPU
// computes all.
#include "attend.h"
#include "classify.h"
#include "formulas.hpp"
#include "largest_difference.hpp"
#include "project.h"
#include "view_of.hpp"

#include <cstdio>
#include <string_view>

static constexpr int batch = 2, tokens = 300, width = 96, heads = 6, classes = 11;

static array nans(std::vector<std::int64_t> shape) {
  return filled(std::move(shape), std::numeric_limits<float>::quiet_NaN());
}

/// On the device; where there is none, in words why, and on the CPU.
static heed::status attend(const array &q, const array &k, const array &v, array &y, bool without_device) {
  heed::status status;
  if (!without_device) {
    status = heed_kernels::attend(view_of<4>(q), view_of<4>(k), view_of<4>(v), view_of<3>(y));
    if (status.ok() || status.code() != HEED_UNSUPPORTED)
      return status;
    std::printf("%s\n", status.message());
  }
  // Device 1000 of the interface is none.
  const heed_device none{HEED_DEVICE_OPENCL, 1000, nullptr, nullptr};
  return heed_kernels::attend(view_of<4>(q), view_of<4>(k), view_of<4>(v), view_of<3>(y),
                              {.device = &none, .allow_cpu = true});
}

int main(int argc, char **argv) {
  const bool without_device = argc > 1 && std::string_view(argv[1]) == "--without-device";
  const array x = random_array({batch, tokens, width}, 1, 1), w = random_array({3 * width, width}, 2, 0.2),
              w_class = random_array({classes, width}, 3, 0.2), b_class = random_array({classes}, 4, 1);
  array q = nans({batch, heads, tokens, width / heads}), k = q, v = q, y = nans({batch, tokens, width}),
        result = nans({batch, tokens, classes});

  const heed::status steps[] = {
      heed_kernels::project(view_of<3>(x), view_of<2>(w), view_of<4>(q), view_of<4>(k), view_of<4>(v)),
      attend(q, k, v, y, without_device),
      heed_kernels::classify(view_of<3>(y), view_of<2>(w_class), view_of<1>(b_class), view_of<3>(result)),
  };
  for (const heed::status &step : steps)
    if (!step.ok())
      return std::printf("%s\n", step.message()), 1;
  const double difference = largest_difference(result.values, probabilities(x, w, w_class, b_class, heads));
  std::printf("%d × %d tokens, largest difference %.1e\n", batch, tokens, difference);
  return difference <= 1e-6 ? 0 : 1;
}
