// RUN: heed-opt %s --split-input-file --verify-diagnostics
// Every line of every verifier, once.

heed.kernel @linear(%x: !heed.tensor<[], f32> {heed.name = "x", heed.role = "input"}, %w: !heed.tensor<[8, 10], f32> {heed.name = "w", heed.role = "weight"}) -> (!heed.tensor<[8], f32> {heed.name = "y"}) {
  // expected-error@+1 {{linear: input is (), needed at least one axis}}
  %0 = heed.linear %x, %w : (!heed.tensor<[], f32>, !heed.tensor<[8, 10], f32>) -> !heed.tensor<[8], f32>
  heed.return %0 : !heed.tensor<[8], f32>
}

// -----

heed.kernel @linear(%x: !heed.tensor<[s, 10], f32> {heed.name = "x", heed.role = "input"}, %w: !heed.tensor<[8], f32> {heed.name = "w", heed.role = "weight"}) -> (!heed.tensor<[s, 8], f32> {heed.name = "y"}) {
  // expected-error@+1 {{linear: weight is (8), needed two axes, (out, in)}}
  %0 = heed.linear %x, %w : (!heed.tensor<[s, 10], f32>, !heed.tensor<[8], f32>) -> !heed.tensor<[s, 8], f32>
  heed.return %0 : !heed.tensor<[s, 8], f32>
}

// -----

heed.kernel @linear(%x: !heed.tensor<[s, 10], f32> {heed.name = "x", heed.role = "input"}, %w: !heed.tensor<[10, 8], f32> {heed.name = "w", heed.role = "weight"}) -> (!heed.tensor<[s, 8], f32> {heed.name = "y"}) {
  // expected-error@+1 {{linear: input is (s, 10), weight is (10, 8), needed a weight (out, 10); declare it as (8, 10)}}
  %0 = heed.linear %x, %w : (!heed.tensor<[s, 10], f32>, !heed.tensor<[10, 8], f32>) -> !heed.tensor<[s, 8], f32>
  heed.return %0 : !heed.tensor<[s, 8], f32>
}

// -----

heed.kernel @linear(%x: !heed.tensor<[s, 10], f32> {heed.name = "x", heed.role = "input"}, %w: !heed.tensor<[8, 10], f32> {heed.name = "w", heed.role = "weight"}, %b: !heed.tensor<[10], f32> {heed.name = "b", heed.role = "weight"}) -> (!heed.tensor<[s, 8], f32> {heed.name = "y"}) {
  // expected-error@+1 {{linear: bias is (10), weight is (8, 10), needed a bias (8)}}
  %0 = heed.linear %x, %w, %b : (!heed.tensor<[s, 10], f32>, !heed.tensor<[8, 10], f32>, !heed.tensor<[10], f32>) -> !heed.tensor<[s, 8], f32>
  heed.return %0 : !heed.tensor<[s, 8], f32>
}

// -----

heed.kernel @linear(%x: !heed.tensor<[s, 10], f32> {heed.name = "x", heed.role = "input"}, %w: !heed.tensor<[8, 10], f64> {heed.name = "w", heed.role = "weight"}) -> (!heed.tensor<[s, 8], f32> {heed.name = "y"}) {
  // expected-error@+1 {{linear: elements are 'f32' and 'f64', needed one element type, or a mix of f16, bf16 and f32; convert one of them}}
  %0 = heed.linear %x, %w : (!heed.tensor<[s, 10], f32>, !heed.tensor<[8, 10], f64>) -> !heed.tensor<[s, 8], f32>
  heed.return %0 : !heed.tensor<[s, 8], f32>
}

// -----

heed.kernel @linear(%x: !heed.tensor<[s, 10], f32> {heed.name = "x", heed.role = "input"}, %w: !heed.tensor<[8, 10], f32> {heed.name = "w", heed.role = "weight"}) -> (!heed.tensor<[s, 9], f32> {heed.name = "y"}) {
  // expected-error@+1 {{linear: result is '!heed.tensor<[s, 9], f32>', needed '!heed.tensor<[s, 8], f32>'}}
  %0 = heed.linear %x, %w : (!heed.tensor<[s, 10], f32>, !heed.tensor<[8, 10], f32>) -> !heed.tensor<[s, 9], f32>
  heed.return %0 : !heed.tensor<[s, 9], f32>
}

