#include "Compiled.h"

#include "Arrays/GuardedTensor.h"
#include "Case.h"

#include <catch2/catch.hpp>

namespace onnx {

using heed::tools::GuardedTensor;
using heed::tools::HostTensor;

void checkCompiled(const std::string &name, const heed_program &program) {
  std::vector<GuardedTensor> buffers;
  std::vector<heed_view> views;
  for (int i = 0; i < program.argument_count; ++i) {
    const HostTensor array = readArray(name, program.arguments[i].name);
    GuardedTensor &buffer =
        buffers.emplace_back(array.type, array.shape, heed::tools::denseLayout(array.shape));
    if (program.arguments[i].role != HEED_OUTPUT)
      buffer.write(array);
    buffer.seal();
    views.push_back(buffer.view());
  }
  heed_status status{};
  heed_call(&program, views.data(), nullptr, &status);
  REQUIRE(std::string(status.message) == "");
  for (int i = 0; i < program.argument_count; ++i) {
    const bool isOutput = program.arguments[i].role == HEED_OUTPUT;
    INFO(program.arguments[i].name);
    CHECK_FALSE(buffers[i].damaged(!isOutput));
    if (!isOutput)
      continue;
    const HostTensor got = buffers[i].read();
    std::vector<double> values;
    for (std::int64_t element = 0; element < got.size(); ++element)
      values.push_back(double(got.at(element)));
    checkArray(name, program.arguments[i].name, got.shape, values);
  }
}

} // namespace onnx
