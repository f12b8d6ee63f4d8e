// RUN: heed-opt %s --heed-fuse-attention --verify-diagnostics | FileCheck %s
// Each reason why a softmax stays, as a remark and as an attribute.

!q = !heed.tensor<[m, 4], f32>
!kt = !heed.tensor<[4, m], f32>
!s = !heed.tensor<[m, m], f32>

// CHECK-LABEL: @weights
// CHECK: heed.softmax %{{.*}} {heed.not_fused = "its result is also used by output 'weights'; only the values' product may read the weights"}
heed.kernel @weights(%q: !q {heed.name = "q", heed.role = "input"}) -> (!q {heed.name = "y"}, !s {heed.name = "weights"}) {
  %kt = heed.transpose %q : (!q) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  // expected-remark@+1 {{softmax: not fused, its result is also used by output 'weights'; only the values' product may read the weights}}
  %p = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %p, %q : (!s, !q) -> !q
  heed.return %y, %p : !q, !s
}

// CHECK-LABEL: @no_values
heed.kernel @no_values(%q: !q {heed.name = "q", heed.role = "input"}) -> (!s {heed.name = "weights"}) {
  %kt = heed.transpose %q : (!q) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  // expected-remark@+1 {{softmax: not fused, its result is used by output 'weights', needed matmul(weights, values)}}
  %p = heed.softmax %s : (!s) -> !s
  heed.return %p : !s
}

// CHECK-LABEL: @scaled_weights
heed.kernel @scaled_weights(%q: !q {heed.name = "q", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %kt = heed.transpose %q : (!q) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  // expected-remark@+1 {{softmax: not fused, its result is used by exponential at}}
  %p = heed.softmax %s : (!s) -> !s
  %e = heed.exponential %p : (!s) -> !s
  %y = heed.matmul %e, %q : (!s, !q) -> !q
  heed.return %y : !q
}

// CHECK-LABEL: @scores_read
heed.kernel @scores_read(%q: !q {heed.name = "q", heed.role = "input"}) -> (!q {heed.name = "y"}, !s {heed.name = "scores"}) {
  %kt = heed.transpose %q : (!q) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  %t = heed.hyperbolic_tangent %s : (!s) -> !s
  // expected-remark@+1 {{softmax: not fused, its scores are also used by output 'scores'; only the softmax may read them}}
  %p = heed.softmax %t : (!s) -> !s
  %y = heed.matmul %p, %q : (!s, !q) -> !q
  heed.return %y, %t : !q, !s
}

// CHECK-LABEL: @from_argument
heed.kernel @from_argument(%q: !q {heed.name = "q", heed.role = "input"}, %s: !s {heed.name = "s", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-remark@+1 {{softmax: not fused, its scores come from an argument, needed matmul(queries, transpose(keys))}}
  %p = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %p, %q : (!s, !q) -> !q
  heed.return %y : !q
}

// CHECK-LABEL: @from_linear
heed.kernel @from_linear(%q: !q {heed.name = "q", heed.role = "input"}, %w: !q {heed.name = "w", heed.role = "weight"}) -> (!q {heed.name = "y"}) {
  %s = heed.linear %q, %w : (!q, !q) -> !s
  // expected-remark@+1 {{softmax: not fused, its scores come from linear at}}
  %p = heed.softmax %s : (!s) -> !s
  %y = heed.matmul %p, %q : (!s, !q) -> !q
  heed.return %y : !q
}

!v = !heed.tensor<[b, m, 4], f32>
// CHECK-LABEL: @values_of_a_batch
heed.kernel @values_of_a_batch(%q: !q {heed.name = "q", heed.role = "input"}, %v: !v {heed.name = "v", heed.role = "input"}) -> (!v {heed.name = "y"}) {
  %kt = heed.transpose %q : (!q) -> !kt
  %s = heed.matmul %q, %kt : (!q, !kt) -> !s
  // expected-remark@+1 {{softmax: not fused, its scores are (m, m) but its result is (b, m, 4), needed equal leading axes}}
  %p = heed.softmax %s : (!s) -> !s
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