// -----

!x = !heed.tensor<[s, 10], f32>
!w = !heed.tensor<[8, 10], f32>
!y = !heed.tensor<[s, 8], f32>
heed.kernel @linear(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"}, %r: !y {heed.name = "r", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  // expected-error@+1 {{linear: 1 inputs and 0 captures without an epilogue, needed one that reads them}}
  %0 = heed.linear %x, %w inputs(%r) : (!x, !w, !y) -> !y
  heed.return %0 : !y
}

// -----

!x = !heed.tensor<[s, 10], f32>
!w = !heed.tensor<[8, 10], f32>
!y = !heed.tensor<[s, 8], f32>
heed.kernel @linear(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"}) -> (!y {heed.name = "y"}) {
  // expected-error@+1 {{linear: operand is (s, 10), result is (s, 8), needed an operand that broadcasts to the result}}
  %0 = heed.linear %x, %w inputs(%x) : (!x, !w, !x) -> !y epilogue {
  ^bb0(%value: f32, %other: f32):
    heed.yield %value : f32
  }
  heed.return %0 : !y
}

// -----

!x = !heed.tensor<[s, 10], f32>
!w = !heed.tensor<[8, 10], f32>
!y = !heed.tensor<[s, 8], f32>
heed.kernel @linear(%x: !x {heed.name = "x", heed.role = "input"}, %w: !w {heed.name = "w", heed.role = "weight"}, %r: !y {heed.name = "r", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  // expected-error@+1 {{linear: region arguments are (f32), needed (f32, f32)}}
  %0 = heed.linear %x, %w inputs(%r) : (!x, !w, !y) -> !y epilogue {
  ^bb0(%value: f32):
    heed.yield %value : f32
  }
  heed.return %0 : !y
}

// -----

heed.kernel @matmul(%a: !heed.tensor<[m], f32> {heed.name = "a", heed.role = "input"}, %b: !heed.tensor<[m, n], f32> {heed.name = "b", heed.role = "input"}) -> (!heed.tensor<[n], f32> {heed.name = "y"}) {
  // expected-error@+1 {{matmul: left is (m), needed at least two axes}}
  %0 = heed.matmul %a, %b : (!heed.tensor<[m], f32>, !heed.tensor<[m, n], f32>) -> !heed.tensor<[n], f32>
  heed.return %0 : !heed.tensor<[n], f32>
}

// -----

heed.kernel @matmul(%a: !heed.tensor<[m, k], f32> {heed.name = "a", heed.role = "input"}, %b: !heed.tensor<[k], f32> {heed.name = "b", heed.role = "input"}) -> (!heed.tensor<[m], f32> {heed.name = "y"}) {
  // expected-error@+1 {{matmul: right is (k), needed at least two axes}}
  %0 = heed.matmul %a, %b : (!heed.tensor<[m, k], f32>, !heed.tensor<[k], f32>) -> !heed.tensor<[m], f32>
  heed.return %0 : !heed.tensor<[m], f32>
}

// -----

heed.kernel @matmul(%a: !heed.tensor<[batch, queries, 64], f32> {heed.name = "a", heed.role = "input"}, %b: !heed.tensor<[batch, keys, 64], f32> {heed.name = "b", heed.role = "input"}) -> (!heed.tensor<[batch, queries, keys], f32> {heed.name = "y"}) {
  // expected-error@+1 {{matmul: left is (batch, queries, 64), right is (batch, keys, 64), needed a right (…, 64, n); did you mean transpose(right)?}}
  %0 = heed.matmul %a, %b : (!heed.tensor<[batch, queries, 64], f32>, !heed.tensor<[batch, keys, 64], f32>) -> !heed.tensor<[batch, queries, keys], f32>
  heed.return %0 : !heed.tensor<[batch, queries, keys], f32>
}

// -----

heed.kernel @matmul(%a: !heed.tensor<[m, k], f32> {heed.name = "a", heed.role = "input"}, %b: !heed.tensor<[k, n], f64> {heed.name = "b", heed.role = "input"}) -> (!heed.tensor<[m, n], f32> {heed.name = "y"}) {
  // expected-error@+1 {{matmul: elements are 'f32' and 'f64', needed one element type}}
  %0 = heed.matmul %a, %b : (!heed.tensor<[m, k], f32>, !heed.tensor<[k, n], f64>) -> !heed.tensor<[m, n], f32>
  heed.return %0 : !heed.tensor<[m, n], f32>
}

// -----

heed.kernel @matmul(%a: !heed.tensor<[b, m, k], f32> {heed.name = "a", heed.role = "input"}, %b: !heed.tensor<[c, k, n], f32> {heed.name = "b", heed.role = "input"}) -> (!heed.tensor<[b, m, n], f32> {heed.name = "y"}) {
  // expected-error@+1 {{matmul: shapes are (b) and (c), needed equal extents or 1 from the right, but b is not c}}
  %0 = heed.matmul %a, %b : (!heed.tensor<[b, m, k], f32>, !heed.tensor<[c, k, n], f32>) -> !heed.tensor<[b, m, n], f32>
  heed.return %0 : !heed.tensor<[b, m, n], f32>
}

// -----

heed.kernel @transpose(%a: !heed.tensor<[m], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[m], f32> {heed.name = "y"}) {
  // expected-error@+1 {{transpose: input is (m), needed at least two axes}}
  %0 = heed.transpose %a : (!heed.tensor<[m], f32>) -> !heed.tensor<[m], f32>
  heed.return %0 : !heed.tensor<[m], f32>
}

// -----

heed.kernel @split(%a: !heed.tensor<[s, 8], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[s, 2, 4], f32> {heed.name = "y"}) {
  // expected-error@+1 {{split_heads: input is (s, 8), needed three axes, (batch, length, heads*size)}}
  %0 = heed.split_heads %a into <2> : (!heed.tensor<[s, 8], f32>) -> !heed.tensor<[s, 2, 4], f32>
  heed.return %0 : !heed.tensor<[s, 2, 4], f32>
}

// -----

heed.kernel @split(%a: !heed.tensor<[b, s, 8], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[b, 3, s, 2], f32> {heed.name = "y"}) {
  // expected-error@+1 {{split_heads: input is (b, s, 8) and heads are 3, needed an innermost extent that 3 divides; choose another size}}
  %0 = heed.split_heads %a into <3> : (!heed.tensor<[b, s, 8], f32>) -> !heed.tensor<[b, 3, s, 2], f32>
  heed.return %0 : !heed.tensor<[b, 3, s, 2], f32>
}

// -----

heed.kernel @merge(%a: !heed.tensor<[b, s, 8], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[b, s, 8], f32> {heed.name = "y"}) {
  // expected-error@+1 {{merge_heads: input is (b, s, 8), needed four axes, (batch, heads, length, size)}}
  %0 = heed.merge_heads %a : (!heed.tensor<[b, s, 8], f32>) -> !heed.tensor<[b, s, 8], f32>
  heed.return %0 : !heed.tensor<[b, s, 8], f32>
}

// -----

heed.kernel @permute(%a: !heed.tensor<[b, s, 8], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[b, s, 8], f32> {heed.name = "y"}) {
  // expected-error@+1 {{permute: axes are [0, 1, 1], needed each of the 3 axes of (b, s, 8) once}}
  %0 = heed.permute %a [0, 1, 1] : (!heed.tensor<[b, s, 8], f32>) -> !heed.tensor<[b, s, 8], f32>
  heed.return %0 : !heed.tensor<[b, s, 8], f32>
}

// -----

heed.kernel @softmax(%a: !heed.tensor<[], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[], f32> {heed.name = "y"}) {
  // expected-error@+1 {{softmax: input is (), needed at least one axis}}
  %0 = heed.softmax %a : (!heed.tensor<[], f32>) -> !heed.tensor<[], f32>
  heed.return %0 : !heed.tensor<[], f32>
}

// -----

heed.kernel @softmax(%a: !heed.tensor<[n], i32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[n], i32> {heed.name = "y"}) {
  // expected-error@+1 {{softmax: elements are 'i32', needed floating point}}
  %0 = heed.softmax %a : (!heed.tensor<[n], i32>) -> !heed.tensor<[n], i32>
  heed.return %0 : !heed.tensor<[n], i32>
}

// -----

!s = !heed.tensor<[b, h, q, k], f32>
heed.kernel @softmax(%s: !s {heed.name = "s", heed.role = "input"}, %t: !heed.tensor<[b], f32> {heed.name = "t", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{softmax: sink is (b), scores are (b, h, q, k), needed a sink (heads) for scores (batch, heads, queries, keys)}}
  %0 = heed.softmax %s, %t : (!s, !heed.tensor<[b], f32>) -> !s
  heed.return %0 : !s
}

// -----

!s = !heed.tensor<[b, h, q, k], f32>
heed.kernel @softmax(%s: !s {heed.name = "s", heed.role = "input"}, %t: !heed.tensor<[h], f64> {heed.name = "t", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{softmax: elements are 'f32' and 'f64', needed one element type, or a mix of f16, bf16 and f32; convert one of them}}
  %0 = heed.softmax %s, %t : (!s, !heed.tensor<[h], f64>) -> !s
  heed.return %0 : !s
}

// -----

heed.kernel @log_sum_exp(%a: !heed.tensor<[], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[], f32> {heed.name = "y"}) {
  // expected-error@+1 {{log_sum_exp: input is (), needed at least one axis}}
  %0 = heed.log_sum_exp %a : (!heed.tensor<[], f32>) -> !heed.tensor<[], f32>
  heed.return %0 : !heed.tensor<[], f32>
}

// -----

heed.kernel @log_sum_exp(%a: !heed.tensor<[m, n], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[n], f32> {heed.name = "y"}) {
  // expected-error@+1 {{log_sum_exp: result is '!heed.tensor<[n], f32>', needed '!heed.tensor<[m], f32>'}}
  %0 = heed.log_sum_exp %a : (!heed.tensor<[m, n], f32>) -> !heed.tensor<[n], f32>
  heed.return %0 : !heed.tensor<[n], f32>
}

// -----

!x = !heed.tensor<[n], i32>
heed.kernel @dropout(%x: !x {heed.name = "x", heed.role = "input"}, %p: !heed.tensor<[], f32> {heed.name = "p", heed.role = "scalar"}, %seed: !heed.tensor<[], i64> {heed.name = "seed", heed.role = "scalar"}) -> (!x {heed.name = "y"}) {
  // expected-error@+1 {{dropout: elements are 'i32', needed floating point}}
  %0 = heed.dropout %x, %p, %seed site 0 : (!x, !heed.tensor<[], f32>, !heed.tensor<[], i64>) -> !x
  heed.return %0 : !x
}

// -----

!x = !heed.tensor<[n], f32>
heed.kernel @dropout(%x: !x {heed.name = "x", heed.role = "input"}, %seed: !heed.tensor<[], i64> {heed.name = "seed", heed.role = "scalar"}) -> (!x {heed.name = "y"}) {
  // expected-error@+1 {{dropout: probability is '!heed.tensor<[n], f32>', needed one floating-point number, ()}}
  %0 = heed.dropout %x, %x, %seed site 0 : (!x, !x, !heed.tensor<[], i64>) -> !x
  heed.return %0 : !x
}

// -----

!x = !heed.tensor<[n], f32>
heed.kernel @dropout(%x: !x {heed.name = "x", heed.role = "input"}, %p: !heed.tensor<[], f32> {heed.name = "p", heed.role = "scalar"}) -> (!x {heed.name = "y"}) {
  // expected-error@+1 {{dropout: seed is '!heed.tensor<[], f32>', needed one i64, ()}}
  %0 = heed.dropout %x, %p, %p site 0 : (!x, !heed.tensor<[], f32>, !heed.tensor<[], f32>) -> !x
  heed.return %0 : !x
}

// -----

!x = !heed.tensor<[n], f32>
heed.kernel @dropout(%x: !x {heed.name = "x", heed.role = "input"}, %p: !heed.tensor<[], f32> {heed.name = "p", heed.role = "scalar"}, %seed: !heed.tensor<[], i64> {heed.name = "seed", heed.role = "scalar"}) -> (!heed.tensor<[m], f32> {heed.name = "y"}) {
  // expected-error@+1 {{dropout: result is '!heed.tensor<[m], f32>', needed '!heed.tensor<[n], f32>'}}
  %0 = heed.dropout %x, %p, %seed site 0 : (!x, !heed.tensor<[], f32>, !heed.tensor<[], i64>) -> !heed.tensor<[m], f32>
  heed.return %0 : !heed.tensor<[m], f32>
}

// -----

heed.kernel @append_axis(%a: !heed.tensor<[n], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[1, n], f32> {heed.name = "y"}) {
  // expected-error@+1 {{append_axis: result is '!heed.tensor<[1, n], f32>', needed '!heed.tensor<[n, 1], f32>'}}
  %0 = heed.append_axis %a : (!heed.tensor<[n], f32>) -> !heed.tensor<[1, n], f32>
  heed.return %0 : !heed.tensor<[1, n], f32>
}

// -----

!x = !heed.tensor<[a, b, c, d, e, f], f32>
heed.kernel @append_axis(%x: !x {heed.name = "a", heed.role = "input"}) -> (!x {heed.name = "y"}) {
  // expected-error@+1 {{append_axis: input is (a, b, c, d, e, f), needed at most five axes}}
  %0 = heed.append_axis %x : (!x) -> !x
  heed.return %0 : !x
}

// -----

!x = !heed.tensor<[h, s, d], f32>
heed.kernel @repeat_heads(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "y"}) {
  // expected-error@+1 {{repeat_heads: input is (h, s, d), needed four axes, (batch, heads, length, size)}}
  %0 = heed.repeat_heads %x : (!x) -> !x
  heed.return %0 : !x
}

