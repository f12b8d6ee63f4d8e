#include "Tune/Search.h"

#include "Tune/CostModel.h"
#include "Tune/Estimates.h"
#include "Tune/Evidence.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace heed::tune {

namespace {

/// Candidates of an operation in a row without a gain, after which it is given up if none is expected any
/// more.
constexpr int fewInVain = 30;
/// As many after which it is given up whatever is expected.
constexpr int mostInVain = 100;
/// One candidate in so many is drawn from the better ones.
constexpr size_t drawEvery = 6;

class Searcher {
public:
  Searcher(const std::vector<TunedOperation> &operations, const Machine &machine,
           const SearchOptions &options, const SearchEnvironment &environment);
  SearchState run();

private:
  struct Choice {
    size_t operation, candidate;
    double time; ///< expected logarithm of the kernel's time over the incumbent's
  };

  bool canGoOn();
  Trial measure(const ScheduleTable &candidate);
  Trial measureTwice(const ScheduleTable &candidate);
  bool accept(const Trial &trial, const ScheduleTable &candidate);
  void tryStart();
  std::vector<Choice> choicesOf(size_t operation) const;
  bool tryNext();
  void tryCandidate(const Choice &choice);
  void report();

  const std::vector<TunedOperation> &operations;
  const SearchOptions &options;
  const SearchEnvironment &environment;
  std::mt19937_64 random;
  std::vector<Estimates> estimates; ///< per operation
  std::vector<double> times; ///< per operation: logarithm of the time with its incumbent over its default
  SearchState state;
  double longest = 0;      ///< seconds that a candidate takes, lately
  std::vector<int> inVain; ///< per operation: candidates since its last gain
};

Searcher::Searcher(const std::vector<TunedOperation> &operations, const Machine &machine,
                   const SearchOptions &options, const SearchEnvironment &environment)
    : operations(operations), options(options), environment(environment), random(options.seed),
      times(operations.size(), 0), inVain(operations.size(), 0) {
  auto cycles = [&](const TunedOperation &of) { return predictedCycles(of.standard, of.problem, machine); };
  double total = 0;
  for (const TunedOperation &operation : operations)
    total += cycles(operation);
  for (const TunedOperation &operation : operations) {
    estimates.emplace_back(operation, machine, total > 0 ? cycles(operation) / total : 0);
    state.best[operation.name] = operation.standard;
  }
  for (const Tried &known : options.known)
    if (std::optional<size_t> found = estimates[known.operation].find(known.schedule))
      estimates[known.operation].markTried(*found, known.gain > 0 ? std::optional(-std::log(known.gain))
                                                                  : std::nullopt);
}

SearchState Searcher::run() {
  report();
  tryStart();
  while (canGoOn() && tryNext())
    report();
  return std::move(state);
}

bool Searcher::canGoOn() {
  state.ending = environment.stopped() ? Ending::Stopped : Ending::Budget;
  return state.ending == Ending::Budget && environment.seconds() + longest < options.budget;
}

Trial Searcher::measure(const ScheduleTable &candidate) {
  double start = environment.seconds();
  Trial trial = environment.measure(candidate, state.best);
  longest = std::max(longest * 0.9, environment.seconds() - start);
  return trial;
}

/// A winner has to win again: among many candidates some are lucky.
Trial Searcher::measureTwice(const ScheduleTable &candidate) {
  Trial trial = measure(candidate);
  if (trial.outcome != Outcome::Timed || !isFaster(trial.gains))
    return trial;
  Trial again = measure(candidate);
  if (again.outcome == Outcome::Timed && isFaster(again.gains))
    again.gains.insert(again.gains.end(), trial.gains.begin(), trial.gains.end());
  return again;
}

bool Searcher::accept(const Trial &trial, const ScheduleTable &candidate) {
  if (trial.outcome != Outcome::Timed || !isFaster(trial.gains))
    return false;
  state.gain *= quantile(trial.gains, 0.5);
  state.best = candidate;
  return true;
}

/// What an earlier search found, all operations at once.
void Searcher::tryStart() {
  ScheduleTable start = state.best;
  std::vector<size_t> changed;
  for (size_t i = 0; i < operations.size(); ++i) {
    auto found = options.start.find(operations[i].name);
    if (found == options.start.end() || found->second == operations[i].standard)
      continue;
    start[operations[i].name] = found->second;
    changed.push_back(i);
  }
  if (changed.empty() || !canGoOn() || !accept(measureTwice(start), start))
    return;
  for (size_t operation : changed)
    times[operation] = -std::log(state.gain) / double(changed.size());
  report();
}

/// Candidates of one operation; none once it is given up.
std::vector<Searcher::Choice> Searcher::choicesOf(size_t operation) const {
  const Estimates &of = estimates[operation];
  std::vector<Choice> choices;
  for (size_t candidate = 0; candidate < of.size(); ++candidate)
    if (!of.isTried(candidate))
      choices.push_back({operation, candidate, of.time(candidate) - times[operation]});
  auto isPromising = [](const Choice &choice) { return choice.time < -leastGain; };
  if (inVain[operation] >= mostInVain ||
      (inVain[operation] >= fewInVain && std::none_of(choices.begin(), choices.end(), isPromising)))
    choices.clear();
  return choices;
}

bool Searcher::tryNext() {
  std::vector<Choice> all;
  for (size_t operation = 0; operation < operations.size(); ++operation) {
    std::vector<Choice> choices = choicesOf(operation);
    all.insert(all.end(), choices.begin(), choices.end());
  }
  if (all.empty()) {
    state.ending = state.left > 0 ? Ending::NoGain : Ending::Exhausted;
    return false;
  }
  auto isBefore = [](const Choice &a, const Choice &b) { return a.time < b.time; };
  Choice next = *std::min_element(all.begin(), all.end(), isBefore);
  if (state.tried.size() % drawEvery == drawEvery - 1) {
    size_t better = (all.size() + 3) / 4;
    std::nth_element(all.begin(), all.begin() + (better - 1), all.end(), isBefore);
    next = all[random() % better];
  }
  tryCandidate(next);
  return state.ending != Ending::Stopped;
}

void Searcher::tryCandidate(const Choice &choice) {
  const TunedOperation &operation = operations[choice.operation];
  Estimates &of = estimates[choice.operation];
  Schedule schedule = of.schedule(choice.candidate);
  ScheduleTable candidate = state.best;
  candidate[operation.name] = schedule;
  Trial trial = measureTwice(candidate);
  if (trial.outcome == Outcome::Stopped) {
    state.ending = Ending::Stopped;
    return;
  }
  Tried tried{choice.operation, schedule, trial.outcome, 0, trial.reason};
  std::optional<double> time;
  if (trial.outcome == Outcome::Timed) {
    time = times[choice.operation] - std::log(quantile(trial.gains, 0.5));
    tried.gain = std::exp(-*time);
  }
  of.markTried(choice.candidate, time);
  state.tried.push_back(std::move(tried));
  if (accept(trial, candidate)) {
    times[choice.operation] = *time;
    inVain[choice.operation] = 0;
  } else {
    ++inVain[choice.operation];
  }
}

void Searcher::report() {
  state.left = 0;
  for (const Estimates &of : estimates)
    for (size_t candidate = 0; candidate < of.size(); ++candidate)
      state.left += !of.isTried(candidate);
  if (environment.progress)
    environment.progress(state);
}

} // namespace

SearchState search(const std::vector<TunedOperation> &operations, const Machine &machine,
                   const SearchOptions &options, const SearchEnvironment &environment) {
  return Searcher(operations, machine, options, environment).run();
}

} // namespace heed::tune
