#include "Tune/Tuner.h"

#include "Arrays/RandomInputs.h"
#include "Support/Progress.h"
#include "Tune/Evidence.h"
#include "Tune/Interrupt.h"
#include "Tune/Laboratory.h"
#include "Tune/ProgressBar.h"
#include "Tune/TriedCandidates.h"
#include "Tune/TunedFile.h"
#include "Tune/TunedKernel.h"

#include <fmt/format.h>

namespace heed::tools {

namespace {

constexpr int finalPairs = 10;
/// Seconds; enough to begin with one candidate, however small the budget is.
constexpr double leastSearch = 1e-3;

std::string milliseconds(double seconds) { return fmt::format("{:.4g} ms", seconds * 1e3); }

std::string_view endingText(tune::Ending ending) {
  switch (ending) {
  case tune::Ending::Budget:
    return "the time is used up";
  case tune::Ending::NoGain:
    return "no more gain is expected";
  case tune::Ending::Exhausted:
    return "every candidate was tried";
  case tune::Ending::Stopped:
    return "stopped";
  }
  return "";
}

std::string_view outcomeText(tune::Outcome outcome) {
  switch (outcome) {
  case tune::Outcome::Refused:
    return "does not compile";
  case tune::Outcome::Wrong:
    return "wrong";
  case tune::Outcome::Crashed:
    return "crashed";
  case tune::Outcome::TimedOut:
    return "took too long";
  default:
    return "";
  }
}

/// The fields in which a schedule differs from another, on one line.
std::string differenceText(const Schedule &schedule, const Schedule &other) {
  auto fields = [](const Schedule &of) {
    std::vector<std::string> lines;
    std::istringstream text(printSchedule("", of));
    for (std::string line; std::getline(text, line);)
      lines.push_back(line);
    return lines;
  };
  std::vector<std::string> ours = fields(schedule), theirs = fields(other);
  std::string text;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (ours[i] != theirs[i])
      text += (text.empty() ? "" : ", ") + ours[i].substr(2);
  return text.empty() ? "the default" : text;
}

/// One kernel at one size.
class SizeTuner {
public:
  SizeTuner(const TuneRequest &request, const TunedKernel &kernel, const TunedFile &file,
            const tune::Machine &machine, const std::string &where, const Interrupt &interrupt,
            std::size_t number)
      : request(request), kernel(kernel), file(file), machine(machine), interrupt(interrupt), number(number),
        values(request.sizes[number]), what(title()), operations(openOperations()),
        tried(fmt::format("{}\n{}\n{}\n{}\n{}", kernel.identity, request.target.name(), what, where,
                          HEED_VERSION)),
        bar(what) {}

  /// What to put into the file; nothing if the user stopped it before anything was measured.
  std::vector<TunedEntry> run(double budget);

private:
  std::string title() const {
    std::string sizes = sizesText(*request.kernel, values);
    return request.kernel->name + (sizes.empty() ? "" : " " + sizes);
  }
  std::vector<tune::TunedOperation> openOperations() const;
  tune::SearchOptions searchOptions(double budget) const;
  tune::SearchState searchBest(Laboratory &laboratory, double budget);
  std::vector<TunedEntry> entriesOf(const tune::SearchState &state, const std::optional<SideBySide> &final);
  void printSummary(const tune::SearchState &state, const std::optional<SideBySide> &final) const;
  SearchFigures figures() const;
  /// What is kept of the budget for the last comparison: samples of both, and the limit's probe.
  double comparisonSeconds() const {
    return 3.0 * finalPairs * std::max(standard.seconds, 0.01) +
           (standard.limit == "read bandwidth" ? 2.5 : 0.5);
  }

