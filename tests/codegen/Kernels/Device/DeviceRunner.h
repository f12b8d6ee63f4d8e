//===- DeviceRunner.h - Runs a device function in the test ------*- C++ -*-===//
//
// With Halide's own runtime on whatever OpenCL device there is, so that builders are tested by themselves.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_KERNELS_DEVICE_DEVICERUNNER_H
#define HEED_TESTS_KERNELS_DEVICE_DEVICERUNNER_H

#include "Device/DeviceFunction.h"
#include "Device/DeviceMath.h"
#include "Device/HalvesAsBits.h"
#include "Device/RegisterArrays.h"
#include "HalfCasts.h"

#include <vector>

namespace heed::kernels {

inline DeviceTarget openCl() { return deviceTarget(Halide::DeviceAPI::OpenCL, hostTarget()); }

/// An operand, innermost axis first. No axis is empty: Halide's runtime has no empty buffers.
template <class T> struct DeviceArray {
  struct Axis {
    int extent, stride;
  };

  DeviceArray(size_t count, T value = T()) : elements(count, value) {}

  Halide::Buffer<> view(const std::vector<Axis> &axes, const Halide::Type &type = Halide::type_of<T>()) {
    std::vector<halide_dimension_t> dimensions;
    for (const Axis &axis : axes)
      dimensions.emplace_back(0, axis.extent, axis.stride);
    return Halide::Buffer<>(type, elements.data(), int(dimensions.size()), dimensions.data());
  }
  T &operator[](size_t n) { return elements[n]; }
  auto begin() { return elements.begin(); }
  auto end() { return elements.end(); }

  std::vector<T> elements;
};

class LoadedDevice {
public:
  explicit LoadedDevice(const DeviceFunction &function)
      : pipeline(function.pipeline), callable(compile(function, pipeline)) {}

  /// Inputs, then the outputs, which are copied back.
  void operator()(std::vector<Halide::Buffer<>> operands, int outputs = 1) {
    for (Halide::Buffer<> &operand : operands)
      operand.set_host_dirty();
    call(operands);
    for (auto output = operands.end() - outputs; output != operands.end(); ++output)
      output->copy_to_host();
  }

private:
  static Halide::Callable compile(const DeviceFunction &function, Halide::Pipeline &pipeline) {
    pipeline.clear_custom_lowering_passes();
    pipeline.add_custom_lowering_pass(new RegisterArrays(function.registers));
    pipeline.add_custom_lowering_pass(new LowerHalfCasts(/*convertsF16=*/false, /*dotsBf16=*/false));
    pipeline.add_custom_lowering_pass(new HalvesAsBits);
    pipeline.add_custom_lowering_pass(new LowerDeviceMath(Halide::DeviceAPI::OpenCL));
    // Buffers are what the runtime says, without checks, as in compile().
    const Halide::Target target = Halide::get_host_target()
                                      .with_feature(Halide::Target::OpenCL)
                                      .with_feature(Halide::Target::CLDoubles)
                                      .with_feature(Halide::Target::NoAsserts)
                                      .with_feature(Halide::Target::NoBoundsQuery);
    return pipeline.compile_to_callable(function.arguments, target);
  }

  void call(std::vector<Halide::Buffer<>> &o) {
    switch (o.size()) {
    case 2:
      callable(o[0], o[1]);
      return;
    case 3:
      callable(o[0], o[1], o[2]);
      return;
    case 4:
      callable(o[0], o[1], o[2], o[3]);
      return;
    case 5:
      callable(o[0], o[1], o[2], o[3], o[4]);
      return;
    case 6:
      callable(o[0], o[1], o[2], o[3], o[4], o[5]);
      return;
    default:
      throw std::logic_error("device runner: found another number of operands, 2 to 6 are needed");
    }
  }

  Halide::Pipeline pipeline;
  Halide::Callable callable;
};

} // namespace heed::kernels

#endif // HEED_TESTS_KERNELS_DEVICE_DEVICERUNNER_H
