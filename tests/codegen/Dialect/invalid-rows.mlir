// RUN: heed-opt %s --split-input-file --verify-diagnostics
// Operations along the last axis, parts of axes, and states: every line of every verifier, once.

heed.kernel @sum(%x: !heed.tensor<[], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[], f32> {heed.name = "y"}) {
  // expected-error@+1 {{sum: input is (), needed at least one axis}}
  %0 = heed.sum %x : (!heed.tensor<[], f32>) -> !heed.tensor<[], f32>
  heed.return %0 : !heed.tensor<[], f32>
}

// -----

heed.kernel @amax(%x: !heed.tensor<[n], i1> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[], i1> {heed.name = "y"}) {
  // expected-error@+1 {{amax: elements are i1, needed numbers; use where(condition, 1, 0)}}
  %0 = heed.amax %x : (!heed.tensor<[n], i1>) -> !heed.tensor<[], i1>
  heed.return %0 : !heed.tensor<[], i1>
}

// -----

heed.kernel @sum(%x: !heed.tensor<[m, n], i32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[m], i64> {heed.name = "y"}) {
  // expected-error@+1 {{sum: result is '!heed.tensor<[m], i64>', needed '!heed.tensor<[m], i32>'}}
  %0 = heed.sum %x : (!heed.tensor<[m, n], i32>) -> !heed.tensor<[m], i64>
  heed.return %0 : !heed.tensor<[m], i64>
}

// -----

heed.kernel @argmax(%x: !heed.tensor<[m, n], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[m], f32> {heed.name = "y"}) {
  // expected-error@+1 {{argmax: result is '!heed.tensor<[m], f32>', needed '!heed.tensor<[m], i32>'}}
  %0 = heed.argmax %x : (!heed.tensor<[m, n], f32>) -> !heed.tensor<[m], f32>
  heed.return %0 : !heed.tensor<[m], f32>
}

// -----

heed.kernel @norm(%x: !heed.tensor<[], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[], f32> {heed.name = "y"}) {
  // expected-error@+1 {{layer_norm: input is (), needed at least one axis}}
  %0 = heed.layer_norm %x epsilon 1.0e-05 : (!heed.tensor<[], f32>) -> !heed.tensor<[], f32>
  heed.return %0 : !heed.tensor<[], f32>
}

// -----

heed.kernel @norm(%x: !heed.tensor<[n], i32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[n], i32> {heed.name = "y"}) {
  // expected-error@+1 {{rms_norm: elements are 'i32', needed floating point}}
  %0 = heed.rms_norm %x epsilon 1.0e-06 : (!heed.tensor<[n], i32>) -> !heed.tensor<[n], i32>
  heed.return %0 : !heed.tensor<[n], i32>
}

// -----

!row = !heed.tensor<[n], f32>
heed.kernel @norm(%x: !row {heed.name = "x", heed.role = "input"}) -> (!row {heed.name = "y"}) {
  // expected-error@+1 {{rms_norm: 2 parameters, needed at most 1}}
  %0 = heed.rms_norm %x, %x, %x epsilon 1.0e-06 : (!row, !row, !row) -> !row
  heed.return %0 : !row
}

// -----

!row = !heed.tensor<[n], f32>
heed.kernel @norm(%x: !row {heed.name = "x", heed.role = "input"}) -> (!row {heed.name = "y"}) {
  // expected-error@+1 {{layer_norm: 3 parameters, needed at most 2}}
  %0 = heed.layer_norm %x, %x, %x, %x epsilon 1.0e-06 : (!row, !row, !row, !row) -> !row
  heed.return %0 : !row
}

// -----

!x = !heed.tensor<[m, n], f16>
heed.kernel @norm(%x: !x {heed.name = "x", heed.role = "input"}, %gain: !heed.tensor<[n], f64> {heed.name = "gain", heed.role = "weight"}) -> (!x {heed.name = "y"}) {
  // expected-error@+1 {{layer_norm: a parameter is '!heed.tensor<[n], f64>', needed '!heed.tensor<[n], f16>'}}
  %0 = heed.layer_norm %x, %gain epsilon 1.0e-06 : (!x, !heed.tensor<[n], f64>) -> !x
  heed.return %0 : !x
}

