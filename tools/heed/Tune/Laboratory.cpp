#include "Tune/Laboratory.h"

#include "Measure/Measure.h"
#include "Measure/Paired.h"
#include "Measure/TimedCalls.h"
#include "Schedule/ScheduleFile.h"
#include "Support/Progress.h"
#include "Support/ToolError.h"
#include "Tune/Evidence.h"
#include "Tune/OutputCheck.h"
#include "Tune/ReducedSizes.h"
#include "Tune/SearchSpace.h"
#include "Verify/VerifyCase.h"

#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace heed::tools {

using nlohmann::json;

namespace {

constexpr int trialPairs = 12;
constexpr int reducedCases = 2;
/// Of one evaluation, a small part of a second.
constexpr double reducedOperations = 2e6;

std::string nameOf(const std::string &limit) {
  return limit == "fma"              ? "FMA peak"
         : limit == "bf16_dot"       ? "bf16 dot-product peak"
         : limit == "read_bandwidth" ? "read bandwidth"
                                     : "";
}

tune::Trial failedTrial(const ChildReport &report, double seconds) {
  using tune::Outcome;
  switch (report.end) {
  case ChildEnd::Stopped:
    return {Outcome::Stopped};
  case ChildEnd::TimedOut:
    return {Outcome::TimedOut, {}, fmt::format("{} took more than {:.0f} s", report.phase, seconds)};
  case ChildEnd::Threw:
    return {report.phase == "compiling" ? Outcome::Refused : Outcome::Wrong, {}, report.result};
  default:
    return {Outcome::Crashed, {}, fmt::format("{} ended with {}", report.phase, report.words)};
  }
}

} // namespace

Laboratory::Laboratory(LaboratorySetup given)
    : setup(std::move(given)), arguments(*setup.kernel, setup.values, setup.inputs) {}

int Laboratory::numberOf(const ScheduleTable &table) {
  std::string text;
  for (const auto &[name, schedule] : table)
    text += printSchedule(name, schedule);
  return numbers.try_emplace(text, static_cast<int>(numbers.size())).first->second;
}

std::filesystem::path Laboratory::folderOf(int number) const {
  return directory.path() / std::to_string(number);
}

std::filesystem::path Laboratory::sharedOf(int number) const {
  return folderOf(number) / fmt::format("lib{}.so", setup.kernel->name);
}

void Laboratory::compileMissing(int number, const ScheduleTable &table) const {
  if (std::filesystem::exists(sharedOf(number)))
    return;
  std::filesystem::create_directories(folderOf(number));
  ScheduleFile file;
  for (const tune::TunedOperation &operation : setup.operations)
    file.entries[operation.name] = {{{}, tune::onlyWhatRuns(table.at(operation.name), operation.problem)}};
  KernelOptions options;
  options.target = setup.target.written();
  options.scheduleFile = (folderOf(number) / "trial.schedule").string();
  options.spec = {setup.kernel};
  std::ofstream(options.scheduleFile) << printScheduleFile(file);
  compileShared(*setup.kernel, options, folderOf(number));
}

std::string Laboratory::mistakeAtReducedSizes(const LoadedKernel &candidate) const {
  for (int i = 0; i < reducedCases; ++i) {
    std::mt19937_64 random(setup.seed + static_cast<std::uint64_t>(i));
    SymbolValues values = reducedSizes(*setup.kernel, setup.values, reducedOperations, random);
    VerifyOutcome outcome = verifyCase(
        *setup.kernel, [&](std::span<const heed_view> views) { candidate.call(views, setup.threads); },
        values, random);
    if (!outcome.wrong.empty())
      return fmt::format("with {}: {}", sizesText(*setup.kernel, values), outcome.wrong);
  }
  return "";
}

std::string Laboratory::mistakeOf(const LoadedKernel &candidate, const LoadedKernel &incumbent) {
  std::string mistake = mistakeAtReducedSizes(candidate);
  if (!mistake.empty())
    return mistake;
  OutputCheck check(arguments);
  incumbent.call(arguments.views, setup.threads);
  check.expectOutputs();
  candidate.call(arguments.views, setup.threads);
  return check.mistake();
}

ChildReport Laboratory::run(const std::function<std::string(const Announce &)> &work) {
  return runInChild(
      [&](const Announce &announce) {
        // What a child that is killed leaves behind goes with this folder.
        setenv("TMPDIR", directory.path().c_str(), 1);
        return work(announce);
      },
      limit, setup.stopped);
}

