// RUN: heed-opt %s | heed-opt | FileCheck %s
// RUN: heed-opt %s --mlir-print-op-generic | heed-opt | FileCheck %s
// Every operation, type and attribute is read and printed again.

!x = !heed.tensor<[batch, s, 10], f32>
!y = !heed.tensor<[batch, s, 8], f32>
!heads = !heed.tensor<[batch, 2, s, 4], f32>
!scores = !heed.tensor<[batch, 2, s, keys], f32>
!number = !heed.tensor<[], f32>

// CHECK-LABEL: heed.kernel @views(%x: !heed.tensor<[batch, s, 10], f32> {heed.name = "x", heed.role = "input"},
// CHECK-SAME: %w: !heed.tensor<[8, 10], f32> {heed.name = "w", heed.role = "weight"}
// CHECK-SAME: -> (!heed.tensor<[batch, s, 8], f32> {heed.name = "y"}) {
heed.kernel @views(%x: !x {heed.name = "x", heed.role = "input"},
                   %w: !heed.tensor<[8, 10], f32> {heed.name = "w", heed.role = "weight"},
                   %b: !heed.tensor<[8], f32> {heed.name = "b", heed.role = "weight"}) -> (!y {heed.name = "y"}) {
  // CHECK: heed.linear %x, %w : (!heed.tensor<[batch, s, 10], f32>, !heed.tensor<[8, 10], f32>) -> !heed.tensor<[batch, s, 8], f32>
  %0 = heed.linear %x, %w : (!x, !heed.tensor<[8, 10], f32>) -> !y
  // CHECK: heed.linear %x, %w, %b
  %1 = heed.linear %x, %w, %b : (!x, !heed.tensor<[8, 10], f32>, !heed.tensor<[8], f32>) -> !y
  // CHECK: heed.linear %x, %w, %b inputs(%b) captures(%w) : {{.*}} epilogue {
  // CHECK-NEXT: ^bb0(%value: f32, %[[INPUT:.*]]: f32, %[[CAPTURE:.*]]: !heed.tensor<[8, 10], f32>):
  // CHECK-NEXT: heed.position 2
  // CHECK: heed.element %[[CAPTURE]]
  %residual = heed.linear %x, %w, %b inputs(%b) captures(%w) : (!x, !heed.tensor<[8, 10], f32>, !heed.tensor<[8], f32>, !heed.tensor<[8], f32>, !heed.tensor<[8, 10], f32>) -> !y epilogue {
  ^bb0(%value: f32, %other: f32, %table: !heed.tensor<[8, 10], f32>):
    %at = heed.position 2
    %element = heed.element %table[%at, %at] : !heed.tensor<[8, 10], f32> -> f32
    heed.yield %element : f32
  }
  // CHECK: heed.split_heads %{{.*}} into <2> : (!heed.tensor<[batch, s, 8], f32>) -> !heed.tensor<[batch, 2, s, 4], f32>
  %2 = heed.split_heads %1 into <2> : (!y) -> !heads
  // CHECK: heed.transpose %{{.*}} : (!heed.tensor<[batch, 2, s, 4], f32>) -> !heed.tensor<[batch, 2, 4, s], f32>
  %3 = heed.transpose %2 : (!heads) -> !heed.tensor<[batch, 2, 4, s], f32>
  // CHECK: heed.matmul %{{.*}}, %{{.*}} : (!heed.tensor<[batch, 2, s, 4], f32>, !heed.tensor<[batch, 2, 4, s], f32>) -> !heed.tensor<[batch, 2, s, s], f32>
  %4 = heed.matmul %2, %3 : (!heads, !heed.tensor<[batch, 2, 4, s], f32>) -> !heed.tensor<[batch, 2, s, s], f32>
  // CHECK: heed.softmax
  %5 = heed.softmax %4 : (!heed.tensor<[batch, 2, s, s], f32>) -> !heed.tensor<[batch, 2, s, s], f32>
  // CHECK: heed.permute %{{.*}} [0, 2, 1, 3] : (!heed.tensor<[batch, 2, s, 4], f32>) -> !heed.tensor<[batch, s, 2, 4], f32>
  %6 = heed.permute %2 [0, 2, 1, 3] : (!heads) -> !heed.tensor<[batch, s, 2, 4], f32>
  // CHECK: heed.merge_heads
  %7 = heed.merge_heads %2 : (!heads) -> !y
  // CHECK: heed.return %{{.*}} : !heed.tensor<[batch, s, 8], f32>
  heed.return %7 : !y
}