// -----

heed.kernel @norm(%x: !heed.tensor<[m, n], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[m], f32> {heed.name = "y"}) {
  // expected-error@+1 {{layer_norm: result is '!heed.tensor<[m], f32>', needed '!heed.tensor<[m, n], f32>'}}
  %0 = heed.layer_norm %x epsilon 1.0e-06 : (!heed.tensor<[m, n], f32>) -> !heed.tensor<[m], f32>
  heed.return %0 : !heed.tensor<[m], f32>
}

// -----

heed.kernel @error_function(%x: !heed.tensor<[n], i32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[n], i32> {heed.name = "y"}) {
  // expected-error@+1 {{error_function: elements are 'i32', needed floating point}}
  %0 = heed.error_function %x : (!heed.tensor<[n], i32>) -> !heed.tensor<[n], i32>
  heed.return %0 : !heed.tensor<[n], i32>
}

// -----

heed.kernel @drop(%x: !heed.tensor<[m, n], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[m], f32> {heed.name = "y"}) {
  // expected-error@+1 {{drop_axis: axis is 1, input is (m, n), needed an axis of extent 1}}
  %0 = heed.drop_axis %x axis 1 : (!heed.tensor<[m, n], f32>) -> !heed.tensor<[m], f32>
  heed.return %0 : !heed.tensor<[m], f32>
}

// -----

heed.kernel @drop(%x: !heed.tensor<[m, 1], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[1], f32> {heed.name = "y"}) {
  // expected-error@+1 {{drop_axis: result is '!heed.tensor<[1], f32>', needed '!heed.tensor<[m], f32>'}}
  %0 = heed.drop_axis %x axis 1 : (!heed.tensor<[m, 1], f32>) -> !heed.tensor<[1], f32>
  heed.return %0 : !heed.tensor<[1], f32>
}

// -----

heed.kernel @slice(%x: !heed.tensor<[3*d], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[d], f32> {heed.name = "y"}) {
  // expected-error@+1 {{slice: axis is 1, input is (3*d), needed one of its axes}}
  %0 = heed.slice %x axis 1 : (!heed.tensor<[3*d], f32>) -> !heed.tensor<[d], f32>
  heed.return %0 : !heed.tensor<[d], f32>
}

// -----

heed.kernel @slice(%x: !heed.tensor<[3*d, n], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[d], f32> {heed.name = "y"}) {
  // expected-error@+1 {{slice: result is '!heed.tensor<[d], f32>', needed '!heed.tensor<[3*d, n], f32>'}}
  %0 = heed.slice %x axis 0 : (!heed.tensor<[3*d, n], f32>) -> !heed.tensor<[d], f32>
  heed.return %0 : !heed.tensor<[d], f32>
}

// -----

heed.kernel @slice(%x: !heed.tensor<[3*d], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[2*d], f32> {heed.name = "y"}) {
  // expected-error@+1 {{slice: start is 2*d and length 2*d, needed a part of the 3*d of axis 0}}
  %0 = heed.slice %x axis 0 start <2*d> : (!heed.tensor<[3*d], f32>) -> !heed.tensor<[2*d], f32>
  heed.return %0 : !heed.tensor<[2*d], f32>
}

// -----