  const TuneRequest &request;
  const TunedKernel &kernel;
  const TunedFile &file;
  const tune::Machine &machine;
  const Interrupt &interrupt;
  std::size_t number;
  const SymbolValues &values;
  std::string what;
  std::vector<tune::TunedOperation> operations;
  TriedCandidates tried;
  ProgressBar bar;
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  double budget = 0;
  Speed standard;
  tune::SearchState latest;
  std::size_t written = 0; ///< of the candidates tried, in the list
};

/// All but those that sizes before this one have tuned already, since their entries would be the same.
std::vector<tune::TunedOperation> SizeTuner::openOperations() const {
  std::vector<tune::TunedOperation> open;
  for (std::size_t i = 0; i < kernel.problems[number].size(); ++i) {
    bool isDone = false;
    for (std::size_t before = 0; before < number; ++before)
      isDone |= sizeProduct(kernel.at[before][i]) == sizeProduct(kernel.at[number][i]);
    if (!isDone)
      open.push_back(kernel.problems[number][i]);
  }
  return open;
}

SearchFigures SizeTuner::figures() const {
  return {
      latest.tried.size(),          latest.left, latest.gain, standard.share * latest.gain, standard.limit,
      budget - secondsSince(start), budget};
}

tune::SearchOptions SizeTuner::searchOptions(double seconds) const {
  tune::SearchOptions options;
  options.budget = seconds;
  options.seed = request.seed;
  if (!request.resume)
    return options;
  options.known = tried.read(operations, machine);
  for (std::size_t i = 0; i < kernel.problems[number].size(); ++i) {
    const std::string &name = kernel.problems[number][i].name;
    if (std::optional<Schedule> schedule = file.find(name, kernel.at[number][i]))
      options.start[name] = *schedule;
  }
  return options;
}

tune::SearchState SizeTuner::searchBest(Laboratory &laboratory, double seconds) {
  if (!request.resume)
    tried.clear();
  tune::SearchEnvironment environment;
  auto begin = std::chrono::steady_clock::now();
  environment.measure = [&](const ScheduleTable &candidate, const ScheduleTable &incumbent) {
    return laboratory.measure(candidate, incumbent);
  };
  environment.seconds = [&] { return secondsSince(begin); };
  environment.stopped = [&] { return interrupt.wanted(); };
  environment.progress = [&](const tune::SearchState &state) {
    for (; written < state.tried.size(); ++written)
      tried.append(operations[state.tried[written].operation], state.tried[written]);
    latest = state;
    bar.update(figures());
  };
  return tune::search(operations, machine, searchOptions(seconds), environment);
}

std::vector<TunedEntry> SizeTuner::run(double seconds) {
  budget = seconds;
  if (operations.empty())
    return {};
  LaboratorySetup setup;
  setup.kernel = request.kernel;
  setup.values = values;
  setup.inputs = completedForBench(*request.kernel, values, request.given);
  setup.operations = kernel.problems[number];
  setup.target = request.target;
  setup.threads = request.threads;
  setup.seed = request.seed;
  setup.stopped = [this] {
    bar.update(figures());
    return interrupt.wanted();
  };
  Laboratory laboratory(std::move(setup));
  std::optional<Speed> defaults = laboratory.measureDefaults();
  if (!defaults)
    return {};
  standard = *defaults;
  ScheduleTable before;
  for (const tune::TunedOperation &operation : kernel.problems[number])
    before[operation.name] = operation.standard;
  double left = budget - secondsSince(start) - comparisonSeconds();
  tune::SearchState state = searchBest(laboratory, std::max(left, leastSearch));
  std::optional<SideBySide> final;
  if (state.ending != tune::Ending::Stopped)
    final = laboratory.compare(before, state.best, finalPairs);
  if (final && tune::quantile(final->gains, 0.5) < 1)
    state.best = before, state.gain = 1;
  printSummary(state, final);
  return entriesOf(state, final);
}

std::vector<TunedEntry> SizeTuner::entriesOf(const tune::SearchState &state,
                                             const std::optional<SideBySide> &final) {
  std::vector<std::string> comments;
  if (final && state.gain > 1)
    comments.push_back(fmt::format(
        "{}: {} -> {}, {:.3f} x the default (quartiles {:.3f} and {:.3f} of {} pairs)", request.kernel->name,
        milliseconds(final->firstSeconds), milliseconds(final->second.seconds),
        tune::quantile(final->gains, 0.5), tune::quantile(final->gains, 0.25),
        tune::quantile(final->gains, 0.75), final->gains.size()));
  else if (state.gain > 1)
    comments.push_back(fmt::format("{}: {:.3f} x the default, which takes {}", request.kernel->name,
                                   state.gain, milliseconds(standard.seconds)));
  else
    comments.push_back(fmt::format("{}: the default is the best found, {}", request.kernel->name,
                                   milliseconds(standard.seconds)));
  const Speed &speed = final ? final->second : standard;
  double share = final ? speed.share : standard.share * state.gain;
  comments.push_back(fmt::format("{}, {} thread{}; {} candidates", shareText(share, speed.limit),
                                 request.threads, request.threads == 1 ? "" : "s", state.tried.size()));
  std::string sizes = sizesText(*request.kernel, values);
  if (!sizes.empty())
    comments.push_back(sizes);
  std::vector<TunedEntry> entries;
  for (std::size_t i = 0; i < kernel.problems[number].size(); ++i) {
    const tune::TunedOperation &operation = kernel.problems[number][i];
    auto open = std::find_if(operations.begin(), operations.end(),
                             [&](const auto &other) { return other.name == operation.name; });
    if (open == operations.end())
      continue;
    const Schedule &best = state.best.at(operation.name);
    entries.push_back({operation.name, kernel.at[number][i], best, best == operation.standard, comments});
  }
  return entries;
}

void SizeTuner::printSummary(const tune::SearchState &state, const std::optional<SideBySide> &final) const {
  double gain = final && state.gain > 1 ? tune::quantile(final->gains, 0.5) : state.gain;
  double share = final ? final->second.share : standard.share * state.gain;
  fmt::print("{}: {:.3f} x the default, {}; {} candidates in {:.0f} s, {}\n", what, gain,
             shareText(share, standard.limit), state.tried.size(), secondsSince(start),
             endingText(state.ending));
  for (const tune::TunedOperation &operation : operations)
    if (const Schedule &best = state.best.at(operation.name); best != operation.standard)
      fmt::print("  {}: {}\n", operation.name, differenceText(best, operation.standard));
  for (const tune::Tried &candidate : state.tried)
    if (candidate.outcome != tune::Outcome::Timed)
      fmt::print("  set aside ({}): {} with {}: {}\n", outcomeText(candidate.outcome),
                 operations[candidate.operation].name,
                 differenceText(candidate.schedule, operations[candidate.operation].standard),
                 candidate.reason);
}

} // namespace

void tuneKernel(const TuneRequest &request) {
  TunedKernel kernel = tunedKernel(request.spec, *request.kernel, request.sizes, request.target);
  TunedFile file(request.out, request.target.name(), kernel.limits, kernel.operations);
  for (std::size_t number = 0; number < request.sizes.size(); ++number)
    for (std::size_t i = 0; i < kernel.problems[number].size(); ++i)
      file.requireSameSymbols(kernel.problems[number][i].name, kernel.at[number][i]);
  tune::Machine machine = machineFor(request.target, kernel.limits, request.threads);
  const std::string where = machineText(request.target, machine);
  Interrupt interrupt;
  auto start = std::chrono::steady_clock::now();
  std::size_t count = request.sizes.size();
  for (std::size_t number = 0; number < count && !interrupt.wanted(); ++number) {
    double seconds = (request.budget - secondsSince(start)) / static_cast<double>(count - number);
    for (const TunedEntry &entry :
         SizeTuner(request, kernel, file, machine, where, interrupt, number).run(seconds))
      file.put(entry);
  }
  file.setMachine(fmt::format("{}, heed {}", where, HEED_VERSION));
  file.write();
  fmt::print("{}\n", file.where().string());
}

} // namespace heed::tools
