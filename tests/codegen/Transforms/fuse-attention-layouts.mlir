// RUN: heed-opt %s --heed-fuse-attention --canonicalize --cse | FileCheck %s
// Layouts, ranks and broadcast axes.

// Tokens outside heads: the keys' view is (b, h, k, d), whatever the product needed.
!x = !heed.tensor<[b, s, h, 64], f32>
!q = !heed.tensor<[b, h, s, 64], f32>
!kt = !heed.tensor<[b, h, 64, s], f32>
!s = !heed.tensor<[b, h, s, s], f32>
// CHECK-LABEL: @token_major
// CHECK-DAG: %[[Q:.*]] = heed.permute %q [0, 2, 1, 3]
// CHECK-DAG: %[[K:.*]] = heed.permute %k [0, 2, 1, 3]
// CHECK-DAG: %[[V:.*]] = heed.permute %v [0, 2, 1, 3]
// CHECK: %[[A:.*]] = heed.attention %[[Q]], %[[K]], %[[V]] scale 1.000000e+00
// CHECK: heed.permute %[[A]] [0, 2, 1, 3]
heed.kernel @token_major(%q: !x {heed.name = "q", heed.role = "input"}, %k: !x {heed.name = "k", heed.role = "input"},
                         %v: !x {heed.name = "v", heed.role = "input"}) -> (!x {heed.name = "y"}) {
  %0 = heed.permute %q [0, 2, 1, 3] : (!x) -> !q
  %1 = heed.permute %k [0, 2, 3, 1] : (!x) -> !kt
  %2 = heed.permute %v [0, 2, 1, 3] : (!x) -> !q
  %3 = heed.matmul %0, %1 : (!q, !kt) -> !s
  %4 = heed.softmax %3 : (!s) -> !s
  %5 = heed.matmul %4, %2 : (!s, !q) -> !q
  %6 = heed.permute %5 [0, 2, 1, 3] : (!q) -> !x
  heed.return %6 : !x
}

// Keys that come transposed.
// CHECK-LABEL: @transposed_keys
// CHECK: %[[K:.*]] = heed.transpose %k
// CHECK: heed.attention %q, %[[K]], %v
heed.kernel @transposed_keys(%q: !q {heed.name = "q", heed.role = "input"}, %k: !kt {heed.name = "k", heed.role = "input"},
                             %v: !q {heed.name = "v", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.matmul %q, %k : (!q, !kt) -> !s
  %1 = heed.softmax %0 : (!s) -> !s
  %2 = heed.matmul %1, %v : (!s, !q) -> !q
  heed.return %2 : !q
}

// One leading axis: it is b. The mask of the scores is read at (b, q, k).
// CHECK-LABEL: @rank_three
// CHECK: heed.attention %q, %k, %v captures(%mask)
// CHECK: ^bb0(%score: f32, %[[B:.*]]: i64, %{{.*}}: i64, %[[Q:.*]]: i64, %[[K:.*]]: i64, %[[M:.*]]: !heed.tensor<[b, m, n], i1>):
// CHECK: heed.element %[[M]][%[[B]], %[[Q]], %[[K]]]
heed.kernel @rank_three(%q: !heed.tensor<[b, m, d], f32> {heed.name = "q", heed.role = "input"}, %k: !heed.tensor<[b, n, d], f32> {heed.name = "k", heed.role = "input"},
                        %v: !heed.tensor<[b, n, e], f32> {heed.name = "v", heed.role = "input"}, %mask: !heed.tensor<[b, m, n], i1> {heed.name = "mask", heed.role = "input"}) -> (!heed.tensor<[b, m, e], f32> {heed.name = "y"}) {
  %0 = heed.transpose %k : (!heed.tensor<[b, n, d], f32>) -> !heed.tensor<[b, d, n], f32>
  %1 = heed.matmul %q, %0 : (!heed.tensor<[b, m, d], f32>, !heed.tensor<[b, d, n], f32>) -> !heed.tensor<[b, m, n], f32>
  %low = heed.constant minus_infinity : !heed.tensor<[], f32>
  %2 = heed.where %mask, %1, %low : (!heed.tensor<[b, m, n], i1>, !heed.tensor<[b, m, n], f32>, !heed.tensor<[], f32>) -> !heed.tensor<[b, m, n], f32>
  %3 = heed.softmax %2 : (!heed.tensor<[b, m, n], f32>) -> !heed.tensor<[b, m, n], f32>
  %4 = heed.matmul %3, %v : (!heed.tensor<[b, m, n], f32>, !heed.tensor<[b, n, e], f32>) -> !heed.tensor<[b, m, e], f32>
  heed.return %4 : !heed.tensor<[b, m, e], f32>
}

// CHECK-LABEL: @rank_two
// CHECK: heed.attention %q, %q, %q scale 1.000000e+00 : (!heed.tensor<[m, 4], f64>,
// CHECK: ^bb0(%score: f64
heed.kernel @rank_two(%q: !heed.tensor<[m, 4], f64> {heed.name = "q", heed.role = "input"}) -> (!heed.tensor<[m, 4], f64> {heed.name = "y"}) {
  %0 = heed.transpose %q : (!heed.tensor<[m, 4], f64>) -> !heed.tensor<[4, m], f64>
  %1 = heed.matmul %q, %0 : (!heed.tensor<[m, 4], f64>, !heed.tensor<[4, m], f64>) -> !heed.tensor<[m, m], f64>
  %3 = heed.softmax %1 : (!heed.tensor<[m, m], f64>) -> !heed.tensor<[m, m], f64>
  %4 = heed.matmul %3, %q : (!heed.tensor<[m, m], f64>, !heed.tensor<[m, 4], f64>) -> !heed.tensor<[m, 4], f64>
  heed.return %4 : !heed.tensor<[m, 4], f64>
}

// One head of keys and values for all heads of queries, and no batch axis on them.
// CHECK-LABEL: @shared_keys
// CHECK: heed.attention %q, %k, %k scale 1.000000e+00 : (!heed.tensor<[b, h, m, 64], bf16>, !heed.tensor<[1, n, 64], bf16>, !heed.tensor<[1, n, 64], bf16>) -> !heed.tensor<[b, h, m, 64], bf16>
heed.kernel @shared_keys(%q: !heed.tensor<[b, h, m, 64], bf16> {heed.name = "q", heed.role = "input"}, %k: !heed.tensor<[1, n, 64], bf16> {heed.name = "k", heed.role = "input"}) -> (!heed.tensor<[b, h, m, 64], bf16> {heed.name = "y"}) {
  %0 = heed.transpose %k : (!heed.tensor<[1, n, 64], bf16>) -> !heed.tensor<[1, 64, n], bf16>
  %1 = heed.matmul %q, %0 : (!heed.tensor<[b, h, m, 64], bf16>, !heed.tensor<[1, 64, n], bf16>) -> !heed.tensor<[b, h, m, n], bf16>
  %3 = heed.softmax %1 : (!heed.tensor<[b, h, m, n], bf16>) -> !heed.tensor<[b, h, m, n], bf16>
  %4 = heed.matmul %3, %k : (!heed.tensor<[b, h, m, n], bf16>, !heed.tensor<[1, n, 64], bf16>) -> !heed.tensor<[b, h, m, 64], bf16>
  heed.return %4 : !heed.tensor<[b, h, m, 64], bf16>
}
