// Arguments in the device's memory, and the caller's own context and queue.
#include "OpenCl.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <heed/dsl.hpp>

using namespace heed;
using heed::tests::Array;
using heed::tests::denseView;
using heed::tests::DeviceArray;
using heed::tests::Gate;
using heed::tests::Kernels;
using heed::tests::OpenCl;
using heed::tests::Shape;

namespace {

constexpr heed::extent batch{"batch"}, tokens{"tokens"}, capacity{"capacity"};

/// Two projections, an attention and a third projection: temporaries lie on the device.
constexpr kernel block{"block", [](graph &g) {
                         tensor x = g.input("x", f32, {batch, tokens, 24});
                         const auto w = blocks::make_multi_head_weights(
                             {g, "attn"}, {.heads = 3, .width = 24, .bias = true});
                         g.output("y", blocks::multi_head_attention(x, w, {.mask = causal()}).output);
                       }};

/// New rows go into the cache; everything in it is seen.
constexpr kernel cached{"cached", [](graph &g) {
                          tensor position = g.scalar("position", i64);
                          tensor rows = g.input("rows", f32, {batch, 1, tokens, 8});
                          tensor all =
                              append(g.state("cache", f32, {batch, 1, capacity, 8}), rows, position, 2);
                          tensor scores =
                              mask(matmul(rows, transpose(all)),
                                   [=](index, index, index q, index k) { return k <= q + position(); });
                          g.output("y", matmul(softmax(scores), all));
                        }};

const Kernels &compiled() {
  static const Kernels kernels{&block, &cached};
  return kernels;
}

std::vector<Array> blockArguments(int64_t count) {
  const heed_program &program = *compiled().library().program("block");
  std::vector<Array> arguments;
  for (int i = 0; i + 1 < program.argument_count; ++i) {
    const int rank = program.arguments[i].rank;
    const Shape shape = rank == 3 ? Shape{2, count, 24} : rank == 2 ? Shape{24, 24} : Shape{24};
    arguments.push_back(Array::random(shape, unsigned(i)));
  }
  return arguments;
}

std::string call(const spec::graph &kernel, const std::vector<heed_view> &views, const heed_device &device) {
  const heed_options options{0, nullptr, nullptr, &device, 0};
  return compiled().library().call(kernel.name, views, &options);
}

/// Host memory of a call's arguments for views of single arrays.
struct HostArray {
  std::vector<std::byte> bytes;
  Array values;
  explicit HostArray(const Array &values) : bytes(values.host().bytes), values(values) {}
  heed_view view() { return denseView(bytes.data(), values.host().type, values.shape()); }
  Array read() const {
    heed::tools::HostTensor tensor = values.host();
    tensor.bytes = bytes;
    return Array(tensor);
  }
};

} // namespace

TEST_CASE("arguments in the device's memory give the same bits as those in the host's") {
  const int64_t count = GENERATE(1, 7, 150);
  const OpenCl cl;
  const std::vector<Array> arguments = blockArguments(count);
  const Array expected = compiled()(block, arguments);
  std::vector<std::unique_ptr<DeviceArray>> arrays;
  std::vector<heed_view> views;
  for (const Array &argument : arguments)
    views.push_back(arrays.emplace_back(std::make_unique<DeviceArray>(cl, argument))->view());
  const DeviceArray y(cl, spec::dtype::f32, expected.shape());
  views.push_back(y.view());
  REQUIRE(call(block, views, cl.device()) == "");
  CHECK(y.read() == expected);
  for (size_t i = 0; i < arguments.size(); ++i)
    CHECK(arrays[i]->read() == arguments[i]);
}

