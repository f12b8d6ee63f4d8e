// RUN: heed-opt %s --heed-fuse-elementwise --canonicalize --cse | FileCheck %s

!x = !heed.tensor<[b, s, 8], f32>
!r = !heed.tensor<[8], f32>
!c = !heed.tensor<[], f32>
!t = !heed.tensor<[b, s, 8], i1>

// A chain is one map; its constants are numbers in it.
// CHECK-LABEL: @chain
// CHECK-NEXT: %[[M:.*]] = heed.map %x, %r : (!heed.tensor<[b, s, 8], f32>, !heed.tensor<[8], f32>) -> !heed.tensor<[b, s, 8], f32> {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[R:.*]]: f32):
// CHECK-NEXT: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %[[A:.*]] = arith.addf %[[X]], %[[R]]
// CHECK-NEXT: %[[E:.*]] = math.tanh %[[A]]
// CHECK-NEXT: %[[Y:.*]] = arith.mulf %[[E]], %[[TWO]]
// CHECK-NEXT: heed.yield %[[Y]]
// CHECK: heed.return %[[M]]
heed.kernel @chain(%x: !x {heed.name = "x", heed.role = "input"}, %r: !r {heed.name = "r", heed.role = "weight"}) -> (!x {heed.name = "y"}) {
  %two = heed.constant 2.0 : !c
  %0 = heed.add %x, %r : (!x, !r) -> !x
  %1 = heed.hyperbolic_tangent %0 : (!x) -> !x
  %2 = heed.multiply %1, %two : (!x, !c) -> !x
  heed.return %2 : !x
}

// A value with two users is stored; one that another operation reads too.
// CHECK-LABEL: @stored
// CHECK: %[[E:.*]] = heed.map %x
// CHECK: math.exp
// CHECK: %[[A:.*]] = heed.map %[[E]]
// CHECK: math.log
// CHECK: %[[B:.*]] = heed.map %[[E]]
// CHECK: math.sqrt
// CHECK: heed.return %[[A]], %[[B]]
heed.kernel @stored(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "a"}, !x {heed.name = "b"}) {
  %0 = heed.exponential %x : (!x) -> !x
  %1 = heed.logarithm %0 : (!x) -> !x
  %2 = heed.square_root %0 : (!x) -> !x
  heed.return %1, %2 : !x, !x
}

// A smaller value is computed once, not for every element that reads it.
// CHECK-LABEL: @smaller
// CHECK: %[[E:.*]] = heed.map %r : (!heed.tensor<[8], f32>) -> !heed.tensor<[8], f32>
// CHECK: heed.map %x, %[[E]]
heed.kernel @smaller(%x: !x {heed.name = "x", heed.role = "input"}, %r: !r {heed.name = "r", heed.role = "weight"}) -> (!x {heed.name = "y"}) {
  %0 = heed.exponential %r : (!r) -> !r
  %1 = heed.add %x, %0 : (!x, !r) -> !x
  heed.return %1 : !x
}

// Every word has its scalar form.
// CHECK-LABEL: @words
// CHECK: heed.map %x, %i
// CHECK-DAG: arith.subf
// CHECK-DAG: arith.divf
// CHECK-DAG: arith.minimumf
// CHECK-DAG: arith.maximumf
// CHECK-DAG: arith.negf
// CHECK-DAG: math.absf
// CHECK-DAG: arith.cmpf olt
// CHECK-DAG: arith.cmpf ole
// CHECK-DAG: arith.cmpf ogt
// CHECK-DAG: arith.cmpf oge
// CHECK-DAG: arith.cmpf oeq
// CHECK-DAG: arith.cmpf une
// CHECK-DAG: arith.cmpi ne, %{{.*}}, %{{.*}} : i64
// CHECK-DAG: arith.andi
// CHECK-DAG: arith.ori
// CHECK-DAG: arith.xori
// CHECK-DAG: arith.select
// CHECK: heed.yield
heed.kernel @words(%x: !x {heed.name = "x", heed.role = "input"}, %i: !heed.tensor<[b, s, 8], i32> {heed.name = "i", heed.role = "input"}) -> (!x {heed.name = "y"}) {
  %c = heed.constant 3.0 : !c
  %0 = heed.subtract %x, %c : (!x, !c) -> !x
  %1 = heed.divide %c, %x : (!c, !x) -> !x
  %2 = heed.minimum %0, %1 : (!x, !x) -> !x
  %3 = heed.maximum %0, %2 : (!x, !x) -> !x
  %4 = heed.negate %3 : (!x) -> !x
  %5 = heed.absolute %4 : (!x) -> !x
  %6 = heed.logistic %5 : (!x) -> !x
  %7 = heed.less %x, %c : (!x, !c) -> !t
  %8 = heed.less_equal %x, %6 : (!x, !x) -> !t
  %9 = heed.greater %x, %6 : (!x, !x) -> !t
  %10 = heed.greater_equal %x, %6 : (!x, !x) -> !t
  %11 = heed.equal %x, %6 : (!x, !x) -> !t
  %12 = heed.not_equal %x, %6 : (!x, !x) -> !t
  %13 = heed.logical_and %7, %8 : (!t, !t) -> !t
  %14 = heed.logical_or %13, %9 : (!t, !t) -> !t
  %15 = heed.logical_not %14 : (!t) -> !t
  %16 = heed.logical_and %15, %10 : (!t, !t) -> !t
  %17 = heed.logical_or %16, %11 : (!t, !t) -> !t
  %18 = heed.logical_and %17, %12 : (!t, !t) -> !t
  %19 = heed.logical_and %18, %i : (!t, !heed.tensor<[b, s, 8], i32>) -> !t
  %20 = heed.where %19, %6, %x : (!t, !x, !x) -> !x
  heed.return %20 : !x
}

