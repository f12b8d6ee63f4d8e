// RUN: heed-opt %s --heed-mask-ranges | FileCheck %s
// The keys that queries q0 to q1 can see (visible), and those that all of them see (full).

!q = !heed.tensor<[b, h, m, 64], f32>
!k = !heed.tensor<[b, h, n, 64], f32>

// No mask: everything.
// CHECK-LABEL: @all
// CHECK: heed.full_keys = "[0, n)", heed.visible_keys = "[0, n)"
heed.kernel @all(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.constant true
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// Nothing is visible.
// CHECK-LABEL: @none
// CHECK: heed.full_keys = "[0, 0)", heed.visible_keys = "[0, 0)"
heed.kernel @none(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.constant false
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// k <= q.
// CHECK-LABEL: @causal
// CHECK: heed.full_keys = "[0, min(n, q0 + 1))", heed.visible_keys = "[0, min(n, q1 + 1))"
heed.kernel @causal(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.cmpi sle, %j, %i : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// q > k.
// CHECK-LABEL: @strict
// CHECK: heed.full_keys = "[0, min(n, q0))", heed.visible_keys = "[0, min(n, q1))"
heed.kernel @strict(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.cmpi sgt, %i, %j : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// Queries are the last of the keys: k <= q + n - m.
// CHECK-LABEL: @end_aligned
// CHECK: heed.full_keys = "[0, min(n, q0 + n - m + 1))", heed.visible_keys = "[0, min(n, q1 + n - m + 1))"
heed.kernel @end_aligned(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %n = heed.extent_value <n>
    %m = heed.extent_value <m>
    %d = arith.subi %n, %m : i64
    %e = arith.addi %i, %d : i64
    %v = arith.cmpi sle, %j, %e : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// |q - k| <= 256.
// CHECK-LABEL: @window
// CHECK: heed.full_keys = "[max(0, q1 - 256), min(n, q0 + 257))", heed.visible_keys = "[max(0, q0 - 256), min(n, q1 + 257))"
heed.kernel @window(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %w = arith.constant 256 : i64
    %d = arith.subi %i, %j : i64
    %a = math.absi %d : i64
    %v = arith.cmpi sle, %a, %w : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// Both: the intersection.
// CHECK-LABEL: @causal_window
// CHECK: heed.full_keys = "[max(0, q1 - 255), min(n, q0 + 1))", heed.visible_keys = "[max(0, q0 - 255), min(n, q1 + 1))"
heed.kernel @causal_window(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %w = arith.constant 256 : i64
    %c = arith.cmpi sle, %j, %i : i64
    %d = arith.subi %i, %j : i64
    %n = arith.cmpi slt, %d, %w : i64
    %v = arith.andi %c, %n : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// A window or the first four keys: the hull; full keys are those of one side.
// CHECK-LABEL: @sinks
// CHECK: heed.full_keys = "[max(0, q1 - 255), n)", heed.visible_keys = "some of [0, n)"
heed.kernel @sinks(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %w = arith.constant 256 : i64
    %four = arith.constant 4 : i64
    %d = arith.subi %i, %j : i64
    %n = arith.cmpi slt, %d, %w : i64
    %s = arith.cmpi slt, %j, %four : i64
    %v = arith.ori %n, %s : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// Causal, but a prefix of 16 keys sees itself.
// CHECK-LABEL: @prefix
// CHECK: heed.full_keys = "[0, min(n, q0 + 1))", heed.visible_keys = "[0, min(n, max(q1 + 1, 16)))"
heed.kernel @prefix(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %p = arith.constant 16 : i64
    %c = arith.cmpi sle, %j, %i : i64
    %s = arith.cmpi slt, %j, %p : i64
    %v = arith.ori %c, %s : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// The same as a select of truths.
// CHECK-LABEL: @prefix_by_select
// CHECK: heed.full_keys = "[0, min(n, q0 + 1))", heed.visible_keys = "[0, min(n, max(q1 + 1, 16)))"
heed.kernel @prefix_by_select(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %p = arith.constant 16 : i64
    %t = arith.constant true
    %c = arith.cmpi sle, %j, %i : i64
    %s = arith.cmpi slt, %j, %p : i64
    %v = arith.select %c, %t, %s : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// not (k > q).
// CHECK-LABEL: @negated
// CHECK: heed.full_keys = "[0, min(n, q0 + 1))", heed.visible_keys = "[0, min(n, q1 + 1))"
heed.kernel @negated(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %t = arith.constant true
    %c = arith.cmpi sgt, %j, %i : i64
    %v = arith.xori %c, %t : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// not (k > q or k < 8): both negated.
// CHECK-LABEL: @negated_or
// CHECK: heed.full_keys = "[8, min(n, q0 + 1))", heed.visible_keys = "[8, min(n, q1 + 1))"
heed.kernel @negated_or(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %t = arith.constant true
    %8 = arith.constant 8 : i64
    %c = arith.cmpi sgt, %j, %i : i64
    %d = arith.cmpi slt, %j, %8 : i64
    %o = arith.ori %c, %d : i1
    %v = arith.xori %o, %t : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// k = q.
// CHECK-LABEL: @diagonal
// CHECK: heed.full_keys = "[max(0, q1), min(n, q0 + 1))", heed.visible_keys = "[max(0, q0), min(n, q1 + 1))"
heed.kernel @diagonal(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.cmpi eq, %j, %i : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// Blocks of 64: k / 64 <= q / 64.
// CHECK-LABEL: @blocks
// CHECK: heed.full_keys = "[0, min(n, 64*floor((q0) / 64) + 64))", heed.visible_keys = "[0, min(n, 64*floor((q1) / 64) + 64))"
heed.kernel @blocks(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %s = arith.constant 64 : i64
    %bj = arith.floordivsi %j, %s : i64
    %bi = arith.floordivsi %i, %s : i64
    %v = arith.cmpi sle, %bj, %bi : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// Within a block of 64.
// CHECK-LABEL: @block_local
// CHECK: heed.full_keys = "[max(0, 64*floor((q1) / 64)), min(n, 64*floor((q0) / 64) + 64))", heed.visible_keys = "[max(0, 64*floor((q0) / 64)), min(n, 64*floor((q1) / 64) + 64))"
heed.kernel @block_local(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %s = arith.constant 64 : i64
    %bj = arith.floordivsi %j, %s : i64
    %bi = arith.floordivsi %i, %s : i64
    %v = arith.cmpi eq, %bj, %bi : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// 2 k <= q + 3: the half, rounded down.
// CHECK-LABEL: @strided
// CHECK: heed.full_keys = "[0, min(n, floor((q0 + 3) / 2) + 1))", heed.visible_keys = "[0, min(n, floor((q1 + 3) / 2) + 1))"
heed.kernel @strided(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %two = arith.constant 2 : i64
    %three = arith.constant 3 : i64
    %k2 = arith.muli %j, %two : i64
    %e = arith.addi %i, %three : i64
    %v = arith.cmpi sle, %k2, %e : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// 3 k >= q: the third, rounded up.
// CHECK-LABEL: @strided_below
// CHECK: heed.full_keys = "[max(0, floor((q1 + 2) / 3)), n)", heed.visible_keys = "[max(0, floor((q0 + 2) / 3)), n)"
heed.kernel @strided_below(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %three = arith.constant 3 : i64
    %k3 = arith.muli %j, %three : i64
    %v = arith.cmpi sge, %k3, %i : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// max(k, 8) <= q and min(k, 4) >= 4: queries before 8 see nothing.
// CHECK-LABEL: @extremes
// CHECK: heed.full_keys = "[4, min(n, min(q0 + 1, (all if q0 - 7 > 0))))", heed.visible_keys = "[4, min(n, min(q1 + 1, (all if q1 - 7 > 0))))"
heed.kernel @extremes(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %8 = arith.constant 8 : i64
    %4 = arith.constant 4 : i64
    %x = arith.maxsi %j, %8 : i64
    %a = arith.cmpi sle, %x, %i : i64
    %y = arith.minsi %j, %4 : i64
    %c = arith.cmpi sge, %y, %4 : i64
    %v = arith.andi %a, %c : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// A bound that depends on the head holds for every head.
// CHECK-LABEL: @by_head
// CHECK: heed.full_keys = "[0, min(n, q0 + 1))", heed.visible_keys = "some of [0, min(n, q1 + h))"
heed.kernel @by_head(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %e = arith.addi %i, %h : i64
    %v = arith.cmpi sle, %j, %e : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// One key is missing: no gap that a tile of keys could be empty for.
// CHECK-LABEL: @not_equal
// CHECK: heed.full_keys = "[0, 0)", heed.visible_keys = "[0, n)"
heed.kernel @not_equal(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %v = arith.cmpi ne, %j, %i : i64
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// What is not understood, a product of positions, restricts nothing and promises nothing: `some of`.
// CHECK-LABEL: @product
// CHECK: heed.full_keys = "[0, 0)", heed.visible_keys = "some of [0, min(n, q1 + 1))"
heed.kernel @product(%q: !q {heed.name = "q", heed.role = "input"}, %k: !k {heed.name = "k", heed.role = "input"}) -> (!q {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k scale 1.0 : (!q, !k, !k) -> !q {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64):
    %p = arith.muli %i, %j : i64
    %n = arith.constant 100 : i64
    %a = arith.cmpi sle, %p, %n : i64
    %c = arith.cmpi sle, %j, %i : i64
    %v = arith.andi %a, %c : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !q
}

// A look-up is not known before the call; the causal part still is. The scores have no batch axis here.
// CHECK-LABEL: @documents
// CHECK: heed.full_keys = "[0, 0)", heed.visible_keys = "some of [0, min(64, q1 + 1))"
heed.kernel @documents(%q: !heed.tensor<[m, 4], f32> {heed.name = "q", heed.role = "input"}, %k: !heed.tensor<[64, 4], f32> {heed.name = "k", heed.role = "input"},
                       %ids: !heed.tensor<[64], i32> {heed.name = "ids", heed.role = "input"}) -> (!heed.tensor<[m, 4], f32> {heed.name = "y"}) {
  %0 = heed.attention %q, %k, %k captures(%ids) scale 1.0 : (!heed.tensor<[m, 4], f32>, !heed.tensor<[64, 4], f32>, !heed.tensor<[64, 4], f32>, !heed.tensor<[64], i32>) -> !heed.tensor<[m, 4], f32> {
  ^bb0(%score: f32, %b: i64, %h: i64, %i: i64, %j: i64, %table: !heed.tensor<[64], i32>):
    %x = heed.element %table[%i] : !heed.tensor<[64], i32> -> i64
    %y = heed.element %table[%j] : !heed.tensor<[64], i32> -> i64
    %s = arith.cmpi eq, %x, %y : i64
    %c = arith.cmpi sle, %j, %i : i64
    %v = arith.andi %s, %c : i1
    heed.yield %score, %v : f32, i1
  }
  heed.return %0 : !heed.tensor<[m, 4], f32>
}
