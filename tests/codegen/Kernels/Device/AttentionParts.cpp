// Few query rows on a device: parts of the keys and their merges, run by OpenCL, against double precision.
#include "AttentionProblem.h"
#include "Device/Attention.h"
#include "DeviceRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <optional>

using namespace heed;
using namespace heed::kernels;
using Halide::cast;
using Halide::Expr;
using Exprs = std::vector<Expr>;

namespace {

constexpr double tolerance = 3e-6;
constexpr float infinity = std::numeric_limits<float>::infinity();

struct Axis {
  int extent;
  int64_t stride;
};
using Axes = std::vector<Axis>;

template <class T> Halide::Buffer<> view(T *data, const Axes &kernel, const Axes &grid) {
  std::vector<halide_dimension_t> dimensions;
  for (const Axes &axes : {kernel, grid})
    for (const Axis &axis : axes)
      dimensions.emplace_back(0, axis.extent, int(axis.stride));
  return Halide::Buffer<>(halide_type_of<std::remove_const_t<T>>(),
                          const_cast<std::remove_const_t<T> *>(data), int(dimensions.size()),
                          dimensions.data());
}

/// The launches of an attention with few rows, whose operands lie as the runtime would have them.
class PartsOnDevice {
public:
  PartsOnDevice(const AttentionKernel &kernel, const DeviceAttentionTile &tile, int partKeys)
      : kernel(kernel), partKeys(partKeys), lines(kernel.unnormalized ? 1 : 2),
        part(buildDeviceAttentionParts(kernel, tile, partKeys, openCl())),
        merge(buildDeviceMerge(kernel, openCl())) {
    if (kernel.statistics || kernel.logSumExp)
      statistics.emplace(buildDeviceMergedStatistics(kernel, openCl()));
  }

  template <class Problem> void run(Problem &p) {
    using Statistic = typename Problem::Statistic;
    const int count = (p.keys + partKeys - 1) / partKeys;
    const int64_t ofRow = int64_t(lines) * p.valueDepth, ofPart = ofRow * p.queries, ofHead = ofPart * count;
    PagedArray<Statistic> parts(p.heads * ofHead);
    std::fill(parts.begin(), parts.end(), Statistic(NAN));
    const auto partsView = [&](bool isOutput) {
      Axes axes = {{p.valueDepth, 1}};
      if (lines > 1)
        axes.push_back({lines, p.valueDepth});
      axes.push_back(rows(p, ofHead, ofRow));
      if (!isOutput)
        axes.push_back({count, ofPart});
      return view(parts.data(), axes, grid(p, ofHead, ofRow, isOutput ? Axes{{count, ofPart}} : Axes{}));
    };
    runPart(p, count, partsView(true));
    clear(p);
    std::vector<Halide::Buffer<>> merged = {partsView(false)};
    if (kernel.hasSink)
      merged.push_back(
          view(p.sinks.data(), {kernel.memberRows ? Axis{p.members, 1} : Axis{1, 1}}, grid(p, 1, 0, {})));
    const size_t inputs = merged.size();
    merged.push_back(view(p.out.data(), {{p.valueDepth, 1}, rows(p, ofHeadOfRows(p), p.valueDepth)},
                          grid(p, ofHeadOfRows(p), p.valueDepth, {})));
    merge(merged);
    if (!statistics)
      return;
    merged.resize(inputs);
    const auto add = [&](PagedArray<Statistic> &result) {
      merged.push_back(view(result.data(), {rows(p, p.queries, 1)}, grid(p, p.queries, 1, {})));
    };
    if (kernel.statistics) {
      add(p.largest);
      add(p.sum);
    }
    if (kernel.logSumExp)
      add(p.logSumExp);
    (*statistics)(merged, int(merged.size() - inputs));
  }

  const AttentionKernel kernel;

private:
  template <class Problem> static int64_t ofHeadOfRows(const Problem &p) {
    return int64_t(p.queries) * p.valueDepth;
  }

