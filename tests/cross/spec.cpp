// The kernels of a library that is compiled for CPUs other than this machine's.
#include "../codegen/Levels/LevelKernels.h"

using namespace heed;
using heed::levels::attention_d64, heed::levels::causal_d20, heed::levels::linear_512;

HEED_EXPORT(attention_d64);
HEED_EXPORT(causal_d20);
HEED_EXPORT(linear_512);
