// RUN: heed-opt %s --heed-fuse-attention --canonicalize --cse --mlir-print-local-scope | FileCheck %s
// What changes weights between the softmax and the values, and weights without a softmax.

!q = !heed.tensor<[b, h, m, 64], f32>
!k = !heed.tensor<[b, h, n, 64], f32>
!kt = !heed.tensor<[b, h, 64, n], f32>
!s = !heed.tensor<[b, h, m, n], f32>
!r = !heed.tensor<[b, h, m], f32>
!c = !heed.tensor<[], f32>
!seed = !heed.tensor<[], i64>

// Dropout: a number per element, from its row-major index. The weights before it are an output.
// CHECK-LABEL: @dropout
// CHECK: %[[A:.*]]:3 = heed.attention %q, %k, %k captures(%p, %seed) scale 1.000000e+00 {produces = ["output", "largest", "sum"]}
// CHECK: heed.yield %score, %true
// CHECK-NEXT: } weighing {
// CHECK-NEXT: ^bb0(%weight: f32, %[[B:.*]]: i64, %[[H:.*]]: i64, %[[Q:.*]]: i64, %[[K:.*]]: i64, %[[P:.*]]: !heed.tensor<[], f32>, %[[SEED:.*]]: !heed.tensor<[], i64>):
// CHECK-DAG: %[[PV:.*]] = heed.element %[[P]][] : !heed.tensor<[], f32> -> f32
// CHECK-DAG: %[[SV:.*]] = heed.element %[[SEED]][] : !heed.tensor<[], i64> -> i64
// CHECK: %[[HH:.*]] = heed.extent_value <h>
// CHECK: %[[I0:.*]] = arith.muli %[[B]], %[[HH]]
// CHECK: %[[I1:.*]] = arith.addi %[[I0]], %[[H]]
// CHECK: %[[M:.*]] = heed.extent_value <m>
// CHECK: %[[I2:.*]] = arith.muli %[[I1]], %[[M]]
// CHECK: %[[I3:.*]] = arith.addi %[[I2]], %[[Q]]
// CHECK: %[[N:.*]] = heed.extent_value <n>
// CHECK: %[[I4:.*]] = arith.muli %[[I3]], %[[N]]
// CHECK: %[[I5:.*]] = arith.addi %[[I4]], %[[K]]
// CHECK: %[[U:.*]] = heed.uniform %[[SV]], %[[I5]] site 2
// CHECK: %[[KEEP:.*]] = arith.cmpf oge, %[[U]], %[[PV]]
// CHECK: %[[KEPT:.*]] = arith.subf %{{.*}}, %[[PV]]
// CHECK: %[[F:.*]] = arith.divf %{{.*}}, %[[KEPT]]
// CHECK: %[[W:.*]] = arith.mulf %weight, %[[F]]
// CHECK: %[[D:.*]] = arith.select %[[KEEP]], %[[W]], %{{.*}}
// CHECK: heed.yield %[[D]]
// CHECK: heed.scores %q, %k statistics(%[[A]]#1, %[[A]]#2)
// CHECK-NOT: weighing
heed.kernel @dropout(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %p: !c {heed.name = "p", heed.role = "scalar"},
                     %seed: !seed {heed.name = "seed", heed.role = "scalar"}) -> (!q {heed.name = "y"}, !s {heed.name = "weights"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %w = heed.softmax %s : (!s) -> !s
  %d = heed.dropout %w, %p, %seed site 2 : (!s, !c, !seed) -> !s
  %y = heed.matmul %d, %k : (!s, !k) -> !q
  heed.return %y, %w : !q, !s
}

// Factors, choices and programs that keep 0; both regions have the captures of both. The changed weights are
// the output: they are written with the region.
// CHECK-LABEL: @chain
// CHECK: %[[A:.*]]:3 = heed.attention %q, %k, %k captures(%slope, %on, %gate) scale 1.000000e+00
// CHECK: ^bb0(%score: f32, %{{.*}}: i64, %[[H:.*]]: i64, %{{.*}}: i64, %{{.*}}: i64, %[[S:.*]]: !heed.tensor<[h], f32>, %{{.*}}: !heed.tensor<[n], i1>, %{{.*}}: !heed.tensor<[m, 1], f32>):
// CHECK: heed.element %[[S]][%[[H]]]
// CHECK: } weighing {
// CHECK-NEXT: ^bb0(%weight: f32, %{{.*}}: i64, %{{.*}}: i64, %[[Q:.*]]: i64, %[[K:.*]]: i64, %{{.*}}: !heed.tensor<[h], f32>, %[[O:.*]]: !heed.tensor<[n], i1>, %[[G:.*]]: !heed.tensor<[m, 1], f32>):
// CHECK-DAG: heed.element %[[G]][%[[Q]], %c0_i64]
// CHECK-DAG: heed.element %[[O]][%[[K]]]
// CHECK: heed.scores %q, %k statistics(%[[A]]#1, %[[A]]#2) captures(%slope, %on, %gate) scale 1.000000e+00
// CHECK: } weighing {
heed.kernel @chain(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %gate: !heed.tensor<[m, 1], f32> {heed.name = "gate", heed.role = "input"},
                   %on: !heed.tensor<[n], i1> {heed.name = "on", heed.role = "input"}, %slope: !heed.tensor<[h], f32> {heed.name = "slope", heed.role = "weight"}) -> (!q {heed.name = "y"}, !s {heed.name = "weights"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %t = heed.score_mod %s captures(%slope) : (!s, !heed.tensor<[h], f32>) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %table: !heed.tensor<[h], f32>):
    %e = heed.element %table[%h] : !heed.tensor<[h], f32> -> f32
    %a = arith.addf %score, %e : f32
    heed.yield %a : f32
  }
  %w = heed.softmax %t : (!s) -> !s
  %g = heed.multiply %w, %gate : (!s, !heed.tensor<[m, 1], f32>) -> !s
  %zero = heed.constant 0.0 : !c
  %o = heed.where %on, %g, %zero : (!heed.tensor<[n], i1>, !s, !c) -> !s
  %n = heed.negate %o : (!s) -> !s
  %f = heed.score_mod %n : (!s) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %d = arith.subi %i, %j : i64
    %x = arith.sitofp %d : i64 to f32
    %y = arith.mulf %x, %score : f32
    heed.yield %y : f32
  }
  %y = heed.matmul %f, %k : (!s, !k) -> !q
  heed.return %y, %f : !q, !s
}

