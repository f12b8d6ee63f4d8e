// RUN: heed-opt %s --heed-fuse-epilogue | FileCheck %s

!x = !heed.tensor<[b, s, 10], f32>
!y = !heed.tensor<[b, s, 8], f32>
!w = !heed.tensor<[8, 10], f32>
!b = !heed.tensor<[8], f32>
!n = !heed.tensor<[], f32>

// CHECK-LABEL: @activation
// CHECK-NEXT: %[[Y:.*]] = heed.linear %x, %w, %b : {{.*}} epilogue {
// CHECK-NEXT: ^bb0(%[[VALUE:.*]]: f32):
// CHECK-NEXT: %[[T:.*]] = math.tanh %[[VALUE]] : f32
// CHECK-NEXT: heed.yield %[[T]] : f32
// CHECK-NEXT: }
// CHECK-NEXT: heed.return %[[Y]]
heed.kernel @activation(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"},
                        %b: !b {heed.name = "b", heed.role = "weight"}) -> (!y {heed.name = "y"}) {
  %0 = heed.linear %x, %w, %b : (!x, !w, !b) -> !y
  %1 = heed.map %0 : (!y) -> !y {
  ^bb0(%e: f32):
    %2 = math.tanh %e : f32
    heed.yield %2 : f32
  }
  heed.return %1 : !y
}

// The linear moves to where the residual is known; the scale is one number for all.
// CHECK-LABEL: @residual
// CHECK-NEXT: %[[R:.*]] = heed.softmax %r
// CHECK-NEXT: %[[Y:.*]] = heed.linear %x, %w inputs(%[[R]], %n) : {{.*}} epilogue {
// CHECK-NEXT: ^bb0(%[[VALUE:.*]]: f32, %[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[VALUE]], %[[B]]
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[P]]
// CHECK-NEXT: heed.yield %[[S]]
// CHECK: heed.return %[[Y]]
heed.kernel @residual(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"},
                      %r: !y {heed.name = "r", heed.role = "input"}, %n: !n {heed.name = "n", heed.role = "input"})
    -> (!y {heed.name = "y"}) {
  %0 = heed.linear %x, %w : (!x, !w) -> !y
  %1 = heed.softmax %r : (!y) -> !y
  %2 = heed.map %1, %0, %n : (!y, !y, !n) -> !y {
  ^bb0(%a: f32, %e: f32, %f: f32):
    %3 = arith.mulf %e, %f : f32
    %4 = arith.addf %a, %3 : f32
    heed.yield %4 : f32
  }
  heed.return %2 : !y
}

// Of two linears the last one reads the other's result, whatever their order in the map.
// CHECK-LABEL: @gate
// CHECK-NEXT: %[[G:.*]] = heed.linear %x, %v
// CHECK-NOT: epilogue
// CHECK-NEXT: %[[Y:.*]] = heed.linear %x, %w inputs(%[[G]]) : {{.*}} epilogue {
// CHECK-NEXT: ^bb0(%[[VALUE:.*]]: f32, %[[GATE:.*]]: f32):
// CHECK-NEXT: arith.divf %[[VALUE]], %[[GATE]]
// CHECK: heed.return %[[Y]]
heed.kernel @gate(%x: !x {heed.name = "x", heed.role = "input"}, %v: !w {heed.name = "v", heed.role = "weight"},
                  %w: !w {heed.name = "w", heed.role = "weight"}) -> (!y {heed.name = "y"}) {
  %0 = heed.linear %x, %v : (!x, !w) -> !y
  %1 = heed.linear %x, %w : (!x, !w) -> !y
  %2 = heed.map %1, %0 : (!y, !y) -> !y {
  ^bb0(%a: f32, %g: f32):
    %3 = arith.divf %a, %g : f32
    heed.yield %3 : f32
  }
  heed.return %2 : !y
}

// Dropout: positions are those of the result. A map behind an epilogue joins it, its tensors behind its own.
// CHECK-LABEL: @dropout
// CHECK-NEXT: %[[Y:.*]] = heed.linear %x, %w inputs(%r) captures(%p, %seed) : {{.*}} epilogue {
// CHECK-NEXT: ^bb0(%[[VALUE:.*]]: f32, %[[R:.*]]: f32, %[[P:.*]]: !heed.tensor<[], f32>, %[[SEED:.*]]: !heed.tensor<[], i64>):
// CHECK: %[[I:.*]] = heed.position 1
// CHECK: heed.element %[[SEED]][]
// CHECK: heed.element %[[P]][]
// CHECK: %[[KEPT:.*]] = arith.select
// CHECK: arith.addf %[[R]], %[[KEPT]]
// CHECK: heed.return %[[Y]]
heed.kernel @dropout(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"},
                     %r: !y {heed.name = "r", heed.role = "input"}, %p: !n {heed.name = "p", heed.role = "scalar"},
                     %seed: !heed.tensor<[], i64> {heed.name = "seed", heed.role = "scalar"}) -> (!y {heed.name = "y"}) {
  %0 = heed.linear %x, %w captures(%p, %seed) : (!x, !w, !n, !heed.tensor<[], i64>) -> !y epilogue {
  ^bb0(%e: f32, %probability: !n, %s: !heed.tensor<[], i64>):
    %2 = heed.position 1
    %3 = heed.element %s[] : !heed.tensor<[], i64> -> i64
    %4 = heed.uniform %3, %2 site 0
    %5 = heed.element %probability[] : !n -> f32
    %6 = arith.cmpf oge, %4, %5 : f32
    %zero = arith.constant 0.0 : f32
    %7 = arith.select %6, %e, %zero : f32
    heed.yield %7 : f32
  }
  %1 = heed.map %r, %0 : (!y, !y) -> !y {
  ^bb0(%a: f32, %e: f32):
    %2 = arith.addf %a, %e : f32
    heed.yield %2 : f32
  }
  heed.return %1 : !y
}

// A result that something else reads, a larger one, and one read anywhere stay.
// CHECK-LABEL: @stay
// CHECK-COUNT-3: heed.map
// CHECK-NOT: epilogue
heed.kernel @stay(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"},
                  %row: !heed.tensor<[10], f32> {heed.name = "row", heed.role = "input"})
    -> (!y {heed.name = "t"}, !y {heed.name = "u"}, !y {heed.name = "v"}, !y {heed.name = "z"}) {
  %0 = heed.linear %x, %w : (!x, !w) -> !y
  %1 = heed.map %0 : (!y) -> !y {
  ^bb0(%e: f32):
    %6 = math.exp %e : f32
    heed.yield %6 : f32
  }
  %2 = heed.linear %row, %w : (!heed.tensor<[10], f32>, !w) -> !b
  %3 = heed.map %0, %2 : (!y, !b) -> !y {
  ^bb0(%e: f32, %f: f32):
    %6 = arith.addf %e, %f : f32
    heed.yield %6 : f32
  }
  %4 = heed.linear %row, %w : (!heed.tensor<[10], f32>, !w) -> !b
  %5 = heed.map captures(%4) : (!b) -> !y {
  ^bb0(%t: !b):
    %c = arith.constant 3 : i64
    %6 = heed.element %t[%c] : !b -> f32
    heed.yield %6 : f32
  }
  heed.return %0, %1, %3, %5 : !y, !y, !y, !y
}
