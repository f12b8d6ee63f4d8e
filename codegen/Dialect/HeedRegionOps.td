// Operations with a region of scalars, and what may stand in one.
#ifndef HEED_REGION_OPS
#define HEED_REGION_OPS

include "HeedOpBase.td"

class Heed_RegionOp<string mnemonic, list<Trait> traits = []>
    : Heed_Op<mnemonic,
              !listconcat([Pure, IsolatedFromAbove, SingleBlock, Heed_BlockArgumentNames], traits)> {
  let results = (outs Heed_TensorType:$result);
  let regions = (region SizedRegion<1>:$body);
  let hasVerifier = 1;
}

def Heed_MaskOp : Heed_RegionOp<"mask"> {
  let summary = "scores hidden by a program";
  let description = [{
    Formula: y[b, h, q, k] = program(b, h, q, k) ? scores[b, h, q, k] : −infinity.
    Shapes: scores (b, h, q, k) → the same. The region has the arguments b, h, q, k (i64), then one tensor per
    capture, which `heed.element` reads; it yields an i1.

    ```mlir
    %0 = heed.mask %scores captures(%length) : (!heed.tensor<[b, h, q, k], f32>, !heed.tensor<[b], i32>)
        -> !heed.tensor<[b, h, q, k], f32> {
    ^bb0(%b: i64, %h: i64, %q: i64, %k: i64, %lengths: !heed.tensor<[b], i32>):
      %1 = heed.element %lengths[%b] : !heed.tensor<[b], i32> -> i64
      %2 = arith.cmpi slt, %k, %1 : i64
      heed.yield %2 : i1
    }
    ```
  }];
  let arguments = (ins Heed_TensorType:$scores, Variadic<Heed_TensorType>:$captures);
  let assemblyFormat = [{
    $scores (`captures` `(` $captures^ `)`)? attr-dict `:` functional-type(operands, results) $body
  }];
  let extraClassDeclaration = [{
    /// Region arguments before the captures: b, h, q, k.
    static constexpr unsigned capturesAt = 4;
  }];
}

def Heed_ScoreModOp : Heed_RegionOp<"score_mod"> {
  let summary = "scores changed by a program";
  let description = [{
    Formula: y[b, h, q, k] = program(scores[b, h, q, k], b, h, q, k). Shapes: scores (b, h, q, k) → the same.
    The region has the arguments score, b, h, q, k (i64), then one tensor per capture, which `heed.element`
    reads; it yields the new score.

    ```mlir
    %0 = heed.score_mod %scores : (!heed.tensor<[b, h, q, k], f32>) -> !heed.tensor<[b, h, q, k], f32> {
    ^bb0(%score: f32, %b: i64, %h: i64, %q: i64, %k: i64):
      %1 = math.tanh %score : f32
      heed.yield %1 : f32
    }
    ```
  }];
  let arguments = (ins Heed_TensorType:$scores, Variadic<Heed_TensorType>:$captures);
  let assemblyFormat = [{
    $scores (`captures` `(` $captures^ `)`)? attr-dict `:` functional-type(operands, results) $body
  }];
  let extraClassDeclaration = [{
    /// Region arguments before the captures: score, b, h, q, k.
    static constexpr unsigned capturesAt = 5;
  }];
}