heed.kernel @slice(%x: !heed.tensor<[n], f32> {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[m], f32> {heed.name = "y"}) {
  // expected-error@+1 {{slice: start is 0 and length m, needed a part of the n of axis 0}}
  %0 = heed.slice %x axis 0 : (!heed.tensor<[n], f32>) -> !heed.tensor<[m], f32>
  heed.return %0 : !heed.tensor<[m], f32>
}

// -----

!cache = !heed.tensor<[64, 8], f32>
heed.kernel @append(%cache: !cache {heed.name = "cache", heed.role = "state"}, %p: !heed.tensor<[], i32> {heed.name = "p", heed.role = "scalar"}, %rows: !heed.tensor<[s, 8], f32> {heed.name = "rows", heed.role = "input"}) -> (!cache {heed.name = "cache", heed.role = "state"}) {
  // expected-error@+1 {{append: axis is 2, cache is (64, 8), needed one of its axes}}
  %0 = heed.append %cache, %rows, %p axis 2 : (!cache, !heed.tensor<[s, 8], f32>, !heed.tensor<[], i32>) -> !cache
  heed.return %0 : !cache
}

// -----

!cache = !heed.tensor<[64, 8], f32>
heed.kernel @append(%cache: !cache {heed.name = "cache", heed.role = "state"}, %p: !heed.tensor<[], i32> {heed.name = "p", heed.role = "scalar"}, %rows: !heed.tensor<[s, 9], f32> {heed.name = "rows", heed.role = "input"}) -> (!cache {heed.name = "cache", heed.role = "state"}) {
  // expected-error@+1 {{append: rows are '!heed.tensor<[s, 9], f32>', needed '!heed.tensor<[s, 8], f32>'}}
  %0 = heed.append %cache, %rows, %p axis 0 : (!cache, !heed.tensor<[s, 9], f32>, !heed.tensor<[], i32>) -> !cache
  heed.return %0 : !cache
}

// -----

!cache = !heed.tensor<[64, 8], f32>
heed.kernel @append(%cache: !cache {heed.name = "cache", heed.role = "state"}, %p: !heed.tensor<[], f32> {heed.name = "p", heed.role = "scalar"}, %rows: !heed.tensor<[s, 8], f32> {heed.name = "rows", heed.role = "input"}) -> (!cache {heed.name = "cache", heed.role = "state"}) {
  // expected-error@+1 {{append: position is '!heed.tensor<[], f32>', needed one i32 or i64, ()}}
  %0 = heed.append %cache, %rows, %p axis 0 : (!cache, !heed.tensor<[s, 8], f32>, !heed.tensor<[], f32>) -> !cache
  heed.return %0 : !cache
}

// -----

!cache = !heed.tensor<[64, 8], f32>
heed.kernel @append(%cache: !cache {heed.name = "cache", heed.role = "state"}, %p: !heed.tensor<[], i32> {heed.name = "p", heed.role = "scalar"}, %rows: !heed.tensor<[s, 8], f32> {heed.name = "rows", heed.role = "input"}) -> (!heed.tensor<[65, 8], f32> {heed.name = "cache", heed.role = "state"}) {
  // expected-error@+1 {{append: result is '!heed.tensor<[65, 8], f32>', needed '!heed.tensor<[64, 8], f32>'}}
  %0 = heed.append %cache, %rows, %p axis 0 : (!cache, !heed.tensor<[s, 8], f32>, !heed.tensor<[], i32>) -> !heed.tensor<[65, 8], f32>
  heed.return %0 : !heed.tensor<[65, 8], f32>
}

// -----

!cache = !heed.tensor<[64, 8], f32>
// expected-error@+1 {{kernel: state 'cache' has no result with its name and the role 'state', needed one}}
heed.kernel @state(%cache: !cache {heed.name = "cache", heed.role = "state"}, %x: !cache {heed.name = "x", heed.role = "input"}) -> (!cache {heed.name = "y"}) {
  heed.return %x : !cache
}

// -----

!cache = !heed.tensor<[64, 8], f32>
// expected-error@+1 {{kernel: state 'cache' is not used by one append alone, whose result is handed back, needed that}}
heed.kernel @state(%cache: !cache {heed.name = "cache", heed.role = "state"}, %x: !cache {heed.name = "x", heed.role = "input"}) -> (!cache {heed.name = "cache", heed.role = "state"}) {
  heed.return %x : !cache
}

// -----

!cache = !heed.tensor<[64, 8], f32>
!at = !heed.tensor<[], i32>
// expected-error@+1 {{kernel: state 'cache' gets rows at a position that is no scalar argument, needed one}}
heed.kernel @append(%cache: !cache {heed.name = "cache", heed.role = "state"}, %p: !at {heed.name = "p", heed.role = "scalar"}, %rows: !heed.tensor<[s, 8], f32> {heed.name = "rows", heed.role = "input"}) -> (!cache {heed.name = "cache", heed.role = "state"}) {
  %q = heed.add %p, %p : (!at, !at) -> !at
  %0 = heed.append %cache, %rows, %q axis 0 : (!cache, !heed.tensor<[s, 8], f32>, !at) -> !cache
  heed.return %0 : !cache
}
