// A kernel and its end.
#ifndef HEED_KERNEL_OPS
#define HEED_KERNEL_OPS

include "HeedOpBase.td"

def Heed_KernelOp : Heed_Op<"kernel", [FunctionOpInterface, IsolatedFromAbove, Heed_BlockArgumentNames]> {
  let summary = "one generated function";
  let description = [{
    Arguments carry `heed.name` and `heed.role` (`input`; `weight`: the same over many calls; `scalar`: one
    number, rank 0; `state`: the call changes it in place), results carry `heed.name`. Names are unique, but every
    state has one result with its name and type and with `heed.role` `state`, an append to it: what the call leaves
    in it. The generated function takes the arguments in order, then the outputs: the results without a role.

    ```mlir
    heed.kernel @scale(%x: !heed.tensor<[n], f32> {heed.name = "x", heed.role = "input"})
        -> (!heed.tensor<[n], f32> {heed.name = "y"}) {
      %0 = heed.constant 2.0 : !heed.tensor<[], f32>
      %1 = heed.multiply %x, %0 : (!heed.tensor<[n], f32>, !heed.tensor<[], f32>) -> !heed.tensor<[n], f32>
      heed.return %1 : !heed.tensor<[n], f32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
                       OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name, "::mlir::FunctionType":$type)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral nameAttr = "heed.name";
    static constexpr ::llvm::StringLiteral roleAttr = "heed.role";

    ::llvm::StringRef getArgumentName(unsigned argument);
    bool isWeight(unsigned argument);
    ::llvm::StringRef getOutputName(unsigned output);
    /// The state argument whose new value a result is.
    std::optional<unsigned> getStateOf(unsigned result);

    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Heed_ReturnOp : Heed_Op<"return", [Pure, Terminator, HasParent<"KernelOp">]> {
  let summary = "the results of a kernel";
  let description = [{
    One value per output, in order, then the new value of each state.

    ```mlir
    heed.return %y : !heed.tensor<[n], f32>
    ```
  }];
  let arguments = (ins Variadic<Heed_TensorType>:$outputs);
  let assemblyFormat = "($outputs^ `:` qualified(type($outputs)))? attr-dict";
  let hasVerifier = 1;
}

#endif
