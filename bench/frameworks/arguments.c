// What the comparison needs of a library beside its kernels: the names and types of a kernel's arguments in
// their order, and a call with some number of threads.
#include <heed/abi.h>

#include <stdio.h>

int32_t bench_view_size(void) { return (int32_t)sizeof(heed_view); }

int32_t bench_argument_count(const heed_program *program) { return program->argument_count; }

const char *bench_argument_name(const heed_program *program, int32_t index) {
  return program->arguments[index].name;
}

int32_t bench_argument_type(const heed_program *program, int32_t index) {
  return program->arguments[index].dtype;
}

int32_t bench_call(const heed_program *program, const heed_view *arguments, int32_t threads, char *message) {
  heed_options options = {0};
  options.threads = threads;
  heed_status status;
  const int32_t code = heed_call(program, arguments, &options, &status);
  if (code != HEED_OK)
    snprintf(message, HEED_MESSAGE_SIZE, "%s", status.message);
  return code;
}
