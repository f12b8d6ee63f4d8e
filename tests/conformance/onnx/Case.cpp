#include "Case.h"

#include "Arrays/HostTensor.h"
#include "Arrays/Npy.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace onnx {

namespace {

std::string folderOf(const std::string &name) { return HEED_ONNX_CASES "/" + name; }

/// Index of a row-major element, as "(0, 2, 1)".
std::string indexText(std::int64_t position, const heed::reference::Shape &shape) {
  std::string text = ")";
  for (std::size_t axis = shape.size(); axis-- > 0; position /= shape[axis])
    text = (axis > 0 ? ", " : "(") + std::to_string(position % shape[axis]) + text;
  return text;
}

} // namespace

heed::tools::HostTensor readArray(const std::string &name, const std::string &argument) {
  return heed::tools::readNpy(folderOf(name) + "/" + argument + ".npy");
}

std::vector<Tolerance> readTolerances(const std::string &name) {
  std::vector<Tolerance> tolerances;
  const auto fields = nlohmann::json::parse(std::ifstream(folderOf(name) + "/case.json"));
  for (const auto &tolerance : fields.at("tolerances"))
    tolerances.push_back({tolerance.at("rtol"), tolerance.at("atol")});
  return tolerances;
}

bool Tolerance::holds(double got, double expected) const {
  // Infinities are equal or wrong, and so is NaN.
  if (!std::isfinite(expected) || !std::isfinite(got))
    return got == expected || (std::isnan(got) && std::isnan(expected));
  return std::abs(got - expected) <= absolute + relative * std::abs(expected);
}

void checkArray(const std::string &name, const std::string &output, const heed::reference::Shape &shape,
                const std::vector<double> &got) {
  const heed::tools::HostTensor expected = readArray(name, output);
  const std::vector<Tolerance> tolerances = readTolerances(name);
  REQUIRE(shape == expected.shape);
  REQUIRE_FALSE(tolerances.empty());
  for (std::int64_t i = 0; i < expected.size(); ++i)
    for (const Tolerance &tolerance : tolerances) {
      const double value = double(expected.at(i));
      if (tolerance.holds(got[i], value))
        continue;
      FAIL(name << ": " << output << indexText(i, shape) << " is " << got[i] << ", " << value << " ± "
                << tolerance.absolute << " ± " << tolerance.relative << " times that is needed");
    }
  SUCCEED();
}

} // namespace onnx
