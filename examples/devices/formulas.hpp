#pragma once
/// \file
/// What project, attend and classify compute together, in double precision.

#include "naive.hpp"

doubles probabilities(const array &x, const array &projection, const array &weight, const array &bias,
                      int heads);