// Integers: 64 bits, division towards minus infinity.
// CHECK-LABEL: @integers
// CHECK: ^bb0(%[[X:.*]]: i64):
// CHECK: arith.floordivsi
// CHECK: arith.maxsi
// CHECK: math.absi
heed.kernel @integers(%i: !heed.tensor<[n], i32> {heed.name = "i", heed.role = "input"}) -> (!heed.tensor<[n], i32> {heed.name = "y"}) {
  %c = heed.constant -3.0 : !heed.tensor<[], i32>
  %0 = heed.divide %i, %c : (!heed.tensor<[n], i32>, !heed.tensor<[], i32>) -> !heed.tensor<[n], i32>
  %1 = heed.maximum %0, %c : (!heed.tensor<[n], i32>, !heed.tensor<[], i32>) -> !heed.tensor<[n], i32>
  %2 = heed.absolute %1 : (!heed.tensor<[n], i32>) -> !heed.tensor<[n], i32>
  heed.return %2 : !heed.tensor<[n], i32>
}

// Masks and score programs outside an attention.
// CHECK-LABEL: @programs
// CHECK-NEXT: %[[M:.*]] = heed.map %s captures(%slopes)
// CHECK-NEXT: ^bb0(%[[S:.*]]: f32, %[[T:.*]]: !heed.tensor<[h], f32>):
// CHECK-DAG: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG: %[[H:.*]] = heed.position 1
// CHECK-DAG: %[[Q:.*]] = heed.position 2
// CHECK-DAG: %[[K:.*]] = heed.position 3
// CHECK-DAG: %[[E:.*]] = heed.element %[[T]][%[[H]]]
// CHECK-DAG: %[[A:.*]] = arith.addf %[[S]], %[[E]]
// CHECK-DAG: %[[V:.*]] = arith.cmpi sle, %[[K]], %[[Q]]
// CHECK: %[[R:.*]] = arith.select %[[V]], %[[A]], %[[LOW]]
// CHECK-NEXT: heed.yield %[[R]]
heed.kernel @programs(%s: !heed.tensor<[b, h, q, k], f32> {heed.name = "s", heed.role = "input"}, %slopes: !heed.tensor<[h], f32> {heed.name = "slopes", heed.role = "input"}) -> (!heed.tensor<[b, h, q, k], f32> {heed.name = "y"}) {
  %0 = heed.score_mod %s captures(%slopes) : (!heed.tensor<[b, h, q, k], f32>, !heed.tensor<[h], f32>) -> !heed.tensor<[b, h, q, k], f32> {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %table: !heed.tensor<[h], f32>):
    %1 = heed.element %table[%h] : !heed.tensor<[h], f32> -> f32
    %2 = arith.addf %score, %1 : f32
    heed.yield %2 : f32
  }
  %3 = heed.mask %0 : (!heed.tensor<[b, h, q, k], f32>) -> !heed.tensor<[b, h, q, k], f32> {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %4 = arith.cmpi sle, %j, %i : i64
    heed.yield %4 : i1
  }
  heed.return %3 : !heed.tensor<[b, h, q, k], f32>
}