  template <class Problem> Axis rows(const Problem &p, int64_t perHead, int64_t perQuery) const {
    return kernel.memberRows ? Axis{p.members, perHead} : Axis{p.queries, perQuery};
  }

  /// Batch, head[, member], queries, then `keys`, for what moves by query heads and queries.
  template <class Problem>
  Axes grid(const Problem &p, int64_t perHead, int64_t perQuery, const Axes &keys) const {
    Axes axes = {{1, 0}, {p.heads / p.members, perHead * p.members}};
    if (kernel.grouped)
      axes.push_back(kernel.memberRows ? Axis{1, 0} : Axis{p.members, perHead});
    axes.push_back(kernel.memberRows ? Axis{p.queries, perQuery} : Axis{1, 0});
    axes.insert(axes.end(), keys.begin(), keys.end());
    return axes;
  }

  /// The same for what moves by heads of keys.
  template <class Problem> Axes keyGrid(const Problem &p, int64_t perHead) const {
    Axes axes = {{1, 0}, {p.heads / p.members, perHead}};
    if (kernel.grouped)
      axes.push_back({kernel.memberRows ? 1 : p.members, 0});
    axes.insert(axes.end(), {{kernel.memberRows ? p.queries : 1, 0}, {1, 0}});
    return axes;
  }

  template <class Problem> void runPart(Problem &p, int count, const Halide::Buffer<> &parts) {
    const int64_t ofHead = int64_t(p.queries) * p.depth;
    std::vector<Halide::Buffer<>> operands = {
        view(p.q.data(), {{p.depth, 1}, rows(p, ofHead, p.depth)}, grid(p, ofHead, p.depth, {{count, 0}})),
        view(p.k.data(), {{p.depth, 1}, {p.keys, p.depth}}, keyGrid(p, int64_t(p.keys) * p.depth)),
        view(p.v.data(), {{p.valueDepth, 1}, {p.keys, p.valueDepth}},
             keyGrid(p, int64_t(p.keys) * p.valueDepth))};
    for (size_t n = 0; n < p.captures.size(); ++n) {
      const CaptureData &capture = p.captures[n];
      Axes axes = {{p.keys, capture.keyStride}, rows(p, capture.headStride, capture.rowStride)};
      if (!capture.table.empty())
        axes = {{int(capture.table[0]), 1}};
      operands.push_back(view(p.captureArrays[n]->data(), axes,
                              capture.table.empty() ? grid(p, capture.headStride, capture.rowStride, {{1, 0}})
                                                    : grid(p, 0, 0, {{count, 0}})));
    }
    operands.push_back(parts);
    part(operands);
  }

  template <class Problem> static void clear(Problem &p) {
    using Element = std::decay_t<decltype(p.out[0])>;
    std::fill(p.out.begin(), p.out.end(), Element(NAN));
    for (auto *result : {&p.largest, &p.sum, &p.logSumExp})
      std::fill(result->begin(), result->end(), NAN);
  }

  const int partKeys, lines;
  LoadedDevice part, merge;
  std::optional<LoadedDevice> statistics;
};

/// Of 4 rows, of 2, and of one.
const DeviceAttentionTile wide{32, 2, 2, 1, 1, 16, 8}, narrow{8, 2, 1, 4, 2, 8, 16},
    lone{32, 1, 1, 2, 1, 16, 8};

AttentionKernel kernelOf() {
  AttentionKernel kernel;
  kernel.name = "few";
  kernel.scale = 0.3;
  return kernel;
}

} // namespace

TEST_CASE("parts of the keys merge to an attention, whatever is cut where", "[device][attention]") {
  AttentionKernel kernel = kernelOf();
  kernel.logSumExp = true;
  for (const DeviceAttentionTile &tile : {wide, narrow, lone}) {
    PartsOnDevice parts(kernel, tile, 64);
    for (int queries = 1; queries <= 8; ++queries)
      for (int keys : {1, 31, 32, 63, 64, 65, 128, 300, 1000}) {
        if (queries % 3 != 1 && keys > 65)
          continue;
        AttentionProblem problem(2, queries, keys, 20, 33, queries + keys);
        parts.run(problem);
        INFO(queries << " queries, " << keys << " keys, " << tile.threadsX << " threads");
        CHECK(problem.error(kernel, plainScore) < tolerance);
      }
  }
}

