// RUN: heed-opt %s --heed-pipeline | FileCheck %s
// A multi-head block with a float mask, from the words to the fused form.

!x = !heed.tensor<[batch, queries, 10], f32>
!z = !heed.tensor<[batch, keys, 10], f32>
!q = !heed.tensor<[batch, 2, queries, 4], f32>
!k = !heed.tensor<[batch, 2, keys, 4], f32>
!s = !heed.tensor<[batch, 2, queries, keys], f32>
!c = !heed.tensor<[], f32>
!w = !heed.tensor<[8, 10], f32>

// CHECK-LABEL: heed.kernel @cross_attention
// CHECK-NEXT: %[[Q:.*]] = heed.linear %x, %w_query
// CHECK-NEXT: %[[QH:.*]] = heed.split_heads %[[Q]] into <2>
// CHECK-NEXT: %[[K:.*]] = heed.linear %context, %w_key
// CHECK-NEXT: %[[V:.*]] = heed.linear %context, %w_value
// CHECK-NEXT: %[[KH:.*]] = heed.split_heads %[[K]] into <2>
// CHECK-NEXT: %[[VH:.*]] = heed.split_heads %[[V]] into <2>
// CHECK-NEXT: %[[A:.*]] = heed.attention %[[QH]], %[[KH]], %[[VH]] captures(%mask) scale 5.000000e-01
// CHECK-SAME: heed.visible_keys = "some of [0, keys)"
// CHECK: %[[M:.*]] = heed.merge_heads %[[A]]
// CHECK-NEXT: %[[Y:.*]] = heed.linear %[[M]], %w_out, %b_out
// CHECK-NEXT: heed.return %[[Y]]
heed.kernel @cross_attention(%x: !x {heed.name = "x", heed.role = "input"}, %context: !z {heed.name = "context", heed.role = "input"},
    %mask: !s {heed.name = "mask", heed.role = "input"}, %wq: !w {heed.name = "w_query", heed.role = "weight"},
    %wk: !w {heed.name = "w_key", heed.role = "weight"}, %wv: !w {heed.name = "w_value", heed.role = "weight"},
    %wo: !heed.tensor<[8, 8], f32> {heed.name = "w_out", heed.role = "weight"}, %bo: !heed.tensor<[8], f32> {heed.name = "b_out", heed.role = "weight"})
    -> (!heed.tensor<[batch, queries, 8], f32> {heed.name = "y"}) {
  %0 = heed.linear %x, %wq : (!x, !w) -> !heed.tensor<[batch, queries, 8], f32>
  %1 = heed.split_heads %0 into <2> : (!heed.tensor<[batch, queries, 8], f32>) -> !q
  %2 = heed.linear %context, %wk : (!z, !w) -> !heed.tensor<[batch, keys, 8], f32>
  %3 = heed.split_heads %2 into <2> : (!heed.tensor<[batch, keys, 8], f32>) -> !k
  %4 = heed.linear %context, %wv : (!z, !w) -> !heed.tensor<[batch, keys, 8], f32>
  %5 = heed.split_heads %4 into <2> : (!heed.tensor<[batch, keys, 8], f32>) -> !k
  %6 = heed.transpose %3 : (!k) -> !heed.tensor<[batch, 2, 4, keys], f32>
  %7 = heed.matmul %1, %6 : (!q, !heed.tensor<[batch, 2, 4, keys], f32>) -> !s
  %8 = heed.constant 2.0 : !c
  %9 = heed.divide %7, %8 : (!s, !c) -> !s
  %10 = heed.constant minus_infinity : !c
  %11 = heed.where %mask, %9, %10 : (!s, !s, !c) -> !s
  %12 = heed.softmax %11 : (!s) -> !s
  %13 = heed.matmul %12, %5 : (!s, !k) -> !q
  %14 = heed.merge_heads %13 : (!q) -> !heed.tensor<[batch, queries, 8], f32>
  %15 = heed.linear %14, %wo : (!heed.tensor<[batch, queries, 8], f32>, !heed.tensor<[8, 8], f32>) -> !heed.tensor<[batch, queries, 8], f32>
  %16 = heed.add %15, %bo : (!heed.tensor<[batch, queries, 8], f32>, !heed.tensor<[8], f32>) -> !heed.tensor<[batch, queries, 8], f32>
  heed.return %16 : !heed.tensor<[batch, queries, 8], f32>
}

// Weights asked for: written from the statistics of the attention, with the same mask.
// CHECK-LABEL: heed.kernel @weights
// CHECK-NEXT: %[[A:.*]]:3 = heed.attention %q, %k, %k scale 1.000000e+00
// CHECK-SAME: produces = ["output", "largest", "sum"]
// CHECK: %[[W:.*]] = heed.scores %q, %k statistics(%[[A]]#1, %[[A]]#2) scale 1.000000e+00
// CHECK: arith.cmpi sle
// CHECK: heed.return %[[A]]#0, %[[W]]
heed.kernel @weights(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}, !s {heed.name = "weights"}) {
  %0 = heed.transpose %k : (!k) -> !heed.tensor<[batch, 2, 4, keys], f32>
  %1 = heed.matmul %q, %0 : (!q, !heed.tensor<[batch, 2, 4, keys], f32>) -> !s
  %2 = heed.mask %1 : (!s) -> !s {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %3 = arith.cmpi sle, %j, %i : i64
    heed.yield %3 : i1
  }
  %4 = heed.softmax %2 : (!s) -> !s
  %5 = heed.matmul %4, %k : (!s, !k) -> !q
  heed.return %5, %4 : !q, !s
}
