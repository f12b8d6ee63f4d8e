// RUN: heed-opt %s --heed-merge-projections | FileCheck %s

!x = !heed.tensor<[b, s, 8], f32>
!h = !heed.tensor<[b, 2, s, 4], f32>
!w = !heed.tensor<[8, 8], f32>

// Projections of one input meet; a weight that is computed later holds its operation back, another input too.
// CHECK-LABEL: @projections
// CHECK-NEXT: heed.linear %x, %wq
// CHECK-NEXT: heed.linear %x, %wk
// CHECK-NEXT: heed.split_heads
// CHECK-NEXT: heed.split_heads
// CHECK-NEXT: heed.transpose %wv
// CHECK-NEXT: heed.linear %x, %{{[0-9]+}}
// CHECK-NEXT: heed.linear %z, %wq
heed.kernel @projections(%x: !x {heed.name = "x", heed.role = "input"}, %z: !x {heed.name = "z", heed.role = "input"},
                         %wq: !w {heed.name = "wq", heed.role = "weight"}, %wk: !w {heed.name = "wk", heed.role = "weight"},
                         %wv: !w {heed.name = "wv", heed.role = "weight"})
    -> (!h {heed.name = "q"}, !h {heed.name = "k"}, !x {heed.name = "v"}, !x {heed.name = "u"}) {
  %0 = heed.linear %x, %wq : (!x, !w) -> !x
  %1 = heed.split_heads %0 into <2> : (!x) -> !h
  %2 = heed.linear %x, %wk : (!x, !w) -> !x
  %3 = heed.split_heads %2 into <2> : (!x) -> !h
  %4 = heed.transpose %wv : (!w) -> !w
  %5 = heed.linear %x, %4 : (!x, !w) -> !x
  %6 = heed.linear %z, %wq : (!x, !w) -> !x
  heed.return %1, %3, %5, %6 : !h, !h, !x, !x
}
