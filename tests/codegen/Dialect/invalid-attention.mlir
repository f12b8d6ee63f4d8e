// RUN: heed-opt %s --split-input-file --verify-diagnostics
// What the fused forms of attention need. Operands' shapes are in invalid-regions.mlir.

!q = !heed.tensor<[b, 3, m, 4], f32>
!k = !heed.tensor<[b, 2, n, 4], f32>
heed.kernel @groups(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: query has 3 heads, key has 2, needed a number that divides the query's}}
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !q
}

// -----

!q = !heed.tensor<[b, 4, m, 4], f32>
!k = !heed.tensor<[b, 0, n, 4], f32>
heed.kernel @no_heads(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: query has 4 heads, key has 0, needed a number that divides the query's}}
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !q
}

// -----

!q = !heed.tensor<[b, 4, m, 4], f32>
!k = !heed.tensor<[b, 2, n, 4], f32>
!v = !heed.tensor<[b, 4, n, 4], f32>
heed.kernel @values(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %v: !v {heed.name = "v", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: key is (b, 2, n, 4), value is (b, 4, n, 4), needed as many heads of values as of keys}}
  %0 = heed.attention %q, %k, %v scale 1.0 : (!q, !k, !v) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !q
}

// -----

!q = !heed.tensor<[b, m, 4], f32>
heed.kernel @sink(%q: !q {heed.name = "q", heed.role = "input"}, %sink: !heed.tensor<[h], f32> {heed.name = "sink", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: sink is (h), scores are (b, m, m), needed a sink (heads) for scores (batch, heads, queries, keys)}}
  %0 = heed.attention %q, %q, %q sink(%sink) scale 1.0 : (!q, !q, !q, !heed.tensor<[h], f32>) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !q
}

// -----

!q = !heed.tensor<[m, 4], f32>
!r = !heed.tensor<[m], f32>
heed.kernel @order(%q: !q {heed.name = "q", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: produces ["output", "sum", "largest"], needed some of output, largest, sum, log_sum_exp in this order}}
  %0:3 = heed.attention %q, %q, %q scale 1.0 {produces = ["output", "sum", "largest"]} : (!q, !q, !q) -> (!q, !r, !r) {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0#0 : !q
}

// -----

!q = !heed.tensor<[m, 4], f32>
!r = !heed.tensor<[m], f32>
heed.kernel @count(%q: !q {heed.name = "q", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: 1 names and 2 results, needed one name per result and at least one}}
  %0:2 = heed.attention %q, %q, %q scale 1.0 : (!q, !q, !q) -> (!q, !r) {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0#0 : !q
}

// -----

!q = !heed.tensor<[m, 4], f32>
heed.kernel @no_value(%q: !q {heed.name = "q", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: no value and produces ["output"], needed a value exactly where the output is produced}}
  %0 = heed.attention %q, %q scale 1.0 : (!q, !q) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !q
}

// -----