// A constant that is an output needs an operation that writes it; one inside a map does not.
// CHECK-LABEL: @constant_output
// CHECK-NEXT: %[[M:.*]] = heed.map : () -> !heed.tensor<[], f32> {
// CHECK: %[[X:.*]] = heed.map %x
// CHECK: heed.return %[[M]], %[[X]]
heed.kernel @constant_output(%x: !x {heed.name = "x", heed.role = "input"}) -> (!c {heed.name = "a"}, !x {heed.name = "b"}) {
  %c = heed.constant 3.0 : !c
  %0 = heed.add %x, %c : (!x, !c) -> !x
  heed.return %c, %0 : !c, !x
}

// Dropout is a number per element; p may be a constant.
// CHECK-LABEL: @dropout
// CHECK-NEXT: heed.map %x captures(%seed) : (!heed.tensor<[b, s, 8], f32>, !heed.tensor<[], i64>) -> !heed.tensor<[b, s, 8], f32> {
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[S:.*]]: !heed.tensor<[], i64>):
// CHECK-DAG: %[[P:.*]] = arith.constant 2.500000e-01 : f32
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : i64
// CHECK-DAG: %[[I:.*]] = heed.position 2
// CHECK-DAG: %[[SEED:.*]] = heed.element %[[S]][]
// CHECK-DAG: %[[R:.*]] = arith.muli %{{.*}}, %[[EIGHT]]
// CHECK-DAG: %[[INDEX:.*]] = arith.addi %[[R]], %[[I]]
// CHECK: %[[U:.*]] = heed.uniform %[[SEED]], %[[INDEX]] site 1
// CHECK: arith.cmpf oge, %[[U]], %[[P]]
// CHECK: arith.mulf
// CHECK: %[[D:.*]] = arith.select
// CHECK: math.exp %[[D]]
heed.kernel @dropout(%x: !x {heed.name = "x", heed.role = "input"}, %seed: !heed.tensor<[], i64> {heed.name = "seed", heed.role = "scalar"}) -> (!x {heed.name = "y"}) {
  %p = heed.constant 0.25 : !c
  %0 = heed.dropout %x, %p, %seed site 1 : (!x, !c, !heed.tensor<[], i64>) -> !x
  %1 = heed.exponential %0 : (!x) -> !x
  heed.return %1 : !x
}

// Repeated heads are looked up, in the map that reads them.
// CHECK-LABEL: @repeated
// CHECK-NEXT: heed.map captures(%x) : (!heed.tensor<[b, 2, s, 8], f32>) -> !heed.tensor<[b, 6, s, 8], f32> {
// CHECK-DAG: %[[H:.*]] = heed.position 1
// CHECK-DAG: %[[G:.*]] = arith.floordivsi %[[H]], %c3_i64
// CHECK: %[[E:.*]] = heed.element %{{.*}}[%{{.*}}, %[[G]], %{{.*}}, %{{.*}}]
// CHECK: math.exp %[[E]]
heed.kernel @repeated(%x: !heed.tensor<[b, 2, s, 8], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[b, 6, s, 8], f32> {heed.name = "y"}) {
  %0 = heed.repeat_heads %x : (!heed.tensor<[b, 2, s, 8], f32>) -> !heed.tensor<[b, 6, s, 8], f32>
  %1 = heed.exponential %0 : (!heed.tensor<[b, 6, s, 8], f32>) -> !heed.tensor<[b, 6, s, 8], f32>
  heed.return %1 : !heed.tensor<[b, 6, s, 8], f32>
}

// A table joins what reads it at the same index; what it reads itself at another index is stored.
// CHECK-LABEL: @table
// CHECK: %[[E:.*]] = heed.map %x
// CHECK: math.exp
// CHECK: %[[Y:.*]] = heed.map %r captures(%[[E]]) : (!heed.tensor<[8], f32>, !heed.tensor<[b, s, 8], f32>) -> !heed.tensor<[b, s, 8], f32> {
// CHECK: heed.element
// CHECK: arith.addf
// CHECK: heed.return %[[Y]]
heed.kernel @table(%x: !x {heed.name = "x", heed.role = "input"}, %r: !r {heed.name = "r", heed.role = "weight"}) -> (!x {heed.name = "y"}) {
  %e = heed.exponential %x : (!x) -> !x
  %t = heed.map captures(%e) : (!x) -> !x {
  ^bb0(%table: !x):
    %b = heed.position 0
    %i = heed.position 1
    %j = heed.position 2
    %seven = arith.constant 7 : i64
    %back = arith.subi %seven, %j : i64
    %v = heed.element %table[%b, %i, %back] : !x -> f32
    heed.yield %v : f32
  }
  %y = heed.add %t, %r : (!x, !r) -> !x
  heed.return %y : !x
}
