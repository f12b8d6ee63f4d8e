#include "Measure/BenchArguments.h"

#include "Arrays/Arguments.h"
#include "Arrays/GuardedTensor.h"
#include "Measure/Limits.h"

#include <algorithm>
#include <cstring>

namespace heed::tools {

BenchArguments::BenchArguments(const spec::graph &kernel, const reference::SymbolValues &values,
                               const Inputs &inputs) {
  for (int index : reference::argumentNodes(kernel))
    add(inputs.at(index));
  firstOutput = views.size();
  for (const HostTensor &output : makeOutputs(kernel, values))
    add(output);
}

void BenchArguments::add(const HostTensor &tensor) {
  buffers.push_back(allocateHuge(tensor.bytes.size()));
  std::memcpy(buffers.back().get(), tensor.bytes.data(), tensor.bytes.size());
  heed_view view = {};
  view.data = buffers.back().get();
  view.dtype = static_cast<std::int32_t>(tensor.type);
  view.rank = static_cast<std::int32_t>(tensor.shape.size());
  Shape strides = denseLayout(tensor.shape).strides;
  std::copy(tensor.shape.begin(), tensor.shape.end(), view.extents);
  std::copy(strides.begin(), strides.end(), view.strides);
  views.push_back(view);
}

} // namespace heed::tools
