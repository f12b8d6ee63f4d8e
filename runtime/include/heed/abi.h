/// \file
/// The C interface between a caller, a generated library and the runtime. Plain C11, no dependency.
///
/// A generated library contains, per kernel of the spec, one constant `heed_program` (a table of what to
/// check and what to launch) and the machine code of its tile functions. `heed_call` walks the table. Nothing
/// here allocates at load time, prints, throws or aborts; every failure is a status.
///
/// A program is made for a CPU level or for a device interface. On a device, a launch is one call of a device
/// function for the whole grid, instead of one call of a tile function per tile.
#ifndef HEED_ABI_H
#define HEED_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

#define HEED_ABI_VERSION 5
#define HEED_MAX_RANK 6
#define HEED_MAX_FACTORS 6
#define HEED_MAX_SYMBOLS 127
#define HEED_MAX_GRID 5
#define HEED_MAX_OPERANDS 32
#define HEED_MAX_SCALARS 16
#define HEED_MAX_OFFSETS 4
#define HEED_MAX_CONDITIONS 2
#define HEED_MESSAGE_SIZE 240

// ---------------------------------------------------------------- what a caller uses

/// Element types. HEED_B8 is one byte, zero or nonzero. Same order as heed::spec::dtype.
typedef enum heed_dtype { HEED_B8, HEED_I32, HEED_I64, HEED_F16, HEED_BF16, HEED_F32, HEED_F64 } heed_dtype;

/// Where the elements of a view are. The last two say whose handle it is, and calls on another interface
/// refuse it.
typedef enum heed_memory {
  HEED_MEMORY_HOST = 0,   ///< `data` points to them
  HEED_MEMORY_DEVICE = 1, ///< `data` is a handle of the call's device
  HEED_MEMORY_OPENCL = 2, ///< a cl_mem
  HEED_MEMORY_CUDA = 3,   ///< a CUdeviceptr
} heed_memory;

/// A tensor in the caller's memory. Strides count elements; axis rank-1 is the innermost.
typedef struct heed_view {
  void *data;
  int32_t dtype; ///< heed_dtype; or heed_view_fault
  int32_t rank;
  int64_t extents[HEED_MAX_RANK];
  int64_t strides[HEED_MAX_RANK];
  int32_t memory; ///< heed_memory
  int64_t first;  ///< on a device: the view's first element is so many after the start of `data`; else 0
} heed_view;

#ifndef __cplusplus
/// A dense, row-major view: `heed_dense(x, HEED_F32, 3, (int64_t[]){3, 5, 10})`. Extents are checked by the
/// call.
static inline heed_view heed_dense(const void *data, heed_dtype dtype, int32_t rank, const int64_t *extents) {
  heed_view view = {(void *)data, dtype, rank, {0}, {0}, HEED_MEMORY_HOST, 0};
  uint64_t stride = 1;
  for (int32_t axis = rank - 1; axis >= 0 && rank <= HEED_MAX_RANK; --axis) {
    view.extents[axis] = extents[axis];
    view.strides[axis] = (int64_t)stride;
    stride *= (uint64_t)extents[axis];
  }
  return view;
}
#endif

/// Stands in `dtype` of a view that could not be made of a foreign tensor; the call reports it. `rank` then
/// holds the foreign device number, or the foreign type as lanes << 16 | bits << 8 | code (DLPack's numbers).
typedef enum heed_view_fault { HEED_FAULT_DEVICE = -1, HEED_FAULT_TYPE = -2 } heed_view_fault;

typedef enum heed_code {
  HEED_OK = 0,
  HEED_INVALID_ARGUMENT = 1, ///< an argument differs from what the kernel needs; the message names it
  HEED_OUT_OF_MEMORY = 2,
  HEED_UNSUPPORTED = 3, ///< the machine or the table's version can't run this kernel
} heed_code;

/// Result of a call. The message is empty on success, else `<argument>: <found>, <needed>; <what to write
/// instead>`.
typedef struct heed_status {
  int32_t code; ///< heed_code
  char message[HEED_MESSAGE_SIZE];
} heed_status;

/// Runs body(closure, i) for every i in [0, tasks), in any order, on any threads, and returns when all are
/// done. It must not throw. The tasks of one run share their work, so a late task finds little left to do.
/// Task i begins with the i-th part of it: to run equal numbers on equal cores leaves data in their caches.
typedef struct heed_executor {
  void (*run)(void *self, int32_t tasks, void (*body)(void *closure, int32_t task), void *closure);
  void *self;
} heed_executor;

