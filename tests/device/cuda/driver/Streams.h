//===- Streams.h - Work in order --------------------------------*- C++ -*-===//
///
/// \file
/// Work that is asked for is put off until somebody waits for it.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_CUDA_DRIVER_STREAMS_H
#define HEED_TESTS_DEVICE_CUDA_DRIVER_STREAMS_H

#include "Driver.h"

namespace checking {

/// The stream of a handle, null for the default one. What is wrong with it is noted.
Result findStream(Context &context, void *handle, Stream *&stream);

/// Puts work into a stream.
Result enqueue(Context &context, void *stream, std::function<void()> run);

/// Does the work of a stream, and what that waits for.
void finish(Context &context, const Stream *stream);
void finishAll(Context &context);

} // namespace checking

#endif // HEED_TESTS_DEVICE_CUDA_DRIVER_STREAMS_H
