// Sums that stay in registers while their operands come through shared memory, chunk by chunk.

#include "Device/RegisterArrays.h"

#include <catch2/catch.hpp>

using namespace Halide;
using namespace heed::kernels;

namespace {

constexpr int threadsX = 8, threadsY = 4, perThread = 4, chunk = 16;

/// y(column, row) = Σ a(k, row) · b(k, column), the chunks of both in shared memory. A thread sums perThread
/// columns; `shift` is how many threads further right it takes them from when it stores them.
struct Product {
  explicit Product(int shift = 0, bool unrolled = true) {
    Var x("x"), y("y"), tx("tx"), ty("ty"), u("u"), bx("bx"), by("by"), d("d"), j("j"), c("c");
    RDom k(0, chunk, 0, (a.dim(0).extent() + chunk - 1) / chunk, "k");
    const Expr at = min(c * chunk + d, a.dim(0).extent() - 1);
    Func rows("rows"), columns("columns");
    rows(d, j, c, by) = a(at, min(by * threadsY + j, a.dim(1).extent() - 1));
    columns(d, j, c, bx) = b(at, min(bx * threadsX * perThread + j, b.dim(1).extent() - 1));
    sum(tx, ty, u, bx, by) = 0.0f;
    sum(tx, ty, u, bx, by) += select(k.y * chunk + k.x < a.dim(0).extent(),
                                     rows(k.x, ty, k.y, by) * columns(k.x, tx + threadsX * u, k.y, bx), 0.0f);
    result(x, y) = sum((x + shift) % threadsX, y % threadsY, x / threadsX % perThread, //
                       x / (threadsX * perThread), y / threadsY);
    result.split(x, bx, x, threadsX * perThread, TailStrategy::GuardWithIf).split(x, u, tx, threadsX);
    result.split(y, by, ty, threadsY, TailStrategy::GuardWithIf).reorder(u, tx, ty, bx, by);
    result.gpu_blocks(bx, by).gpu_threads(tx, ty);
    sum.compute_at(result, bx).store_in(MemoryType::Register).bound_extent(bx, 1).bound_extent(by, 1);
    sum.bound(tx, 0, threadsX).bound(ty, 0, threadsY).bound(u, 0, perThread);
    sum.reorder(u, tx, ty).gpu_threads(tx, ty);
    sum.update().reorder(u, k.x, tx, ty, k.y).gpu_threads(tx, ty);
    if (unrolled) {
      result.unroll(u);
      sum.unroll(u);
      sum.update().unroll(u);
    }
    rows.compute_at(sum, k.y).split(d, d, tx, threadsX).reorder(d, tx, j).gpu_threads(tx, j);
    columns.compute_at(sum, k.y).split(d, d, tx, threadsX).split(j, j, ty, threadsY).reorder(d, j, tx, ty);
    columns.gpu_threads(tx, ty);
    result.output_buffer().dim(0).set_min(0).dim(1).set_min(0);
    for (ImageParam *operand : {&a, &b})
      operand->dim(0).set_min(0).dim(1).set_min(0);
  }

  ImageParam a{Float(32), 2, "a"}, b{Float(32), 2, "b"};
  Func sum{"sum"}, result{"result"};
};

Target target(Target::Feature device) {
  Target target("x86-64-linux");
  for (Target::Feature feature : {device, Target::NoAsserts, Target::NoBoundsQuery, Target::NoRuntime})
    target.set_feature(feature);
  return device == Target::CUDA ? target.with_feature(Target::CUDACapability80) : target;
}

Module lowered(const Product &product, Target::Feature device, bool inRegisters = true) {
  Pipeline pipeline(product.result);
  if (inRegisters)
    pipeline.add_custom_lowering_pass(new RegisterArrays({{product.sum.name(), threadsX, threadsY}}));
  return pipeline.compile_to_module({product.a, product.b}, "product", target(device));
}

std::string source(const Module &module) {
  const Buffer<> code = module.get_device_code_buffer();
  return std::string(static_cast<const char *>(code.data()), code.size_in_bytes());
}

int count(const std::string &text, const std::string &part) {
  int found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

} // namespace

TEST_CASE("Every thread has its own elements of a register array") {
  const std::string text = source(lowered(Product(), Target::OpenCL));
  CHECK(count(text, "_0[4];") == 1);
  CHECK(count(source(lowered(Product(), Target::OpenCL, false)), "_0[128];") == 1);
}

TEST_CASE("A register array is in registers") {
  CHECK(count(source(lowered(Product(), Target::CUDA)), ".local") == 0);
}

TEST_CASE("Barriers that order no shared memory are dropped") {
  CHECK(count(source(lowered(Product(), Target::CUDA)), "bar.sync") <
        count(source(lowered(Product(), Target::CUDA, false)), "bar.sync"));
  CHECK(count(source(lowered(Product(), Target::CUDA)), "bar.sync") >= 2);
}

TEST_CASE("A register array of which a thread reads another's elements is refused") {
  CHECK_THROWS_WITH(lowered(Product(/*shift=*/1), Target::CUDA),
                    Catch::Contains("one of the thread itself at a constant place is needed"));
}

TEST_CASE("A register array whose places are not constant is refused") {
  CHECK_THROWS_WITH(lowered(Product(/*shift=*/0, /*unrolled=*/false), Target::CUDA),
                    Catch::Contains("one of the thread itself at a constant place is needed"));
}
