// What gpu_check calls, in plain types: the layout of heed's structures stays with the C compiler.
#include <heed/abi.h>
#include <string.h>

int32_t gpu_check_view_size(void) { return (int32_t)sizeof(heed_view); }

int32_t gpu_check_argument_count(const heed_program *program) { return program->argument_count; }

const char *gpu_check_argument_name(const heed_program *program, int32_t i) {
  return program->arguments[i].name;
}

int32_t gpu_check_is_scalar(const heed_program *program, int32_t i) {
  return program->arguments[i].role == HEED_SCALAR;
}

const char *gpu_check_interface(const heed_program *program) {
  return heed_device_api_name(program->device_api);
}

/// With context and queue null the runtime's own. The message holds HEED_MESSAGE_SIZE bytes.
int32_t gpu_check_call(const heed_program *program, const heed_view *views, void *context, void *queue,
                       char *message) {
  const heed_device device = {program->device_api, 0, context, queue};
  const heed_options options = {.device = &device};
  heed_status status = {0};
  const int32_t code = heed_call(program, views, &options, &status);
  strcpy(message, status.message);
  return code;
}