TEST_CASE("a part takes what of a row's range lies in it, or nothing", "[device][attention]") {
  AttentionKernel kernel = kernelOf();
  kernel.program.visibleKeys = [](Expr first, Expr last, Expr, const ElementAt &, const Exprs &) {
    return KeyRange{first * 40 - 30, last * 40 + 41};
  };
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{score, at.key <= at.query * 40 + 40 && at.key >= at.query * 40 - 30};
  };
  kernel.statistics = kernel.logSumExp = true;
  const PlainProgram window = [](double score, int, int query, int key) {
    return PlainScore{score, key <= query * 40 + 40 && key >= query * 40 - 30};
  };
  PartsOnDevice parts(kernel, wide, 64);
  for (int keys : {20, 64, 250, 513}) {
    AttentionProblem problem(2, 7, keys, 8, 12);
    parts.run(problem);
    INFO(keys << " keys");
    CHECK(problem.error(kernel, window) < tolerance);
  }
}

TEST_CASE("sinks, and rows that see nothing, in parts", "[device][attention]") {
  for (bool hasSink : {false, true}) {
    AttentionKernel kernel = kernelOf();
    kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
      return ScoreAndVisible{score, at.query != 1 && at.key % 3 != 0};
    };
    kernel.logSumExp = true;
    kernel.hasSink = kernel.nanForEmpty = hasSink;
    PartsOnDevice parts(kernel, narrow, 32);
    AttentionProblem problem(3, 3, 75, 8, 8);
    problem.sinks[2] = -infinity; // none
    parts.run(problem);
    INFO(hasSink);
    CHECK(problem.error(kernel, [](double score, int, int query, int key) {
      return PlainScore{score, query != 1 && key % 3 != 0};
    }) < tolerance);
  }
}

TEST_CASE("hidden values never matter in a part, visible NaN does", "[device][attention]") {
  AttentionKernel kernel = kernelOf();
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
    return ScoreAndVisible{score, at.key <= at.query + 70};
  };

  PartsOnDevice parts(kernel, narrow, 64);
  for (float poison : {std::nanf(""), infinity, -infinity, 1e30f}) {
    AttentionProblem problem(1, 4, 150, 8, 8);
    for (int key : {72, 74, 127, 128, 149})
      for (int n = 0; n < 8; ++n)
        problem.v[key * 8 + n] = poison;
    for (int n = 0; n < 8; ++n)
      problem.k[130 * 8 + n] = poison;
    parts.run(problem);
    INFO(poison);
    for (int n = 0; n < 32; ++n) {
      const bool isSpoilt = n / 8 >= 2 && !(std::abs(poison) < infinity);
      CHECK(std::isfinite(problem.out[n]) == !isSpoilt);
    }
    AttentionProblem clean(1, 4, 150, 8, 8);
    parts.run(clean);
    for (int n = 0; n < 16; ++n)
      CHECK(problem.out[n] == Approx(clean.out[n]).margin(1e-6));
  }
  AttentionProblem problem(1, 4, 150, 8, 8);
  for (int n = 0; n < 8; ++n)
    problem.k[72 * 8 + n] = std::nanf("");
  parts.run(problem);
  for (int n = 0; n < 32; ++n)
    CHECK(std::isnan(problem.out[n]) == (n / 8 >= 2));
}

