// Searches over landscapes that are known, with a clock that the measurement moves.
#include "Tune/Search.h"

#include "Tune/CostModel.h"
#include "Tune/Evidence.h"
#include "Tune/SearchSpace.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

using namespace heed;
using namespace heed::tune;

namespace {

const Machine machine{16, 32, 48 << 10, 1 << 20, 2};
const Problem attentionProblem{16, 2048, 2048, 64, 64, 4}, linearProblem{1, 2048, 512, 512, 0, 4};

std::vector<TunedOperation> oneAttention() {
  return {{"k.attention", defaultSchedule(AttentionSizes{}, 16), attentionProblem}};
}
std::vector<TunedOperation> attentionAndLinear() {
  std::vector<TunedOperation> operations = oneAttention();
  operations.push_back({"k.linear", defaultSchedule(LinearSizes{}, 16), linearProblem});
  return operations;
}

/// Seconds with an attention's schedule; the cost model knows nothing of it: best is 2 × 10, 5, chunks of
/// 128.
double secondsOf(const AttentionSchedule &s) {
  auto off = [](double value, double best) { return std::pow(std::log2(value / best), 2); };
  const RowsTile &t = s.rows;
  return 1 + 0.05 * (off(t.vectors, 2) + off(t.keyTile, 8) + off(t.valueTile, 6) + off(t.keyChunk, 128) +
                     off(t.queryBlock, 64));
}
double secondsOf(const LinearSchedule &s) {
  return 1 + 0.1 * std::abs(std::log2(s.block.columnBlock / 128.0));
}
double secondsOf(const ScheduleTable &table) {
  double seconds = 0;
  for (const auto &[name, schedule] : table)
    seconds += name == "k.linear" ? secondsOf(std::get<LinearSchedule>(schedule))
                                  : secondsOf(std::get<AttentionSchedule>(schedule));
  return seconds;
}

/// A machine without noise on which every measurement takes a second.
struct Laboratory {
  double clock = 0, noise = 0;
  std::mt19937 random{1};
  int measured = 0;
  std::function<std::optional<Trial>(const ScheduleTable &)> accident = [](const ScheduleTable &) {
    return std::nullopt;
  };
  std::function<double(const ScheduleTable &)> time = [](const ScheduleTable &table) {
    return secondsOf(table);
  };
  bool stop = false;

  SearchEnvironment environment() {
    SearchEnvironment result;
    result.measure = [this](const ScheduleTable &candidate, const ScheduleTable &incumbent) {
      ++measured;
      clock += 1;
      if (std::optional<Trial> trial = accident(candidate))
        return *trial;
      std::normal_distribution<double> disturbance(0, 1);
      Trial trial;
      for (int pair = 0; pair < 12; ++pair)
        trial.gains.push_back(time(incumbent) / time(candidate) * std::exp(noise * disturbance(random)));
      return trial;
    };
    result.seconds = [this] { return clock; };
    result.stopped = [this] { return stop; };
    return result;
  }
};

double bestSeconds(const TunedOperation &operation) {
  double best = 1e9;
  for (const Schedule &schedule : searchSpace(operation.standard, operation.problem, machine))
    best = std::min(best, secondsOf({{operation.name, schedule}}));
  return best;
}

} // namespace

TEST_CASE("a search comes near the optimum of a landscape that its model does not know") {
  Laboratory laboratory;
  laboratory.noise = 0.005;
  std::vector<TunedOperation> operations = oneAttention();
  SearchState state = search(operations, machine, {.budget = 150}, laboratory.environment());
  double found = secondsOf(state.best), standard = secondsOf({{"k.attention", operations[0].standard}});
  CHECK(standard > 1.4);
  CHECK(found < bestSeconds(operations[0]) * 1.04);
  CHECK(state.gain == Approx(standard / found).epsilon(0.02));
  CHECK(state.tried.size() + state.left + 1 ==
        searchSpace(operations[0].standard, attentionProblem, machine).size());
}

TEST_CASE("operations are tuned side by side") {
  Laboratory laboratory;
  std::vector<TunedOperation> operations = attentionAndLinear();
  SearchState state = search(operations, machine, {.budget = 250}, laboratory.environment());
  CHECK(secondsOf(state.best) < (bestSeconds(operations[0]) + bestSeconds(operations[1])) * 1.05);
  for (const Tried &tried : state.tried)
    CHECK(tried.operation < 2);
}

TEST_CASE("a search ends before its budget does") {
  Laboratory laboratory;
  SearchState state = search(oneAttention(), machine, {.budget = 20}, laboratory.environment());
  CHECK(state.ending == Ending::Budget);
  CHECK(laboratory.clock <= 20);
  CHECK(laboratory.clock >= 17);
}

