/* The C interface from C11: a table as the compiler writes it, a view, a call. Run as a program of its own.
 */
#include <heed/abi.h>

#include <string.h>

static int twice(void **args) {
  const heed_buffer *x = args[1], *y = args[2];
  for (int i = 0; i < y->dim[0].extent; ++i)
    ((float *)y->host)[i] = 2 * ((const float *)x->host)[i];
  return 0;
}

static const char *const symbols[] = {"n"};
static const heed_extent extents[] = {{1, 1, 0, 0, {{0, 0}}}, {1, 1, 0, 1, {{0, 1}}}};
static const heed_argument arguments[] = {{"x", HEED_INPUT, HEED_F32, 1, {1}},
                                          {"y", HEED_OUTPUT, HEED_F32, 1, {1}}};
static const heed_operand operands[] = {
    {.buffer = 0, .kernel_rank = 1, .rank = 1, .axes = {{1, 0, 0, 0, 0}}},
    {.buffer = 1, .kernel_rank = 1, .rank = 1, .is_output = 1, .axes = {{1, 0, 0, 0, 0}}}};
static const heed_launch launches[] = {{.function = twice,
                                        .name = "twice",
                                        .grid_rank = 1,
                                        .operand_count = 2,
                                        .grid = {{1, 0, 2}},
                                        .operands = operands}};
static const heed_alternative alternatives[] = {{-1, 0, {{0, 0}}, 1, launches}};
static const heed_step steps[] = {{1, alternatives}};
static const heed_program program = {.version = HEED_ABI_VERSION,
                                     .name = "twice",
                                     .symbol_count = 1,
                                     .extent_count = 2,
                                     .argument_count = 2,
                                     .step_count = 1,
                                     .symbols = symbols,
                                     .extents = extents,
                                     .arguments = arguments,
                                     .steps = steps};

int main(void) {
  float x[5] = {1, 2, 3, 4, 5}, y[5] = {0};
  heed_view views[] = {heed_dense(x, HEED_F32, 1, (int64_t[]){5}),
                       {y, HEED_F32, 1, {5}, {1}, HEED_MEMORY_HOST, 0}};
  heed_options options = {0};
  heed_status status;
  options.threads = 1;
  if (heed_call(&program, views, &options, &status) != HEED_OK || status.code != HEED_OK || y[4] != 10)
    return 1;
  const heed_view three = heed_dense(x, HEED_F32, 3, (int64_t[]){3, 5, 10});
  if (three.rank != 3 || three.extents[2] != 10 || three.strides[0] != 50 || three.strides[2] != 1)
    return 4;
  views[1].extents[0] = 4;
  if (heed_call(&program, views, NULL, &status) != HEED_INVALID_ARGUMENT)
    return 2;
  return strcmp(status.message, "y: axis 0 (n) is 4, x says n is 5; pass tensors whose n agree") ? 3 : 0;
}
