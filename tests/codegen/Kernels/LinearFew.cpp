// Linear layers of few rows, with inputs in lanes, against the naive evaluation.
#include "Linear.h"
#include "LinearProblem.h"

#include <catch2/catch.hpp>
#include <regex>

using namespace heed;
using namespace heed::kernels;

namespace {

constexpr int mostRows = 9;

/// Of 1 to 9 rows, dense and with gaps between rows; `known` is the number of inputs that the tile is for.
template <class X, class W = X, class B = X, class Y = X>
void checkFewRows(const LoadedTile &tile, const FewRowsTile &form, bool bias, std::optional<int> known,
                  double tolerance) {
  for (int rows = 1; rows <= mostRows; ++rows)
    for (auto [inputs, columns] :
         {std::pair(0, 3), {1, 1}, {5, 9}, {7, 16}, {16, 8}, {33, 17}, {100, 131}, {512, 70}})
      for (int gap : {0, 3}) {
        const LinearProblem problem{rows, known.value_or(inputs), columns, bias, gap};
        INFO(rows << "x" << problem.inputs << " -> " << columns << ", bias " << bias << ", gap " << gap
                  << ", tile " << form.rowTile << "x" << form.columnTile);
        CHECK((linearError<X, W, B, Y>)(tile, problem, mostRows, form.columnBlock) < tolerance);
      }
}

int countOf(const std::string &text, const std::string &word) {
  int count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

} // namespace

TEST_CASE("few rows of any size equal the naive evaluation", "[linear]") {
  const CpuTarget target = hostTarget();
  for (const FewRowsTile &form :
       {defaultSchedule(LinearSizes{}, target.lanes).few, FewRowsTile{21, 1, 3}, FewRowsTile{64, 4, 4}})
    for (bool bias : {true, false})
      checkFewRows<float>(LoadedTile(buildFewRows({.name = "few", .bias = bias}, form, target), target), form,
                          bias, std::nullopt, 1e-6);
}

TEST_CASE("few rows with a known number of inputs", "[linear]") {
  const CpuTarget target = hostTarget();
  const FewRowsTile form = defaultSchedule(LinearSizes{}, target.lanes).few;
  for (int inputs : {3, 64, 515})
    checkFewRows<float>(
        LoadedTile(buildFewRows({.name = "few", .inputs = inputs, .bias = true}, form, target), target), form,
        true, inputs, 1e-6);
}

TEST_CASE("few rows in double precision", "[linear][double]") {
  const CpuTarget target = hostTarget();
  const FewRowsTile form = defaultSchedule(LinearSizes{}, target.lanes).few;
  LinearKernel kernel{.name = "few", .types = LinearTypes::all(Halide::Float(64)), .bias = true};
  kernel.epilogue.apply = [](auto &sum, auto &, auto &, auto &) {
    return sum * Halide::Internal::make_const(sum.type(), 1.0);
  };
  checkFewRows<double>(LoadedTile(buildFewRows(kernel, form, target), target), form, true, std::nullopt,
                       1e-15);
}

TEST_CASE("few rows of halves and of mixed types", "[linear][half]") {
  using Halide::bfloat16_t, Halide::float16_t;
  const CpuTarget target = hostTarget();
  const FewRowsTile form = defaultSchedule(LinearSizes{}, target.lanes).few;
  const Halide::Type f32 = Halide::Float(32), f16 = Halide::Float(16), bf16 = Halide::BFloat(16);
  const auto tileOf = [&](const LinearTypes &types, std::optional<int> inputs) {
    return LoadedTile(
        buildFewRows({.name = "few", .types = types, .inputs = inputs, .bias = true}, form, target), target);
  };
  for (std::optional<int> inputs : {std::optional<int>(), {512}, {516}}) {
    checkFewRows<bfloat16_t>(tileOf(LinearTypes::all(bf16), inputs), form, true, inputs, 1e-6);
    checkFewRows<float16_t>(tileOf(LinearTypes::all(f16), inputs), form, true, inputs, 1e-6);
    checkFewRows<float, bfloat16_t, float, float>(tileOf({f32, bf16, f32, f32}, inputs), form, true, inputs,
                                                  1e-6);
    checkFewRows<float16_t, float, bfloat16_t, float16_t>(tileOf({f16, f32, bf16, f16}, inputs), form, true,
                                                          inputs, 1e-6);
  }
}

TEST_CASE("few rows are summed in registers at every level", "[linear]") {
  for (heed_cpu_level level : {HEED_CPU_X86_64_V2, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V4}) {
    const CpuTarget target = cpuTarget(level);
    const FewRowsTile form = defaultSchedule(LinearSizes{}, target.lanes).few;
    CHECK(form.rowTile * form.columnTile + form.rowTile < target.registers);
    const std::string text = compile(buildFewRows({.name = "few", .inputs = 512, .bias = true}, form, target),
                                     target, Form::Assembly);
    CHECK(text.find("gather") == std::string::npos);
    // The loops over inputs keep their sums out of memory: one of a single row, one of several.
    static const std::regex loop(R"(\n\.LBB\w+:[^\n]*for_lane_sums[^"\n]*\.s1\.step[^\n]*\n)");
    std::vector<int> adds;
    for (std::sregex_iterator found(text.begin(), text.end(), loop), end; found != end; ++found) {
      const size_t start = found->position() + found->length();
      const std::string body = text.substr(start, text.find("\tj", start) - start);
      CHECK(body.find("(%rsp)") == std::string::npos);
      adds.push_back(countOf(body, level == HEED_CPU_X86_64_V2 ? "\taddps" : "\tvfmadd"));
    }
    REQUIRE(adds.size() == 2);
    CHECK(adds[0] > 0);
    CHECK(adds[0] % 8 == 0);
    CHECK(adds[1] > 0);
    CHECK(adds[1] % (form.rowTile * form.columnTile) == 0);
  }
}