/// Memory for temporaries and scratch. allocate returns at least 64-byte aligned memory or null. Both
/// functions are called from every thread that works on the call. All memory is released before the call
/// returns.
typedef struct heed_allocator {
  void *(*allocate)(void *self, uint64_t bytes);
  void (*release)(void *self, void *memory);
  void *self;
} heed_allocator;

/// Interfaces to devices.
typedef enum heed_device_api {
  HEED_DEVICE_NONE = 0, ///< the CPU
  HEED_DEVICE_OPENCL = 1,
  HEED_DEVICE_CUDA = 2,
  HEED_DEVICE_VULKAN = 3,
  HEED_DEVICE_METAL = 4, ///< programs can be made for it; this runtime doesn't run them
} heed_device_api;

/// A device for calls. With context and queue null the runtime opens device number `index` itself, once per
/// process, and enqueues on a queue of its own. Else it works in the caller's: a cl_context and an in-order
/// cl_command_queue, or a CUcontext and a CUstream (null: the default stream). A context must outlive the
/// calls in it; heed_device_forget (heed/device.h) frees what the runtime keeps for it. With Vulkan it works
/// in its own only: those of heed_device_open, and memory of heed_device_allocate.
typedef struct heed_device {
  int32_t api;   ///< heed_device_api
  int32_t index; ///< 0, 1, … over all platforms, GPUs first
  void *context;
  void *queue;
} heed_device;

/// Options of one call; zeros mean defaults.
typedef struct heed_options {
  int32_t threads;                 ///< at most this many threads work on the call; 0: heed_set_threads' value
  const heed_executor *executor;   ///< null: the runtime's own pool
  const heed_allocator *allocator; ///< null: the C library
  const heed_device *device;       ///< null: the first device of the program's interface
  int32_t allow_cpu;               ///< nonzero: where there is no device, the CPU may run the call
} heed_options;

/// Default number of threads for calls that don't say; 0 restores one per core. Safe at any time.
void heed_set_threads(int32_t threads);

/// The name of a heed_device_api, such as "opencl"; null for a number that is none.
const char *heed_device_api_name(int32_t api);

/// What machine code needs of a CPU. Within one architecture a higher level has everything of a lower one.
typedef enum heed_cpu_level {
  HEED_CPU_ANY = 0,            ///< nothing; as a limit: none
  HEED_CPU_X86_64_V2 = 1,      ///< SSE4.1
  HEED_CPU_X86_64_V3 = 2,      ///< AVX2, FMA, F16C
  HEED_CPU_X86_64_V4 = 3,      ///< AVX-512 F, CD, BW, DQ, VL
  HEED_CPU_X86_64_V4_BF16 = 4, ///< AVX-512 as of Zen 4 and Sapphire Rapids, with BF16 and VNNI
  HEED_CPU_AARCH64 = 16,       ///< NEON
} heed_cpu_level;

/// A library may hold its kernels for several levels; a call runs the highest that the CPU has. This limits
/// the choice from above, for every later call; HEED_CPU_ANY restores what the environment variable
/// HEED_CPU_LEVEL says (a name such as x86-64-v3), or no limit. A level that this CPU doesn't run is refused
/// with HEED_UNSUPPORTED, a number that is none with HEED_INVALID_ARGUMENT; nothing changes then. Safe at any
/// time. While the variable counts and holds anything but the name of a level that this CPU runs, calls are
/// refused and say so.
int32_t heed_set_cpu_level(int32_t level);

/// The highest heed_cpu_level that this CPU, with what its system saves of the registers, runs. No limit
/// changes it.
int32_t heed_machine_cpu_level(void);

/// The name of a heed_cpu_level, such as "x86-64-v3"; null for a number that is none.
const char *heed_cpu_level_name(int32_t level);

// ---------------------------------------------------------------- what a generated library holds

/// numerator · Π symbol^power / denominator. The division must be exact, unless round_up is set.
typedef struct heed_extent {
  int64_t numerator, denominator;
  int8_t round_up;
  int8_t factor_count;
  struct {
    int8_t symbol, power;
  } factors[HEED_MAX_FACTORS];
} heed_extent;

