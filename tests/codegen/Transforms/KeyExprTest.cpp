// Bounds simplify as they are built and print as they are read.
#include "Transforms/KeyExpr.h"

#include "mlir/IR/MLIRContext.h"

#include <catch2/catch.hpp>

using heed::KeyExpr;

TEST_CASE("sums merge equal terms") {
  KeyExpr q0 = KeyExpr::firstQuery(), q1 = KeyExpr::lastQuery(), one = KeyExpr::constant(1);
  CHECK((q0 + one).str() == "q0 + 1");
  CHECK((q0 - one - one).str() == "q0 - 2");
  CHECK((q0 + q1 - q0).str() == "q1");
  CHECK((q0 + q0).str() == "2*q0");
  CHECK((-1 * q0 + one).str() == "-q0 + 1");
  CHECK((2 * (q0 - q1) + 3 * one).str() == "2*q0 - 2*q1 + 3");
  CHECK((q0 - q0).asConstant() == 0);
  CHECK((0 * q0).asConstant() == 0);
  CHECK_FALSE(q0.asConstant().has_value());
}

TEST_CASE("extremes whose order is known disappear") {
  KeyExpr q0 = KeyExpr::firstQuery(), q1 = KeyExpr::lastQuery();
  CHECK(KeyExpr::minimum(q0, q0 + KeyExpr::constant(3)).str() == "q0");
  CHECK(KeyExpr::maximum(q0, q0 + KeyExpr::constant(3)).str() == "q0 + 3");
  CHECK(KeyExpr::minimum(KeyExpr::constant(5), KeyExpr::constant(2)).asConstant() == 2);
  CHECK(KeyExpr::maximum(q0, q1).str() == "max(q0, q1)");
}

TEST_CASE("division rounds towards minus infinity") {
  CHECK(KeyExpr::floorDivide(KeyExpr::constant(-1), 4).asConstant() == -1);
  CHECK(KeyExpr::floorDivide(KeyExpr::constant(7), 4).asConstant() == 1);
  CHECK(KeyExpr::floorDivide(KeyExpr::lastQuery(), 1).str() == "q1");
  CHECK((4 * KeyExpr::floorDivide(KeyExpr::lastQuery() + KeyExpr::constant(3), 4)).str() ==
        "4*floor((q1 + 3) / 4)");
}

TEST_CASE("extents are names or numbers") {
  mlir::MLIRContext context;
  context.loadDialect<heed::ir::HeedDialect>();
  auto n = heed::ir::ExtentAttr::get(&context, "n");
  CHECK(KeyExpr::of(n).str() == "n");
  CHECK(KeyExpr::of(heed::ir::ExtentAttr::get(&context, 7)).asConstant() == 7);
  CHECK((KeyExpr::of(n) - KeyExpr::of(n)).asConstant() == 0);
}

TEST_CASE("an expression is faithful as long as it fits 32 bits") {
  KeyExpr q1 = KeyExpr::lastQuery();
  CHECK(KeyExpr::constant(5).isFaithful());
  CHECK((4 * q1).isFaithful());
  CHECK_FALSE((8 * q1).isFaithful());
  CHECK((8 * KeyExpr::floorDivide(q1, 8)).isFaithful());
  CHECK_FALSE((q1 + KeyExpr::constant(int64_t(1) << 31)).isFaithful());
  CHECK_FALSE(KeyExpr::floorDivide(8 * q1, 8).isFaithful());
}

TEST_CASE("a condition on queries is a bound on keys") {
  KeyExpr bound = KeyExpr::allIfPositive(KeyExpr::lastQuery() - KeyExpr::constant(7));
  CHECK(bound.str() == "(all if q1 - 7 > 0)");
  CHECK(bound.isFaithful());
}