std::optional<Speed> Laboratory::measureDefaults() {
  ScheduleTable table;
  for (const tune::TunedOperation &operation : setup.operations)
    table[operation.name] = operation.standard;
  int number = numberOf(table);
  auto start = std::chrono::steady_clock::now();
  ChildReport report = run([&](const Announce &announce) {
    announce("compiling");
    compileMissing(number, table);
    LoadedKernel kernel(*setup.kernel, sharedOf(number));
    announce("verifying");
    json result{{"wrong", mistakeAtReducedSizes(kernel)}};
    announce("timing");
    TimedCalls calls(setup.target, arguments, setup.threads);
    std::function<void()> call = calls.of(kernel);
    timePairs(call, call, trialPairs / 2);
    result["trial"] = secondsSince(start); // without the probes, as a candidate takes
    Work work = countWork(*setup.kernel, setup.values, &setup.inputs);
    Measurement speed = tools::measure(call, work, setup.threads, 5, setup.target.level, calls.limit());
    result["seconds"] = speed.secondsMedian;
    result["share"] = speed.share();
    result["limit"] = speed.limit;
    return result.dump();
  });
  if (report.end == ChildEnd::Stopped)
    return std::nullopt;
  if (report.end != ChildEnd::Finished)
    throw ToolError(fmt::format("{}: the default schedules fail: {}", setup.kernel->name,
                                failedTrial(report, limit).reason));
  json result = json::parse(report.result);
  if (std::string wrong = result["wrong"]; !wrong.empty())
    throw ToolError(fmt::format("{}: the default schedules are wrong {}", setup.kernel->name, wrong));
  verified.insert(number);
  limit = 5 + 5 * result["trial"].get<double>();
  speedLimit = result["limit"];
  return Speed{result["seconds"], result["share"], nameOf(result["limit"])};
}

tune::Trial Laboratory::measure(const ScheduleTable &candidate, const ScheduleTable &incumbent) {
  int number = numberOf(candidate), other = numberOf(incumbent);
  ChildReport report = run([&](const Announce &announce) {
    announce("compiling");
    compileMissing(number, candidate);
    compileMissing(other, incumbent);
    LoadedKernel ours(*setup.kernel, sharedOf(number)), theirs(*setup.kernel, sharedOf(other));
    announce("verifying");
    json result{{"wrong", verified.count(number) ? "" : mistakeOf(ours, theirs)}};
    announce("timing");
    if (result["wrong"] == "") {
      TimedCalls calls(setup.target, arguments, setup.threads);
      result["gains"] = timePairs(calls.of(theirs), calls.of(ours), trialPairs, tune::isHopeless).gains();
    }
    return result.dump();
  });
  if (report.end != ChildEnd::Finished)
    return failedTrial(report, limit);
  json result = json::parse(report.result);
  if (std::string wrong = result["wrong"]; !wrong.empty())
    return {tune::Outcome::Wrong, {}, wrong};
  verified.insert(number);
  return {tune::Outcome::Timed, result["gains"]};
}

std::optional<SideBySide> Laboratory::compare(const ScheduleTable &first, const ScheduleTable &second,
                                              int pairs) {
  int one = numberOf(first), other = numberOf(second);
  ChildReport report = run([&](const Announce &announce) {
    announce("timing");
    LoadedKernel before(*setup.kernel, sharedOf(one)), after(*setup.kernel, sharedOf(other));
    TimedCalls calls(setup.target, arguments, setup.threads);
    PairedTimes times = timePairs(calls.of(before), calls.of(after), pairs);
    Work work = countWork(*setup.kernel, setup.values, &setup.inputs);
    Measurement speed =
        tools::measure(calls.of(after), work, setup.threads, 5, setup.target.level, speedLimit);
    return json{
        {"first", times.first}, {"second", times.second}, {"share", speed.share()}, {"limit", speed.limit}}
        .dump();
  });
  if (report.end != ChildEnd::Finished)
    return std::nullopt;
  json result = json::parse(report.result);
  PairedTimes times{result["first"], result["second"]};
  return SideBySide{
      times.gains(), median(times.first), {median(times.second), result["share"], nameOf(result["limit"])}};
}

} // namespace heed::tools
