// RUN: heed-opt %s --canonicalize | FileCheck %s

!x = !heed.tensor<[b, h, m, 4], f32>
!t = !heed.tensor<[b, h, 4, m], f32>
!p = !heed.tensor<[b, m, h, 4], f32>
!c = !heed.tensor<[], f32>

// CHECK-LABEL: @double_transpose
// CHECK-NEXT: heed.return %x
heed.kernel @double_transpose(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "y"}) {
  %0 = heed.transpose %x : (!x) -> !t
  %1 = heed.transpose %0 : (!t) -> !x
  heed.return %1 : !x
}

// CHECK-LABEL: @merge_of_split
// CHECK-NEXT: heed.return %x
heed.kernel @merge_of_split(%x: !heed.tensor<[b, m, 8], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[b, m, 8], f32> {heed.name = "y"}) {
  %0 = heed.split_heads %x into <2> : (!heed.tensor<[b, m, 8], f32>) -> !heed.tensor<[b, 2, m, 4], f32>
  %1 = heed.merge_heads %0 : (!heed.tensor<[b, 2, m, 4], f32>) -> !heed.tensor<[b, m, 8], f32>
  heed.return %1 : !heed.tensor<[b, m, 8], f32>
}

// CHECK-LABEL: @permutes_compose
// CHECK-NEXT: heed.return %x
heed.kernel @permutes_compose(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "y"}) {
  %0 = heed.permute %x [0, 2, 1, 3] : (!x) -> !p
  %1 = heed.permute %0 [0, 2, 1, 3] : (!p) -> !x
  heed.return %1 : !x
}

// CHECK-LABEL: @permute_is_transpose
// CHECK-NEXT: %[[T:.*]] = heed.transpose %x
// CHECK-NEXT: heed.return %[[T]]
heed.kernel @permute_is_transpose(%x: !x {heed.name = "x", heed.role = "input"}) -> (!t {heed.name = "y"}) {
  %0 = heed.permute %x [0, 1, 3, 2] : (!x) -> !t
  heed.return %0 : !t
}

// CHECK-LABEL: @views_become_one
// CHECK-NEXT: %[[A:.*]] = heed.permute %x [0, 2, 3, 1] : (!heed.tensor<[b, m, h, 4], f32>) -> !heed.tensor<[b, h, 4, m], f32>
// CHECK-NEXT: %[[B:.*]] = heed.permute %y [0, 3, 1, 2] : (!heed.tensor<[b, h, 4, m], f32>) -> !heed.tensor<[b, m, h, 4], f32>
// CHECK-NEXT: heed.return %[[A]], %[[B]]
heed.kernel @views_become_one(%x: !p {heed.name = "x", heed.role = "input"}, %y: !t {heed.name = "y", heed.role = "input"}) -> (!t {heed.name = "u"}, !p {heed.name = "v"}) {
  %0 = heed.permute %x [0, 2, 1, 3] : (!p) -> !x
  %1 = heed.transpose %0 : (!x) -> !t
  %2 = heed.transpose %y : (!t) -> !x
  %3 = heed.permute %2 [0, 2, 1, 3] : (!x) -> !p
  heed.return %1, %3 : !t, !p
}

// CHECK-LABEL: @neutral
// CHECK-NEXT: heed.return %x, %x, %x, %x
heed.kernel @neutral(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "a"}, !x {heed.name = "b"}, !x {heed.name = "c"}, !x {heed.name = "d"}) {
  %one = heed.constant 1.0 : !c
  %zero = heed.constant 0.0 : !c
  %0 = heed.multiply %one, %x : (!c, !x) -> !x
  %1 = heed.divide %x, %one : (!x, !c) -> !x
  %2 = heed.add %zero, %x : (!c, !x) -> !x
  %3 = heed.subtract %x, %zero : (!x, !c) -> !x
  heed.return %0, %1, %2, %3 : !x, !x, !x, !x
}

// CHECK-LABEL: @constants
// CHECK-NEXT: %[[C:.*]] = heed.constant 3.500000e+00
// CHECK-NEXT: heed.return %[[C]]
heed.kernel @constants() -> (!c {heed.name = "y"}) {
  %0 = heed.constant 2.0 : !c
  %1 = heed.constant 5.0 : !c
  %2 = heed.add %0, %1 : (!c, !c) -> !c
  %3 = heed.divide %2, %0 : (!c, !c) -> !c
  heed.return %3 : !c
}

