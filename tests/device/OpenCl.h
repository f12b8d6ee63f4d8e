//===- OpenCl.h - A caller's own OpenCL -------------------------*- C++ -*-===//
///
/// \file
/// What a program that uses OpenCL itself has: a context, an in-order queue and memory. The library is loaded
/// when it is asked for, as the runtime does. Faults are thrown.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_DEVICE_OPENCL_H
#define HEED_TESTS_DEVICE_OPENCL_H

#include "Kernels.h"

namespace heed::tests {

class OpenCl {
public:
  OpenCl();
  ~OpenCl();
  OpenCl(const OpenCl &) = delete;

  heed_device device() const { return {HEED_DEVICE_OPENCL, 0, context, queue}; }
  void finish() const;

  void *context = nullptr, *queue = nullptr;
};

/// What the queue got before is not begun until `open`.
class Gate {
public:
  explicit Gate(const OpenCl &cl);
  ~Gate();
  Gate(const Gate &) = delete;
  void open();

private:
  void *event = nullptr;
  bool isOpen = false;
};

/// A dense tensor in the device's memory, `guard` elements of NaN (bytes of 255) before and behind it.
class DeviceArray {
public:
  /// Elements are NaN.
  DeviceArray(const OpenCl &cl, spec::dtype type, Shape shape);
  DeviceArray(const OpenCl &cl, const Array &values);
  ~DeviceArray();
  DeviceArray(const DeviceArray &) = delete;

  heed_view view() const;

  /// Waits for the queue. Throws if a guard was written to.
  Array read() const;

private:
  static constexpr int64_t guard = 37;
  size_t bytes() const;

  const OpenCl &cl;
  spec::dtype type;
  Shape shape;
  void *memory = nullptr;
};

} // namespace heed::tests

#endif // HEED_TESTS_DEVICE_OPENCL_H
