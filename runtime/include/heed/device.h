/// \file
/// Devices for those who hold tensors on them: what a device is, its queue, memory, copies. Calls on host
/// memory need none of this. Plain C11. `device` names an interface and a number, or a context and a queue of
/// the caller; a status may be null. Functions with a status return its code.
#ifndef HEED_DEVICE_H
#define HEED_DEVICE_H

#include <heed/abi.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct heed_device_description {
  char name[128];
  int64_t memory_bytes;       ///< of the device
  int64_t shared_bytes;       ///< that the threads of one block can share
  int32_t block_threads;      ///< most threads of one block
  int32_t has_double;         ///< whether it computes in f64
  int32_t compute_capability; ///< CUDA: 90 is 9.0; else 0
} heed_device_description;

int32_t heed_device_describe(const heed_device *device, heed_device_description *description,
                             heed_status *status);

/// Fills the context and the queue of a device that the runtime opens, for those who call the driver too.
int32_t heed_device_open(heed_device *device, heed_status *status);

/// Until all that was enqueued is done.
int32_t heed_device_wait(const heed_device *device, heed_status *status);

/// Frees the kernels, the memory and the references that the runtime keeps for a context, when calls in it
/// are done. To be called before a context of the caller is destroyed, or a CUDA stream; what is left is
/// freed with the process.
void heed_device_forget(const heed_device *device);

/// Memory for views (HEED_MEMORY_DEVICE).
int32_t heed_device_allocate(const heed_device *device, uint64_t bytes, void **memory, heed_status *status);
void heed_device_release(const heed_device *device, void *memory);

/// Copies between the host and device memory from its byte `offset` on, in order with calls in the queue.
/// Both wait.
int32_t heed_device_write(const heed_device *device, void *memory, uint64_t offset, const void *from,
                          uint64_t bytes, heed_status *status);
int32_t heed_device_read(const heed_device *device, void *memory, uint64_t offset, void *to, uint64_t bytes,
                         heed_status *status);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
