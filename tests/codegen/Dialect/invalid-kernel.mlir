// RUN: heed-opt %s --split-input-file --verify-diagnostics
// What a kernel, its return and its names must be.

!x = !heed.tensor<[n], f32>
// expected-error@+1 {{kernel: none has no output, needed at least one}}
heed.kernel @none(%x: !x {heed.name = "x", heed.role = "input"}) {
  heed.return
}

// -----

// expected-error@+1 {{kernel: argument 0 is 'f32', needed a heed.tensor}}
heed.kernel @type(%x: f32 {heed.name = "x", heed.role = "input"}) -> (!heed.tensor<[], f32> {heed.name = "y"}) {
  %0 = heed.constant 1.0 : !heed.tensor<[], f32>
  heed.return %0 : !heed.tensor<[], f32>
}

// -----

!x = !heed.tensor<[n], f32>
// expected-error@+1 {{kernel: argument 0 has no heed.name, needed one}}
heed.kernel @unnamed(%x: !x {heed.role = "input"}) -> (!x {heed.name = "y"}) {
  heed.return %x : !x
}

// -----

!x = !heed.tensor<[n], f32>
// expected-error@+1 {{kernel: output 0 has no heed.name, needed one}}
heed.kernel @unnamed(%x: !x {heed.name = "x", heed.role = "input"}) -> !x {
  heed.return %x : !x
}

// -----

!x = !heed.tensor<[n], f32>
// expected-error@+1 {{kernel: two arguments or outputs are named 'x', needed different names; rename one}}
heed.kernel @twice(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "x"}) {
  heed.return %x : !x
}

// -----

!x = !heed.tensor<[n], f32>
// expected-error@+1 {{kernel: argument 'x' has the role 'output', needed 'input', 'weight', 'scalar' or 'state'}}
heed.kernel @role(%x: !x {heed.name = "x", heed.role = "output"}) -> (!x {heed.name = "y"}) {
  heed.return %x : !x
}

// -----

!x = !heed.tensor<[n], f32>
// expected-error@+1 {{kernel: attribute 'heed.alias', needed heed.name or heed.role}}
heed.kernel @attribute(%x: !x {heed.name = "x", heed.role = "input", heed.alias}) -> (!x {heed.name = "y"}) {
  heed.return %x : !x
}

// -----

!x = !heed.tensor<[n], f32>
heed.kernel @values(%x: !x {heed.name = "x", heed.role = "input"}) -> (!x {heed.name = "y"}) {
  // expected-error@+1 {{return: values are ('!heed.tensor<[n], f32>', '!heed.tensor<[n], f32>'), the outputs of values are ('!heed.tensor<[n], f32>'), needed the same}}
  heed.return %x, %x : !x, !x
}

// -----

!x = !heed.tensor<[n], f32>
// expected-error@+1 {{kernel: scalar 'x' is (n), needed no axes, ()}}
heed.kernel @scalar(%x: !x {heed.name = "x", heed.role = "scalar"}) -> (!x {heed.name = "y"}) {
  heed.return %x : !x
}
