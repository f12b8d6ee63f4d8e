// RUN: heed-opt %s | FileCheck %s
// Equal extents have one form: reduced, symbols by name, no powers of zero. Derived ones divide and multiply.

heed.kernel @extents(
    // CHECK: %x: !heed.tensor<[64, batch*heads, d/8, 2*d, d/heads, d*d], f16>
    %x: !heed.tensor<[2*32, heads*batch, 8*d/64, 4*d/2, d/heads, d*d], f16> {heed.name = "x", heed.role = "input"},
    // CHECK-SAME: %z: !heed.tensor<[3*d/2, n, 1/n, 0], bf16>
    %z: !heed.tensor<[6*d/4, n*m/m, 1/n, 0], bf16> {heed.name = "z", heed.role = "input"},
    %s: !heed.tensor<[batch, s, d], f32> {heed.name = "s", heed.role = "input"},
    // CHECK-SAME: %t: !heed.tensor<["two words", "2d"], f32>
    %t: !heed.tensor<["two words", "2d"], f32> {heed.name = "t", heed.role = "input"})
    -> (!heed.tensor<[batch, s, d], f32> {heed.name = "y"}) {
  // CHECK: heed.split_heads %s into <heads> : (!heed.tensor<[batch, s, d], f32>) -> !heed.tensor<[batch, heads, s, d/heads], f32>
  %0 = heed.split_heads %s into <heads> : (!heed.tensor<[batch, s, d], f32>) -> !heed.tensor<[batch, heads, s, d/heads], f32>
  // CHECK: heed.merge_heads
  %1 = heed.merge_heads %0 : (!heed.tensor<[batch, heads, s, d/heads], f32>) -> !heed.tensor<[batch, s, d], f32>
  heed.return %1 : !heed.tensor<[batch, s, d], f32>
}