// Weights over a sum of their own: the sum comes first, from an attention of its own.
// CHECK-LABEL: @over_sum
// CHECK: %[[L:.*]] = heed.attention %q, %k scale 1.000000e+00 {produces = ["log_sum_exp"]}
// CHECK: %[[X:.*]] = heed.append_axis %[[L]]
// CHECK: heed.attention %q, %k, %k captures(%[[X]]) scale 1.000000e+00 :
// CHECK: weighing
heed.kernel @over_sum(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %w = heed.softmax %s : (!s) -> !s
  %l = heed.log_sum_exp %s : (!s) -> !r
  %a = heed.append_axis %l : (!r) -> !heed.tensor<[b, h, m, 1], f32>
  %d = heed.divide %w, %a : (!s, !heed.tensor<[b, h, m, 1], f32>) -> !s
  %y = heed.matmul %d, %k : (!s, !k) -> !q
  heed.return %y : !q
}

// Sigmoid attention: a hidden score of -infinity is a weight of 0. Factor and sign are the scale.
// CHECK-LABEL: @sigmoid
// CHECK-NEXT: %[[A:.*]] = heed.attention %q, %k, %k scale -1.250000e-01 {unnormalized}
// CHECK: %[[V:.*]] = arith.cmpi sle
// CHECK: %[[E:.*]] = math.exp %score
// CHECK: %[[D:.*]] = arith.addf %[[E]], %{{.*}}
// CHECK: %[[S:.*]] = arith.divf %{{.*}}, %[[D]]
// CHECK: heed.yield %[[S]], %[[V]]
// CHECK: heed.return %[[A]]
heed.kernel @sigmoid(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %c = heed.constant 8.0 : !c
  %d = heed.divide %s, %c : (!s, !c) -> !s
  %t = heed.mask %d : (!s) -> !s {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.cmpi sle, %j, %i : i64
    heed.yield %v : i1
  }
  %w = heed.logistic %t : (!s) -> !s
  %y = heed.matmul %w, %k : (!s, !k) -> !q
  heed.return %y : !q
}

