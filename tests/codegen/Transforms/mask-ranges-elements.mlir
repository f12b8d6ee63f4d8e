// RUN: heed-opt %s --heed-mask-ranges | FileCheck %s
// Bounds that come from captures, and conditions that leave gaps.

!q = !heed.tensor<[b, h, m, 64], f32>
!k = !heed.tensor<[b, h, n, 64], f32>

// Left and right padding of each batch entry, and causal: start[b] <= k < length[b, 0], k <= q + offset.
// CHECK-LABEL: @padded
// CHECK: heed.full_keys = "[max(0, capture0[b]), min(n, min(capture1[b, .], q0 + capture2[] + 1)))", heed.visible_keys = "[max(0, capture0[b]), min(n, min(capture1[b, .], q1 + capture2[] + 1)))"
heed.kernel @padded(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %start: !heed.tensor<[b], i64> {heed.name = "start", heed.role = "input"},
                    %length: !heed.tensor<[b, 1], i32> {heed.name = "length", heed.role = "input"}, %offset: !heed.tensor<[], i32> {heed.name = "offset", heed.role = "scalar"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k captures(%start, %length, %offset) scale 1.0 : (!q, !k, !k, !heed.tensor<[b], i64>, !heed.tensor<[b, 1], i32>, !heed.tensor<[], i32>) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %starts: !heed.tensor<[b], i64>, %lengths: !heed.tensor<[b, 1], i32>, %shift: !heed.tensor<[], i32>):
    %zero = arith.constant 0 : i64
    %s = heed.element %starts[%b] : !heed.tensor<[b], i64> -> i64
    %l = heed.element %lengths[%b, %zero] : !heed.tensor<[b, 1], i32> -> i64
    %o = heed.element %shift[] : !heed.tensor<[], i32> -> i64
    %from = arith.cmpi sge, %j, %s : i64
    %to = arith.cmpi slt, %j, %l : i64
    %both = arith.andi %from, %to : i1
    %last = arith.addi %i, %o : i64
    %causal = arith.cmpi sle, %j, %last : i64
    %v = arith.andi %both, %causal : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// A window per head; the length of a batch entry in pairs of keys.
// CHECK-LABEL: @windows
// CHECK: heed.visible_keys = "[max(0, q0 - capture0[h] + 1), min(n, floor((capture1[b] - 1) / 2) + 1))"
heed.kernel @windows(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %window: !heed.tensor<[h], i32> {heed.name = "window", heed.role = "input"},
                     %length: !heed.tensor<[b], i32> {heed.name = "length", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k captures(%window, %length) scale 1.0 : (!q, !k, !k, !heed.tensor<[h], i32>, !heed.tensor<[b], i32>) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %windows: !heed.tensor<[h], i32>, %lengths: !heed.tensor<[b], i32>):
    %two = arith.constant 2 : i64
    %w = heed.element %windows[%h] : !heed.tensor<[h], i32> -> i64
    %l = heed.element %lengths[%b] : !heed.tensor<[b], i32> -> i64
    %d = arith.subi %i, %j : i64
    %near = arith.cmpi slt, %d, %w : i64
    %pair = arith.muli %j, %two : i64
    %to = arith.cmpi slt, %pair, %l : i64
    %v = arith.andi %near, %to : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// What depends on a query, on a look-up of a look-up, or on two elements at once is not a bound: it could say
// something else when the elements are clamped, or at another query.
// CHECK-LABEL: @no_bounds
// CHECK: heed.full_keys = "[0, 0)", heed.visible_keys = "some of [0, n)"
heed.kernel @no_bounds(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %t: !heed.tensor<[m], i64> {heed.name = "t", heed.role = "input"},
                       %u: !heed.tensor<[b], i64> {heed.name = "u", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k captures(%t, %u) scale 1.0 : (!q, !k, !k, !heed.tensor<[m], i64>, !heed.tensor<[b], i64>) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %ts: !heed.tensor<[m], i64>, %us: !heed.tensor<[b], i64>):
    %zero = arith.constant 0 : i64
    %four = arith.constant 4 : i64
    %x = heed.element %ts[%i] : !heed.tensor<[m], i64> -> i64
    %a = arith.cmpi slt, %j, %x : i64
    %y = heed.element %us[%b] : !heed.tensor<[b], i64> -> i64
    %z = heed.element %us[%y] : !heed.tensor<[b], i64> -> i64
    %c = arith.cmpi slt, %j, %z : i64
    %w = heed.element %us[%h] : !heed.tensor<[b], i64> -> i64
    %e = arith.cmpi slt, %j, %w : i64
    %f = arith.muli %y, %four : i64
    %g = arith.cmpi slt, %j, %f : i64
    %ac = arith.andi %a, %c : i1
    %eg = arith.andi %e, %g : i1
    %v = arith.andi %ac, %eg : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// CHECK-LABEL: @sum_of_elements
// CHECK: heed.full_keys = "[0, 0)", heed.visible_keys = "some of [max(0, capture0[b]), n)"
heed.kernel @sum_of_elements(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}, %t: !heed.tensor<[b], i64> {heed.name = "t", heed.role = "input"},
                             %u: !heed.tensor<[b], i64> {heed.name = "u", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k captures(%t, %u) scale 1.0 : (!q, !k, !k, !heed.tensor<[b], i64>, !heed.tensor<[b], i64>) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %ts: !heed.tensor<[b], i64>, %us: !heed.tensor<[b], i64>):
    %x = heed.element %ts[%b] : !heed.tensor<[b], i64> -> i64
    %y = heed.element %us[%b] : !heed.tensor<[b], i64> -> i64
    %z = arith.addi %x, %y : i64
    %a = arith.cmpi slt, %j, %z : i64
    %c = arith.cmpi sge, %j, %x : i64
    %v = arith.andi %a, %c : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// Every fourth key of a window: gaps of three keys are none. (q - k) mod 4 = q - k - 4 floor((q - k) / 4).
// CHECK-LABEL: @dilated
// CHECK: heed.full_keys = "[0, 0)", heed.visible_keys = "[max(0, q0 - 99), n)"
heed.kernel @dilated(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %zero = arith.constant 0 : i64
    %four = arith.constant 4 : i64
    %hundred = arith.constant 100 : i64
    %d = arith.subi %i, %j : i64
    %f = arith.floordivsi %d, %four : i64
    %g = arith.muli %f, %four : i64
    %r = arith.subi %d, %g : i64
    %on = arith.cmpi eq, %r, %zero : i64
    %near = arith.cmpi slt, %d, %hundred : i64
    %v = arith.andi %on, %near : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// A remainder that is always, or never, what the condition says; and a long period.
// CHECK-LABEL: @remainders
// CHECK: heed.full_keys = "[0, n)", heed.visible_keys = "[0, n)"
// CHECK: heed.full_keys = "[0, 0)", heed.visible_keys = "[0, 0)"
// CHECK: heed.full_keys = "[0, 0)", heed.visible_keys = "some of [0, n)"
heed.kernel @remainders(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "x"}, !q {heed.name = "y"}, !q {heed.name = "z"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %four = arith.constant 4 : i64
    %f = arith.floordivsi %j, %four : i64
    %g = arith.muli %f, %four : i64
    %r = arith.subi %j, %g : i64
    %v = arith.cmpi slt, %r, %four : i64
    heed.yield %score, %v : f32, i1
  }
  %1 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %four = arith.constant 4 : i64
    %f = arith.floordivsi %j, %four : i64
    %g = arith.muli %f, %four : i64
    %r = arith.subi %g, %j : i64
    %v = arith.cmpi sgt, %r, %four : i64
    heed.yield %score, %v : f32, i1
  }
  %2 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %zero = arith.constant 0 : i64
    %many = arith.constant 65 : i64
    %f = arith.floordivsi %j, %many : i64
    %g = arith.muli %f, %many : i64
    %r = arith.subi %j, %g : i64
    %v = arith.cmpi eq, %r, %zero : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0, %1, %2 : !q, !q, !q
}