// CHECK-LABEL: heed.kernel @parts
heed.kernel @parts(%w: !heed.tensor<[3*d, d], f32> {heed.name = "w", heed.role = "weight"},
                   %one: !heed.tensor<[s, 1, d], f32> {heed.name = "one", heed.role = "input"})
    -> (!heed.tensor<[d, d], f32> {heed.name = "first"}, !heed.tensor<[d, d], f32> {heed.name = "last"},
        !heed.tensor<[s, d], f32> {heed.name = "y"}) {
  // CHECK: heed.slice %w axis 0 : (!heed.tensor<[3*d, d], f32>) -> !heed.tensor<[d, d], f32>
  %0 = heed.slice %w axis 0 : (!heed.tensor<[3*d, d], f32>) -> !heed.tensor<[d, d], f32>
  // CHECK: heed.slice %w axis 0 start <2*d> : (!heed.tensor<[3*d, d], f32>) -> !heed.tensor<[d, d], f32>
  %1 = heed.slice %w axis 0 start <2*d> : (!heed.tensor<[3*d, d], f32>) -> !heed.tensor<[d, d], f32>
  // CHECK: heed.drop_axis %one axis 1 : (!heed.tensor<[s, 1, d], f32>) -> !heed.tensor<[s, d], f32>
  %2 = heed.drop_axis %one axis 1 : (!heed.tensor<[s, 1, d], f32>) -> !heed.tensor<[s, d], f32>
  heed.return %0, %1, %2 : !heed.tensor<[d, d], f32>, !heed.tensor<[d, d], f32>, !heed.tensor<[s, d], f32>
}

// CHECK-LABEL: heed.kernel @rows
heed.kernel @rows(%x: !y {heed.name = "x", heed.role = "input"},
                  %gain: !heed.tensor<[8], f32> {heed.name = "gain", heed.role = "weight"},
                  %bias: !heed.tensor<[8], f32> {heed.name = "bias", heed.role = "weight"})
    -> (!heed.tensor<[batch, s], f32> {heed.name = "sum"}, !heed.tensor<[batch, s], f32> {heed.name = "amax"},
        !heed.tensor<[batch, s], i32> {heed.name = "argmax"}, !y {heed.name = "y"}) {
  // CHECK: heed.sum %x : (!heed.tensor<[batch, s, 8], f32>) -> !heed.tensor<[batch, s], f32>
  %0 = heed.sum %x : (!y) -> !heed.tensor<[batch, s], f32>
  // CHECK: heed.amax %x : (!heed.tensor<[batch, s, 8], f32>) -> !heed.tensor<[batch, s], f32>
  %1 = heed.amax %x : (!y) -> !heed.tensor<[batch, s], f32>
  // CHECK: heed.argmax %x : (!heed.tensor<[batch, s, 8], f32>) -> !heed.tensor<[batch, s], i32>
  %2 = heed.argmax %x : (!y) -> !heed.tensor<[batch, s], i32>
  // CHECK: heed.layer_norm %x, %gain, %bias epsilon 1.000000e-05 : (!heed.tensor<[batch, s, 8], f32>, !heed.tensor<[8], f32>, !heed.tensor<[8], f32>) -> !heed.tensor<[batch, s, 8], f32>
  %3 = heed.layer_norm %x, %gain, %bias epsilon 1.0e-05
      : (!y, !heed.tensor<[8], f32>, !heed.tensor<[8], f32>) -> !y
  // CHECK: heed.layer_norm %{{.*}} epsilon 0.000000e+00 : (!heed.tensor<[batch, s, 8], f32>) -> !heed.tensor<[batch, s, 8], f32>
  %4 = heed.layer_norm %3 epsilon 0.0 : (!y) -> !y
  // CHECK: heed.rms_norm %{{.*}}, %gain epsilon 1.250000e-01
  %5 = heed.rms_norm %4, %gain epsilon 0.125 : (!y, !heed.tensor<[8], f32>) -> !y
  heed.return %0, %1, %2, %5 : !heed.tensor<[batch, s], f32>, !heed.tensor<[batch, s], f32>, !heed.tensor<[batch, s], i32>, !y
}

// CHECK-LABEL: heed.kernel @append(%cache: !heed.tensor<[batch, 64, 8], f32> {heed.name = "cache", heed.role = "state"}
// CHECK-SAME: -> (!heed.tensor<[batch, 64, 8], f32> {heed.name = "cache", heed.role = "state"})
heed.kernel @append(%cache: !heed.tensor<[batch, 64, 8], f32> {heed.name = "cache", heed.role = "state"},
                    %rows: !y {heed.name = "rows", heed.role = "input"},
                    %position: !heed.tensor<[], i32> {heed.name = "position", heed.role = "scalar"})
    -> (!heed.tensor<[batch, 64, 8], f32> {heed.name = "cache", heed.role = "state"}) {
  // CHECK: heed.append %cache, %rows, %position axis 1 : (!heed.tensor<[batch, 64, 8], f32>, !heed.tensor<[batch, s, 8], f32>, !heed.tensor<[], i32>) -> !heed.tensor<[batch, 64, 8], f32>
  %0 = heed.append %cache, %rows, %position axis 1
      : (!heed.tensor<[batch, 64, 8], f32>, !y, !heed.tensor<[], i32>) -> !heed.tensor<[batch, 64, 8], f32>
  heed.return %0 : !heed.tensor<[batch, 64, 8], f32>
}

// CHECK-LABEL: heed.kernel @elements
heed.kernel @elements(%s: !scores {heed.name = "s", heed.role = "input"}) -> (!scores {heed.name = "y"}) {
  // CHECK: heed.constant 1.250000e-01 : !heed.tensor<[], f32>
  %c = heed.constant 0.125 : !number
  // CHECK: heed.constant minus_infinity : !heed.tensor<[], f32>
  %low = heed.constant minus_infinity : !number
  // CHECK: heed.constant infinity
  %high = heed.constant infinity : !number
  // CHECK: heed.add %{{.*}}, %{{.*}} : (!heed.tensor<[batch, 2, s, keys], f32>, !heed.tensor<[], f32>) -> !heed.tensor<[batch, 2, s, keys], f32>
  %0 = heed.add %s, %c : (!scores, !number) -> !scores
  // CHECK: heed.subtract
  %1 = heed.subtract %0, %c : (!scores, !number) -> !scores
  // CHECK: heed.multiply
  %2 = heed.multiply %1, %c : (!scores, !number) -> !scores
  // CHECK: heed.divide
  %3 = heed.divide %2, %c : (!scores, !number) -> !scores
  // CHECK: heed.minimum
  %4 = heed.minimum %3, %high : (!scores, !number) -> !scores
  // CHECK: heed.maximum
  %5 = heed.maximum %4, %low : (!scores, !number) -> !scores
  // CHECK: heed.negate
  %6 = heed.negate %5 : (!scores) -> !scores
  // CHECK: heed.absolute
  %7 = heed.absolute %6 : (!scores) -> !scores
  // CHECK: heed.square_root
  %8 = heed.square_root %7 : (!scores) -> !scores
  // CHECK: heed.exponential
  %9 = heed.exponential %8 : (!scores) -> !scores
  // CHECK: heed.logarithm
  %10 = heed.logarithm %9 : (!scores) -> !scores
  // CHECK: heed.hyperbolic_tangent
  %11 = heed.hyperbolic_tangent %10 : (!scores) -> !scores
  // CHECK: heed.error_function
  %erf = heed.error_function %11 : (!scores) -> !scores
  // CHECK: heed.logistic
  %12 = heed.logistic %erf : (!scores) -> !scores
  // CHECK: heed.less %{{.*}}, %{{.*}} : (!heed.tensor<[batch, 2, s, keys], f32>, !heed.tensor<[], f32>) -> !heed.tensor<[batch, 2, s, keys], i1>
  %13 = heed.less %12, %c : (!scores, !number) -> !heed.tensor<[batch, 2, s, keys], i1>
  // CHECK: heed.less_equal
  %14 = heed.less_equal %12, %c : (!scores, !number) -> !heed.tensor<[batch, 2, s, keys], i1>
  // CHECK: heed.greater
  %15 = heed.greater %12, %c : (!scores, !number) -> !heed.tensor<[batch, 2, s, keys], i1>
  // CHECK: heed.greater_equal
  %16 = heed.greater_equal %12, %c : (!scores, !number) -> !heed.tensor<[batch, 2, s, keys], i1>
  // CHECK: heed.equal
  %17 = heed.equal %12, %c : (!scores, !number) -> !heed.tensor<[batch, 2, s, keys], i1>
  // CHECK: heed.not_equal
  %18 = heed.not_equal %12, %c : (!scores, !number) -> !heed.tensor<[batch, 2, s, keys], i1>
  // CHECK: heed.logical_and
  %19 = heed.logical_and %17, %18 : (!heed.tensor<[batch, 2, s, keys], i1>, !heed.tensor<[batch, 2, s, keys], i1>) -> !heed.tensor<[batch, 2, s, keys], i1>
  // CHECK: heed.logical_or
  %20 = heed.logical_or %19, %s : (!heed.tensor<[batch, 2, s, keys], i1>, !scores) -> !heed.tensor<[batch, 2, s, keys], i1>
  // CHECK: heed.logical_not
  %21 = heed.logical_not %20 : (!heed.tensor<[batch, 2, s, keys], i1>) -> !heed.tensor<[batch, 2, s, keys], i1>
  // CHECK: heed.where
  %22 = heed.where %21, %12, %low : (!heed.tensor<[batch, 2, s, keys], i1>, !scores, !number) -> !scores
  heed.return %22 : !scores
}