// -----

!x = !heed.tensor<[b, 2, s, d], f32>
!y = !heed.tensor<[b, 4, s, s], f32>
heed.kernel @repeat_heads(%x: !x {heed.name = "x", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  // expected-error@+1 {{repeat_heads: result is '!heed.tensor<[b, 4, s, s], f32>', needed '!heed.tensor<[b, 4, s, d], f32>'}}
  %0 = heed.repeat_heads %x : (!x) -> !y
  heed.return %0 : !y
}

// -----

!x = !heed.tensor<[b, 2, s, d], f32>
!y = !heed.tensor<[b, 3, s, d], f32>
heed.kernel @repeat_heads(%x: !x {heed.name = "x", heed.role = "input"}) -> (!y {heed.name = "y"}) {
  // expected-error@+1 {{repeat_heads: input is (b, 2, s, d) and result is (b, 3, s, d), needed a multiple of the 2 heads}}
  %0 = heed.repeat_heads %x : (!x) -> !y
  heed.return %0 : !y
}

// -----

heed.kernel @constant() -> (!heed.tensor<[n], f32> {heed.name = "y"}) {
  // expected-error@+1 {{constant: result is (n), needed no axes, ()}}
  %0 = heed.constant 1.0 : !heed.tensor<[n], f32>
  heed.return %0 : !heed.tensor<[n], f32>
}

// -----

heed.kernel @add(%a: !heed.tensor<[n], f32> {heed.name = "a", heed.role = "input"}, %b: !heed.tensor<[m], f32> {heed.name = "b", heed.role = "input"}) -> (!heed.tensor<[n], f32> {heed.name = "y"}) {
  // expected-error@+1 {{add: shapes are (n) and (m), needed equal extents or 1 from the right, but n is not m}}
  %0 = heed.add %a, %b : (!heed.tensor<[n], f32>, !heed.tensor<[m], f32>) -> !heed.tensor<[n], f32>
  heed.return %0 : !heed.tensor<[n], f32>
}

// -----

heed.kernel @add(%a: !heed.tensor<[n], f32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[n], f16> {heed.name = "y"}) {
  // expected-error@+1 {{add: result is '!heed.tensor<[n], f16>', needed '!heed.tensor<[n], f32>'}}
  %0 = heed.add %a, %a : (!heed.tensor<[n], f32>, !heed.tensor<[n], f32>) -> !heed.tensor<[n], f16>
  heed.return %0 : !heed.tensor<[n], f16>
}

// -----

heed.kernel @add(%a: !heed.tensor<[n], i1> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[n], i1> {heed.name = "y"}) {
  // expected-error@+1 {{add: elements are i1, needed numbers; use where(condition, 1, 0)}}
  %0 = heed.add %a, %a : (!heed.tensor<[n], i1>, !heed.tensor<[n], i1>) -> !heed.tensor<[n], i1>
  heed.return %0 : !heed.tensor<[n], i1>
}

// -----

heed.kernel @exponential(%a: !heed.tensor<[n], i32> {heed.name = "a", heed.role = "input"}) -> (!heed.tensor<[n], i32> {heed.name = "y"}) {
  // expected-error@+1 {{exponential: elements are 'i32', needed floating point}}
  %0 = heed.exponential %a : (!heed.tensor<[n], i32>) -> !heed.tensor<[n], i32>
  heed.return %0 : !heed.tensor<[n], i32>
}

// -----

heed.kernel @less(%a: !heed.tensor<[n], i32> {heed.name = "a", heed.role = "input"}, %b: !heed.tensor<[n], f32> {heed.name = "b", heed.role = "input"}) -> (!heed.tensor<[n], i1> {heed.name = "y"}) {
  // expected-error@+1 {{less: elements are 'i32' and 'f32', needed one element type; declare both with the same type}}
  %0 = heed.less %a, %b : (!heed.tensor<[n], i32>, !heed.tensor<[n], f32>) -> !heed.tensor<[n], i1>
  heed.return %0 : !heed.tensor<[n], i1>
}

// -----

heed.kernel @where(%a: !heed.tensor<[n], i32> {heed.name = "a", heed.role = "input"}, %b: !heed.tensor<[n], f32> {heed.name = "b", heed.role = "input"}) -> (!heed.tensor<[n], i32> {heed.name = "y"}) {
  // expected-error@+1 {{where: elements are 'i32' and 'f32', needed one element type}}
  %0 = heed.where %a, %a, %b : (!heed.tensor<[n], i32>, !heed.tensor<[n], i32>, !heed.tensor<[n], f32>) -> !heed.tensor<[n], i32>
  heed.return %0 : !heed.tensor<[n], i32>
}

// -----

// expected-error@+1 {{tensor: 7 axes, needed at most 6}}
heed.kernel @rank(%a: !heed.tensor<[1, 2, 3, 4, 5, 6, 7], f32> {heed.name = "a", heed.role = "input"})

// -----

// expected-error@+1 {{tensor: elements of type 'i8', needed i1, i32, i64, f16, bf16, f32 or f64}}
heed.kernel @element(%a: !heed.tensor<[1], i8> {heed.name = "a", heed.role = "input"})

// -----

// expected-error@+1 {{extent: 1/0, needed a numerator of at least 0 and a positive denominator}}
heed.kernel @extent(%a: !heed.tensor<[1/0], f32> {heed.name = "a", heed.role = "input"})

// -----

heed.kernel @convert(%x: !heed.tensor<[n], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[n], i32> {heed.name = "y"}) {
  // expected-error@+1 {{convert: input is '!heed.tensor<[n], f32>' and result is '!heed.tensor<[n], i32>', needed one shape and a floating-point result}}
  %0 = heed.convert %x : (!heed.tensor<[n], f32>) -> !heed.tensor<[n], i32>
  heed.return %0 : !heed.tensor<[n], i32>
}

// -----

heed.kernel @linear(%x: !heed.tensor<[s, 10], bf16> {heed.name = "x", heed.role = "input"}, %w: !heed.tensor<[8, 10], f16> {heed.name = "w", heed.role = "weight"}) -> (!heed.tensor<[s, 8], f64> {heed.name = "y"}) {
  // expected-error@+1 {{linear: result is '!heed.tensor<[s, 8], f64>', needed '!heed.tensor<[s, 8], bf16>'}}
  %0 = heed.linear %x, %w : (!heed.tensor<[s, 10], bf16>, !heed.tensor<[8, 10], f16>) -> !heed.tensor<[s, 8], f64>
  heed.return %0 : !heed.tensor<[s, 8], f64>
}
