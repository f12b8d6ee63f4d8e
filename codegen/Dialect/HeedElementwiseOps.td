// The words of the DSL that work element by element, operands broadcast from the right.
#ifndef HEED_ELEMENTWISE_OPS
#define HEED_ELEMENTWISE_OPS

include "HeedOpBase.td"

class Heed_ElementwiseOp<string mnemonic, list<Trait> traits = []>
    : Heed_Op<mnemonic, !listconcat([Pure, Heed_Elementwise], traits)> {
  let results = (outs Heed_TensorType:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

class Heed_BinaryOp<string mnemonic, list<Trait> traits = []> : Heed_ElementwiseOp<mnemonic, traits> {
  let arguments = (ins Heed_TensorType:$left, Heed_TensorType:$right);
  let builders = [OpBuilder<(ins "::mlir::Value":$left, "::mlir::Value":$right)>];
}

class Heed_UnaryOp<string mnemonic, list<Trait> traits = []> : Heed_ElementwiseOp<mnemonic, traits> {
  let arguments = (ins Heed_TensorType:$input);
  let builders = [OpBuilder<(ins "::mlir::Value":$input)>];
}

def Heed_AddOp : Heed_BinaryOp<"add"> {
  let summary = "sum";
  let description = [{
    Formula: y = left + right. Shapes: broadcast
    from the right; operands and result have one element type.

    ```mlir
    %0 = heed.add %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], f32>
    ```
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Heed_SubtractOp : Heed_BinaryOp<"subtract"> {
  let summary = "difference";
  let description = [{
    Formula: y = left − right. Shapes: broadcast
    from the right; operands and result have one element type.

    ```mlir
    %0 = heed.subtract %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], f32>
    ```
  }];
  let hasFolder = 1;
}

def Heed_MultiplyOp : Heed_BinaryOp<"multiply"> {
  let summary = "product";
  let description = [{
    Formula: y = left · right. Shapes: broadcast
    from the right; operands and result have one element type.

    ```mlir
    %0 = heed.multiply %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], f32>
    ```
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Heed_DivideOp : Heed_BinaryOp<"divide"> {
  let summary = "quotient";
  let description = [{
    Formula: y = left / right; integers round towards minus infinity. Shapes: broadcast
    from the right; operands and result have one element type.

    ```mlir
    %0 = heed.divide %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], f32>
    ```
  }];
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Heed_MinimumOp : Heed_BinaryOp<"minimum"> {
  let summary = "the smaller";
  let description = [{
    Formula: y = min(left, right). Shapes: broadcast
    from the right; operands and result have one element type.

    ```mlir
    %0 = heed.minimum %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_MaximumOp : Heed_BinaryOp<"maximum"> {
  let summary = "the larger";
  let description = [{
    Formula: y = max(left, right). Shapes: broadcast
    from the right; operands and result have one element type.

    ```mlir
    %0 = heed.maximum %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_NegateOp : Heed_UnaryOp<"negate"> {
  let summary = "negative";
  let description = [{
    Formula: y = −x. Shapes: the operand's.

    ```mlir
    %0 = heed.negate %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_AbsoluteOp : Heed_UnaryOp<"absolute"> {
  let summary = "magnitude";
  let description = [{
    Formula: y = |x|. Shapes: the operand's.

    ```mlir
    %0 = heed.absolute %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_SquareRootOp : Heed_UnaryOp<"square_root"> {
  let summary = "square root";
  let description = [{
    Formula: y = √x. Shapes: the operand's; floating point.

    ```mlir
    %0 = heed.square_root %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_ExponentialOp : Heed_UnaryOp<"exponential"> {
  let summary = "exponential";
  let description = [{
    Formula: y = eˣ. Shapes: the operand's; floating point.

    ```mlir
    %0 = heed.exponential %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_LogarithmOp : Heed_UnaryOp<"logarithm"> {
  let summary = "natural logarithm";
  let description = [{
    Formula: y = ln x. Shapes: the operand's; floating point.

    ```mlir
    %0 = heed.logarithm %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_HyperbolicTangentOp : Heed_UnaryOp<"hyperbolic_tangent"> {
  let summary = "hyperbolic tangent";
  let description = [{
    Formula: y = tanh x. Shapes: the operand's; floating point.

    ```mlir
    %0 = heed.hyperbolic_tangent %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_ErrorFunctionOp : Heed_UnaryOp<"error_function"> {
  let summary = "error function";
  let description = [{
    Formula: y = erf(x) = 2/√π · ∫₀ˣ exp(−t²) dt. Shapes: the operand's; floating point.

    ```mlir
    %0 = heed.error_function %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_LogisticOp : Heed_UnaryOp<"logistic"> {
  let summary = "logistic function";
  let description = [{
    Formula: y = 1 / (1 + e⁻ˣ). Shapes: the operand's; floating point.

    ```mlir
    %0 = heed.logistic %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], f32>
    ```
  }];
}

def Heed_LessOp : Heed_BinaryOp<"less"> {
  let summary = "left < right";
  let description = [{
    Formula: y = left < right, false for NaN. Shapes: broadcast
    from the right; operands of one element type, the result is i1.

    ```mlir
    %0 = heed.less %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], i1>
    ```
  }];
}

def Heed_LessEqualOp : Heed_BinaryOp<"less_equal"> {
  let summary = "left ≤ right";
  let description = [{
    Formula: y = left ≤ right, false for NaN. Shapes: broadcast
    from the right; operands of one element type, the result is i1.

    ```mlir
    %0 = heed.less_equal %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], i1>
    ```
  }];
}

def Heed_GreaterOp : Heed_BinaryOp<"greater"> {
  let summary = "left > right";
  let description = [{
    Formula: y = left > right, false for NaN. Shapes: broadcast
    from the right; operands of one element type, the result is i1.

    ```mlir
    %0 = heed.greater %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], i1>
    ```
  }];
}

def Heed_GreaterEqualOp : Heed_BinaryOp<"greater_equal"> {
  let summary = "left ≥ right";
  let description = [{
    Formula: y = left ≥ right, false for NaN. Shapes: broadcast
    from the right; operands of one element type, the result is i1.

    ```mlir
    %0 = heed.greater_equal %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], i1>
    ```
  }];
}

def Heed_EqualOp : Heed_BinaryOp<"equal"> {
  let summary = "left = right";
  let description = [{
    Formula: y = left = right, false for NaN. Shapes: broadcast
    from the right; operands of one element type, the result is i1.

    ```mlir
    %0 = heed.equal %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], i1>
    ```
  }];
}

def Heed_NotEqualOp : Heed_BinaryOp<"not_equal"> {
  let summary = "left ≠ right";
  let description = [{
    Formula: y = left ≠ right, true for NaN. Shapes: broadcast
    from the right; operands of one element type, the result is i1.

    ```mlir
    %0 = heed.not_equal %x, %y : (!heed.tensor<[q, k], f32>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], i1>
    ```
  }];
}

def Heed_LogicalAndOp : Heed_BinaryOp<"logical_and"> {
  let summary = "both";
  let description = [{
    Formula: y = left ∧ right. Shapes: broadcast from the right; nonzero is true, the result is i1.

    ```mlir
    %0 = heed.logical_and %x, %y : (!heed.tensor<[q, k], i1>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], i1>
    ```
  }];
}

def Heed_LogicalOrOp : Heed_BinaryOp<"logical_or"> {
  let summary = "either";
  let description = [{
    Formula: y = left ∨ right. Shapes: broadcast from the right; nonzero is true, the result is i1.

    ```mlir
    %0 = heed.logical_or %x, %y : (!heed.tensor<[q, k], i1>, !heed.tensor<[k], f32>)
        -> !heed.tensor<[q, k], i1>
    ```
  }];
}

def Heed_LogicalNotOp : Heed_UnaryOp<"logical_not"> {
  let summary = "not";
  let description = [{
    Formula: y = ¬x. Shapes: the operand's; nonzero is true, the result is i1.

    ```mlir
    %0 = heed.logical_not %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], i1>
    ```
  }];
}

def Heed_WhereOp : Heed_ElementwiseOp<"where"> {
  let summary = "a choice by element";
  let description = [{
    Formula: y = condition ≠ 0 ? then : otherwise. Shapes: the three are broadcast from the right; then,
    otherwise and the result have one element type, the condition any.

    ```mlir
    %0 = heed.where %visible, %scores, %low : 
        (!heed.tensor<[q, k], i1>, !heed.tensor<[q, k], f32>, !heed.tensor<[], f32>) -> !heed.tensor<[q, k], f32>
    ```
  }];
  let arguments = (ins Heed_TensorType:$condition, Heed_TensorType:$consequent, Heed_TensorType:$otherwise);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$condition, "::mlir::Value":$consequent, "::mlir::Value":$otherwise)>
  ];
}

def Heed_ConvertOp : Heed_ElementwiseOp<"convert"> {
  let summary = "another floating type";
  let description = [{
    Formula: y = x, rounded to the nearest number of the result's type, ties to even; true is 1. Shapes: the
    operand's; a floating-point result. Rounding is part of storing: where nothing is stored, it is left out.

    ```mlir
    %0 = heed.convert %x : (!heed.tensor<[q, k], f32>) -> !heed.tensor<[q, k], bf16>
    ```
  }];
  let arguments = (ins Heed_TensorType:$input);
  let hasFolder = 1;
}

#endif
