// heed explain's other question: in how many launches projections run, and where those of queries do.
#include "Transforms/ExplainProjections.h"

#include "Import/Import.h"
#include "Transforms/Pipeline.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Pass/PassManager.h"

#include <catch2/catch.hpp>
#include <heed/dsl.hpp>

using namespace heed;

namespace {

constexpr extent m{"m"};

/// Sentences about a kernel whose linear operations are called by their weights' names, and about the queries
/// of its attentions.
struct Explained {
  std::vector<std::string> merged, queries;
};

Explained explain(const spec::graph &graph) {
  mlir::MLIRContext context;
  context.loadDialect<ir::HeedDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  REQUIRE(mlir::succeeded(importKernel(*module, graph)));
  mlir::PassManager passes(&context);
  buildPipeline(passes);
  REQUIRE(mlir::succeeded(passes.run(*module)));
  ir::KernelOp kernel = *module->getOps<ir::KernelOp>().begin();
  auto nameOf = [&](mlir::Operation *op) {
    auto weight = mlir::cast<mlir::BlockArgument>(mlir::cast<ir::LinearOp>(op).getWeight());
    return kernel.getArgAttrOfType<mlir::StringAttr>(weight.getArgNumber(), "heed.name").str();
  };
  Explained explained{explainMergedProjections(kernel, nameOf), {}};
  for (ir::AttentionOp attention : kernel.getBody().getOps<ir::AttentionOp>())
    explained.queries.push_back(explainQueryProjection(attention, nameOf));
  return explained;
}

} // namespace

TEST_CASE("projections with a weight each are launches of their own") {
  static constexpr kernel separate{"separate", [](graph &g) {
                                     tensor x = g.input("x", f32, {1, m, 8}),
                                            z = g.input("z", f32, {1, m, 8});
                                     auto heads = [&](const tensor &of, const char *name) {
                                       return split_heads(linear(of, g.weight(name, f32, {8, 8})), 2);
                                     };
                                     tensor q = heads(z, "w_q"), k = heads(x, "w_k"), v = heads(x, "w_v");
                                     g.output("y", attention(q, k, v));
                                   }};
  Explained explained = explain(separate);
  REQUIRE(explained.merged.size() == 1);
  CHECK_THAT(explained.merged[0],
             Catch::Matchers::StartsWith("w_k and w_v project one input: a launch each"));
  REQUIRE(explained.queries.size() == 1);
  CHECK_THAT(explained.queries[0],
             Catch::Matchers::StartsWith("queries are projected by a launch of their own, w_q: "));
}

TEST_CASE("a packed projection whose result is sliced is one launch") {
  static constexpr kernel packed{"packed", [](graph &g) {
                                   tensor x = g.input("x", f32, {1, m, 8});
                                   tensor all = linear(x, g.weight("w", f32, {24, 8}));
                                   auto part = [&](long n) {
                                     return split_heads(slice(all, -1, 8 * n, 8), 2);
                                   };
                                   g.output("y", attention(part(0), part(1), part(2)));
                                 }};
  Explained explained = explain(packed);
  CHECK(explained.merged ==
        std::vector<std::string>{"w: one launch projects 3 parts, which are read in place"});
  REQUIRE(explained.queries.size() == 1);
  CHECK_THAT(explained.queries[0], Catch::Matchers::Contains("a launch of their own, w: "));
}

TEST_CASE("queries that nothing projects need no explanation") {
  static constexpr kernel given{"given", [](graph &g) {
                                  tensor q = g.input("q", f32, {1, 2, m, 4});
                                  tensor x = g.input("x", f32, {1, m, 8});
                                  tensor k = split_heads(linear(x, g.weight("w_k", f32, {8, 8})), 2);
                                  g.output("y", attention(q, k, k));
                                }};
  Explained explained = explain(given);
  CHECK(explained.merged.empty());
  CHECK(explained.queries == std::vector<std::string>{""});
}
