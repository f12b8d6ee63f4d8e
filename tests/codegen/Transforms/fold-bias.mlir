// RUN: heed-opt %s --heed-fold-bias | FileCheck %s

!x = !heed.tensor<[s, 10], f32>
!y = !heed.tensor<[s, 8], f32>
!w = !heed.tensor<[8, 10], f32>
!b = !heed.tensor<[8], f32>

// CHECK-LABEL: @either_side
// CHECK-NEXT: %[[A:.*]] = heed.linear %x, %w, %b
// CHECK-NEXT: %[[B:.*]] = heed.linear %x, %w, %b
// CHECK-NEXT: heed.return %[[A]], %[[B]]
heed.kernel @either_side(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"},
                         %b: !b {heed.name = "b", heed.role = "weight"}) -> (!y {heed.name = "u"}, !y {heed.name = "v"}) {
  %0 = heed.linear %x, %w : (!x, !w) -> !y
  %1 = heed.add %0, %b : (!y, !b) -> !y
  %2 = heed.linear %x, %w : (!x, !w) -> !y
  %3 = heed.add %b, %2 : (!b, !y) -> !y
  heed.return %1, %3 : !y, !y
}

// A second user, a second bias and a residual stay.
// CHECK-LABEL: @not_a_bias
// CHECK-COUNT-3: heed.add
heed.kernel @not_a_bias(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"},
                        %b: !b {heed.name = "b", heed.role = "weight"}, %r: !y {heed.name = "r", heed.role = "input"})
    -> (!y {heed.name = "t"}, !y {heed.name = "u"}, !y {heed.name = "v"}, !y {heed.name = "z"}) {
  %0 = heed.linear %x, %w : (!x, !w) -> !y
  %1 = heed.add %0, %b : (!y, !b) -> !y
  %2 = heed.linear %x, %w, %b : (!x, !w, !b) -> !y
  %3 = heed.add %2, %b : (!y, !b) -> !y
  %4 = heed.linear %x, %w : (!x, !w) -> !y
  %5 = heed.add %4, %r : (!y, !y) -> !y
  heed.return %0, %1, %3, %5 : !y, !y, !y, !y
}
