//===- Kernels.h - Small calls of compiled kernels --------------*- C++ -*-===//
///
/// \file
/// For tests that state their numbers: arrays by their elements, and calls that find the outputs' shapes
/// themselves. Outputs are NaN before a call and lie between guard zones.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_SUPPORT_KERNELS_H
#define HEED_TESTS_SUPPORT_KERNELS_H

#include "Arrays/HostTensor.h"
#include "CompiledLibrary.h"
#include "TestTarget.h"

#include <initializer_list>
#include <memory>

namespace heed::tests {

using Shape = tools::Shape;

/// A dense array of any element type.
class Array {
public:
  Array(Shape shape, std::vector<double> elements, spec::dtype type = spec::dtype::f32);
  explicit Array(tools::HostTensor values) : values(std::move(values)) {}

  /// One number everywhere.
  static Array filled(Shape shape, double element, spec::dtype type = spec::dtype::f32);
  /// 0, 1, 2, … in row-major order.
  static Array counted(Shape shape, spec::dtype type = spec::dtype::f32);
  /// Numbers in [-1, 1] that a seed decides.
  static Array random(Shape shape, unsigned seed, spec::dtype type = spec::dtype::f32);
  /// A rank-0 argument.
  static Array scalar(double value, spec::dtype type) { return Array({}, {value}, type); }

  const Shape &shape() const { return values.shape; }
  double at(std::initializer_list<int64_t> index) const { return double(values.at(offset(index))); }
  void set(std::initializer_list<int64_t> index, double element) { values.set(offset(index), element); }
  /// Sets all elements whose index starts so.
  void fill(std::initializer_list<int64_t> index, double element);
  /// Elements [first, first + count) along an axis.
  Array slice(int axis, int64_t first, int64_t count) const;
  /// The same elements in another shape.
  Array reshaped(Shape shape) const;
  std::vector<double> elements() const;

  /// Whether the bits are the same.
  bool operator==(const Array &other) const;

  const tools::HostTensor &host() const { return values; }

private:
  int64_t offset(std::initializer_list<int64_t> index) const;
  tools::HostTensor values;
};

/// The largest |a - b| / max(1, |b|) of two arrays of one shape; infinite where one is NaN and the other is
/// not.
double difference(const Array &a, const Array &b);

/// One library of several kernels. A fault when compiling or calling is thrown as std::runtime_error, so that
/// it fails the test with its text.
class Kernels {
public:
  Kernels(std::initializer_list<const spec::graph *> kernels, const AdjustSchedules &adjust = {},
          const std::string &target = testTarget());

  using Results = std::vector<Array>;

  /// All outputs for arguments in the graph's order.
  Results call(const spec::graph &kernel, const std::vector<Array> &arguments,
               const heed_options *options = nullptr) const;

  /// The first output.
  Array operator()(const spec::graph &kernel, const std::vector<Array> &arguments,
                   const heed_options *options = nullptr) const {
    return call(kernel, arguments, options)[0];
  }

  const CompiledLibrary &library() const { return *compiled; }

private:
  std::unique_ptr<CompiledLibrary> compiled;
};

/// A dense view of elements in the caller's memory.
heed_view denseView(void *data, spec::dtype type, const Shape &shape);

} // namespace heed::tests

#endif // HEED_TESTS_SUPPORT_KERNELS_H