def Heed_AttentionOp
    : Heed_Op<"attention", [Pure, IsolatedFromAbove, AttrSizedOperandSegments, Heed_BlockArgumentNames]> {
  let summary = "weights of scores between queries and keys, times values";
  let description = [{
    Formula: s[b, h, q, k] = scale · Σ_d query[b, h, q, d] · key[b, h / g, k, d];
    (t, visible) = body(s, b, h, q, k, captures);
    largest[b, h, q] = max over the visible k of t, and of sink[h];
    sum[b, h, q] = Σ over the visible k of exp(t − largest), plus exp(sink[h] − largest);
    p[b, h, q, k] = visible ? exp(t − largest) / sum : 0, or with `unnormalized` visible ? t : 0;
    w = weighing(p, b, h, q, k, captures), or p where that region is empty; it must be p times
    something that does not depend on p (with `unnormalized`, map 0 to 0);
    output[b, h, q, e] = Σ_k w[b, h, q, k] · value[b, h / g, k, e];
    log_sum_exp = largest + log(sum).
    A row with no visible key and no sink, or whose visible scores are all −infinity, gives zeros, or NaN with
    `nan_for_empty`; its largest is the lowest finite number, its sum 0 and its log_sum_exp −infinity.

    Shapes: query (b, h, m, d), key (b, h, n, d), value (b, h, n, e), sink (h) → output (b, h, m, e); largest,
    sum and log_sum_exp (b, h, m). `produces` names the results that there are, in this order: "output",
    "largest", "sum", "log_sum_exp"; without "output" there is no value. Ranks are 2 to 4. Leading axes are
    broadcast from the right: in each operand such an axis is missing, 1, or the common extent. Only the heads
    of key and value, which have the same number then, may be fewer by a factor g: g neighbouring query heads
    share one. With one leading axis, it is b, and h is 0; with none, both are 0.

    Region `body` has the arguments score, b, h, q, k (i64), then one tensor per capture, and yields the score
    and an i1, whether the key is visible. Region `weighing`, which may be empty, has the arguments weight, b,
    h, q, k, then the captures, and yields the new weight. Captures are read by `heed.element` at explicit
    indices: `%mask[%b, %zero, %q, %k]` is the element of a broadcast mask at the current position, `%slope[%h]`
    a look-up.

    ```mlir
    %0 = heed.attention %query, %key, %value scale 0.125
        : (!heed.tensor<[b, h, m, 64], f32>, !heed.tensor<[b, h, n, 64], f32>,
           !heed.tensor<[b, h, n, 32], f32>)
        -> !heed.tensor<[b, h, m, 32], f32> {
    ^bb0(%score: f32, %b: i64, %h: i64, %q: i64, %k: i64):
      %1 = arith.cmpi sle, %k, %q : i64
      heed.yield %score, %1 : f32, i1
    }
    ```
  }];
  let arguments = (ins Heed_TensorType:$query, Heed_TensorType:$key, Optional<Heed_TensorType>:$value,
                       Optional<Heed_TensorType>:$sink, Variadic<Heed_TensorType>:$captures, F64Attr:$scale,
                       DefaultValuedAttr<StrArrayAttr, "{outputName}">:$produces,
                       UnitAttr:$unnormalized, UnitAttr:$nan_for_empty);
  let results = (outs Variadic<Heed_TensorType>:$results);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$weighing);
  let hasVerifier = 1;
  let builders = [
    // The regions are empty: the caller fills them.
    OpBuilder<(ins "::mlir::Value":$query, "::mlir::Value":$key, "::mlir::Value":$value, "::mlir::Value":$sink,
                   "::mlir::ValueRange":$captures, "double":$scale,
                   "::llvm::ArrayRef<::llvm::StringRef>":$produces), [{
      buildAttention($_builder, $_state, query, key, value, sink, captures, scale, produces);
    }]>
  ];
  let assemblyFormat = [{
    $query `,` $key (`,` $value^)? (`sink` `(` $sink^ `)`)? (`captures` `(` $captures^ `)`)? `scale` $scale
    attr-dict `:` functional-type(operands, results) $body (`weighing` $weighing^)?
  }];
  let extraClassDeclaration = [{
    /// Arguments of both regions: score or weight, b, h, q, k, then the captures.
    enum : unsigned { scoreAt, batchAt, headAt, queryAt, keyAt, capturesAt };

    static constexpr ::llvm::StringLiteral outputName = "output", largestName = "largest", sumName = "sum",
                                           logSumExpName = "log_sum_exp";

    /// The result of this name; null if it is not produced.
    ::mlir::Value getProduced(::llvm::StringRef name);
    ::mlir::Value getOutput() { return getProduced(outputName); }
    ::mlir::Value getLargest() { return getProduced(largestName); }
    ::mlir::Value getSum() { return getProduced(sumName); }
    ::mlir::Value getLogSumExp() { return getProduced(logSumExpName); }

    /// Extents of the scores: leading axes (0, 1 or 2 of them), queries, keys.
    ::llvm::SmallVector<ExtentAttr, 4> getScoreShape();
    /// Query heads that share a head of key and value: 1 unless there are two leading axes.
    ExtentAttr getHeadsPerKey();

    static void buildAttention(::mlir::OpBuilder &builder, ::mlir::OperationState &state, ::mlir::Value query,
                               ::mlir::Value key, ::mlir::Value value, ::mlir::Value sink,
                               ::mlir::ValueRange captures, double scale,
                               ::llvm::ArrayRef<::llvm::StringRef> produces);
  }];
}

