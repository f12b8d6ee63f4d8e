// What the operation files share: classes, traits and constraints.
#ifndef HEED_OP_BASE
#define HEED_OP_BASE

include "HeedDialect.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Heed_Op<string mnemonic, list<Trait> traits = []> : Op<HeedDialect, mnemonic, traits>;

/// The result at an index depends only on the operands at that index (broadcast from the right).
def Heed_Elementwise : NativeOpTrait<"ElementwiseTrait"> { let cppNamespace = "::heed::ir"; }
/// A view: no work, only strides.
def Heed_View : NativeOpTrait<"ViewTrait"> { let cppNamespace = "::heed::ir"; }

def Heed_BlockArgumentNames : DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>;

#endif
