// One library for every level of x86-64, run at each of them.
#include "LevelKernels.h"

#include "Arrays/HostTensor.h"
#include "CompiledLibrary.h"
#include "Target/CpuLevel.h"
#include "Verify/VerifyCase.h"

#include "llvm/ADT/STLExtras.h"
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <heed/cpu_level.hpp>
#include <random>

using namespace heed;
using heed::tests::CompiledLibrary;

namespace {

const spec::graph *const kernels[] = {&levels::attention_d64, &levels::causal_d20, &levels::decode,
                                      &levels::projected,     &levels::linear_512, &levels::normed,
                                      &levels::in_double};

/// Those that have dot products of bf16, and one of f16, which has none.
const spec::graph *const halfKernels[] = {&levels::bf16_d64, &levels::bf16_causal_d21,
                                          &levels::bf16_linear_512, &levels::bf16_linear_odd,
                                          &levels::f16_d64};

const CompiledLibrary &library() {
  static const CompiledLibrary library = [] {
    std::vector<const spec::graph *> all(std::begin(kernels), std::end(kernels));
    all.insert(all.end(), std::begin(halfKernels), std::end(halfKernels));
    return CompiledLibrary(all, {}, "x86-64");
  }();
  REQUIRE(library.error() == "");
  return library;
}

/// Of the library's levels of a kernel, those that this machine runs.
CpuLevels runningLevels(const spec::graph &kernel) {
  CpuLevels levels;
  for (const heed_program *at = library().program(kernel.name); at; at = at->otherwise)
    if (llvm::is_contained(hostLevels(), at->cpu_level))
      levels.push_back(static_cast<heed_cpu_level>(at->cpu_level));
  return levels;
}

/// Every later call runs the level, until the end of the scope.
struct Forced {
  explicit Forced(heed_cpu_level level) { REQUIRE(set_cpu_level(level)); }
  ~Forced() { heed_set_cpu_level(HEED_CPU_ANY); }
};

using Elements = std::vector<double>;

/// The elements of all outputs, which are the views with these roles.
Elements outputsOf(const heed_program &program, std::span<const heed_view> views) {
  Elements elements;
  for (int a = 0; a < program.argument_count; ++a) {
    const heed_view &view = views[a];
    if (program.arguments[a].role != HEED_OUTPUT)
      continue;
    int64_t count = 1;
    for (int axis = 0; axis < view.rank; ++axis)
      count *= view.extents[axis];
    for (int64_t i = 0; i < count; ++i) {
      int64_t offset = 0, rest = i;
      for (int axis = view.rank; axis-- > 0; rest /= view.extents[axis])
        offset += rest % view.extents[axis] * view.strides[axis];
      const auto type = static_cast<spec::dtype>(view.dtype);
      elements.push_back(static_cast<double>(tools::loadElement(
          type, static_cast<const char *>(view.data) + offset * int64_t(tools::elementSize(type)))));
    }
  }
  return elements;
}

/// A kernel's outputs at a level, once they are found to be right; the same arguments at each level.
Elements verified(const spec::graph &kernel, heed_cpu_level level, const std::vector<std::string> &sizes) {
  const Forced forced(level);
  const heed_program &program = *library().program(kernel.name);
  REQUIRE(cpu_level_of(program) == level);
  Elements elements;
  std::mt19937_64 random(7);
  const auto call = [&](std::span<const heed_view> views) {
    CHECK(library().call(kernel.name, views) == "");
    elements = outputsOf(program, views);
  };
  CHECK(tools::verifyCase(kernel, call, tools::parseSizes(kernel, sizes), random).wrong == "");
  return elements;
}

/// The largest difference, relative to elements above 1.
double difference(const Elements &a, const Elements &b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i)
    if (!(std::isnan(a[i]) && std::isnan(b[i])))
      largest = std::max(largest, std::fabs(a[i] - b[i]) / std::max(1.0, std::fabs(b[i])));
  return largest;
}

using Calls = std::vector<std::pair<const spec::graph *, std::vector<std::string>>>;

void checkLevelsAgree(const Calls &calls, double most) {
  for (const auto &[kernel, sizes] : calls) {
    INFO(kernel->name << " " << sizes.back());
    const CpuLevels levels = runningLevels(*kernel);
    const Elements best = verified(*kernel, levels.front(), sizes);
    REQUIRE(!best.empty());
    for (const heed_cpu_level level : levels) {
      INFO(name(level));
      CHECK(difference(verified(*kernel, level, sizes), best) < most);
    }
  }
}

} // namespace

TEST_CASE("every level that the machine runs gives the same, within the bounds") {
  const Calls calls = {{&levels::attention_d64, {"batch=1", "heads=2", "queries=130", "keys=139"}},
                       {&levels::attention_d64, {"batch=2", "heads=1", "queries=9", "keys=1030"}},
                       {&levels::attention_d64, {"batch=1", "heads=3", "queries=1", "keys=70"}},
                       {&levels::causal_d20, {"batch=2", "heads=2", "queries=75"}},
                       {&levels::decode, {"batch=1", "heads=2", "rows=1", "capacity=203"}},
                       {&levels::projected, {"rows=3"}},
                       {&levels::projected, {"rows=201"}},
                       {&levels::linear_512, {"rows=70"}},
                       {&levels::normed, {"rows=37"}},
                       {&levels::in_double, {"heads=2", "rows=41"}}};
  checkLevelsAgree(calls, 1e-5);
}

TEST_CASE(
    "every level gives the same with operands of 16 bits, but for one rounding of weights and results") {
  checkLevelsAgree({{&levels::bf16_d64, {"batch=1", "heads=2", "queries=130", "keys=139"}},
                    {&levels::bf16_d64, {"batch=2", "heads=1", "queries=9", "keys=1030"}},
                    {&levels::bf16_d64, {"batch=1", "heads=3", "queries=1", "keys=71"}},
                    {&levels::bf16_causal_d21, {"batch=2", "heads=2", "queries=75"}},
                    {&levels::bf16_linear_512, {"rows=3"}},
                    {&levels::bf16_linear_512, {"rows=70"}},
                    {&levels::bf16_linear_odd, {"rows=201"}}},
                   0x1p-6);
  checkLevelsAgree({{&levels::f16_d64, {"batch=1", "heads=2", "queries=130", "keys=139"}},
                    {&levels::f16_d64, {"batch=1", "heads=3", "queries=1", "keys=71"}}},
                   0x1p-9);
}

TEST_CASE("a library for x86-64 holds each level once, highest first, and the best runs") {
  const auto levelsHeld = [](const spec::graph &kernel) {
    CpuLevels held;
    for (const heed_program *at = library().program(kernel.name); at; at = at->otherwise) {
      held.push_back(static_cast<heed_cpu_level>(at->cpu_level));
      CHECK(std::string(at->name) == kernel.name);
    }
    return held;
  };
  const CpuLevels common = {HEED_CPU_X86_64_V4, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V2};
  CpuLevels all = common;
  all.insert(all.begin(), HEED_CPU_X86_64_V4_BF16);
  CHECK(levelsHeld(levels::bf16_d64) == all);
  CHECK(levelsHeld(levels::bf16_linear_odd) == all);
  CHECK(levelsHeld(levels::f16_d64) == common);
  CHECK(cpu_level_of(*library().program("bf16_d64")) == hostLevel());
  for (const spec::graph *kernel : kernels) {
    CHECK(levelsHeld(*kernel) == common);
    CHECK(cpu_level_of(*library().program(kernel->name)) == runningLevels(*kernel).front());
  }
}

TEST_CASE("levels have functions of their own, and no function serves two") {
  std::vector<heed_tile_function> functions;
  for (const heed_program *at = library().program("attention_d64"); at; at = at->otherwise)
    for (int s = 0; s < at->step_count; ++s)
      for (int a = 0; a < at->steps[s].alternative_count; ++a)
        functions.push_back(at->steps[s].alternatives[a].launches[0].function);
  const size_t count = functions.size();
  std::sort(functions.begin(), functions.end());
  functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
  CHECK(functions.size() == count);
}