!q = !heed.tensor<[m, 4], f32>
!r = !heed.tensor<[m], f32>
heed.kernel @value_for_nothing(%q: !q {heed.name = "q", heed.role = "input"}) -> (!r {heed.name = "y"}) {
  // expected-error@+1 {{attention: a value and produces ["sum"], needed a value exactly where the output is produced}}
  %0 = heed.attention %q, %q, %q scale 1.0 {produces = ["sum"]} : (!q, !q, !q) -> !r {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !r
}

// -----

!q = !heed.tensor<[m, 4], f32>
!r = !heed.tensor<[m], f32>
heed.kernel @unnormalized(%q: !q {heed.name = "q", heed.role = "input"}) -> (!r {heed.name = "y"}) {
  // expected-error@+1 {{attention: unnormalized weights with statistics, needed only the output}}
  %0:2 = heed.attention %q, %q, %q scale 1.0 {produces = ["output", "sum"], unnormalized} : (!q, !q, !q) -> (!q, !r) {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0#1 : !r
}

// -----

!q = !heed.tensor<[1, 2, m, 4], f32>
heed.kernel @unnormalized(%q: !q {heed.name = "q", heed.role = "input"}, %sink: !heed.tensor<[2], f32> {heed.name = "sink", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  // expected-error@+1 {{attention: unnormalized weights with a sink, needed only the output}}
  %0 = heed.attention %q, %q, %q sink(%sink) scale 1.0 {unnormalized} : (!q, !q, !q, !heed.tensor<[2], f32>) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !q
}

// -----

!q = !heed.tensor<[m, 4], bf16>
!r = !heed.tensor<[m], bf16>
heed.kernel @statistic(%q: !q {heed.name = "q", heed.role = "input"}) -> (!r {heed.name = "y"}) {
  // expected-error@+1 {{attention: largest is '!heed.tensor<[m], bf16>', needed '!heed.tensor<[m], f32>'}}
  %0 = heed.attention %q, %q scale 1.0 {produces = ["largest"]} : (!q, !q) -> !r {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !r
}

// -----

!q = !heed.tensor<[m, 4], f32>
heed.kernel @weighing(%q: !q {heed.name = "q", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %q, %q scale 1.0 : (!q, !q, !q) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  } weighing {
  ^bb0(%weight: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    // expected-error@+1 {{attention: region yields (i64), needed (f32)}}
    heed.yield %i : i64
  }
  heed.return %0 : !q
}

// -----

!q = !heed.tensor<[m, 4], f32>
!s = !heed.tensor<[m, n], f32>
heed.kernel @scores(%q: !q {heed.name = "q", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{scores: result is '!heed.tensor<[m, n], f32>', needed '!heed.tensor<[m, m], f32>'}}
  %0 = heed.scores %q, %q scale 1.0 : (!q, !q) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !s
}

// -----

!q = !heed.tensor<[m, 4], f32>
!k = !heed.tensor<[m, 5], f32>
!s = !heed.tensor<[m, m], f32>
heed.kernel @scores(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{scores: query is (m, 4), key is (m, 5), needed one innermost extent}}
  %0 = heed.scores %q, %k scale 1.0 : (!q, !k) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !s
}

// -----

!q = !heed.tensor<[m, 4], f32>
!r = !heed.tensor<[m], f32>
!s = !heed.tensor<[m, m], f32>
heed.kernel @one_statistic(%q: !q {heed.name = "q", heed.role = "input"}, %r: !r {heed.name = "r", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{scores: 1 statistics, needed none, or largest and sum}}
  %0 = heed.scores %q, %q statistics(%r) scale 1.0 : (!q, !q, !r) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !s
}

// -----

!q = !heed.tensor<[m, 4], f32>
!r = !heed.tensor<[n], f32>
!s = !heed.tensor<[m, m], f32>
heed.kernel @statistics(%q: !q {heed.name = "q", heed.role = "input"}, %r: !r {heed.name = "r", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{scores: a statistic is '!heed.tensor<[n], f32>', needed '!heed.tensor<[m], f32>'}}
  %0 = heed.scores %q, %q statistics(%r, %r) scale 1.0 : (!q, !q, !r, !r) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  }
  heed.return %0 : !s
}

// -----

!q = !heed.tensor<[m, 4], f32>
!s = !heed.tensor<[m, m], f32>
heed.kernel @weighing(%q: !q {heed.name = "q", heed.role = "input"}) -> (!s {heed.name = "y"}) {
  // expected-error@+1 {{scores: weighing without statistics, needed largest and sum: scores have no weights}}
  %0 = heed.scores %q, %q scale 1.0 : (!q, !q) -> !s {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %true = arith.constant true
    heed.yield %score, %true : f32, i1
  } weighing {
  ^bb0(%weight: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    heed.yield %weight : f32
  }
  heed.return %0 : !s
}
