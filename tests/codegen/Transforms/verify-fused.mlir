// RUN: heed-opt %s --heed-verify-fused --split-input-file --verify-diagnostics

!x = !heed.tensor<[n, n], f32>
heed.kernel @word(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "y"}) {
  // expected-error@+1 {{add: found in the fused form, needed attention, scores, linear, matmul, softmax, log_sum_exp, sum, amax, argmax, layer_norm, rms_norm, append, map or a view; run the passes up to heed-fuse-elementwise first}}
  %0 = heed.add %x, %x : (!x, !x) -> !x
  heed.return %0 : !x
}

// -----

!x = !heed.tensor<[n, n], f32>
heed.kernel @fused(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "y"}) {
  %0 = heed.linear %x, %x : (!x, !x) -> !x
  %1 = heed.transpose %0 : (!x) -> !x
  %2 = heed.matmul %1, %x : (!x, !x) -> !x
  %3 = heed.softmax %2 : (!x) -> !x
  heed.return %3 : !x
}