TEST_CASE("arguments may lie in either memory, output and inputs alike") {
  const bool outputOnDevice = GENERATE(false, true);
  const OpenCl cl;
  const std::vector<Array> arguments = blockArguments(40);
  const Array expected = compiled()(block, arguments);
  std::vector<HostArray> hosts(arguments.begin(), arguments.end());
  const DeviceArray weight(cl, arguments[1]), deviceOutput(cl, spec::dtype::f32, expected.shape());
  HostArray hostOutput(Array::filled(expected.shape(), NAN));
  std::vector<heed_view> views;
  for (HostArray &host : hosts)
    views.push_back(host.view());
  views[1] = weight.view();
  views.push_back(outputOnDevice ? deviceOutput.view() : hostOutput.view());
  REQUIRE(call(block, views, cl.device()) == "");
  CHECK((outputOnDevice ? deviceOutput.read() : hostOutput.read()) == expected);
}

TEST_CASE("a call with arguments on the device waits for nothing") {
  const OpenCl cl;
  const std::vector<Array> arguments = blockArguments(40);
  const Array expected = compiled()(block, arguments);
  std::vector<std::unique_ptr<DeviceArray>> arrays;
  std::vector<heed_view> views;
  for (const Array &argument : arguments)
    views.push_back(arrays.emplace_back(std::make_unique<DeviceArray>(cl, argument))->view());
  const DeviceArray first(cl, spec::dtype::f32, expected.shape()),
      second(cl, spec::dtype::f32, expected.shape());
  views.push_back(first.view());
  REQUIRE(call(block, views, cl.device()) == ""); // compiles
  cl.finish();
  Gate gate(cl); // the queue stands still until it opens
  views.back() = second.view();
  REQUIRE(call(block, views, cl.device()) == "");
  gate.open();
  CHECK(second.read() == expected);
}

TEST_CASE("a state on the device is changed in place") {
  const OpenCl cl;
  const Array filled = Array::random({2, 1, 20, 8}, 1);
  const DeviceArray cache(cl, filled);
  for (const auto &[position, count] : {std::pair<int64_t, int64_t>(0, 5), {5, 1}, {6, 9}}) {
    const Array rows = Array::random({2, 1, count, 8}, unsigned(position) + 7),
                at = Array::scalar(double(position), spec::dtype::i64);
    HostArray hostRows(rows), hostPosition(at), hostCache(cache.read()),
        hostOutput(Array::filled(rows.shape(), NAN));
    const DeviceArray deviceRows(cl, rows), y(cl, spec::dtype::f32, rows.shape());
    auto views = [&](heed_view rows, heed_view cache, heed_view y) {
      std::vector<heed_view> views;
      const heed_program &program = *compiled().library().program("cached");
      for (int i = 0; i < program.argument_count; ++i) {
        const std::string name = program.arguments[i].name;
        views.push_back(name == "rows"    ? rows
                        : name == "cache" ? cache
                        : name == "y"     ? y
                                          : hostPosition.view());
      }
      return views;
    };
    REQUIRE(call(cached, views(deviceRows.view(), cache.view(), y.view()), cl.device()) == "");
    REQUIRE(call(cached, views(hostRows.view(), hostCache.view(), hostOutput.view()), cl.device()) == "");
    CHECK(y.read() == hostOutput.read());
    CHECK(cache.read() == hostCache.read());
    CHECK(cache.read().slice(2, position, count) == rows);
    CHECK(cache.read().slice(2, position + count, 20 - position - count) ==
          filled.slice(2, position + count, 20 - position - count));
  }
}

TEST_CASE("memory of the device can't be read by a kernel for the CPU") {
  const OpenCl cl;
  const heed::tests::CompiledLibrary onCpu(std::vector<const spec::graph *>{&block});
  REQUIRE(onCpu.error() == "");
  const std::vector<Array> arguments = blockArguments(3);
  std::vector<HostArray> hosts(arguments.begin(), arguments.end());
  const DeviceArray x(cl, arguments[0]);
  HostArray y(Array::filled({2, 3, 24}, NAN));
  std::vector<heed_view> views{x.view()};
  for (size_t i = 1; i < hosts.size(); ++i)
    views.push_back(hosts[i].view());
  views.push_back(y.view());
  const std::string message = onCpu.call("block", views);
  INFO(message);
  CHECK(message.find("x: ") == 0);
  CHECK(std::isnan(y.read().at({0, 0, 0})));
}
