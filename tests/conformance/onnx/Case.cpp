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

nlohmann::json fieldsOf(const std::string &name) {
  return nlohmann::json::parse(std::ifstream(folderOf(name) + "/case.json"));
}

heed::spec::dtype typeNamed(const std::string &name) {
  using heed::spec::dtype;
  for (const dtype type :
       {dtype::b8, dtype::i32, dtype::i64, dtype::f16, dtype::bf16, dtype::f32, dtype::f64})
    if (heed::tools::typeName(type) == name)
      return type;
  FAIL("no type is named " << name);
  return {};
}

/// Index of a row-major element, as "(0, 2, 1)".
std::string indexText(std::int64_t position, const heed::reference::Shape &shape) {
  std::string text = ")";
  for (std::size_t axis = shape.size(); axis-- > 0; position /= shape[axis])
    text = (axis > 0 ? ", " : "(") + std::to_string(position % shape[axis]) + text;
  return text;
}

} // namespace

heed::tools::HostTensor readArray(const std::string &name, const std::string &argument) {
  const nlohmann::json fields = fieldsOf(name);
  const nlohmann::json &arguments = fields.at(fields.at("inputs").contains(argument) ? "inputs" : "outputs");
  const std::string type = arguments.at(argument).at(0);
  // NumPy has no bf16: the file is of f32.
  return converted(heed::tools::readNpy(folderOf(name) + "/" + argument + ".npy"), typeNamed(type), argument);
}

std::vector<Tolerance> readTolerances(const std::string &name) {
  std::vector<Tolerance> tolerances;
  const nlohmann::json fields = fieldsOf(name);
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
