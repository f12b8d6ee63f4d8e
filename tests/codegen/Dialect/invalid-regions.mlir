// RUN: heed-opt %s --split-input-file --verify-diagnostics
// What operations with a region need.

!s = !heed.tensor<[h, q, k], f32>
heed.kernel @mask(%s: !s {heed.name = "s", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{mask: scores are '!heed.tensor<[h, q, k], f32>', needed floating point (batch, heads, queries, keys)}}
  %0 = heed.mask %s : (!s) -> !s {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %1 = arith.constant true
    heed.yield %1 : i1
  }
  heed.return %0 : !s
}

// -----

!s = !heed.tensor<[b, h, q, k], f32>
!t = !heed.tensor<[b, h, q, n], f32>
heed.kernel @mask(%s: !s {heed.name = "s", heed.role = "input"}) -> (!t {heed.name = "y"}) {
  // expected-error@+1 {{mask: result is '!heed.tensor<[b, h, q, n], f32>', needed '!heed.tensor<[b, h, q, k], f32>'}}
  %0 = heed.mask %s : (!s) -> !t {
  ^bb0(%b: i64, %h: i64, %i: i64, %j: i64):
    %1 = arith.constant true
    heed.yield %1 : i1
  }
  heed.return %0 : !t
}

// -----

!s = !heed.tensor<[b, h, q, k], f32>
heed.kernel @mask(%s: !s {heed.name = "s", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{mask: region arguments are (i64, i64), needed (i64, i64, i64, i64)}}
  %0 = heed.mask %s : (!s) -> !s {
  ^bb0(%i: i64, %j: i64):
    %1 = arith.constant true
    heed.yield %1 : i1
  }
  heed.return %0 : !s
}

// -----

!s = !heed.tensor<[b, h, q, k], f32>
heed.kernel @score_mod(%s: !s {heed.name = "s", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  %0 = heed.score_mod %s : (!s) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    // expected-error@+1 {{score_mod: region yields (i64), needed (f32)}}
    heed.yield %i : i64
  }
  heed.return %0 : !s
}

// -----

!s = !heed.tensor<[b, h, q, k], f32>
heed.kernel @score_mod(%s: !s {heed.name = "s", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{score_mod: region has no heed.yield at its end, needed one}}
  %0 = heed.score_mod %s : (!s) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %1 = arith.addf %score, %score : f32
  }
  heed.return %0 : !s
}

// -----

!s = !heed.tensor<[b, h, q, k], f32>
heed.kernel @map(%s: !s {heed.name = "s", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  %0 = heed.map %s : (!s) -> !s {
  ^bb0(%x: f32):
    // expected-error@+1 {{map: region holds heed.constant, needed scalars: arith, math, heed.element, heed.extent_value, heed.uniform}}
    %1 = heed.constant 1.0 : !heed.tensor<[], f32>
    heed.yield %x : f32
  }
  heed.return %0 : !s
}

// -----

!s = !heed.tensor<[q, k], f32>
heed.kernel @map(%s: !s {heed.name = "s", heed.role = "input"}, %t: !heed.tensor<[q], f32> {heed.name = "t", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{map: operand is (q), result is (q, k), needed an operand that broadcasts to the result}}
  %0 = heed.map %t : (!heed.tensor<[q], f32>) -> !s {
  ^bb0(%x: f32):
    heed.yield %x : f32
  }
  heed.return %0 : !s
}

// -----

!s = !heed.tensor<[q, k], f32>
heed.kernel @position(%s: !s {heed.name = "s", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  %0 = heed.map %s : (!s) -> !s {
  ^bb0(%x: f32):
    // expected-error@+1 {{position: axis is 2, needed an axis of the result, 0 to 1}}
    %1 = heed.position 2
    heed.yield %x : f32
  }
  heed.return %0 : !s
}

// -----

!s = !heed.tensor<[b, h, q, k], f32>
!t = !heed.tensor<[b, q], f32>
heed.kernel @element(%s: !s {heed.name = "s", heed.role = "input"}, %t: !t {heed.name = "t", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  %0 = heed.score_mod %s captures(%t) : (!s, !t) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %table: !t):
    // expected-error@+1 {{element: 1 indices for (b, q), needed one per axis}}
    %1 = heed.element %table[%b] : !t -> f32
    heed.yield %1 : f32
  }
  heed.return %0 : !s
}

// -----

!s = !heed.tensor<[b, h, q, k], f32>
!t = !heed.tensor<[b], i32>
heed.kernel @element(%s: !s {heed.name = "s", heed.role = "input"}, %t: !t {heed.name = "t", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  %0 = heed.score_mod %s captures(%t) : (!s, !t) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %table: !t):
    // expected-error@+1 {{element: result is 'i32', needed 'i64'}}
    %1 = heed.element %table[%b] : !t -> i32
    heed.yield %score : f32
  }
  heed.return %0 : !s
}

// -----

!q = !heed.tensor<[m], f32>
!k = !heed.tensor<[n, 4], f32>
heed.kernel @attention(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!k {heed.name = "y"}) {
  // expected-error@+1 {{attention: query is (m), needed two to four axes}}
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !k {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !k
}

// -----

!q = !heed.tensor<[n, 4], i32>
heed.kernel @attention(%q: !q {heed.name = "q", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: query has elements 'i32', needed floating point}}
  %0 = heed.attention %q, %q, %q scale 1.0 : (!q, !q, !q) -> !q {
  ^bb0(%score: i64, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : i64, i1
  }
  heed.return %0 : !q
}

// -----

!q = !heed.tensor<[m, 8], f32>
!k = !heed.tensor<[n, 4], f32>
heed.kernel @attention(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!heed.tensor<[m, 4], f32> {heed.name = "y"}) {
  // expected-error@+1 {{attention: query is (m, 8), key is (n, 4), needed one innermost extent}}
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !heed.tensor<[m, 4], f32> {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !heed.tensor<[m, 4], f32>
}

// -----

!q = !heed.tensor<[m, 4], f32>
!k = !heed.tensor<[n, 4], f32>
heed.kernel @attention(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: key is (n, 4), value is (m, 4), needed as many values as keys}}
  %0 = heed.attention %q, %k, %q scale 1.0 : (!q, !k, !q) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !q
}

// -----

!q = !heed.tensor<[m, 4], f32>
heed.kernel @attention(%q: !q {heed.name = "q", heed.role = "input"}) -> (!heed.tensor<[m, 5], f32> {heed.name = "y"}) {
  // expected-error@+1 {{attention: output is '!heed.tensor<[m, 5], f32>', needed '!heed.tensor<[m, 4], f32>'}}
  %0 = heed.attention %q, %q, %q scale 1.0 : (!q, !q, !q) -> !heed.tensor<[m, 5], f32> {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !heed.tensor<[m, 5], f32>
}
