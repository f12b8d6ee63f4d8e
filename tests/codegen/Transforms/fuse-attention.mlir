// RUN: heed-opt %s --heed-fuse-attention --canonicalize --cse | FileCheck %s
// Where the parts of an attention end up.

!q = !heed.tensor<[b, h, m, 64], f32>
!k = !heed.tensor<[b, h, n, 64], f32>
!v = !heed.tensor<[b, h, n, 32], f32>
!y = !heed.tensor<[b, h, m, 32], f32>
!kt = !heed.tensor<[b, h, 64, n], f32>
!s = !heed.tensor<[b, h, m, n], f32>
!c = !heed.tensor<[], f32>

// CHECK-LABEL: @plain
// CHECK-NEXT: %[[A:.*]] = heed.attention %q, %k, %v scale 1.250000e-01 :
// CHECK-NEXT: ^bb0(%score: f32, %b: i64, %h: i64, %{{.*}}: i64, %{{.*}}: i64):
// CHECK-NEXT: %[[T:.*]] = arith.constant true
// CHECK-NEXT: heed.yield %score, %[[T]] : f32, i1
// CHECK: heed.return %[[A]]
heed.kernel @plain(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"},
                   %v: !v {heed.name = "v", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %c = heed.constant 8.0 : !c
  %d = heed.divide %s, %c : (!s, !c) -> !s
  %p = heed.softmax %d : (!s) -> !s
  %y = heed.matmul %p, %v : (!s, !v) -> !y
  heed.return %y : !y
}

// A hidden score is a condition; scale after the mask still reaches the attribute.
// CHECK-LABEL: @mask_then_scale
// CHECK: heed.attention %q, %k, %v captures(%visible) scale 1.250000e-01
// CHECK: ^bb0(%score: f32, %[[B:.*]]: i64, %[[H:.*]]: i64, %[[Q:.*]]: i64, %[[K:.*]]: i64, %[[M:.*]]: !heed.tensor<[b, 1, m, n], f32>):
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 0 : i64
// CHECK: %[[E:.*]] = heed.element %[[M]][%[[B]], %[[FIRST]], %[[Q]], %[[K]]]
// CHECK-NEXT: %[[V:.*]] = arith.cmpf une, %[[E]], %[[ZERO]]
// CHECK-NEXT: heed.yield %score, %[[V]]
heed.kernel @mask_then_scale(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"},
                   %v: !v {heed.name = "v", heed.role = "input"},
                   %visible: !heed.tensor<[b, 1, m, n], f32> {heed.name = "visible", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %low = heed.constant minus_infinity : !c
  %w = heed.where %visible, %s, %low : (!heed.tensor<[b, 1, m, n], f32>, !s, !c) -> !s
  %c = heed.constant 8.0 : !c
  %d = heed.divide %w, %c : (!s, !c) -> !s
  %p = heed.softmax %d : (!s) -> !s
  %y = heed.matmul %p, %v : (!s, !v) -> !y
  heed.return %y : !y
}

// where(hidden, -infinity, s): the condition turns.
// CHECK-LABEL: @hidden
// CHECK: %[[E:.*]] = heed.element %{{.*}}[%{{.*}}, %{{.*}}] : !heed.tensor<[m, n], i1> -> i1
// CHECK: %[[V:.*]] = arith.xori %[[E]], %true
// CHECK: heed.yield %score, %[[V]]
heed.kernel @hidden(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"},
                   %v: !v {heed.name = "v", heed.role = "input"},
                   %hidden: !heed.tensor<[m, n], i1> {heed.name = "hidden", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %low = heed.constant minus_infinity : !c
  %w = heed.where %hidden, %low, %s : (!heed.tensor<[m, n], i1>, !c, !s) -> !s
  %p = heed.softmax %w : (!s) -> !s
  %y = heed.matmul %p, %v : (!s, !v) -> !y
  heed.return %y : !y
}

// A finite fill is a score like any other: nothing is hidden.
// CHECK-LABEL: @finite_fill
// CHECK-DAG: %[[FILL:.*]] = arith.constant -1.000000e+09
// CHECK-DAG: %[[TRUE:.*]] = arith.constant true
// CHECK: %[[S:.*]] = arith.select %{{.*}}, %score, %[[FILL]]
// CHECK: heed.yield %[[S]], %[[TRUE]]
heed.kernel @finite_fill(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"},
                   %v: !v {heed.name = "v", heed.role = "input"},
                   %visible: !heed.tensor<[m, n], i1> {heed.name = "visible", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %low = heed.constant -1.0e9 : !c
  %w = heed.where %visible, %s, %low : (!heed.tensor<[m, n], i1>, !s, !c) -> !s
  %p = heed.softmax %w : (!s) -> !s
  %y = heed.matmul %p, %v : (!s, !v) -> !y
  heed.return %y : !y
}

// Scaled queries and keys, also behind views: 0.5 · 3 · -1.
// CHECK-LABEL: @scaled_operands
// CHECK: heed.attention %q, %k, %v scale -1.500000e+00
heed.kernel @scaled_operands(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"},
                   %v: !v {heed.name = "v", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  %half = heed.constant 0.5 : !c
  %three = heed.constant 3.0 : !c
  %q2 = heed.multiply %q, %half : (!q, !c) -> !q
  %k2 = heed.multiply %k, %three : (!k, !c) -> !k
  %kt = heed.transpose %k2 : (!k) -> !kt
  %s = heed.matmul %q2, %kt : (!q, !kt) -> !s
  %n = heed.negate %s : (!s) -> !s
  %p = heed.softmax %n : (!s) -> !s
  %y = heed.matmul %p, %v : (!s, !v) -> !y
  heed.return %y : !y
}

// Score programs, masks and biases in the user's order; the small table is a capture, the bias matrix is computed in
// place, the row of penalties is computed once and captured.
// CHECK-LABEL: @everything
// CHECK-NEXT: %[[LOW:.*]] = heed.constant -1.000000e+00
// CHECK-NEXT: %[[ROW:.*]] = heed.multiply %penalty, %[[LOW]]
// CHECK-NEXT: heed.attention %q, %k, %v captures(%left, %right, %slopes, %[[ROW]]) scale 2.000000e+00
// CHECK-DAG: heed.element %{{.*}}[%h] : !heed.tensor<[h], f32> -> f32
// CHECK-DAG: arith.subi
// CHECK-DAG: arith.sitofp
// CHECK-DAG: %[[L:.*]] = heed.element %{{.*}} : !heed.tensor<[m, n], f32> -> f32
// CHECK-DAG: %[[R:.*]] = heed.element %{{.*}} : !heed.tensor<[h, 1, 1], f32> -> f32
// CHECK-DAG: arith.mulf %[[L]], %[[R]]
// CHECK-DAG: %[[V:.*]] = arith.cmpi sle
// CHECK: heed.yield %{{.*}}, %[[V]]
heed.kernel @everything(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"},
                   %v: !v {heed.name = "v", heed.role = "input"}, %slopes: !heed.tensor<[h], f32> {heed.name = "slopes", heed.role = "input"},
                   %left: !heed.tensor<[m, n], f32> {heed.name = "left", heed.role = "input"}, %right: !heed.tensor<[h, 1, 1], f32> {heed.name = "right", heed.role = "input"},
                   %penalty: !heed.tensor<[n], f32> {heed.name = "penalty", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %two = heed.constant 2.0 : !c
  %s2 = heed.multiply %s, %two : (!s, !c) -> !s
  %alibi = heed.score_mod %s2 captures(%slopes) : (!s, !heed.tensor<[h], f32>) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %table: !heed.tensor<[h], f32>):
    %slope = heed.element %table[%h] : !heed.tensor<[h], f32> -> f32
    %d = arith.subi %j, %i : i64
    %f = arith.sitofp %d : i64 to f32
    %t = arith.mulf %slope, %f : f32
    %r = arith.addf %score, %t : f32
    heed.yield %r : f32
  }
  %causal = heed.mask %alibi : (!s) -> !s {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %r = arith.cmpi sle, %j, %i : i64
    heed.yield %r : i1
  }
  %bias = heed.multiply %left, %right : (!heed.tensor<[m, n], f32>, !heed.tensor<[h, 1, 1], f32>) -> !heed.tensor<[h, m, n], f32>
  %biased = heed.add %bias, %causal : (!heed.tensor<[h, m, n], f32>, !s) -> !s
  %minus = heed.constant -1.0 : !c
  %row = heed.multiply %penalty, %minus : (!heed.tensor<[n], f32>, !c) -> !heed.tensor<[n], f32>
  %penalized = heed.add %biased, %row : (!s, !heed.tensor<[n], f32>) -> !s
  %p = heed.softmax %penalized : (!s) -> !s
  %y = heed.matmul %p, %v : (!s, !v) -> !y
  heed.return %y : !y
}

// Two masks: both must allow a key.
// CHECK-LABEL: @two_masks
// CHECK-DAG: %[[A:.*]] = arith.cmpi sle
// CHECK-DAG: %[[B:.*]] = heed.element
// CHECK: %[[V:.*]] = arith.andi
// CHECK: heed.yield %score, %[[V]]
heed.kernel @two_masks(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"},
                   %v: !v {heed.name = "v", heed.role = "input"},
                   %visible: !heed.tensor<[n], i1> {heed.name = "visible", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %causal = heed.mask %s : (!s) -> !s {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %r = arith.cmpi sle, %j, %i : i64
    heed.yield %r : i1
  }
  %low = heed.constant minus_infinity : !c
  %w = heed.where %visible, %causal, %low : (!heed.tensor<[n], i1>, !s, !c) -> !s
  %p = heed.softmax %w : (!s) -> !s
  %y = heed.matmul %p, %v : (!s, !v) -> !y
  heed.return %y : !y
}

// A function that brings a hidden score back keeps its infinity: tanh(-infinity) is -1, which is visible.
// CHECK-LABEL: @softcap_after_mask
// CHECK: %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK: %[[S:.*]] = arith.select %{{.*}}, %score, %[[LOW]]
// CHECK: %[[T:.*]] = math.tanh %[[S]]
// CHECK: heed.yield %[[T]], %true
heed.kernel @softcap_after_mask(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"},
                   %v: !v {heed.name = "v", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %causal = heed.mask %s : (!s) -> !s {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %r = arith.cmpi sle, %j, %i : i64
    heed.yield %r : i1
  }
  %t = heed.hyperbolic_tangent %causal : (!s) -> !s
  %p = heed.softmax %t : (!s) -> !s
  %y = heed.matmul %p, %v : (!s, !v) -> !y
  heed.return %y : !y
}
