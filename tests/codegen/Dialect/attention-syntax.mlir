// RUN: heed-opt %s | heed-opt | FileCheck %s
// RUN: heed-opt %s --mlir-print-op-generic | heed-opt | FileCheck %s
// Attention with everything that it can produce, its scores, and the words around weights.

!q = !heed.tensor<[batch, 8, m, 4], f32>
!k = !heed.tensor<[batch, 2, n, 4], f32>
!v = !heed.tensor<[batch, 2, n, 3], f32>
!y = !heed.tensor<[batch, 8, m, 3], f32>
!row = !heed.tensor<[batch, 8, m], f32>
!s = !heed.tensor<[batch, 8, m, n], f32>
!sink = !heed.tensor<[8], f32>
!c = !heed.tensor<[], f32>
!seed = !heed.tensor<[], i64>

// CHECK-LABEL: heed.kernel @words
// CHECK-SAME: %p: !heed.tensor<[], f32> {heed.name = "p", heed.role = "scalar"}
heed.kernel @words(%s: !s {heed.name = "s", heed.role = "input"}, %x: !k {heed.name = "x", heed.role = "input"},
                   %sink: !sink {heed.name = "sink", heed.role = "weight"}, %p: !c {heed.name = "p", heed.role = "scalar"},
                   %seed: !seed {heed.name = "seed", heed.role = "scalar"})
    -> (!s {heed.name = "w"}, !row {heed.name = "lse"}, !q {heed.name = "r"}, !heed.tensor<[batch, 8, m, 1], f32> {heed.name = "a"}) {
  // CHECK: heed.softmax %s, %sink {nan_for_empty} : (!heed.tensor<[batch, 8, m, n], f32>, !heed.tensor<[8], f32>) -> !heed.tensor<[batch, 8, m, n], f32>
  %0 = heed.softmax %s, %sink {nan_for_empty} : (!s, !sink) -> !s
  // CHECK: heed.dropout %{{.*}}, %p, %seed site 1 : (!heed.tensor<[batch, 8, m, n], f32>, !heed.tensor<[], f32>, !heed.tensor<[], i64>) -> !heed.tensor<[batch, 8, m, n], f32>
  %1 = heed.dropout %0, %p, %seed site 1 : (!s, !c, !seed) -> !s
  // CHECK: heed.log_sum_exp %s, %sink : (!heed.tensor<[batch, 8, m, n], f32>, !heed.tensor<[8], f32>) -> !heed.tensor<[batch, 8, m], f32>
  %2 = heed.log_sum_exp %s, %sink : (!s, !sink) -> !row
  // CHECK: heed.repeat_heads %x : (!heed.tensor<[batch, 2, n, 4], f32>) -> !heed.tensor<[batch, 8, n, 4], f32>
  %3 = heed.repeat_heads %x : (!k) -> !heed.tensor<[batch, 8, n, 4], f32>
  // CHECK: heed.append_axis %{{.*}} : (!heed.tensor<[batch, 8, m], f32>) -> !heed.tensor<[batch, 8, m, 1], f32>
  %4 = heed.append_axis %2 : (!row) -> !heed.tensor<[batch, 8, m, 1], f32>
  // CHECK: heed.map : () -> !heed.tensor<[batch, 8, m, 4], f32> {
  %5 = heed.map : () -> !q {
    // CHECK: heed.position 2
    %i = heed.position 2
    %n = arith.constant 7 : i64
    // CHECK: heed.uniform %{{.*}}, %{{.*}} site 3
    %u = heed.uniform %n, %i site 3
    heed.yield %u : f32
  }
  heed.return %1, %2, %5, %4 : !s, !row, !q, !heed.tensor<[batch, 8, m, 1], f32>
}

// CHECK-LABEL: heed.kernel @attention
heed.kernel @attention(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"},
                       %v: !v {heed.name = "v", heed.role = "input"}, %sink: !sink {heed.name = "sink", heed.role = "weight"},
                       %slopes: !sink {heed.name = "slopes", heed.role = "input"})
    -> (!y {heed.name = "y"}, !row {heed.name = "lse"}, !s {heed.name = "w"}, !y {heed.name = "z"}) {
  // CHECK: %[[A:.*]]:4 = heed.attention %q, %k, %v sink(%sink) captures(%slopes) scale 5.000000e-01 {nan_for_empty, produces = ["output", "largest", "sum", "log_sum_exp"]}
  // CHECK-SAME: -> (!heed.tensor<[batch, 8, m, 3], f32>, !heed.tensor<[batch, 8, m], f32>, !heed.tensor<[batch, 8, m], f32>, !heed.tensor<[batch, 8, m], f32>) {
  // CHECK-NEXT: ^bb0(%score: f32, %b: i64, %h: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !heed.tensor<[8], f32>):
  // CHECK: } weighing {
  // CHECK-NEXT: ^bb0(%weight: f32, %b: i64, %h: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !heed.tensor<[8], f32>):
  %0:4 = heed.attention %q, %k, %v sink(%sink) captures(%slopes) scale 0.5 {nan_for_empty, produces = ["output", "largest", "sum", "log_sum_exp"]}
      : (!q, !k, !v, !sink, !sink) -> (!y, !row, !row, !row) {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %table: !sink):
    %visible = arith.cmpi sle, %j, %i : i64
    heed.yield %score, %visible : f32, i1
  } weighing {
  ^bb0(%weight: f32, %b: i64, %h: i64, %i: i64, %j: i64, %table: !sink):
    %f = heed.element %table[%h] : !sink -> f32
    %w = arith.mulf %weight, %f : f32
    heed.yield %w : f32
  }
  // CHECK: %[[L:.*]] = heed.attention %q, %k scale 1.000000e+00 {produces = ["log_sum_exp"]} :
  %1 = heed.attention %q, %k scale 1.0 {produces = ["log_sum_exp"]} : (!q, !k) -> !row {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  // CHECK: heed.attention %q, %k, %v scale 1.000000e+00 {unnormalized} :
  %2 = heed.attention %q, %k, %v scale 1.0 {unnormalized} : (!q, !k, !v) -> !y {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  // CHECK: heed.scores %q, %k statistics(%[[A]]#1, %[[A]]#2) scale 5.000000e-01 :
  %3 = heed.scores %q, %k statistics(%0#1, %0#2) scale 0.5 : (!q, !k, !row, !row) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %visible = arith.cmpi sle, %j, %i : i64
    heed.yield %score, %visible : f32, i1
  } weighing {
  ^bb0(%weight: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    heed.yield %weight : f32
  }
  heed.return %2, %1, %3, %0#0 : !y, !row, !s, !y
}
