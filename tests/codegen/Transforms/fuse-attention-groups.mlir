// RUN: heed-opt %s --canonicalize --heed-fuse-attention --canonicalize --cse --mlir-print-local-scope | FileCheck %s
// Repeated heads of keys and values, and tables in place.

!q = !heed.tensor<[b, 8, m, 64], f32>
!k = !heed.tensor<[b, 2, n, 64], f32>
!k8 = !heed.tensor<[b, 8, n, 64], f32>
!kt8 = !heed.tensor<[b, 8, 64, n], f32>
!s = !heed.tensor<[b, 8, m, n], f32>
!c = !heed.tensor<[], f32>

// Also behind a factor, and repeated twice.
// CHECK-LABEL: @grouped
// CHECK-NEXT: heed.attention %q, %k, %v scale 2.000000e+00 : (!heed.tensor<[b, 8, m, 64], f32>, !heed.tensor<[b, 2, n, 64], f32>, !heed.tensor<[b, 2, n, 64], f32>) -> !heed.tensor<[b, 8, m, 64], f32>
heed.kernel @grouped(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %v: !k {heed.name = "v", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %k4 = heed.repeat_heads %k : (!k) -> !heed.tensor<[b, 4, n, 64], f32>
  %k8 = heed.repeat_heads %k4 : (!heed.tensor<[b, 4, n, 64], f32>) -> !k8
  %two = heed.constant 2.0 : !c
  %k2 = heed.multiply %k8, %two : (!k8, !c) -> !k8
  %v8 = heed.repeat_heads %v : (!k) -> !k8
  %kt = heed.transpose %k2 : (!k8) -> !kt8
  %s = heed.matmul %q, %kt : (!q, !kt8) -> !s
  %w = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %w, %v8 : (!s, !k8) -> !q
  heed.return %y : !q
}

// Heads outside tokens only after a permutation: views stay, the repetition goes. Scores have no values.
// CHECK-LABEL: @token_major
// CHECK-DAG: %[[Q:.*]] = heed.permute %q [0, 2, 1, 3]
// CHECK-DAG: %[[K:.*]] = heed.permute %k [0, 2, 1, 3]
// CHECK: heed.attention %[[Q]], %[[K]], %[[K]] scale 1.000000e+00 {produces = ["output", "largest", "sum"]} : (!heed.tensor<[b, g*h, m, 64], f32>, !heed.tensor<[b, h, n, 64], f32>
// CHECK: heed.scores %[[Q]], %[[K]] statistics
heed.kernel @token_major(%q: !heed.tensor<[b, m, g*h, 64], f32> {heed.name = "q", heed.role = "input"}, %k: !heed.tensor<[b, n, h, 64], f32> {heed.name = "k", heed.role = "input"}) -> (!heed.tensor<[b, g*h, m, 64], f32> {heed.name = "y"}, !heed.tensor<[b, g*h, m, n], f32> {heed.name = "w"}) {
  %qh = heed.permute %q [0, 2, 1, 3] : (!heed.tensor<[b, m, g*h, 64], f32>) -> !heed.tensor<[b, g*h, m, 64], f32>
  %kh = heed.permute %k [0, 2, 1, 3] : (!heed.tensor<[b, n, h, 64], f32>) -> !heed.tensor<[b, h, n, 64], f32>
  %kr = heed.repeat_heads %kh : (!heed.tensor<[b, h, n, 64], f32>) -> !heed.tensor<[b, g*h, n, 64], f32>
  %kt = heed.permute %kr [0, 1, 3, 2] : (!heed.tensor<[b, g*h, n, 64], f32>) -> !heed.tensor<[b, g*h, 64, n], f32>
  %s = heed.matmul %qh, %kt : (!heed.tensor<[b, g*h, m, 64], f32>, !heed.tensor<[b, g*h, 64, n], f32>) -> !heed.tensor<[b, g*h, m, n], f32>
  %w = heed.softmax %s : (!heed.tensor<[b, g*h, m, n], f32>) -> !heed.tensor<[b, g*h, m, n], f32>
  %y = heed.matmul %w, %kr : (!heed.tensor<[b, g*h, m, n], f32>, !heed.tensor<[b, g*h, n, 64], f32>) -> !heed.tensor<[b, g*h, m, 64], f32>
  heed.return %y, %w : !heed.tensor<[b, g*h, m, 64], f32>, !heed.tensor<[b, g*h, m, n], f32>
}

// Only the keys are repeated: they stay.
// CHECK-LABEL: @keys_only
// CHECK: %[[K:.*]] = heed.repeat_heads %k
// CHECK: heed.attention %q, %[[K]], %v
heed.kernel @keys_only(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %v: !k8 {heed.name = "v", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %k8 = heed.repeat_heads %k : (!k) -> !k8
  %kt = heed.transpose %k8 : (!k8) -> !kt8
  %s = heed.matmul %q, %kt : (!q, !kt8) -> !s
  %w = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %w, %v : (!s, !k8) -> !q
  heed.return %y : !q
}

// A bias per group of heads, and a table of distances: looked up where they are read, not stored.
// CHECK-LABEL: @tables
// CHECK-NEXT: heed.attention %q, %k, %k captures(%table, %bias)
// CHECK: ^bb0(%score: f32, %[[B:.*]]: i64, %[[H:.*]]: i64, %[[Q:.*]]: i64, %[[K:.*]]: i64, %[[T:.*]]: !heed.tensor<[9], f32>, %[[BIAS:.*]]: !heed.tensor<[b, 2, m, n], f32>):
// CHECK-DAG: %[[D:.*]] = arith.subi %[[Q]], %[[K]]
// CHECK-DAG: heed.element %[[T]][%[[D]]]
// CHECK-DAG: %[[G:.*]] = arith.floordivsi %[[H]], %c4_i64
// CHECK-DAG: heed.element %[[BIAS]][%[[B]], %[[G]], %[[Q]], %[[K]]]
heed.kernel @tables(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k8 {heed.name = "k", heed.role = "input"}, %table: !heed.tensor<[9], f32> {heed.name = "table", heed.role = "input"},
                    %bias: !heed.tensor<[b, 2, m, n], f32> {heed.name = "bias", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k8) -> !kt8
  %s = heed.matmul %q, %kt : (!q, !kt8) -> !s
  %d = heed.map captures(%table) : (!heed.tensor<[9], f32>) -> !heed.tensor<[m, n], f32> {
  ^bb0(%t: !heed.tensor<[9], f32>):
    %i = heed.position 0
    %j = heed.position 1
    %x = arith.subi %i, %j : i64
    %e = heed.element %t[%x] : !heed.tensor<[9], f32> -> f32
    heed.yield %e : f32
  }
  %a = heed.add %s, %d : (!s, !heed.tensor<[m, n], f32>) -> !s
  %r = heed.repeat_heads %bias : (!heed.tensor<[b, 2, m, n], f32>) -> !s
  %t = heed.add %a, %r : (!s, !s) -> !s
  %w = heed.softmax %t : (!s) -> !s
  %y = heed.matmul %w, %k : (!s, !k8) -> !q
  heed.return %y : !q
}
