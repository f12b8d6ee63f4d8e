// Buffers for calls under test: layouts, guards, and the comparison with the reference.
#include "Arrays/GuardedTensor.h"
#include "Verify/Comparison.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <sys/wait.h>
#include <unistd.h>

using namespace heed::tools;
using heed::spec::dtype;

namespace {

HostTensor counting(Shape shape) {
  HostTensor tensor = HostTensor::zeros(dtype::f32, shape);
  for (std::int64_t i = 0; i < tensor.size(); ++i)
    tensor.set(i, i);
  return tensor;
}

float *at(GuardedTensor &tensor, std::int64_t offset) {
  return static_cast<float *>(tensor.view().data) + offset;
}

} // namespace

TEST_CASE("values survive every layout") {
  std::mt19937_64 random(1);
  for (Shape shape : {Shape{2, 3, 4}, Shape{1, 5}, Shape{7}, Shape{}, Shape{2, 0, 3}})
    for (int i = 0; i < 50; ++i) {
      GuardedTensor tensor(dtype::f32, shape, drawLayout(shape, false, random));
      HostTensor values = counting(shape);
      tensor.write(values);
      CHECK(tensor.read().bytes == values.bytes);
      if (!shape.empty())
        CHECK(tensor.view().strides[shape.size() - 1] == 1);
    }
}

TEST_CASE("unwritten elements are NaN and stray writes are noticed") {
  Layout padded = denseLayout({2, 3});
  padded.strides[0] = 5;
  padded.span = 8;
  GuardedTensor tensor(dtype::f32, {2, 3}, padded);
  CHECK(std::isnan(tensor.read().at(0)));
  tensor.seal();
  *at(tensor, 1) = 1;
  CHECK_FALSE(tensor.damaged(false));
  CHECK(tensor.damaged(true));
  for (std::int64_t stray : {-1, 3, 8, 20}) {
    GuardedTensor fresh(dtype::f32, {2, 3}, padded);
    fresh.seal();
    *at(fresh, stray) = 1;
    CHECK(fresh.damaged(false));
  }
}

TEST_CASE("a comparison finds the first wrong element") {
  HostTensor got = counting({2, 2});
  heed::reference::Tensor expected = toReference(got);
  CHECK(compare(got, expected).firstWrong.empty());
  expected.elements[2] = {2.25, 0.125};
  Comparison comparison = compare(got, expected);
  CHECK(comparison.firstWrong == "(1, 0): got 2, expected 2.25 ± 0.12");
  CHECK(comparison.largestDifference == 0.25);
  expected.elements[2].bound = 0.25;
  CHECK(compare(got, expected).firstWrong.empty());
  expected.elements[2].value = std::nan("");
  CHECK_FALSE(compare(got, expected).firstWrong.empty());
  got.set(2, std::nan(""));
  CHECK(compare(got, expected).firstWrong.empty());
  expected.elements[2].value = 1;
  CHECK_FALSE(compare(got, expected).firstWrong.empty());
}

TEST_CASE("running off a buffer faults and is explained") {
  Layout flush = denseLayout({4});
  flush.after = 0;
  GuardedTensor tensor(dtype::f32, {4}, flush);
  CHECK(tensor.surrounds(at(tensor, 4)));
  CHECK(tensor.surrounds(at(tensor, -static_cast<std::int64_t>(flush.before) - 1)));
  CHECK_FALSE(tensor.surrounds(&flush));
  pid_t child = fork();
  if (child == 0) {
    close(STDERR_FILENO);
    FaultReport report([](void *, const void *) { return "explained"; }, nullptr);
    *at(tensor, 4) = 1;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 1);
}
