#ifndef STRANGER_CHECK_H
#define STRANGER_CHECK_H

#include <math.h>
#include <stdio.h>

/* Whether both are nearly equal; prints them otherwise. */
static inline int nearly(const char *what, float found, double expected) {
  if (fabs(found - expected) <= 1e-6)
    return 1;
  printf("%s: found %.8f, expected %.8f\n", what, (double)found, expected);
  return 0;
}

/* Second row of causal attention over (1,0,0,0) and (0,1,0,0), depth 4: scores 0 and 1/2. */
static inline int second_row_is_right(const float *y) {
  const double weight = 1 / (1 + exp(0.5));
  return nearly("y[1][0]", y[4], weight) & nearly("y[1][1]", y[5], 1 - weight) & nearly("y[1][2]", y[6], 0);
}

#endif