// After a program whose factor is only positive in fact, the score tells whether it is hidden.
// CHECK-LABEL: @sigmoid_of_program
// CHECK: heed.attention %q, %k, %k scale 1.000000e+00 {unnormalized}
// CHECK: %[[HIDDEN:.*]] = arith.select %{{.*}}, %score, %[[INF:.*]] : f32
// CHECK: %[[X:.*]] = arith.mulf %[[HIDDEN]]
// CHECK: %[[V:.*]] = arith.cmpf une, %[[X]], %[[INF]]
// CHECK: heed.yield %{{.*}}, %[[V]]
heed.kernel @sigmoid_of_program(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %t = heed.score_mod %s : (!s) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.cmpi sle, %j, %i : i64
    %inf = arith.constant 0xFF800000 : f32
    %hidden = arith.select %v, %score, %inf : f32
    %n = arith.sitofp %j : i64 to f32
    %e = math.exp %n : f32
    %x = arith.mulf %hidden, %e : f32
    heed.yield %x : f32
  }
  %w = heed.logistic %t : (!s) -> !s
  %y = heed.matmul %w, %k : (!s, !k) -> !q
  heed.return %y : !q
}

// The square of the positive part, hidden by a choice of 0; its weights are read too, as they are.
// CHECK-LABEL: @squared_positive
// CHECK: heed.scores %q, %k captures(%on) scale 1.000000e+00
// CHECK: %[[W:.*]] = arith.select
// CHECK: heed.yield %[[W]], %true
// CHECK: heed.attention %q, %k, %k captures(%on) scale 1.000000e+00 {unnormalized}
// CHECK-DAG: %[[E:.*]] = heed.element
// CHECK-DAG: %[[P:.*]] = arith.maximumf %score
// CHECK-DAG: %[[S:.*]] = arith.mulf %[[P]], %[[P]]
// CHECK: heed.yield %[[S]], %[[E]]
heed.kernel @squared_positive(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %on: !heed.tensor<[n], i1> {heed.name = "on", heed.role = "input"}) -> (!q {heed.name = "y"}, !s {heed.name = "weights"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %zero = heed.constant 0.0 : !c
  %p = heed.maximum %s, %zero : (!s, !c) -> !s
  %p2 = heed.multiply %p, %p : (!s, !s) -> !s
  %w = heed.where %on, %p2, %zero : (!heed.tensor<[n], i1>, !s, !c) -> !s
  %y = heed.matmul %w, %k : (!s, !k) -> !q
  heed.return %y, %w : !q, !s
}

// A function that is not 0 at -infinity hides nothing: the scores stay what they are.
// CHECK-LABEL: @shifted
// CHECK: heed.attention %q, %k, %k scale 1.000000e+00 {unnormalized}
// CHECK: %[[S:.*]] = arith.select %{{.*}}, %score, %{{.*}}
// CHECK: math.tanh %[[S]]
// CHECK: heed.yield %{{.*}}, %true
heed.kernel @shifted(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %kt = heed.transpose %k : (!k) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %t = heed.mask %s : (!s) -> !s {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.cmpi sle, %j, %i : i64
    heed.yield %v : i1
  }
  %w = heed.hyperbolic_tangent %t : (!s) -> !s
  %y = heed.matmul %w, %k : (!s, !k) -> !q
  heed.return %y : !q
}
