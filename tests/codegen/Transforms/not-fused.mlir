// RUN: heed-opt %s --heed-fuse-attention --verify-diagnostics | FileCheck %s
// Each reason why an operation stays, as a remark and as an attribute.

!q = !heed.tensor<[m, 4], f32>
!kt = !heed.tensor<[4, m], f32>
!s = !heed.tensor<[m, m], f32>
!r = !heed.tensor<[m], f32>

// The softmax still becomes an attention; its weights are stored for what follows.
// CHECK-LABEL: @scaled_weights
// CHECK: heed.scores
// CHECK: heed.exponential
// CHECK: heed.matmul %{{.*}} {heed.not_fused = "its weights pass through exponential at {{.*}}, whose result is no multiple of the weight"}
heed.kernel @scaled_weights(%q: !q {heed.name = "q", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %kt = heed.transpose %q : (!q) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %p = heed.softmax %s : (!s) -> !s
  %e = heed.exponential %p : (!s) -> !s
  %h = heed.multiply %e, %p : (!s, !s) -> !s
  %g = heed.add %h, %e : (!s, !s) -> !s
  // expected-remark@+1 {{matmul: not fused, its weights pass through exponential at}}
  %y = heed.matmul %g, %q : (!s, !q) -> !q
  heed.return %y : !q
}

// CHECK-LABEL: @from_argument
// CHECK: heed.softmax %{{.*}} {heed.not_fused = "its scores come from an argument, needed matmul(queries, transpose(keys))"}
heed.kernel @from_argument(%q: !q {heed.name = "q", heed.role = "input"}, %s: !s {heed.name = "s", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-remark@+1 {{softmax: not fused, its scores come from an argument, needed matmul(queries, transpose(keys))}}
  %p = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %p, %q : (!s, !q) -> !q
  heed.return %y : !q
}

// CHECK-LABEL: @from_linear
heed.kernel @from_linear(%q: !q {heed.name = "q", heed.role = "input"}, %w: !q {heed.name = "w", heed.role = "weight"}) -> (!q {heed.name = "y"}, !r {heed.name = "lse"}) {
  %s = heed.linear %q, %w : (!q, !q) -> !s
  // expected-remark@+1 {{softmax: not fused, its scores come from linear at}}
  %p = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %p, %q : (!s, !q) -> !q
  // CHECK: heed.log_sum_exp %{{.*}} {heed.not_fused = "its scores come from linear at
  // expected-remark@+1 {{log_sum_exp: not fused, its scores come from linear at}}
  %l = heed.log_sum_exp %s : (!s) -> !r
  heed.return %y, %l : !q, !r
}

// CHECK-LABEL: @vector
heed.kernel @vector(%x: !r {heed.name = "x", heed.role = "input"}) -> (!r {heed.name = "y"}) {
  // expected-remark@+1 {{softmax: not fused, its scores are (m), needed at least (queries, keys)}}
  %p = heed.softmax %x : (!r) -> !r
  heed.return %p : !r
}

!v = !heed.tensor<[b, m, 4], f32>
// CHECK-LABEL: @values_of_a_batch
// CHECK: heed.scores
heed.kernel @values_of_a_batch(%q: !q {heed.name = "q", heed.role = "input"}, %v: !v {heed.name = "v", heed.role = "input"}) -> (!v {heed.name = "y"}) {
  %kt = heed.transpose %q : (!q) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %p = heed.softmax %s : (!s) -> !s
  // expected-remark@+1 {{matmul: not fused, its weights are (m, m) but its result is (b, m, 4), needed equal leading axes}}
  %y = heed.matmul %p, %v : (!s, !v) -> !v
  heed.return %y : !v
}

!q5 = !heed.tensor<[a, b, c, m, 4], f32>
!k5 = !heed.tensor<[a, b, c, 4, m], f32>
!s5 = !heed.tensor<[a, b, c, m, m], f32>
// CHECK-LABEL: @five_axes
heed.kernel @five_axes(%q: !q5 {heed.name = "q", heed.role = "input"}) -> (!q5 {heed.name = "y"}) {
  %kt = heed.transpose %q : (!q5) -> !k5
  %s = heed.matmul %q, %kt : (!q5, !k5) -> !s5
  // expected-remark@+1 {{softmax: not fused, its scores have 5 axes, needed at most (batch, heads, queries, keys)}}
  %p = heed.softmax %s : (!s5) -> !s5
  %y = heed.matmul %p, %q : (!s5, !q5) -> !q5
  heed.return %y : !q5
}

// Products without a softmax: plain ones stay, and one whose right side is no transposed keys.
// CHECK-LABEL: @products
// CHECK-NOT: heed.attention
heed.kernel @products(%q: !q {heed.name = "q", heed.role = "input"}, %w: !kt {heed.name = "w", heed.role = "weight"}) -> (!q {heed.name = "x"}, !q {heed.name = "y"}) {
  %kt = heed.transpose %q : (!q) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %two = heed.constant 2.0 : !heed.tensor<[], f32>
  %d = heed.divide %s, %two : (!s, !heed.tensor<[], f32>) -> !s
  %x = heed.matmul %d, %q : (!s, !q) -> !q
  %h = heed.matmul %q, %w : (!q, !kt) -> !s
  %t = heed.hyperbolic_tangent %h : (!s) -> !s
  %y = heed.matmul %t, %q : (!s, !q) -> !q
  heed.return %x, %y : !q, !q
}

// A bias with more heads than the product.
!p4 = !heed.tensor<[b, 1, m, 4], f32>
!pt = !heed.tensor<[b, 1, 4, m], f32>
!ps = !heed.tensor<[b, 1, m, m], f32>
!s4 = !heed.tensor<[b, h, m, m], f32>
// CHECK-LABEL: @broadcast_scores
heed.kernel @broadcast_scores(%q: !p4 {heed.name = "q", heed.role = "input"}, %bias: !heed.tensor<[h, m, m], f32> {heed.name = "bias", heed.role = "input"}) -> (!s4 {heed.name = "y"}) {
  %kt = heed.transpose %q : (!p4) -> !pt
  %s = heed.matmul %q, %kt : (!p4, !pt) -> !ps
  %t = heed.add %s, %bias : (!ps, !heed.tensor<[h, m, m], f32>) -> !s4
  // expected-remark@+1 {{softmax: not fused, its scores are (b, h, m, m) but matmul at}}
  %p = heed.softmax %t : (!s4) -> !s4
  heed.return %p : !s4
}
