// The dialect `heed` and its attribute and type: what every value of a kernel is.
#ifndef HEED_DIALECT
#define HEED_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"

def HeedDialect : Dialect {
  let name = "heed";
  let cppNamespace = "::heed::ir";
  let summary = "attention blocks: one operation per word of the DSL, and the fused forms";
  let description = [{
    Values are tensors with named symbolic extents. A kernel is first a list of the operations that its user
    wrote (one per DSL word); the passes leave the fused form of docs/architecture.md, section 3. Everything
    per element (score programs, masks, fused arithmetic) is a region of `arith` and `math` on scalars.

    Scalars inside regions have one type per kind: i1 for truth, i64 for integers and indices, f32 for f16,
    bf16 and f32 elements, f64 for f64 elements. Loading an element widens it, storing narrows it.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

def Heed_ExtentAttr : AttrDef<HeedDialect, "Extent"> {
  let mnemonic = "extent";
  let summary = "numerator / denominator · Π symbol^power";
  let description = [{
    The extent of an axis: a number, a symbol that is known at run time, or a product and quotient of them.
    The fraction is reduced, symbols are sorted by name and have nonzero powers, so equal extents are the same
    attribute.

    Example: `batch`, `64`, `2*d`, `d/8`, `batch*heads`.
  }];
  let parameters = (ins "int64_t":$numerator, "int64_t":$denominator,
                        ArrayRefParameter<"::mlir::StringAttr">:$symbols,
                        ArrayRefParameter<"int64_t">:$powers);
  let builders = [
    AttrBuilder<(ins "int64_t":$number)>,
    AttrBuilder<(ins "::llvm::StringRef":$symbol)>
  ];
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// True for a number that is known now.
    bool isStatic() const { return getSymbols().empty() && getDenominator() == 1; }
    bool isOne() const { return isStatic() && getNumerator() == 1; }
    /// The number of a static extent.
    int64_t getValue() const;

    ExtentAttr multiply(ExtentAttr other) const;
    ExtentAttr divide(ExtentAttr other) const;

    /// The text without the brackets: `2*d/8`.
    std::string str() const;
    void printText(::llvm::raw_ostream &os) const;
    /// Null after a reported error.
    static ExtentAttr parseText(::mlir::AsmParser &parser);
  }];
}

def Heed_TensorType : TypeDef<HeedDialect, "Tensor"> {
  let mnemonic = "tensor";
  let summary = "a tensor with named extents";
  let description = [{
    Extents from the outermost axis to the innermost, then the element type: i1 (one byte, zero or nonzero),
    i32, i64, f16, bf16, f32 or f64. At most six axes. Layout is not part of the type.

    Example: `!heed.tensor<[batch, heads, queries, 64], f32>`
  }];
  let parameters = (ins ArrayRefParameter<"::heed::ir::ExtentAttr">:$shape, "::mlir::Type":$elementType);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<::heed::ir::ExtentAttr>":$shape,
                                        "::mlir::Type":$elementType), [{
      return $_get(elementType.getContext(), shape, elementType);
    }]>
  ];
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t maxRank = 6;
    int64_t getRank() const { return getShape().size(); }
    /// Axes counted from the left, negative ones from the right.
    ExtentAttr getExtent(int64_t axis) const { return getShape()[axis < 0 ? axis + getRank() : axis]; }
    /// What a region sees of an element: i1, i64, f32 or f64.
    ::mlir::Type getScalarType() const;
    /// `(batch, queries, 64)`, as in messages.
    std::string shapeStr() const;
  }];
}

#endif
