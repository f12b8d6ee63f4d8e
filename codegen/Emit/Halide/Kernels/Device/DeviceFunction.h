//===- DeviceFunction.h - From a Halide pipeline to a GPU's code -*- C++ -*-===//
//
// A device function is one fused operation on the whole grid of a launch: `int f(void **args)` on the host,
// which loads the kernels that it holds and starts them. It waits for nothing, allocates nothing on the
// device and has no undefined symbols but heed_device_load and heed_device_run.
//
// args[0] points to the context handle, then come pointers to the launch's int32 scalars, to one int32 per
// operand (how many elements after the start of its buffer the operand begins), and to the buffers, outputs
// last. A buffer's dimensions, all with min 0:
//
//   the operand's kernel axes, innermost first, whole: a grid axis does not crop them;
//   one per grid axis, outermost first, with as many elements as the axis has tiles and the stride from one
//   tile to the next. It has stride 0 where the operand does not move along the axis, and one element where
//   the axis cuts a kernel axis into blocks, since that one is walked instead.
//
// Indices are 32 bits wide: the runtime refuses operands that reach further.
//
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_KERNELS_DEVICE_DEVICEFUNCTION_H
#define HEED_CODEGEN_KERNELS_DEVICE_DEVICEFUNCTION_H

#include "TileFunction.h"

#include <Halide.h>

#include <string>
#include <vector>

namespace heed::kernels {

/// A device interface that code is made for, with what every device of that kind has.
struct DeviceTarget {
  Halide::Target target;
  Halide::DeviceAPI api = Halide::DeviceAPI::None;
  int sharedBytes = 0;  ///< shared memory of one block of threads
  int blockThreads = 0; ///< threads of one block
  int widestBits = 64;  ///< of a number
};

/// Throws for an interface that no code can be made for.
DeviceTarget deviceTarget(Halide::DeviceAPI api, const CpuTarget &host);

/// The indices of a tile along the grid's axes, outermost first.
using GridIndices = std::vector<Halide::Expr>;

/// An input of a device function. Its innermost axis may have any stride, unless a builder says 1.
class DeviceOperand {
public:
  DeviceOperand(const Halide::Type &type, int kernelRank, int gridRank, const std::string &name);

  /// The element, as stored, at indices of the kernel axes, innermost first, in the tile.
  Halide::Expr operator()(const std::vector<Halide::Expr> &kernel, const GridIndices &tile) const;

  /// Of a kernel axis.
  Halide::Expr extent(int axis) const { return image.dim(axis).extent(); }

  Halide::ImageParam image;
};

/// An array that every thread has a part of, in its registers. Its Func is computed at the blocks' level,
/// above the loops over threads. If its dimensions are (x, y, others…) where x and y, which have all threads,
/// are the numbers of the thread that writes and reads an element, no thread sees another's elements: then
/// this keeps the others… in registers, each of which must become a constant by unrolling.
struct RegisterArray {
  std::string func; ///< computed at the blocks' level, stored in MemoryType::Register
  int threadsX = 1, threadsY = 1;
};

/// A device function before code is made of it. Cheap to build; compiling it is not.
struct DeviceFunction {
  std::string name;
  Halide::Pipeline pipeline;
  std::vector<Halide::Argument> arguments; ///< scalars, then inputs
  std::vector<std::string> operands;       ///< names of inputs, then of outputs, in the launch's order
  std::vector<RegisterArray> registers;
  bool strictFloat = false;
};

enum class DeviceForm {
  Object,    ///< ELF, for the host, with the device's code in it
  Statement, ///< Halide's lowered statement
  Source     ///< what the device's driver gets: OpenCL C, PTX, Metal, after a line on each kernel; SPIR-V
};

/// May be called from several threads at once for different functions. Throws on a fault of the builder:
/// also where something would be allocated on the device, or a register array is none.
std::string compile(const DeviceFunction &function, const DeviceTarget &target, DeviceForm form);

} // namespace heed::kernels

#endif // HEED_CODEGEN_KERNELS_DEVICE_DEVICEFUNCTION_H