TEST_CASE("heads of a group share a part, by member or as its rows", "[device][attention]") {
  for (bool memberRows : {false, true}) {
    AttentionKernel kernel = kernelOf();
    kernel.grouped = kernel.hasSink = kernel.statistics = kernel.logSumExp = true;
    kernel.memberRows = memberRows;
    kernel.program.captures = {{Halide::Float(32), false, true}, {Halide::Float(32), true, false}};
    if (!memberRows) // else a row is a member, of which the capture has an element
      kernel.program.captures[0].alongRows = false;
    kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
      return ScoreAndVisible{score + element(0, {}) * cast<float>(at.key) + cast<float>(at.head),
                             element(1, {}) != 0.0f && at.key <= at.query + 40};
    };
    kernel.program.visibleKeys = [](Expr, Expr last, Expr, const ElementAt &, const Exprs &) {
      return KeyRange{0, last + 41};
    };
    PartsOnDevice parts(kernel, narrow, 32);
    AttentionProblem problem(6, 5, 75, 19, 21, 1, 3);
    problem.addCapture({.elements = {0.1f, 0.2f, -0.1f, 0.05f, 0, -0.3f}, .headStride = 1});
    CaptureData mask = {.keyStride = 1};
    for (int key = 0; key < 75; ++key)
      mask.elements.push_back(key % 7 != 2);
    problem.addCapture(mask);
    parts.run(problem);
    INFO("members in rows: " << memberRows);
    CHECK(problem.error(kernel, [&](double score, int head, int query, int key) {
      return PlainScore{score + problem.captures[0].elements[head] * double(key) + head,
                        key % 7 != 2 && key <= query + 40};
    }) < tolerance);
  }
}

TEST_CASE("ranges of a part come from operands", "[device][attention]") {
  AttentionKernel kernel = kernelOf();
  kernel.program.captures = {{Halide::Float(32), false, false}, {.type = Halide::Float(32), .tableRank = 1}};
  kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &element, const Exprs &) {
    return ScoreAndVisible{score, cast<float>(at.key) < element(0, {}) &&
                                      cast<float>(at.key) >= element(1, {at.head})};
  };
  kernel.program.visibleKeys = [](Expr, Expr, Expr, const ElementAt &element, const Exprs &) {
    return KeyRange{element(1, {1}), element(0, {})};
  };
  PartsOnDevice parts(kernel, narrow, 32);
  for (float length : {0.0f, 1.0f, 50.0f, 90.0f, 1e30f, -1e30f}) {
    AttentionProblem problem(1, 5, 90, 8, 8);
    problem.addCapture({.elements = {length}});
    problem.addCapture({.elements = {3, 3}, .table = {2}});
    parts.run(problem);
    INFO(length);
    CHECK(problem.error(kernel, [&](double score, int, int, int key) {
      return PlainScore{score, key < length && key >= 3};
    }) < tolerance);
  }
}

TEST_CASE("weights of a part are changed where the pair is, or are the scores themselves",
          "[device][attention]") {
  for (bool unnormalized : {false, true}) {
    AttentionKernel kernel = kernelOf();
    kernel.unnormalized = unnormalized;
    kernel.logSumExp = !unnormalized;
    kernel.program.weigh = [](Expr weight, const ScorePosition &at, const ElementAt &, const Exprs &) {
      return select((at.key + at.query + at.head) % 3 == 0, 0.0f, weight * 1.5f);
    };
    kernel.program.apply = [](Expr score, const ScorePosition &at, const ElementAt &, const Exprs &) {
      return ScoreAndVisible{score, at.key <= at.query + 60};
    };
    PartsOnDevice parts(kernel, narrow, 32);
    AttentionProblem problem(2, 4, 90, 8, 8);
    parts.run(problem);
    INFO(unnormalized);
    CHECK(problem.error(kernel, [](double score, int head, int query, int key) {
      return PlainScore{score, key <= query + 60, (key + query + head) % 3 == 0 ? 0 : 1.5};
    }) < 1e-5);
  }
}

TEMPLATE_TEST_CASE("parts of halves and of doubles", "[device][attention]", Halide::float16_t,
                   Halide::bfloat16_t, double) {
  using Problem = ProblemOf<TestType>;
  AttentionKernel kernel = kernelOf();
  kernel.types = Problem::types();
  kernel.logSumExp = true;
  PartsOnDevice parts(kernel, narrow, 32);
  Problem problem(2, 3, 100, 24, 17);
  parts.run(problem);
  const double most = std::is_same_v<TestType, double> ? 1e-13 : 4e-3;
  CHECK(problem.error(kernel, plainScore) < most);
}