/// A scalar has rank 0; generated functions take it by value. A state is read and written.
typedef enum heed_role { HEED_INPUT, HEED_WEIGHT, HEED_OUTPUT, HEED_SCALAR, HEED_STATE } heed_role;

/// Extents are indices into heed_program::extents throughout.
typedef struct heed_argument {
  const char *name;
  uint8_t role, dtype, rank;
  uint16_t extents[HEED_MAX_RANK];
} heed_argument;

/// A temporary: dense, row-major. Temporaries that are never alive together share a slot of the arena. One
/// that only an alternative for some sizes uses takes memory only when extent `limited` is > more_than and
/// <= at_most; 0 sets no bound.
///
/// With row_block > 0 it has the rank 4, (b, h, s, d), and lies so, heads first, if b is 1 or blocks of
/// row_block rows of one batch entry are at most 1/16 empty. Else it lies as (b, s, h, d), so that batch
/// entries share blocks.
typedef struct heed_temporary {
  uint8_t dtype, rank;
  uint16_t extents[HEED_MAX_RANK];
  uint16_t slot;
  uint16_t limited;
  int64_t more_than, at_most;
  uint16_t row_block;
} heed_temporary;

/// One axis of an operand as a tile function sees it: extent, and stride = stride of axis `axis` of the
/// underlying buffer times `multiplier`. An axis of -1 has stride 0: the operand is broadcast along it. grid
/// >= 0: the launch's grid runs along it. The tile then starts at (tile number · block) and has at most
/// `block` elements; with by_tile set, the operand has one element per tile instead.
typedef struct heed_axis {
  uint16_t extent, multiplier;
  int8_t axis;
  int8_t grid;
  uint8_t by_tile;
} heed_axis;

/// Where an operand begins in its buffer: so many elements along axis `axis` of the buffer.
typedef enum heed_offset_kind {
  HEED_OFFSET_EXTENT,   ///< value of extent `index`
  HEED_OFFSET_ARGUMENT, ///< value of the scalar argument `index`, an integer that a heed_bound keeps inside
} heed_offset_kind;

typedef struct heed_offset {
  uint8_t kind; ///< heed_offset_kind
  int8_t axis;
  uint16_t index;
} heed_offset;

/// An operand of a launch: `buffer` counts the arguments first, then the temporaries. The first `kernel_rank`
/// axes (innermost first) are passed to the tile function, the others only move its pointer.
typedef struct heed_operand {
  uint16_t buffer;
  uint8_t kernel_rank, rank;
  uint8_t is_output;
  heed_axis axes[HEED_MAX_RANK + 2];
  uint8_t offset_count;
  heed_offset offsets[HEED_MAX_OFFSETS];
} heed_operand;

/// A scalar argument of a tile function, an int32.
typedef enum heed_scalar_kind {
  HEED_TILE_START, ///< first index of the tile along grid axis `index`
  HEED_EXTENT,     ///< value of extent `index`
} heed_scalar_kind;

typedef struct heed_scalar {
  uint8_t kind; ///< heed_scalar_kind
  uint16_t index;
} heed_scalar;

/// An axis of the grid: ceil(extent / block) tiles. The first axis of a grid is the outermost. An axis with
/// `joins_next` and block 1 is run as one with the next (inner) axis when every operand's strides allow it,
/// which lets many short rows share tiles; the joined axis has the inner axis' block.
typedef struct heed_grid_axis {
  uint16_t extent;
  uint8_t joins_next;
  int32_t block;
} heed_grid_axis;

/// A tile function: Halide's argv convention. args[0] points to the heed_tile_context pointer, then come
/// pointers to the scalars, then the buffers (heed_buffer, outputs last), in the launch's order. Returns 0.
typedef int (*heed_tile_function)(void **args);

typedef struct heed_launch {
  heed_tile_function function;
  const char *name;
  uint8_t grid_rank, scalar_count, operand_count;
  heed_grid_axis grid[HEED_MAX_GRID];
  const heed_scalar *scalars;
  const heed_operand *operands;
  uint16_t
      work; ///< extent: arithmetic operations of the whole launch; small launches run on the calling thread
} heed_launch;

/// Extent `extent` is at most so large.
typedef struct heed_condition {
  uint16_t extent;
  int64_t at_most;
} heed_condition;

