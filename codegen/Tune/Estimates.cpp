#include "Tune/Estimates.h"

#include "Schedule/Fields.h"
#include "Tune/CostModel.h"
#include "Tune/SearchSpace.h"

#include <algorithm>
#include <cmath>

namespace heed::tune {

namespace {

std::vector<double> placeOf(const Schedule &schedule) {
  std::vector<double> place;
  std::visit(
      [&](auto copy) {
        visitFields(copy,
                    [&](std::string_view, auto &value) { place.push_back(std::log2(double(value) + 1)); });
      },
      schedule);
  return place;
}

double weightBetween(const std::vector<double> &a, const std::vector<double> &b) {
  double squares = 0;
  for (size_t i = 0; i < a.size(); ++i)
    squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::exp(-squares);
}

} // namespace

Estimates::Estimates(const TunedOperation &operation, const Machine &machine, double share) {
  double standard = predictedCycles(operation.standard, operation.problem, machine);
  for (Schedule &schedule : searchSpace(operation.standard, operation.problem, machine)) {
    double cycles = predictedCycles(schedule, operation.problem, machine);
    double relative = standard > 0 ? 1 + share * (cycles / standard - 1) : 1;
    candidates.push_back({schedule, placeOf(schedule), std::log(relative)});
  }
  markTried(0, 0); // the default
}

std::optional<size_t> Estimates::find(const Schedule &schedule) const {
  auto found = std::find_if(candidates.begin(), candidates.end(),
                            [&](const Candidate &candidate) { return candidate.schedule == schedule; });
  return found == candidates.end() ? std::nullopt : std::optional<size_t>(found - candidates.begin());
}

void Estimates::markTried(size_t number, std::optional<double> time) {
  Candidate &tried = candidates[number];
  tried.tried = true;
  if (!time)
    return;
  double error = *time - tried.predicted;
  for (Candidate &candidate : candidates) {
    double weight = weightBetween(candidate.place, tried.place);
    candidate.weights += weight;
    candidate.errors += weight * error;
  }
}

} // namespace heed::tune
