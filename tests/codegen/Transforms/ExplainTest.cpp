// heed explain's question: what became of every softmax, in words and with its line.
#include "Transforms/Explain.h"

#include "Import/Import.h"
#include "Transforms/Pipeline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;

TEST_CASE("each softmax is reported, fused or with a reason") {
  static constexpr extent m{"m"}, n{"n"};
  static constexpr kernel both{"both", [](graph &g) {
                                 tensor q = g.input("q", f32, {1, 2, m, 4});
                                 tensor k = g.input("k", f32, {1, 2, n, 4});
                                 tensor scores =
                                     mask(matmul(q, transpose(k)), [](heed::index, heed::index, heed::index q,
                                                                      heed::index k) { return k <= q; });
                                 g.output("y", matmul(softmax(scores), k));
                                 tensor weights = softmax(matmul(k, transpose(k)));
                                 g.output("z", matmul(weights, k));
                                 g.output("weights", weights);
                                 tensor w = g.weight("w", f32, {m, 4});
                                 g.output("u", softmax(linear(q, w)));
                               }};
  mlir::MLIRContext context;
  context.loadDialect<ir::HeedDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
  mlir::ScopedDiagnosticHandler quiet(&context, [](mlir::Diagnostic &) { return mlir::success(); });
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  auto kernel = importKernel(*module, both);
  REQUIRE(mlir::succeeded(kernel));
  mlir::PassManager passes(&context);
  buildPipeline(passes);
  REQUIRE(mlir::succeeded(passes.run(*module)));

  auto reports = explainSoftmaxes(*module->getOps<ir::KernelOp>().begin());
  REQUIRE(reports.size() == 4);
  CHECK(reports[0].isFused);
  CHECK(mlir::isa<ir::AttentionOp>(reports[0].operation));
  CHECK_THAT(reports[0].text, Catch::Matchers::EndsWith(": fused into an attention"));
  CHECK_THAT(reports[0].text, Catch::Matchers::StartsWith("softmax at "));
  CHECK_THAT(reports[0].text, Catch::Matchers::Contains("ExplainTest.cpp:"));
  CHECK_THAT(reports[1].text, Catch::Matchers::EndsWith(": fused into an attention that produces output, "
                                                        "largest, sum"));
  CHECK_FALSE(reports[2].isFused);
  CHECK(mlir::isa<ir::SoftmaxOp>(reports[2].operation));
  CHECK_THAT(reports[2].text, Catch::Matchers::Contains(": not fused, its scores come from linear at "));
  CHECK(mlir::isa<ir::ScoresOp>(reports[3].operation));
  CHECK_THAT(reports[3].text, Catch::Matchers::StartsWith("weights at "));
  CHECK_THAT(reports[3].text,
             Catch::Matchers::EndsWith(": written out, computed again from queries and keys"));
}