TEST_CASE("a search ends when nothing is faster") {
  Laboratory laboratory;
  laboratory.time = [](const ScheduleTable &) { return 1.0; };
  laboratory.noise = 0.01;
  std::vector<TunedOperation> operations = oneAttention();
  SearchState state = search(operations, machine, {.budget = 1000}, laboratory.environment());
  CHECK(state.ending == Ending::NoGain);
  CHECK(laboratory.measured < 250);
  CHECK(state.best.at("k.attention") == operations[0].standard);
  CHECK(state.gain == 1);
}

TEST_CASE("noise does not replace the incumbent") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Laboratory laboratory;
    laboratory.random.seed(seed);
    laboratory.time = [](const ScheduleTable &) { return 1.0; };
    laboratory.noise = 0.03;
    std::vector<TunedOperation> operations = oneAttention();
    SearchState state = search(operations, machine, {.budget = 60, .seed = seed}, laboratory.environment());
    CHECK(state.best.at("k.attention") == operations[0].standard);
  }
}

TEST_CASE("candidates that fail are set aside with their reason and never kept") {
  Laboratory laboratory;
  Outcome outcomes[] = {Outcome::Crashed, Outcome::TimedOut, Outcome::Wrong, Outcome::Refused};
  int accidents = 0;
  laboratory.accident = [&](const ScheduleTable &table) -> std::optional<Trial> {
    if (std::get<AttentionSchedule>(table.at("k.attention")).rows.vectors % 2 == 0)
      return std::nullopt;
    return Trial{outcomes[accidents++ % 4], {}, "why " + std::to_string(accidents)};
  };
  SearchState state = search(oneAttention(), machine, {.budget = 120}, laboratory.environment());
  CHECK(accidents > 0);
  int failed = 0;
  for (const Tried &tried : state.tried)
    if (tried.outcome != Outcome::Timed) {
      ++failed;
      CHECK(tried.reason == "why " + std::to_string(failed));
      CHECK(tried.gain == 0);
    }
  CHECK(failed == accidents);
  CHECK(std::get<AttentionSchedule>(state.best.at("k.attention")).rows.vectors % 2 == 0);
}

TEST_CASE("a stopped search keeps the best so far") {
  Laboratory laboratory;
  SearchEnvironment environment = laboratory.environment();
  double before = 0;
  environment.progress = [&](const SearchState &state) {
    if (state.gain > 1.02 && !laboratory.stop) {
      laboratory.stop = true;
      before = state.gain;
    }
  };
  SearchState state = search(oneAttention(), machine, {.budget = 1000}, environment);
  CHECK(state.ending == Ending::Stopped);
  CHECK(state.gain == before);
  CHECK(secondsOf(state.best) < secondsOf({{"k.attention", oneAttention()[0].standard}}));
}

TEST_CASE("a trial that is stopped half-way counts for nothing") {
  Laboratory laboratory;
  laboratory.accident = [&](const ScheduleTable &) -> std::optional<Trial> {
    if (laboratory.measured < 3)
      return std::nullopt;
    laboratory.stop = true;
    return Trial{Outcome::Stopped, {}, {}};
  };
  SearchState state = search(oneAttention(), machine, {.budget = 1000}, laboratory.environment());
  CHECK(state.ending == Ending::Stopped);
  CHECK(state.tried.size() < 3);
}

TEST_CASE("a resumed search measures nothing twice and starts from the best") {
  Laboratory first;
  SearchState half = search(oneAttention(), machine, {.budget = 30}, first.environment());
  Laboratory second;
  SearchOptions options{.budget = 100};
  options.known = half.tried;
  options.start = half.best;
  bool isFirst = true;
  second.accident = [&](const ScheduleTable &candidate) -> std::optional<Trial> {
    if (isFirst && half.gain > 1)
      CHECK(candidate == half.best);
    isFirst = false;
    if (candidate != half.best)
      CHECK(std::none_of(half.tried.begin(), half.tried.end(),
                         [&](const Tried &tried) { return tried.schedule == candidate.at("k.attention"); }));
    return std::nullopt;
  };
  SearchState whole = search(oneAttention(), machine, options, second.environment());
  CHECK(secondsOf(whole.best) <= secondsOf(half.best));
  CHECK(whole.gain >= half.gain * 0.999);
}

TEST_CASE("a small space is exhausted") {
  Laboratory laboratory;
  laboratory.time = [](const ScheduleTable &table) {
    return 1.0 + std::get<RowsSchedule>(table.at("k.softmax")).rowBlock;
  };
  std::vector<TunedOperation> operations{{"k.softmax", RowsSchedule{16}, {1, 1000, 500, 0, 0, 4}}};
  SearchState state = search(operations, machine, {.budget = 1000}, laboratory.environment());
  CHECK(state.ending == Ending::Exhausted);
  CHECK(state.left == 0);
  CHECK(std::get<RowsSchedule>(state.best.at("k.softmax")).rowBlock == 1);
}