// CHECK-LABEL: heed.kernel @regions
heed.kernel @regions(%s: !scores {heed.name = "s", heed.role = "input"}, %q: !heads {heed.name = "q", heed.role = "input"},
                     %k: !heed.tensor<[s, 1], f32> {heed.name = "k", heed.role = "input"},
                     %lengths: !heed.tensor<[batch], i32> {heed.name = "lengths", heed.role = "input"})
    -> (!scores {heed.name = "masked"}, !heads {heed.name = "y"}) {
  // CHECK: heed.mask %s captures(%lengths) : (!heed.tensor<[batch, 2, s, keys], f32>, !heed.tensor<[batch], i32>) -> !heed.tensor<[batch, 2, s, keys], f32> {
  // CHECK-NEXT: ^bb0(%b: i64, %h: i64, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: !heed.tensor<[batch], i32>):
  %0 = heed.mask %s captures(%lengths) : (!scores, !heed.tensor<[batch], i32>) -> !scores {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64, %table: !heed.tensor<[batch], i32>):
    // CHECK: heed.element %{{.*}}[%b] : !heed.tensor<[batch], i32> -> i64
    %1 = heed.element %table[%b] : !heed.tensor<[batch], i32> -> i64
    %2 = arith.cmpi slt, %j, %1 : i64
    // CHECK: heed.yield %{{.*}} : i1
    heed.yield %2 : i1
  }
  // CHECK: heed.score_mod %{{.*}} : (!heed.tensor<[batch, 2, s, keys], f32>) -> !heed.tensor<[batch, 2, s, keys], f32> {
  // CHECK-NEXT: ^bb0(%score: f32, %b: i64
  %1 = heed.score_mod %0 : (!scores) -> !scores {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    // CHECK: heed.extent_value <keys>
    %n = heed.extent_value <keys>
    %f = arith.sitofp %n : i64 to f32
    %r = arith.divf %score, %f : f32
    heed.yield %r : f32
  }
  // CHECK: heed.map %{{.*}}, %k captures(%lengths) : (!heed.tensor<[batch, 2, s, keys], f32>, !heed.tensor<[s, 1], f32>, !heed.tensor<[batch], i32>)
  %2 = heed.map %1, %k captures(%lengths) : (!scores, !heed.tensor<[s, 1], f32>, !heed.tensor<[batch], i32>) -> !scores {
  ^bb0(%x0: f32, %x1: f32, %table: !heed.tensor<[batch], i32>):
    // CHECK: heed.position 3
    %p = heed.position 3
    %f = arith.sitofp %p : i64 to f32
    %r = arith.addf %x0, %f : f32
    heed.yield %r : f32
  }
  // CHECK: heed.attention %q, %q, %q scale 5.000000e-01 : (!heed.tensor<[batch, 2, s, 4], f32>, !heed.tensor<[batch, 2, s, 4], f32>, !heed.tensor<[batch, 2, s, 4], f32>) -> !heed.tensor<[batch, 2, s, 4], f32> {
  // CHECK-NEXT: ^bb0(%score: f32, %b: i64, %h: i64, %{{.*}}: i64, %{{.*}}: i64):
  %3 = heed.attention %q, %q, %q scale 0.5 : (!heads, !heads, !heads) -> !heads {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    // CHECK: heed.yield %score, %{{.*}} : f32, i1
    heed.yield %score, %true : f32, i1
  }
  // CHECK: heed.return %{{.*}}, %{{.*}} : !heed.tensor<[batch, 2, s, keys], f32>, !heed.tensor<[batch, 2, s, 4], f32>
  heed.return %2, %3 : !scores, !heads
}