/// The first alternative of a step whose conditions hold is run; the last one has none. The scalar argument
/// `zero_argument` must hold 0, unless that is < 0.
typedef struct heed_alternative {
  int16_t zero_argument;
  uint8_t condition_count;
  heed_condition conditions[HEED_MAX_CONDITIONS];
  int32_t launch_count;
  const heed_launch *launches;
} heed_alternative;

typedef struct heed_step {
  int32_t alternative_count;
  const heed_alternative *alternatives;
} heed_step;

/// 0 <= the scalar argument `argument`, an i32 or i64, <= extent `whole` - extent `part`: rows of the extent
/// `part` fit into one of the extent `whole` from there on. Checked by every call.
typedef struct heed_bound {
  uint16_t argument, whole, part;
} heed_bound;

/// A kernel for one CPU level, or for a device and one CPU level. `otherwise` is the same kernel for the next
/// lower level or the next interface that the library holds, programs for devices first; null after the last.
///
/// In a device's program every launch is one call of a device function: args[0] points to the context handle,
/// then come pointers to the scalars, to one int32 per operand (how many elements after the start of its
/// buffer the operand begins), and to the buffers, outputs last, whose `device` is the device's handle. A
/// buffer has the operand's kernel axes, innermost first, whole, then one dimension per grid axis, outermost
/// first: as many elements as the axis has tiles and the stride from one tile to the next; stride 0 where the
/// operand doesn't move along it, and one element where the axis cuts a kernel axis into blocks. All scalars
/// are HEED_EXTENT.
typedef struct heed_program {
  int32_t version;
  const char *name;
  int32_t symbol_count, extent_count, argument_count, temporary_count, slot_count, step_count;
  const char *const *symbols;
  const heed_extent *extents;
  const heed_argument *arguments;
  const heed_temporary *temporaries;
  const heed_step *steps;
  int32_t bound_count;
  const heed_bound *bounds;
  uint8_t cpu_level; ///< heed_cpu_level
  const struct heed_program *otherwise;
  uint8_t device_api; ///< heed_device_api
} heed_program;

/// The first of program, its `otherwise` and so on that the CPU runs and the limit allows: the one that a
/// call runs now. Null when there is none, and status, which may be null, says why.
const heed_program *heed_select_program(const heed_program *program, heed_status *status);

/// Checks the arguments (one view per heed_argument, in order), then runs the program that
/// heed_select_program gives. Options may be null.
/// Re-entrant. status may be null; its message is written only on failure, its code always. Returns the code.
/// A call from inside another call's tile, and any call in a forked child that finds no threads, runs
/// serially.
int32_t heed_call(const heed_program *program, const heed_view *arguments, const heed_options *options,
                  heed_status *status);

// ---------------------------------------------------------------- what tile functions see

/// Same layout as Halide's halide_type_t / halide_dimension_t / halide_buffer_t (checked where the compiler
/// sees both).
typedef struct heed_dimension {
  int32_t min, extent, stride;
  uint32_t flags;
} heed_dimension;

typedef struct heed_buffer {
  uint64_t device;
  const void *device_interface;
  uint8_t *host;
  uint64_t flags;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } type;
  int32_t dimensions;
  heed_dimension *dim;
  void *padding;
} heed_buffer;

/// Scratch memory of a tile function: `context` is the pointer behind args[0]. Null when there is none; the
/// tile function then does nothing and the call ends with HEED_OUT_OF_MEMORY. Freed in reverse order.
void *heed_scratch_allocate(void *context, uint64_t bytes);
void heed_scratch_release(void *context, void *memory);

// ---------------------------------------------------------------- what device functions see

/// Makes the kernels in `code` (OpenCL C, PTX or SPIR-V; `size` bytes) ready for the calls of heed_device_run
/// that follow with the same context. Code is compiled once per device and context of the driver, known by
/// its address. `state` may be used by nothing else and is left alone. Returns 0, else the device function
/// ends with that value; the status of the call then holds the reason.
int heed_device_load(void *context, void **state, const char *code, int size);

/// Enqueues a kernel. Sizes of arguments end with a 0; an argument that is a buffer is a heed_buffer, whose
/// `device` is passed. Returns 0, or as heed_device_load does.
int heed_device_run(void *context, void *state, const char *entry, int blocks_x, int blocks_y, int blocks_z,
                    int threads_x, int threads_y, int threads_z, int shared_bytes, const uint64_t *sizes,
                    void **arguments, const int8_t *are_buffers);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
