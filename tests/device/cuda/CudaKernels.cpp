#include "CudaKernels.h"

#include <cmath>
#include <heed/dsl.hpp>

using namespace heed;

namespace heed::tests {

namespace {

constexpr heed::extent batch{"batch"}, tokens{"tokens"}, capacity{"capacity"}, rows{"rows"};

constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {batch, tokens, 24});
                         const auto w = blocks::make_multi_head_weights(
                             {g, "attn"}, {.heads = 3, .width = 24, .bias = true});
                         g.output("y", blocks::multi_head_attention(x, w, {.mask = causal()}).output);
                       }};

constexpr kernel cached{"cached", [](graph &g) {
                          tensor position = g.scalar("position", i64);
                          tensor rows = g.input("rows", f32, {batch, 1, tokens, 8});
                          tensor all =
                              append(g.state("cache", f32, {batch, 1, capacity, 8}), rows, position, 2);
                          g.output("y", matmul(softmax(matmul(rows, transpose(all))), all));
                        }};

constexpr kernel doubled{"doubled", [](graph &g) { g.output("y", 2.0 * g.input("x", f32, {rows, 5})); }};

} // namespace

const spec::graph &cudaBlock = block, &cudaCached = cached, &cudaDoubled = doubled;

const Kernels &cudaKernels() {
  static const Kernels kernels({&block, &cached, &doubled}, {}, "x86-64-cuda,host");
  return kernels;
}

std::vector<Array> blockArguments(int64_t batch, int64_t tokens) {
  const heed_program &program = *cudaKernels().library().program("block");
  std::vector<Array> arguments;
  for (int i = 0; i + 1 < program.argument_count; ++i) {
    const int rank = program.arguments[i].rank;
    const Shape shape = rank == 3 ? Shape{batch, tokens, 24} : rank == 2 ? Shape{24, 24} : Shape{24};
    arguments.push_back(Array::random(shape, unsigned(i)));
  }
  return arguments;
}

std::string callOn(const spec::graph &kernel, const std::vector<heed_view> &views,
                   const heed_device &device) {
  const heed_options options{0, nullptr, nullptr, &device, 0};
  return cudaKernels().library().call(kernel.name, views, &options);
}

void callOnCpu(const spec::graph &kernel, const std::vector<heed_view> &views) {
  heed_status status{};
  if (heed_call(cudaKernels().library().program(kernel.name)->otherwise, views.data(), nullptr, &status))
    throw std::runtime_error(status.message);
}

bool isClose(const Array &a, const Array &b) { return a.shape() == b.shape() && difference(a, b) < 1e-5; }

Array HostArray::read() const {
  tools::HostTensor tensor = values.host();
  tensor.bytes = bytes;
  return Array(tensor);
}

/// The arguments and an output of NaN.
static std::vector<HostArray> hostsOf(const std::vector<Array> &arguments) {
  std::vector<HostArray> hosts(arguments.begin(), arguments.end());
  hosts.emplace_back(Array::filled(arguments[0].shape(), NAN));
  return hosts;
}

static std::vector<heed_view> viewsOf(std::vector<HostArray> &hosts) {
  std::vector<heed_view> views;
  for (HostArray &host : hosts)
    views.push_back(host.view());
  return views;
}

Array blockResult(const std::vector<Array> &arguments) {
  std::vector<HostArray> hosts = hostsOf(arguments);
  callOnCpu(block, viewsOf(hosts));
  return hosts.back().read();
}

std::string callBlock(const heed_device &device, const std::vector<Array> &arguments, const Array &expected) {
  std::vector<HostArray> hosts = hostsOf(arguments);
  std::string message = callOn(block, viewsOf(hosts), device);
  if (message.empty() && !isClose(hosts.back().read(), expected))
    message = "the result is wrong";
  for (size_t i = 0; i < arguments.size(); ++i)
    if (!(hosts[i].read() == arguments[i]))
      message = "an input was written to";
  return message;
}

} // namespace heed::tests
