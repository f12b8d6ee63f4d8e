#include "Tune/TriedCandidates.h"

#include "Support/Process.h"
#include "Tune/SearchSpace.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

namespace heed::tools {

namespace {

/// One line.
std::string lineOf(const std::string &operation, const Schedule &schedule) {
  std::string text = printSchedule(operation, schedule);
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

} // namespace

TriedCandidates::TriedCandidates(const std::string &identity) {
  llvm::SHA256 hash;
  hash.update(identity);
  std::filesystem::path folder = cacheDirectory() / "tune";
  std::error_code ignored; // without a cache every search is a new one
  std::filesystem::create_directories(folder, ignored);
  file = folder / (llvm::toHex(hash.final(), true).substr(0, 40) + ".tried");
}

std::vector<tune::Tried> TriedCandidates::read(const std::vector<tune::TunedOperation> &operations,
                                               const tune::Machine &machine) const {
  std::map<std::string, double> gains;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    double gain;
    std::string text;
    if (words >> gain && std::getline(words >> std::ws, text))
      gains[text] = gain;
  }
  std::vector<tune::Tried> tried;
  for (std::size_t i = 0; i < operations.size() && !gains.empty(); ++i)
    for (const Schedule &schedule : tune::searchSpace(operations[i].standard, operations[i].problem, machine))
      if (auto found = gains.find(lineOf(operations[i].name, schedule)); found != gains.end())
        tried.push_back({i, schedule, tune::Outcome::Timed, found->second, ""});
  return tried;
}

void TriedCandidates::clear() const { std::ofstream(file, std::ios::trunc); }

void TriedCandidates::append(const tune::TunedOperation &operation, const tune::Tried &tried) const {
  std::ofstream(file, std::ios::app) << fmt::format("{:.5f} {}\n", tried.gain,
                                                    lineOf(operation.name, tried.schedule));
}

} // namespace heed::tools