def Heed_ScoresOp
    : Heed_Op<"scores", [Pure, IsolatedFromAbove, AttrSizedOperandSegments, Heed_BlockArgumentNames]> {
  let summary = "the matrix of scores or weights of an attention";
  let description = [{
    What an attention computes between its products, written out. query, key, captures, scale and the regions
    are as in heed.attention. Without statistics: y[b, h, q, k] = visible ? t : −infinity. With the two
    statistics largest and sum of that attention: y = weighing(visible ? exp(t − largest) / sum : 0), where a
    row whose sum is 0 gives zeros, or NaN with `nan_for_empty`.

    Shapes: query (b, h, m, d), key (b, h, n, d), statistics (b, h, m) → (b, h, m, n).

    ```mlir
    %0 = heed.scores %query, %key statistics(%largest, %sum) scale 0.125
        : (!heed.tensor<[b, h, m, 64], f32>, !heed.tensor<[b, h, n, 64], f32>, !heed.tensor<[b, h, m], f32>,
           !heed.tensor<[b, h, m], f32>) -> !heed.tensor<[b, h, m, n], f32> {
    ^bb0(%score: f32, %b: i64, %h: i64, %q: i64, %k: i64):
      %true = arith.constant true
      heed.yield %score, %true : f32, i1
    }
    ```
  }];
  let arguments = (ins Heed_TensorType:$query, Heed_TensorType:$key, Variadic<Heed_TensorType>:$statistics,
                       Variadic<Heed_TensorType>:$captures, F64Attr:$scale, UnitAttr:$nan_for_empty);
  let results = (outs Heed_TensorType:$result);
  let regions = (region SizedRegion<1>:$body, MaxSizedRegion<1>:$weighing);
  let hasVerifier = 1;
  let builders = [
    // The regions are empty: the caller fills them.
    OpBuilder<(ins "::mlir::Value":$query, "::mlir::Value":$key, "::mlir::ValueRange":$statistics,
                   "::mlir::ValueRange":$captures, "double":$scale), [{
      buildScores($_builder, $_state, query, key, statistics, captures, scale);
    }]>
  ];
  let assemblyFormat = [{
    $query `,` $key (`statistics` `(` $statistics^ `)`)? (`captures` `(` $captures^ `)`)? `scale` $scale
    attr-dict `:` functional-type(operands, results) $body (`weighing` $weighing^)?
  }];
  let extraClassDeclaration = [{
    ::llvm::SmallVector<ExtentAttr, 4> getScoreShape();
    ExtentAttr getHeadsPerKey();
    static void buildScores(::mlir::OpBuilder &builder, ::mlir::OperationState &state, ::mlir::Value query,
                            ::mlir::Value key, ::mlir::ValueRange statistics, ::mlir::ValueRange captures,
                            double scale);
  }];
}

