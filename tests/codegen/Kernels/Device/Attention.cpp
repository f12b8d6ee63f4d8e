// What the device functions of an attention are made of, on every interface.

#include "Device/Attention.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <sstream>

using namespace Halide;
using namespace heed;
using namespace heed::kernels;

namespace {

constexpr DeviceAPI interfaces[] = {DeviceAPI::OpenCL, DeviceAPI::CUDA, DeviceAPI::Vulkan, DeviceAPI::Metal};

DeviceTarget target(DeviceAPI api) { return deviceTarget(api, hostTarget()); }

AttentionKernel dense(int64_t depth) {
  AttentionKernel kernel;
  kernel.name = "attention";
  kernel.depth = kernel.valueDepth = depth;
  kernel.scale = 0.125;
  return kernel;
}

AttentionKernel causal(int64_t depth) {
  AttentionKernel kernel = dense(depth);
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &,
                            const std::vector<Expr> &) -> ScoreAndVisible {
    return {score, at.key <= at.query};
  };
  kernel.program.visibleKeys = [](Expr, Expr last, Expr, const ElementAt &,
                                  const std::vector<Expr> &) -> KeyRange { return {0, last + 1}; };
  return kernel;
}

/// With a mask that is an operand, heads in groups, a sink, statistics, dropout and lists.
AttentionKernel everything() {
  AttentionKernel kernel = dense(64);
  kernel.program.captures = {{UInt(8)}};
  kernel.program.apply = [](Expr score, const ScorePosition &, const ElementAt &element,
                            const std::vector<Expr> &) -> ScoreAndVisible {
    return {score, element(0, {}) != cast<uint8_t>(0)};
  };
  kernel.program.weigh = [](Expr weight, const ScorePosition &at, const ElementAt &,
                            const std::vector<Expr> &) { return weight * cast<float>(at.key % 2); };
  kernel.program.extents = 1;
  kernel.grouped = kernel.statistics = kernel.logSumExp = kernel.hasSink = kernel.listed = true;
  return kernel;
}

/// The blocks of the schedules that defaults have for heads of 64 and of 128, and of a larger block.
const std::map<int64_t, DeviceAttentionTile> tiles = {
    {64, {8, 16, 4, 8, 2, 32, 16}}, {128, {8, 16, 4, 8, 4, 32, 16}}, {256, {16, 16, 4, 4, 4, 32, 16}}};

/// Of all kernels in a lowered statement, per type of what lies in shared memory.
int64_t sharedBytesOf(const std::string &statement) {
  const std::map<std::string, int> bytes = {{"float32", 4}, {"float64", 8}, {"int32", 4}};
  int64_t sum = 0;
  const std::string marker = "] in GPUShared";
  for (size_t end = statement.find(marker); end != std::string::npos; end = statement.find(marker, end + 1)) {
    std::istringstream text(statement.substr(statement.rfind('[', end) + 1));
    std::string type, times;
    int64_t count = 0;
    text >> type >> times >> count;
    sum += bytes.at(type) * count;
  }
  return sum;
}

struct Loop {
  int instructions = 0, products = 0; ///< products: fused multiply-adds
};

/// The innermost loops of PTX in which there are fused multiply-adds.
std::vector<Loop> productLoops(const std::string &ptx) {
  std::vector<std::string> lines;
  std::map<std::string, size_t> labels;
  std::istringstream text(ptx);
  std::vector<std::pair<size_t, size_t>> loops;
  for (std::string line; std::getline(text, line);) {
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line[begin] == '.' || line[begin] == '/')
      continue;
    if (line[begin] == '$') {
      labels[line.substr(begin, line.find(':') - begin)] = lines.size();
      continue;
    }
    if (line.find(';') == std::string::npos)
      continue;
    lines.push_back(line);
    const size_t label = line.find("bra") == std::string::npos ? std::string::npos : line.find('$');
    if (label != std::string::npos)
      if (const auto found = labels.find(line.substr(label, line.find(';') - label)); found != labels.end())
        loops.emplace_back(found->second, lines.size());
  }
  std::vector<Loop> result;
  for (const auto &[begin, end] : loops) {
    const bool isInnermost =
        std::none_of(loops.begin(), loops.end(), [&, b = begin, e = end](const auto &other) {
          return other.first >= b && other.second <= e && other != std::pair(b, e);
        });
    Loop loop;
    for (size_t at = begin; at < end; ++at) {
      ++loop.instructions;
      loop.products += lines[at].find("fma.rn") != std::string::npos;
    }
    if (isInnermost && loop.products > 16)
      result.push_back(loop);
  }
  return result;
}

} // namespace

