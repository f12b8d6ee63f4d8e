// The words of the DSL that work on whole tensors: constants, products, views, softmax.
#ifndef HEED_TENSOR_OPS
#define HEED_TENSOR_OPS

include "HeedOpBase.td"

def Heed_ConstantOp : Heed_Op<"constant", [Pure, ConstantLike]> {
  let summary = "a number";
  let description = [{
    Formula: y = value. Shape: rank 0.

    ```mlir
    %0 = heed.constant 0.125 : !heed.tensor<[], f32>
    %1 = heed.constant minus_infinity : !heed.tensor<[], f32>
    ```
  }];
  let arguments = (ins F64Attr:$value);
  let results = (outs Heed_TensorType:$result);
  let builders = [OpBuilder<(ins "double":$value, "::mlir::Type":$elementType)>];
  let assemblyFormat = "custom<Number>($value) attr-dict `:` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Heed_LinearOp : Heed_Op<"linear", [Pure]> {
  let summary = "x · Wᵀ + b";
  let description = [{
    Formula: y[…, o] = Σ_i x[…, i] · w[o, i] + b[o].
    Shapes: x (…, i), w (o, i), b (o) → (…, o). The weight lies as (out, in).

    ```mlir
    %0 = heed.linear %x, %w, %b : (!heed.tensor<[batch, s, 10], f32>, !heed.tensor<[8, 10], f32>,
                                   !heed.tensor<[8], f32>) -> !heed.tensor<[batch, s, 8], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input, Heed_TensorType:$weight, Optional<Heed_TensorType>:$bias);
  let results = (outs Heed_TensorType:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$weight, CArg<"::mlir::Value", "{}">:$bias)>
  ];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_MatmulOp : Heed_Op<"matmul", [Pure]> {
  let summary = "matrix product";
  let description = [{
    Formula: y[…, m, n] = Σ_k left[…, m, k] · right[…, k, n].
    Shapes: (…, m, k), (…, k, n) → (…, m, n); the leading axes are broadcast from the right.

    ```mlir
    %0 = heed.matmul %a, %b : (!heed.tensor<[batch, m, 64], f32>, !heed.tensor<[batch, 64, n], f32>)
        -> !heed.tensor<[batch, m, n], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$left, Heed_TensorType:$right);
  let results = (outs Heed_TensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$left, "::mlir::Value":$right)>];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_TransposeOp : Heed_Op<"transpose", [Pure, Heed_View]> {
  let summary = "last two axes exchanged";
  let description = [{
    Formula: y[…, i, j] = x[…, j, i]. Shapes: (…, m, n) → (…, n, m).

    ```mlir
    %0 = heed.transpose %x : (!heed.tensor<[batch, keys, 64], f32>) -> !heed.tensor<[batch, 64, keys], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input);
  let results = (outs Heed_TensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input)>];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Heed_SplitHeadsOp : Heed_Op<"split_heads", [Pure, Heed_View]> {
  let summary = "the innermost axis cut into heads";
  let description = [{
    Formula: y[b, h, s, d] = x[b, s, h·D + d], D the head size.
    Shapes: (b, s, H·D) → (b, H, s, D).

    ```mlir
    %0 = heed.split_heads %x into <2> : (!heed.tensor<[batch, s, 8], f32>)
        -> !heed.tensor<[batch, 2, s, 4], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input, Heed_ExtentAttr:$heads);
  let results = (outs Heed_TensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::heed::ir::ExtentAttr":$heads)>];
  let assemblyFormat = "$input `into` $heads attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_MergeHeadsOp : Heed_Op<"merge_heads", [Pure, Heed_View]> {
  let summary = "heads side by side in the innermost axis";
  let description = [{
    Formula: y[b, s, h·D + d] = x[b, h, s, d]. Shapes: (b, H, s, D) → (b, s, H·D).

    ```mlir
    %0 = heed.merge_heads %x : (!heed.tensor<[batch, 2, s, 4], f32>) -> !heed.tensor<[batch, s, 8], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input);
  let results = (outs Heed_TensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input)>];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Heed_PermuteOp : Heed_Op<"permute", [Pure, Heed_View]> {
  let summary = "axes reordered";
  let description = [{
    Formula: axis i of the result is axis permutation[i] of the operand.

    ```mlir
    %0 = heed.permute %x [0, 2, 1, 3] : (!heed.tensor<[batch, s, 2, 4], f32>)
        -> !heed.tensor<[batch, 2, s, 4], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Heed_TensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$permutation)>];
  let assemblyFormat = "$input $permutation attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
  let hasVerifier = 1;
}

def Heed_SoftmaxOp : Heed_Op<"softmax", [Pure]> {
  let summary = "exponentials of a row over their sum";
  let description = [{
    Formula: y[…, k] = exp(x[…, k] − m) / Σ_j exp(x[…, j] − m), m the maximum of the row. A row whose elements
    are all −infinity gives zeros. Shapes: the operand's, over its last axis; floating point.

    ```mlir
    %0 = heed.softmax %x : (!heed.tensor<[batch, q, k], f32>) -> !heed.tensor<[batch, q, k], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input);
  let results = (outs Heed_TensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input)>];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif
