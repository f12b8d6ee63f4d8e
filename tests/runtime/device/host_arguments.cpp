/// Arguments on the host: copied to the device and back.

#include "opencl.hpp"

using namespace heed::test;

TEST_CASE("device: host arguments, dense and with gaps") {
  if (!has_opencl())
    return;
  scale_rows kernel;
  const heed_program program = for_opencl(kernel.t);
  const std::vector<float> x = counting(200);
  for (const std::int64_t rows : {1, 3, 7})
    for (const std::int64_t n : {1, 8, 21}) {
      guarded y(rows * 25);
      run_ok(program, {heed::view{x.data(), {rows, n}, {n + 2, 1}}, kernel.factor_view(),
                       heed::view{y.data(), {rows, n}, {25, 1}}});
      for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t i = 0; i < 25; ++i) {
          const float found = y[row * 25 + i];
          if (i < n)
            CHECK(found == 3 * x[static_cast<std::size_t>(row * (n + 2) + i)] + 1);
          else
            CHECK(std::isnan(found));
        }
    }
}
