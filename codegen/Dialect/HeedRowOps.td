// Operations along the last axis, and those on the state of a kernel.
#ifndef HEED_ROW_OPS
#define HEED_ROW_OPS

include "HeedOpBase.td"

class Heed_ReductionOp<string mnemonic> : Heed_Op<mnemonic, [Pure]> {
  let arguments = (ins Heed_TensorType:$input);
  let results = (outs Heed_TensorType:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_SumOp : Heed_ReductionOp<"sum"> {
  let summary = "sum of a row";
  let description = [{
    Formula: y[…] = Σ_j x[…, j]. Shapes: (…, k) → (…), the operand's element type, a number.

    ```mlir
    %0 = heed.sum %x : (!heed.tensor<[batch, k], f32>) -> !heed.tensor<[batch], f32>
    ```
  }];
}

def Heed_AmaxOp : Heed_ReductionOp<"amax"> {
  let summary = "largest element of a row";
  let description = [{
    Formula: y[…] = max_j x[…, j], NaN if one of them is. Shapes: (…, k) → (…), the operand's element type, a
    number.

    ```mlir
    %0 = heed.amax %x : (!heed.tensor<[batch, k], f32>) -> !heed.tensor<[batch], f32>
    ```
  }];
}

def Heed_ArgmaxOp : Heed_ReductionOp<"argmax"> {
  let summary = "where the largest element of a row is";
  let description = [{
    Formula: y[…] = the smallest j of which x[…, j] = max_j x[…, j], or of which x[…, j] is NaN if there is one.
    Shapes: (…, k) → (…), i32.

    ```mlir
    %0 = heed.argmax %x : (!heed.tensor<[batch, k], f32>) -> !heed.tensor<[batch], i32>
    ```
  }];
}

class Heed_NormOp<string mnemonic> : Heed_Op<mnemonic, [Pure]> {
  let arguments = (ins Heed_TensorType:$input, Variadic<Heed_TensorType>:$parameters, F64Attr:$epsilon);
  let results = (outs Heed_TensorType:$result);
  let assemblyFormat = "operands `epsilon` $epsilon attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_LayerNormOp : Heed_NormOp<"layer_norm"> {
  let summary = "rows with mean 0 and variance 1, scaled and shifted";
  let description = [{
    Formula: y[…, j] = (x[…, j] − μ) / √(σ² + epsilon) · gain[j] + bias[j], μ = mean_j x, σ² = mean_j (x − μ)²
    (Ba et al., 2016; PyTorch's layer_norm over one axis).
    Shapes: x (…, n) [, gain (n) [, bias (n)]] → x's; floating point.

    ```mlir
    %0 = heed.layer_norm %x, %gain, %bias epsilon 1.0e-05
        : (!heed.tensor<[batch, s, 64], f32>, !heed.tensor<[64], f32>, !heed.tensor<[64], f32>)
        -> !heed.tensor<[batch, s, 64], f32>
    ```
  }];
}

def Heed_RmsNormOp : Heed_NormOp<"rms_norm"> {
  let summary = "rows divided by the root of their mean square, scaled";
  let description = [{
    Formula: y[…, j] = x[…, j] / √(mean_j x² + epsilon) · gain[j] (Zhang and Sennrich, 2019).
    Shapes: x (…, n) [, gain (n)] → x's; floating point.

    ```mlir
    %0 = heed.rms_norm %x, %gain epsilon 1.0e-06
        : (!heed.tensor<[batch, s, 64], f32>, !heed.tensor<[64], f32>) -> !heed.tensor<[batch, s, 64], f32>
    ```
  }];
}

def Heed_AppendOp : Heed_Op<"append", [Pure]> {
  let summary = "a cache with new rows";
  let description = [{
    Formula: y = cache, but along `axis` y[position + i] = rows[i]. The cache is a state argument of the kernel,
    position a scalar argument with 0 ≤ position ≤ cache's extent − rows' extent along the axis, which every
    call checks. The result lies where the cache does, so an append writes its rows and nothing else.
    Shapes: cache, rows with another extent on `axis`, () i32 or i64 → cache's.

    ```mlir
    %0 = heed.append %cache, %rows, %position axis 2
        : (!heed.tensor<[batch, 4, 64, 16], f32>, !heed.tensor<[batch, 4, n, 16], f32>,
           !heed.tensor<[], i32>) -> !heed.tensor<[batch, 4, 64, 16], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$cache, Heed_TensorType:$rows, Heed_TensorType:$position, I64Attr:$axis);
  let results = (outs Heed_TensorType:$result);
  let assemblyFormat = "operands `axis` $axis attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif
