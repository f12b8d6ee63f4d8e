/* A generated library called from C11. */
#include "check.h"
#include "first_c.h"

int main(void) {
  float x[8] = {1, 0, 0, 0, 0, 1, 0, 0};
  float y[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  heed_view in = {x, HEED_F32, 4, {1, 1, 2, 4}, {8, 8, 4, 1}, HEED_MEMORY_HOST, 0};
  heed_view out = {y, HEED_F32, 4, {1, 1, 2, 4}, {8, 8, 4, 1}, HEED_MEMORY_HOST, 0};
  heed_status status;
  if (heed_kernels_first(in, out, NULL, &status) != HEED_OK) {
    puts(status.message);
    return 1;
  }
  out.extents[3] = 3;
  if (heed_kernels_first(in, out, NULL, &status) != HEED_INVALID_ARGUMENT || status.message[0] != 'y')
    return 1;
  return second_row_is_right(y) ? 0 : 1;
}
