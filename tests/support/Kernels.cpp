#include "Kernels.h"

#include "Arrays/GuardedTensor.h"
#include "Reference/Symbols.h"

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

namespace heed::tests {

using tools::GuardedTensor;
using tools::HostTensor;

Array::Array(Shape shape, std::vector<double> elements, spec::dtype type)
    : values(HostTensor::zeros(type, std::move(shape))) {
  if (values.size() != int64_t(elements.size()))
    throw std::runtime_error("an array of shape " + reference::shapeText(values.shape) + " has " +
                             std::to_string(elements.size()) + " elements");
  for (int64_t i = 0; i < values.size(); ++i)
    values.set(i, elements[i]);
}

Array Array::filled(Shape shape, double element, spec::dtype type) {
  std::vector<double> elements(reference::elementCount(shape), element);
  return Array(std::move(shape), elements, type);
}

Array Array::counted(Shape shape, spec::dtype type) {
  std::vector<double> elements(reference::elementCount(shape));
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = double(i);
  return Array(std::move(shape), elements, type);
}

Array Array::random(Shape shape, unsigned seed, spec::dtype type) {
  std::mt19937 generator(seed);
  std::vector<double> elements(reference::elementCount(shape));
  for (double &element : elements)
    element = generator() / 2147483648.0 - 1;
  return Array(std::move(shape), elements, type);
}

int64_t Array::offset(std::initializer_list<int64_t> index) const {
  int64_t offset = 0;
  size_t axis = 0;
  for (int64_t at : index)
    offset = offset * values.shape.at(axis++) + at;
  for (; axis < values.shape.size(); ++axis)
    offset *= values.shape[axis];
  return offset;
}

void Array::fill(std::initializer_list<int64_t> index, double element) {
  int64_t count = 1;
  for (size_t axis = index.size(); axis < values.shape.size(); ++axis)
    count *= values.shape[axis];
  for (int64_t first = offset(index), i = 0; i < count; ++i)
    values.set(first + i, element);
}

Array Array::slice(int axis, int64_t first, int64_t count) const {
  Shape shape = values.shape, index(shape.size(), 0);
  shape[axis] = count;
  Array result = filled(shape, 0, values.type);
  Shape strides = reference::broadcastStrides(values.shape, values.shape);
  for (int64_t i = 0; i < result.values.size(); ++i) {
    result.values.set(i, values.at(reference::offsetOf(index, strides) + first * strides[axis]));
    reference::advance(index, shape);
  }
  return result;
}

Array Array::reshaped(Shape shape) const { return Array(std::move(shape), elements(), values.type); }

std::vector<double> Array::elements() const {
  std::vector<double> elements;
  for (int64_t i = 0; i < values.size(); ++i)
    elements.push_back(double(values.at(i)));
  return elements;
}

bool Array::operator==(const Array &other) const {
  return values.type == other.values.type && values.shape == other.values.shape &&
         values.bytes == other.values.bytes;
}

double difference(const Array &a, const Array &b) {
  if (a.shape() != b.shape())
    throw std::runtime_error("shapes " + reference::shapeText(a.shape()) + " and " +
                             reference::shapeText(b.shape()) + " differ");
  double largest = 0;
  std::vector<double> x = a.elements(), y = b.elements();
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))
      continue;
    double distance = std::fabs(x[i] - y[i]) / std::max(1.0, std::fabs(y[i]));
    largest = std::max(largest, std::isfinite(distance) ? distance : std::numeric_limits<double>::infinity());
  }
  return largest;
}

heed_view denseView(void *data, spec::dtype type, const Shape &shape) {
  heed_view view{data, int32_t(type), int32_t(shape.size()), {}, {}, HEED_MEMORY_HOST, 0};
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis]) {
    view.extents[axis] = shape[axis];
    view.strides[axis] = stride;
  }
  return view;
}

Kernels::Kernels(std::initializer_list<const spec::graph *> kernels, const AdjustSchedules &adjust,
                 const std::string &target)
    : compiled(
          std::make_unique<CompiledLibrary>(std::span(kernels.begin(), kernels.size()), adjust, target)) {
  if (!compiled->error().empty())
    throw std::runtime_error(compiled->error());
}

namespace {

/// Guarded memory of all arguments of a call, outputs last.
std::vector<GuardedTensor> buffersOf(const spec::graph &kernel, const std::vector<Array> &arguments) {
  reference::SymbolValues symbols(kernel.symbol_count, -1);
  std::vector<Shape> shapes;
  std::vector<GuardedTensor> buffers;
  buffers.reserve(arguments.size() + kernel.output_count);
  for (const Array &argument : arguments) {
    shapes.push_back(argument.shape());
    buffers.emplace_back(argument.host().type, argument.shape(), tools::denseLayout(argument.shape()));
    buffers.back().write(argument.host());
  }
  if (std::string wrong = reference::bindSymbols(kernel, shapes, symbols); !wrong.empty())
    throw std::runtime_error(wrong);
  for (int i = 0; i < kernel.output_count; ++i) {
    const spec::node &node = kernel.nodes[kernel.outputs[i].node];
    Shape shape = *reference::shapeOf(kernel, node, symbols);
    buffers.emplace_back(node.type, shape, tools::denseLayout(shape));
  }
  return buffers;
}

} // namespace

Kernels::Results Kernels::call(const spec::graph &kernel, const std::vector<Array> &arguments,
                               const heed_options *options) const {
  std::vector<GuardedTensor> buffers = buffersOf(kernel, arguments);
  std::vector<heed_view> views;
  for (GuardedTensor &buffer : buffers) {
    buffer.seal();
    views.push_back(buffer.view());
  }
  if (std::string wrong = compiled->call(kernel.name, views, options); !wrong.empty())
    throw std::runtime_error(wrong);
  Results results;
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (buffers[i].damaged(i < arguments.size()))
      throw std::runtime_error(i < arguments.size() ? "an input was written to"
                                                    : "memory beside an output was written to");
    if (i < arguments.size())
      continue;
    results.emplace_back(buffers[i].read());
  }
  return results;
}

} // namespace heed::tests