def Heed_MapOp : Heed_RegionOp<"map", [AttrSizedOperandSegments]> {
  let summary = "arithmetic at one index of all operands";
  let description = [{
    Formula: y[i] = region(x0[i], x1[i], …). Shapes: the inputs are broadcast from the right into the result's
    shape. The region has one scalar per input, then one tensor per capture, and yields one scalar.
    `heed.position` is the index along an axis, `heed.element` reads a capture; they come from masks and score
    programs outside an attention.

    ```mlir
    %0 = heed.map %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>) -> !heed.tensor<[q, k], f32> {
    ^bb0(%x0: f32, %x1: f32):
      %1 = arith.addf %x0, %x1 : f32
      heed.yield %1 : f32
    }
    ```
  }];
  let arguments = (ins Variadic<Heed_TensorType>:$inputs, Variadic<Heed_TensorType>:$captures);
  let assemblyFormat = [{
    ($inputs^)? (`captures` `(` $captures^ `)`)? attr-dict `:` functional-type(operands, results) $body
  }];
  let builders = [
    // The region is empty: the caller fills it.
    OpBuilder<(ins "::heed::ir::TensorType":$result, "::mlir::ValueRange":$inputs,
                   "::mlir::ValueRange":$captures), [{
      build($_builder, $_state, ::mlir::Type(result), inputs, captures);
    }]>
  ];
}

def Heed_PositionOp : Heed_Op<"position", [Pure, ParentOneOf<["MapOp", "LinearOp"]>]> {
  let summary = "the index along an axis of the element that a map or a linear computes";
  let description = [{
    Formula: y = i_axis, an i64; axes of the operation's result are counted from the left.

    ```mlir
    %0 = heed.position 3
    ```
  }];
  let arguments = (ins I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$axis attr-dict";
  let hasVerifier = 1;
}

def Heed_ElementOp
    : Heed_Op<"element", [Pure, ParentOneOf<["MaskOp", "ScoreModOp", "AttentionOp", "ScoresOp", "MapOp",
                                             "LinearOp"]>]> {
  let summary = "one element of a captured tensor";
  let description = [{
    Formula: y = tensor[indices]. One index per axis; an index outside its axis is clamped into it. The result
    is the element, widened to a scalar.

    ```mlir
    %0 = heed.element %slopes[%h] : !heed.tensor<[heads], f32> -> f32
    ```
  }];
  let arguments = (ins Heed_TensorType:$tensor, Variadic<I64>:$indices);
  let results = (outs AnyType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$tensor, "::mlir::ValueRange":$indices)>];
  let assemblyFormat = "$tensor `[` $indices `]` attr-dict `:` qualified(type($tensor)) `->` type($result)";
  let hasVerifier = 1;
}

def Heed_UniformOp : Heed_Op<"uniform", [Pure]> {
  let summary = "a random number that depends on nothing but its operands";
  let description = [{
    Formula: y = (w >> 8) · 2⁻²⁴, in [0, 1), where w is the first word of Philox 4×32-10 (Salmon et al., 2011)
    with the key (seed mod 2³², seed >> 32) and the counter (index mod 2³², index >> 32, site, 0).

    ```mlir
    %0 = heed.uniform %seed, %index site 1
    ```
  }];
  let arguments = (ins I64:$seed, I64:$index, I32Attr:$site);
  let results = (outs F32:$result);
  let assemblyFormat = "$seed `,` $index `site` $site attr-dict";
}

def Heed_ExtentValueOp : Heed_Op<"extent_value", [Pure]> {
  let summary = "an extent as a number";
  let description = [{
    Formula: y = extent, an i64 that is known when the kernel is called.

    ```mlir
    %0 = heed.extent_value <keys>
    ```
  }];
  let arguments = (ins Heed_ExtentAttr:$extent);
  let results = (outs I64:$result);
  let assemblyFormat = "$extent attr-dict";
  let hasFolder = 1;
}

def Heed_YieldOp
    : Heed_Op<"yield", [Pure, Terminator, ParentOneOf<["MaskOp", "ScoreModOp", "AttentionOp", "ScoresOp", "MapOp",
                                                       "LinearOp"]>]> {
  let summary = "the scalars that a region computes";
  let description = [{
    A mask yields an i1, a score program a score, the body of an attention both, its weighing a weight, a map
    and the epilogue of a linear their element.

    ```mlir
    heed.yield %score, %visible : f32, i1
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif
