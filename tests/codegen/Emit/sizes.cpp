// Schedules by size: which one runs where, and that the results are right everywhere.
#include "Compiled.h"
#include "Naive.h"
#include "Text.h"

#include <array>
#include <catch2/catch.hpp>

using namespace heed;

namespace {

/// Softmax over scores without a scale, all keys visible.
std::string attention() {
  std::string q = tensor("batch, heads, queries, 16"), k = tensor("batch, heads, keys, 16");
  return kernel("sized", {q, k, k}, q,
                "%y = heed.attention %x0, %x1, %x2 scale 1.0 : (" + q + ", " + k + ", " + k + ") -> " + q +
                    " {\n^bb0(%s: f32, %b: i64, %h: i64, %i: i64, %j: i64):\n%true = arith.constant true\n"
                    "heed.yield %s, %true : f32, i1\n}\nheed.return %y : " +
                    q);
}

constexpr int mostLaunches = 24;
int launchCount, lastLaunch;
std::array<heed_tile_function, mostLaunches> functions;

template <int Number> int recorded(void **arguments) {
  lastLaunch = Number;
  return functions[Number](arguments);
}

template <int... Numbers>
constexpr std::array<heed_tile_function, sizeof...(Numbers)>
recorders(std::integer_sequence<int, Numbers...>) {
  return {recorded<Numbers>...};
}

/// A copy of a program whose launches note their number, counted through all steps and alternatives.
class Recorded {
public:
  explicit Recorded(const heed_program &original) : copy(original) {
    static constexpr auto notes = recorders(std::make_integer_sequence<int, mostLaunches>());
    launchCount = 0;
    for (int s = 0; s < copy.step_count; ++s) {
      heed_step step = copy.steps[s];
      auto &made = alternatives.emplace_back(step.alternatives, step.alternatives + step.alternative_count);
      for (heed_alternative &alternative : made) {
        auto &list =
            launches.emplace_back(alternative.launches, alternative.launches + alternative.launch_count);
        for (heed_launch &launch : list) {
          REQUIRE(launchCount < mostLaunches);
          functions[launchCount] = launch.function;
          launch.function = notes[launchCount++];
        }
        alternative.launches = list.data();
      }
      steps.push_back({step.alternative_count, made.data()});
    }
    copy.steps = steps.data();
  }
  Recorded(const Recorded &) = delete;

  heed_program copy;

private:
  std::vector<heed_step> steps;
  std::vector<std::vector<heed_alternative>> alternatives;
  std::vector<std::vector<heed_launch>> launches;
};

/// The number of the last launch that a call of this size makes; its result is checked.
int launchAt(const heed_program &program, int64_t queries, int64_t keys) {
  CAPTURE(queries, keys);
  Tensor<float> q = Tensor<float>::random({1, 2, queries, 16}, 1),
                k = Tensor<float>::random({1, 2, keys, 16}, 2),
                v = Tensor<float>::random({1, 2, keys, 16}, 3), y({1, 2, queries, 16});
  AttentionFormula formula{keys,
                           16,
                           1.0,
                           [&](auto &i) { return q.at(i); },
                           [&](auto &i) { return k.at(i); },
                           [&](auto &i) { return v.at(i); }};
  heed_view views[] = {q.view(), k.view(), v.view(), y.view()};
  heed_options serial{};
  serial.threads = 1;
  heed_status status{};
  heed_call(&program, views, &serial, &status);
  CHECK(std::string(status.message) == "");
  CHECK(largestDifference(y, formula) < 1e-5);
  CHECK(y.guardsIntact());
  return lastLaunch;
}

const std::string rowsOnly = "small_limit 0 depth_row_limit 0 vectors 1 key_chunk 64 ";

} // namespace

TEST_CASE("the schedule of the nearest size runs") {
  Compiled library(attention(), "attention sized.attention {" + rowsOnly +
                                    "}\n"
                                    "attention sized.attention at keys=16 queries=16 { query_block 16 }\n"
                                    "attention sized.attention at keys=64 queries=64 { query_block 32 }\n"
                                    "attention sized.attention at keys=512 queries=512 { query_block 48 }\n");
  const program::Step &step = library.programs[0].steps[0];
  REQUIRE(step.alternatives.size() == 3);
  for (int choice : {0, 1, 2})
    CHECK(step.alternatives[choice].launches[0].grid.back().block == 16 * (choice + 1));
  // √(16²·64²) = 1024, √(64²·512²) = 32768
  Recorded recorded(*library.table("sized"));
  for (auto [queries, keys, choice] : {std::array<int64_t, 3>{1, 1, 0},
                                       {16, 16, 0},
                                       {32, 32, 0},
                                       {1, 1024, 0},
                                       {1, 1025, 1},
                                       {64, 64, 1},
                                       {500, 3, 1},
                                       {181, 181, 1},
                                       {182, 181, 2},
                                       {512, 512, 2},
                                       {70, 1000, 2}})
    CHECK(launchAt(recorded.copy, queries, keys) == choice);
}

TEST_CASE("families are chosen within the schedule of a size") {
  Compiled library(attention(),
                   "attention sized.attention { vectors 1 key_chunk 64 query_block 16 depth_row_limit 2 "
                   "depth_key_chunk 64 small_limit 0 }\n"
                   "attention sized.attention at queries=8 {}\n"
                   "attention sized.attention at queries=32 { small_limit 40 }\n");
  const program::Step &step = library.programs[0].steps[0];
  REQUIRE(step.alternatives.size() == 5); // depth, rows; depth, small, rows
  CHECK(step.alternatives[0].conditions.size() == 2);
  Recorded recorded(*library.table("sized"));
  REQUIRE(launchCount == 7);                    // a depth family is two launches
  CHECK(launchAt(recorded.copy, 2, 100) == 1);  // the merge of the first depth family
  CHECK(launchAt(recorded.copy, 3, 100) == 2);  // the first rows
  CHECK(launchAt(recorded.copy, 16, 100) == 2); // √(8·32) = 16
  CHECK(launchAt(recorded.copy, 17, 100) == 5);
  CHECK(launchAt(recorded.copy, 40, 100) == 5);
  CHECK(launchAt(recorded.copy, 41, 100) == 6);
}

TEST_CASE("equal schedules of neighbouring sizes are one") {
  Compiled library(attention(), "attention sized.attention {" + rowsOnly +
                                    "}\n"
                                    "attention sized.attention at keys=16 { query_block 32 }\n"
                                    "attention sized.attention at keys=64 { query_block 32 }\n");
  CHECK(library.programs[0].steps[0].alternatives.size() == 1);
  CHECK(library.programs[0].steps[0].alternatives[0].conditions.empty());
}

TEST_CASE("the other kinds of operations have schedules by size, too") {
  std::string x = tensor("rows, n");
  Compiled library(kernel("sums", {x}, tensor("rows"), only("heed.sum %x0", {x}, tensor("rows"))) +
                       kernel("twice", {x}, x,
                              "%y = heed.map %x0 : (" + x + ") -> " + x +
                                  " {\n^bb0(%a: f32):\n%d = arith.addf %a, %a : f32\nheed.yield %d : f32\n}\n"
                                  "heed.return %y : " +
                                  x),
                   "rows sums.sum at rows=4 { row_block 2 }\nrows sums.sum at rows=100 { row_block 50 }\n"
                   "map twice.map at n=8 { inner_block 8 }\nmap twice.map at n=800 { inner_block 400 }\n");
  for (const program::Program &program : library.programs) {
    REQUIRE(program.steps[0].alternatives.size() == 2);
    CHECK(program.text(program.steps[0].alternatives[0].conditions[0].extent) ==
          (program.name == "sums" ? "rows" : "n"));
  }
  for (auto [rows, n] : {std::array<int64_t, 2>{3, 5}, {20, 80}, {21, 81}, {130, 700}}) {
    CAPTURE(rows, n);
    Tensor<float> in = Tensor<float>::random({rows, n}, 1), doubled({rows, n}), sum({rows});
    REQUIRE(library.call("sums", {in.view(), sum.view()}) == "");
    REQUIRE(library.call("twice", {in.view(), doubled.view()}) == "");
    for (int64_t row = 0; row < rows; ++row) {
      double total = 0;
      for (int64_t i = 0; i < n; ++i) {
        total += in.at({row, i});
        CHECK(doubled.at({row, i}) == 2 * in.at({row, i}));
      }
      CHECK(sum.at({row}) == Approx(total).margin(1e-4));
    }
    CHECK(sum.guardsIntact());
    CHECK(doubled.guardsIntact());
  }
}
