//===- FuseElementwise.h - Element-by-element work in one pass --*- C++ -*-===//
///
/// \file
/// Every word that works element by element becomes a heed.map, and a map that feeds only one other map of
/// the same shape moves into it. Masks, score programs and dropout outside an attention become maps too, with
/// positions; so do repeated heads that no attention groups, as a look-up.
///
/// A chain then reads and writes memory once, and a back end has one operation to emit for all arithmetic.
/// Runs after the attention fusion, which needs the words as the user wrote them, and which takes most of
/// them away.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TRANSFORMS_FUSEELEMENTWISE_H
#define HEED_TRANSFORMS_FUSEELEMENTWISE_H

#include "mlir/Pass/Pass.h"

namespace heed {

std::unique_ptr<mlir::Pass> createFuseElementwisePass();

} // namespace heed

#endif // HEED_TRANSFORMS_FUSEELEMENTWISE_H