TEST_CASE("Attention compiles for every device interface") {
  for (DeviceAPI api : interfaces) {
    CHECK_FALSE(
        compile(buildDeviceAttention(causal(64), tiles.at(64), target(api)), target(api), DeviceForm::Source)
            .empty());
    CHECK_FALSE(compile(buildDeviceAttention(everything(), tiles.at(64), target(api)), target(api),
                        DeviceForm::Source)
                    .empty());
    CHECK_FALSE(compile(buildDeviceStatistics(everything(), tiles.at(64), target(api)), target(api),
                        DeviceForm::Source)
                    .empty());
    CHECK_FALSE(
        compile(buildDeviceKeyLists(everything(), tiles.at(64), target(api)), target(api), DeviceForm::Source)
            .empty());
  }
}

TEST_CASE("Operands of attentions on devices are in the launch's order") {
  const DeviceTarget cuda = target(DeviceAPI::CUDA);
  const auto operands = [](const DeviceFunction &function) {
    std::string names;
    for (const std::string &name : function.operands)
      names += name.substr(0, name.find_first_of("$.")) +
               (name.find('.') == std::string::npos ? "" : "." + name.substr(name.find('.') + 1)) + " ";
    return names;
  };
  CHECK(operands(buildDeviceAttention(dense(64), tiles.at(64), cuda)) == "q k v out ");
  CHECK(operands(buildDeviceAttention(everything(), tiles.at(64), cuda)) ==
        "q k v capture_0 sink list counts out ");
  CHECK(operands(buildDeviceStatistics(everything(), tiles.at(64), cuda)) ==
        "q k capture_0 sink list counts statistics.0 statistics.1 statistics.2 ");
  CHECK(operands(buildDeviceKeyLists(everything(), tiles.at(64), cuda)) == "shape capture_0 list counts ");
}

TEST_CASE("An attention takes the shared memory that its schedule says") {
  const DeviceTarget cuda = target(DeviceAPI::CUDA);
  for (const auto &[depth, tile] : tiles) {
    INFO(depth);
    const std::string statement =
        compile(buildDeviceAttention(dense(depth), tile, cuda), cuda, DeviceForm::Statement);
    CHECK(sharedBytesOf(statement) == sharedBytes(tile, 4));
    CHECK(sharedBytes(tile, 4) <= 48 * 1024);
  }
}

TEST_CASE("Default attentions fit every device") {
  for (int64_t columns : {1, 20, 64, 128, 129, 256, 512, 1000})
    for (int64_t queries : {1, 17, 100}) {
      const DeviceAttentionSchedule schedule =
          defaultDeviceSchedule(AttentionSizes{queries, {}, columns, columns});
      for (DeviceAPI api : interfaces)
        CHECK(checkSchedule(schedule, {target(api).sharedBytes, target(api).blockThreads}).value_or("") ==
              "");
      const DeviceAttentionTile &block = schedule.block;
      CHECK(block.queryBlock() <= std::max<int64_t>(queries, block.threadsY) + block.threadsY);
    }
}

TEST_CASE("Most instructions of an attention's loops are products, in registers") {
  const DeviceTarget cuda = target(DeviceAPI::CUDA);
  for (const auto &[depth, tile] : tiles) {
    INFO(depth);
    const std::string ptx = compile(buildDeviceAttention(dense(depth), tile, cuda), cuda, DeviceForm::Source);
    CHECK(ptx.find(".local") == std::string::npos);
    const std::vector<Loop> loops = productLoops(ptx);
    CHECK(loops.size() == 2);
    for (const Loop &loop : loops)
      CHECK(loop.products >= 0.8 * loop.instructions);
  }
}

TEST_CASE("Attention in f64 fits every device by default") {
  AttentionKernel kernel = causal(64);
  kernel.types = AttentionTypes::all(Float(64));
  AttentionSizes sizes{{}, {}, 64, 64};
  sizes.accumulatorBytes = 8;
  const DeviceAttentionTile tile = defaultDeviceSchedule(sizes).block;
  const DeviceTarget cuda = target(DeviceAPI::CUDA);
  const std::string statement =
      compile(buildDeviceAttention(kernel, tile, cuda), cuda, DeviceForm::Statement);
  CHECK(sharedBytesOf(statement) >= sharedBytes(tile, 8));
  CHECK(sharedBytesOf(statement) <= 32 * 1024);
}

TEST_CASE("A key list needs blocks of whole chunks") {
  CHECK_THROWS_WITH(buildDeviceAttention(everything(), {12, 16, 4, 4, 2, 32, 16}, target(DeviceAPI::CUDA)),
                    "threads_x: 12, a divisor of 64 is needed where visible keys are listed");
}