// CHECK-LABEL: @factors
// CHECK-DAG: %[[TWO:.*]] = heed.constant 2.000000e+00
// CHECK-DAG: %[[EIGHT:.*]] = heed.constant 8.000000e+00
// CHECK-DAG: %[[A:.*]] = heed.multiply %x, %[[TWO]]
// CHECK-DAG: %[[B:.*]] = heed.divide %x, %[[EIGHT]]
// CHECK: heed.return %[[A]], %[[B]]
heed.kernel @factors(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "a"}, !x {heed.name = "b"}) {
  %2 = heed.constant 2.0 : !c
  %4 = heed.constant 4.0 : !c
  %8 = heed.constant 8.0 : !c
  %a0 = heed.multiply %8, %x : (!c, !x) -> !x
  %a1 = heed.divide %a0, %4 : (!x, !c) -> !x
  %b0 = heed.divide %x, %2 : (!x, !c) -> !x
  %b1 = heed.divide %b0, %4 : (!x, !c) -> !x
  heed.return %a1, %b1 : !x, !x
}

// CHECK-LABEL: @integers_stay
// CHECK: heed.multiply
// CHECK: heed.divide
heed.kernel @integers_stay(%x: !heed.tensor<[n], i32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[n], i32> {heed.name = "y"}) {
  %c = heed.constant 3.0 : !heed.tensor<[], i32>
  %0 = heed.multiply %x, %c : (!heed.tensor<[n], i32>, !heed.tensor<[], i32>) -> !heed.tensor<[n], i32>
  %1 = heed.divide %0, %c : (!heed.tensor<[n], i32>, !heed.tensor<[], i32>) -> !heed.tensor<[n], i32>
  heed.return %1 : !heed.tensor<[n], i32>
}

// CHECK-LABEL: @static_extent
// CHECK: arith.constant 64 : i64
// CHECK-NOT: heed.extent_value
heed.kernel @static_extent(%s: !heed.tensor<[b, h, q, 64], f32> {heed.name = "s", heed.role = "input"}) -> (!heed.tensor<[b, h, q, 64], f32> {heed.name = "y"}) {
  %0 = heed.mask %s : (!heed.tensor<[b, h, q, 64], f32>) -> !heed.tensor<[b, h, q, 64], f32> {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %n = heed.extent_value <64>
    %m = arith.subi %n, %i : i64
    %1 = arith.cmpi slt, %j, %m : i64
    heed.yield %1 : i1
  }
  heed.return %0 : !heed.tensor<[b, h, q, 64], f32>
}

// Rounding to 16 bits stays; what was made wider needs no step in between.
// CHECK-LABEL: @converts
// CHECK-NEXT: %[[N:.*]] = heed.convert %x : (!heed.tensor<[n], f32>) -> !heed.tensor<[n], bf16>
// CHECK-NEXT: %[[W:.*]] = heed.convert %[[N]] : (!heed.tensor<[n], bf16>) -> !heed.tensor<[n], f32>
// CHECK-NEXT: %[[H:.*]] = heed.convert %[[N]] : (!heed.tensor<[n], bf16>) -> !heed.tensor<[n], f16>
// CHECK-NEXT: heed.return %[[W]], %[[H]], %[[N]]
heed.kernel @converts(%x: !heed.tensor<[n], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[n], f32> {heed.name = "w"}, !heed.tensor<[n], f16> {heed.name = "h"}, !heed.tensor<[n], bf16> {heed.name = "b"}) {
  %0 = heed.convert %x : (!heed.tensor<[n], f32>) -> !heed.tensor<[n], bf16>
  %1 = heed.convert %0 : (!heed.tensor<[n], bf16>) -> !heed.tensor<[n], f32>
  %2 = heed.convert %1 : (!heed.tensor<[n], f32>) -> !heed.tensor<[n], f16>
  %3 = heed.convert %1 : (!heed.tensor<[n], f32>) -> !heed.tensor<[n], bf16>
  heed.return %1, %2, %3 : !heed.tensor<[n], f32>, !heed.tensor<[n], f16>, !heed.tensor<[n], bf16>
}
