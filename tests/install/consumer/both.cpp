// Two generated libraries in one program.
#include "second.h"
#include "use_first.hpp"

int main() {
  const float x[3] = {1, 2, 3}, weight[6] = {1, 0, 1, 0, -1, 0};
  float y[2];
  if (!heed_kernels::second({x, {1, 3}}, {weight, {2, 3}}, {y, {1, 2}}))
    return 1;
  return use_first() && misuse_first() && nearly("y[0]", y[0], 4) && nearly("y[1]", y[1], -2) ? 0 : 1;
}
