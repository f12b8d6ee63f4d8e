// RUN: heed-opt %s --heed-fuse-attention --canonicalize --cse --mlir-print-local-scope | FileCheck %s
// More readers of one attention: weights, scores, sums. No matrix but those that are read.

!q = !heed.tensor<[b, h, m, 64], f32>
!k = !heed.tensor<[b, h, n, 64], f32>
!kt = !heed.tensor<[b, h, 64, n], f32>
!s = !heed.tensor<[b, h, m, n], f32>
!r = !heed.tensor<[b, h, m], f32>
!sink = !heed.tensor<[h], f32>
!c = !heed.tensor<[], f32>

// Everything at once: raw scores, masked scores, weights, the sum and the product.
// CHECK-LABEL: @everything
// CHECK: %[[RAW:.*]] = heed.scores %q, %k scale 1.250000e-01
// CHECK: heed.yield %score, %true
// CHECK: %[[MASKED:.*]] = heed.mask %[[RAW]]
// CHECK: %[[A:.*]]:4 = heed.attention %q, %k, %k sink(%sink) scale 1.250000e-01 {nan_for_empty, produces = ["output", "largest", "sum", "log_sum_exp"]}
// CHECK: arith.cmpi sle
// CHECK: %[[W:.*]] = heed.scores %q, %k statistics(%[[A]]#1, %[[A]]#2) scale 1.250000e-01 {nan_for_empty}
// CHECK: arith.cmpi sle
// CHECK: heed.return %[[A]]#0, %[[A]]#3, %[[RAW]], %[[MASKED]], %[[W]]
heed.kernel @everything(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %sink: !sink {heed.name = "sink", heed.role = "weight"})
    -> (!q {heed.name = "y"}, !r {heed.name = "lse"}, !s {heed.name = "raw"}, !s {heed.name = "masked"}, !s {heed.name = "weights"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %p = heed.matmul %q, %kt : (!q, !kt) -> !s
  %c = heed.constant 8.0 : !c
  %s = heed.divide %p, %c : (!s, !c) -> !s
  %t = heed.mask %s : (!s) -> !s {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.cmpi sle, %j, %i : i64
    heed.yield %v : i1
  }
  %l = heed.log_sum_exp %t, %sink : (!s, !sink) -> !r
  %w = heed.softmax %t, %sink {nan_for_empty} : (!s, !sink) -> !s
  %y = heed.matmul %w, %k : (!s, !k) -> !q
  heed.return %y, %l, %s, %t, %w : !q, !r, !s, !s, !s
}

// Only weights: statistics, then the matrix itself. The masked scores alone: a hidden one is -infinity.
// CHECK-LABEL: @heat_map
// CHECK: %[[A:.*]]:2 = heed.attention %q, %k scale 1.000000e+00 {produces = ["largest", "sum"]}
// CHECK: heed.scores %q, %k statistics(%[[A]]#0, %[[A]]#1) scale 1.000000e+00
heed.kernel @heat_map(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!s {heed.name = "weights"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %w = heed.softmax %s : (!s) -> !s
  heed.return %w : !s
}

// CHECK-LABEL: @masked_scores
// CHECK-NEXT: heed.scores %q, %k scale 1.000000e+00
// CHECK: %[[V:.*]] = arith.cmpi sle
// CHECK: heed.yield %score, %[[V]]
heed.kernel @masked_scores(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!s {heed.name = "scores"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %t = heed.mask %s : (!s) -> !s {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.cmpi sle, %j, %i : i64
    heed.yield %v : i1
  }
  heed.return %t : !s
}

// A product that no attention reads stays one.
// CHECK-LABEL: @product
// CHECK: heed.matmul
heed.kernel @product(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!s {heed.name = "scores"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  heed.return %s : !s
}

// The sum alone, and one of other scores than the softmax's.
// CHECK-LABEL: @sums
// CHECK: %[[L:.*]] = heed.attention %q, %k scale 2.000000e+00 {produces = ["log_sum_exp"]}
// CHECK: %[[A:.*]] = heed.attention %q, %k, %k scale 1.000000e+00 : (
// CHECK: heed.return %[[A]], %[[L]]
heed.kernel @sums(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}, !r {heed.name = "lse"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %c = heed.constant 2.0 : !c
  %d = heed.multiply %s, %c : (!s, !c) -> !s
  %l = heed.log_sum_exp %d : (!s) -> !r
  %w = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %w, %k : (!s, !k) -> !q
  heed.return %y, %l : !q, !r
}

// The sum of the same scores, but with a sink: another sum.
// CHECK-LABEL: @other_sink
// CHECK-DAG: heed.attention %q, %k, %k scale 1.000000e+00 : (
// CHECK-DAG: heed.attention %q, %k sink(%sink) scale 1.000000e+00 {produces = ["log_sum_exp"]}
heed.kernel @other_sink(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %sink: !sink {heed.name = "sink", heed.role = "weight"}) -> (!q {heed.name = "y"}, !r {heed.name = "lse"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %l = heed.log_sum_exp %s, %sink : (!s, !sink) -> !r
  %w = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %w, %k : (!s, !k) -> !q
  heed.return %y, %l : !q, !r
}

// Values that depend on the sum of the same scores can't be in the attention that produces it.
// CHECK-LABEL: @values_after_the_sum
// CHECK: %[[L:.*]] = heed.attention %q, %k scale 1.000000e+00 {produces = ["log_sum_exp"]}
// CHECK: %[[V:.*]] = heed.multiply %k, %{{.*}}
// CHECK: %[[Y:.*]] = heed.attention %q, %k, %[[V]] scale 1.000000e+00 :
// CHECK: heed.return %[[Y]], %[[L]]
heed.kernel @values_after_the_sum(%q: !q {heed.name = "q", heed.role = "input"}, %k: !q {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}, !r {heed.name = "lse"}) {
  %kt = heed.transpose %k : (!q) -> !heed.tensor<[b, h, 64, m], f32>
  %s = heed.matmul %q, %kt : (!q, !heed.tensor<[b, h, 64, m], f32>) -> !heed.tensor<[b, h, m, m], f32>
  %l = heed.log_sum_exp %s : (!heed.tensor<[b, h, m, m], f32>) -> !r
  %a = heed.append_axis %l : (!r) -> !heed.tensor<[b, h, m, 1], f32>
  %v = heed.multiply %k, %a : (!q, !heed.tensor<[b, h, m, 1], f32>) -> !q
  %w = heed.softmax %s : (!heed.tensor<[b, h, m, m], f32>) -> !heed.tensor<[b, h, m, m], f32>
  %y = heed.matmul %w, %v : (!heed.tensor<[b, h, m, m], f32>, !q) -> !q
  heed.return %y, %l : !q, !r
}

// The sum is read before the values are there: operations are put in order.
// CHECK-LABEL: @early_reader
// CHECK: %[[V:.*]] = heed.hyperbolic_tangent %k
// CHECK: %[[A:.*]]:2 = heed.attention %q, %k, %[[V]]
// CHECK: heed.exponential %[[A]]#1
heed.kernel @early_reader(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}, !r {heed.name = "sum"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %l = heed.log_sum_exp %s : (!s) -> !r
  %e = heed.exponential %l : (!r) -> !r
  %v = heed.hyperbolic_tangent %k : (!k) -> !k
  %w = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %w, %v : (!s, !k) -> !q
  heed.return %y, %e : !q, !r
}

// Weights used twice, the second time on what the first gave; and as values.
// CHECK-LABEL: @twice
// CHECK: %[[A:.*]]:3 = heed.attention %q, %q, %q scale 1.000000e+00 {produces = ["output", "largest", "sum"]}
// CHECK: %[[B:.*]] = heed.attention %q, %q, %[[A]]#0 scale 1.000000e+00 :
// CHECK: %[[W:.*]] = heed.scores %q, %q statistics(%[[A]]#1, %[[A]]#2)
// CHECK: %[[C:.*]] = heed.attention %q, %q, %[[W]] scale 1.000000e+00 :
// CHECK: heed.return %[[B]], %[[C]]
!x = !heed.tensor<[m, 4], f32>
!xx = !heed.tensor<[m, m], f32>
heed.kernel @twice(%q: !x {heed.name = "q", heed.role = "input"}) -> (!x {heed.name = "y"}, !xx {heed.name = "z"}) {
  %kt = heed.transpose %q : (!x) -> !heed.tensor<[4, m], f32>
  %s = heed.matmul %q, %kt : (!x, !heed.tensor<[4, m], f32>) -> !xx
  %w = heed.softmax %s : (!xx) -> !xx
  %1 = heed.matmul %w, %q : (!xx, !x) -> !x
  %2 = heed.matmul %w, %1 : (!xx, !x) -> !x
  %3 = heed.matmul %w, %w : (!xx, !xx) -> !xx
  heed.return %2, %3 : !x, !xx
}

// Statistics of bf16 are f32; the word's result is bf16.
// CHECK-LABEL: @half
// CHECK: %[[L:.*]] = heed.attention %q, %q scale 1.000000e+00 {produces = ["log_sum_exp"]} : (!heed.tensor<[m, 4], bf16>, !heed.tensor<[m, 4], bf16>) -> !heed.tensor<[m], f32>
// CHECK: heed.map %[[L]] : (!heed.tensor<[m], f32>) -> !heed.tensor<[m], bf16>
!hx = !heed.tensor<[m, 4], bf16>
heed.kernel @half(%q: !hx {heed.name = "q", heed.role = "input"}) -> (!heed.tensor<[m], bf16> {heed.name = "y"}) {
  %kt = heed.transpose %q : (!hx) -> !heed.tensor<[4, m], bf16>
  %s = heed.matmul %q, %kt : (!hx, !heed.tensor<[4, m], bf16>) -> !heed.tensor<[m, m], bf16>
  %l = heed.log_sum_exp %s : (!heed.tensor<[m, m], bf16>) -> !heed.tensor<[m], bf16>
  heed.return %l : !heed.tensor<[m], bf16>
}
