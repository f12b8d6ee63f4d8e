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

def Heed_LinearOp
    : Heed_Op<"linear", [Pure, IsolatedFromAbove, AttrSizedOperandSegments, Heed_BlockArgumentNames]> {
  let summary = "x · Wᵀ + b, and what follows element by element";
  let description = [{
    Formula: a[…, o] = Σ_i x[…, i] · w[o, i] + b[o]; y[i] = epilogue(a[i], inputs[i]…), or a where that region is
    empty. Shapes: x (…, i), w (o, i), b (o) → (…, o). The weight lies as (out, in). The inputs are broadcast from
    the right into the result's shape.

    Region `epilogue` has the value a, not rounded to the element type before, then one scalar per input, then one
    tensor per capture, and yields the element of the result. As in heed.map, `heed.position` is the index along
    an axis of the result and `heed.element` reads a capture.

    ```mlir
    %0 = heed.linear %x, %w, %b : (!heed.tensor<[batch, s, 10], f32>, !heed.tensor<[8, 10], f32>,
                                   !heed.tensor<[8], f32>) -> !heed.tensor<[batch, s, 8], f32>
    %1 = heed.linear %x, %w inputs(%residual) : (!heed.tensor<[s, 10], f32>, !heed.tensor<[8, 10], f32>,
                                                 !heed.tensor<[s, 8], f32>) -> !heed.tensor<[s, 8], f32> epilogue {
    ^bb0(%value: f32, %x0: f32):
      %2 = arith.addf %value, %x0 : f32
      heed.yield %2 : f32
    }
    ```
  }];
  let arguments = (ins Heed_TensorType:$input, Heed_TensorType:$weight, Optional<Heed_TensorType>:$bias,
                       Variadic<Heed_TensorType>:$inputs, Variadic<Heed_TensorType>:$captures);
  let results = (outs Heed_TensorType:$result);
  let regions = (region MaxSizedRegion<1>:$epilogue);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$weight, CArg<"::mlir::Value", "{}">:$bias)>
  ];
  let assemblyFormat = [{
    $input `,` $weight (`,` $bias^)? (`inputs` `(` $inputs^ `)`)? (`captures` `(` $captures^ `)`)? attr-dict `:`
    functional-type(operands, results) (`epilogue` $epilogue^)?
  }];
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

def Heed_AppendAxisOp : Heed_Op<"append_axis", [Pure, Heed_View]> {
  let summary = "an innermost axis of extent 1";
  let description = [{
    Formula: y[…, 0] = x[…]. Shapes: (…) → (…, 1).

    ```mlir
    %0 = heed.append_axis %x : (!heed.tensor<[batch, s], f32>) -> !heed.tensor<[batch, s, 1], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input);
  let results = (outs Heed_TensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input)>];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_DropAxisOp : Heed_Op<"drop_axis", [Pure, Heed_View]> {
  let summary = "without an axis of extent 1";
  let description = [{
    Formula: y[i, j] = x[i, 0, j], i the indices left of `axis`. Shapes: (…, 1, …) → (…, …).

    ```mlir
    %0 = heed.drop_axis %x axis 0 : (!heed.tensor<[1, 64, 64], f32>) -> !heed.tensor<[64, 64], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input, I64Attr:$axis);
  let results = (outs Heed_TensorType:$result);
  let assemblyFormat = "$input `axis` $axis attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_SliceOp : Heed_Op<"slice", [Pure, Heed_View]> {
  let summary = "a part of one axis";
  let description = [{
    Formula: y[i, s, j] = x[i, start + s, j], start 0 unless it is given. Shapes: the operand's, but for the
    extent of `axis`. start + that extent is at most the operand's: they are multiples of one expression, so that
    this is known for every size.

    ```mlir
    %0 = heed.slice %x axis 0 start <2*d> : (!heed.tensor<[3*d, d], f32>) -> !heed.tensor<[d, d], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input, I64Attr:$axis, OptionalAttr<Heed_ExtentAttr>:$start);
  let results = (outs Heed_TensorType:$result);
  let assemblyFormat = "$input `axis` $axis (`start` $start^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_RepeatHeadsOp : Heed_Op<"repeat_heads", [Pure]> {
  let summary = "every head several times";
  let description = [{
    Formula: y[b, h, s, d] = x[b, h / g, s, d], g how often a head is repeated: the group order of ONNX and
    PyTorch. Shapes: (b, H, s, d) → (b, g·H, s, d). An attention reads the few heads of its keys and values in
    place.

    ```mlir
    %0 = heed.repeat_heads %x : (!heed.tensor<[batch, 8, s, 64], f32>) -> !heed.tensor<[batch, 32, s, 64], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input);
  let results = (outs Heed_TensorType:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Heed_SoftmaxOp : Heed_Op<"softmax", [Pure]> {
  let summary = "exponentials of a row over their sum";
  let description = [{
    Formula: y[…, k] = exp(x[…, k] − m) / (Σ_j exp(x[…, j] − m) + exp(sink[h] − m)), m the largest of the row and
    of the sink, which is an optional logit per head without a key of its own. A row whose elements are all
    −infinity gives zeros, or NaN with `nan_for_empty` where there is no sink. Shapes: the operand's, over its
    last axis; floating point. sink (h) for x (b, h, q, k).

    ```mlir
    %0 = heed.softmax %x : (!heed.tensor<[batch, q, k], f32>) -> !heed.tensor<[batch, q, k], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input, Optional<Heed_TensorType>:$sink, UnitAttr:$nan_for_empty);
  let results = (outs Heed_TensorType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$input)>];
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_LogSumExpOp : Heed_Op<"log_sum_exp", [Pure]> {
  let summary = "logarithm of the sum of a row's exponentials";
  let description = [{
    Formula: y[…] = m + log(Σ_j exp(x[…, j] − m) + exp(sink[h] − m)), as in heed.softmax; −infinity for a row whose
    elements are all −infinity. Shapes: (…, k) → (…). sink (h) for x (b, h, q, k).

    ```mlir
    %0 = heed.log_sum_exp %x : (!heed.tensor<[batch, q, k], f32>) -> !heed.tensor<[batch, q], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input, Optional<Heed_TensorType>:$sink);
  let results = (outs Heed_TensorType:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Heed_DropoutOp : Heed_Op<"dropout", [Pure]> {
  let summary = "elements zeroed at random";
  let description = [{
    Formula: y[i] = u >= p ? x[i] / (1 − p) : 0, u = heed.uniform(seed, row-major index of i, site); p = 0 gives x.
    Shapes: x any, p () floating point, seed () i64 → x's.

    ```mlir
    %0 = heed.dropout %x, %p, %seed site 0 : (!heed.tensor<[b, h, q, k], f32>, !heed.tensor<[], f32>,
                                              !heed.tensor<[], i64>) -> !heed.tensor<[b, h, q, k], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input, Heed_TensorType:$probability, Heed_TensorType:$seed, I32Attr:$site);
  let results = (outs Heed_TensorType:$result);
  let assemblyFormat = "operands `site` $site attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif
