// RUN: heed-opt %s --heed-fold-converts | FileCheck %s
// RUN: heed-opt %s --heed-pipeline | FileCheck %s --check-prefix=FUSED

!x = !heed.tensor<[b, m, 8], bf16>
!wide = !heed.tensor<[b, m, 8], f32>
!w = !heed.tensor<[8, 8], f16>
!heads = !heed.tensor<[b, 2, m, 4], f32>
!narrow = !heed.tensor<[b, 2, m, 4], f16>

// The linear writes the type that is read, through the view, and reads the 16 bits that were made wider.
// CHECK-LABEL: @through_views
// CHECK-NEXT: %[[L:.*]] = heed.linear %x, %w : (!heed.tensor<[b, m, 8], bf16>, !heed.tensor<[8, 8], f16>) -> !heed.tensor<[b, m, 8], f16>
// CHECK-NEXT: %[[S:.*]] = heed.split_heads %[[L]] into <2> : (!heed.tensor<[b, m, 8], f16>) -> !heed.tensor<[b, 2, m, 4], f16>
// CHECK-NEXT: heed.return %[[S]]
heed.kernel @through_views(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"}) -> (!narrow {heed.name = "y"}) {
  %0 = heed.convert %x : (!x) -> !wide
  %1 = heed.linear %0, %w : (!wide, !w) -> !wide
  %2 = heed.split_heads %1 into <2> : (!wide) -> !heads
  %3 = heed.convert %2 : (!heads) -> !narrow
  heed.return %3 : !narrow
}

// Two readers: each has the type that it asks for.
// CHECK-LABEL: @two_readers
// CHECK: heed.linear {{.*}} -> !heed.tensor<[b, m, 8], f32>
// CHECK: heed.convert {{.*}} -> !heed.tensor<[b, m, 8], bf16>
// FUSED-LABEL: @two_readers
// FUSED: heed.map %{{.*}} : (!heed.tensor<[b, m, 8], f32>) -> !heed.tensor<[b, m, 8], bf16>
heed.kernel @two_readers(%x: !wide {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"}) -> (!wide {heed.name = "y"}, !x {heed.name = "z"}) {
  %0 = heed.linear %x, %w : (!wide, !w) -> !wide
  %1 = heed.convert %0 : (!wide) -> !x
  heed.return %0, %1 : !wide, !x
}

// An activation and the convert behind it are one epilogue.
// FUSED-LABEL: @epilogue
// FUSED-NEXT: heed.linear %x, %w {{.*}} -> !heed.tensor<[b, m, 8], bf16> epilogue {
// FUSED-NOT: heed.map
heed.kernel @epilogue(%x: !wide {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"}) -> (!x {heed.name = "y"}) {
  %0 = heed.linear %x, %w : (!wide, !w) -> !wide
  %1 = heed.hyperbolic_tangent %0 : (!wide) -> !wide
  %2 = heed.convert %1 : (!wide) -> !x
  heed.return %2 : !x
}

// Scores in two types are one attention; its output has the type of the product.
!q = !heed.tensor<[b, h, m, 4], bf16>
!k = !heed.tensor<[b, h, n, 4], f16>
!t = !heed.tensor<[b, h, 4, n], f16>
!s = !heed.tensor<[b, h, m, n], bf16>
!s32 = !heed.tensor<[b, h, m, n], f32>
!y = !heed.tensor<[b, h, m, 4], f32>
// FUSED-LABEL: @scores
// FUSED: %[[A:.*]] = heed.attention %q, %k, %k captures(%bias) scale 1.000000e+00 {{.*}} : (!heed.tensor<[b, h, m, 4], bf16>, !heed.tensor<[b, h, n, 4], f16>, !heed.tensor<[b, h, n, 4], f16>, !heed.tensor<[m, n], f32>) -> !heed.tensor<[b, h, m, 4], f32>
// FUSED: heed.return %[[A]]
heed.kernel @scores(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %bias: !heed.tensor<[m, n], f32> {heed.name = "bias", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  %0 = heed.transpose %k : (!k) -> !t
  %1 = heed.matmul %q, %0 : (!q, !t) -> !s
  %2 = heed.convert %1 : (!s) -> !s32
  %3 = heed.add %2, %bias : (!s32, !heed.tensor<[m, n], f32>) -> !s32
  %4 = heed.softmax %3 : (!s32) -> !s32
  %5 = heed.matmul %4, %k : (!s32, !k) -> !y
  heed.return %5 : !y
}

// Scores of a softmax that is not fused are stored in f32.
// FUSED-LABEL: @not_fused
// FUSED: heed.matmul {{.*}} -> !heed.tensor<[m, n], f32>
// FUSED: heed.map {{.*}} -> !heed.tensor<[m, n], f32>
// FUSED: heed.transpose {{.*}} -> !heed.tensor<[n, m], f32>
// FUSED: heed.softmax {{.*}} : (!heed.tensor<[n, m], f32>) -> !heed.tensor<[n, m], f16>
heed.kernel @not_fused(%a: !heed.tensor<[m, 4], f16> {heed.name = "a", heed.role = "input"}, %c: !heed.tensor<[4, n], f16> {heed.name = "c", heed.role = "input"}) -> (!heed.tensor<[n, m], f16> {heed.name = "y"}) {
  %0 = heed.matmul %a, %c : (!heed.tensor<[m, 4], f16>, !heed.tensor<[4, n], f16>) -> !heed.tensor<[m, n], f16>
  %1 = heed.hyperbolic_tangent %0 : (!heed.tensor<[m, n], f16>) -> !heed.tensor<[m, n], f16>
  %2 = heed.transpose %1 : (!heed.tensor<[m, n], f16>) -> !heed.tensor<[n, m], f16>
  %3 = heed.softmax %2 : (!heed.tensor<[n, m], f16>) -> !heed.tensor<[n, m], f16>
  heed.return %3 : !heed.tensor<[n, m], f16>
}
