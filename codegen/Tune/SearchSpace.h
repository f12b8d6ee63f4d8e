//===- SearchSpace.h - The schedules that are worth a look ------*- C++ -*-===//
///
/// \file
/// All schedules of an operation that differ from its default in what runs at the sizes to be tuned for:
/// register tiles that fit the registers, blocks that hold few of them, chunks up to the operand. Fields of
/// kernel families that do not run at these sizes keep the default, since nothing would measure them.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_CODEGEN_TUNE_SEARCHSPACE_H
#define HEED_CODEGEN_TUNE_SEARCHSPACE_H

#include "Tune/Problem.h"

#include <vector>

namespace heed::tune {

/// The family of an attention that runs for a number of queries.
enum class AttentionFamily { Depth, Small, Rows };
AttentionFamily familyAt(const AttentionSchedule &schedule, const Problem &problem);

/// The family of a linear layer that runs for a number of rows.
enum class LinearFamily { Few, Small, Block };
LinearFamily familyAt(const LinearSchedule &schedule, const Problem &problem);

/// Each passes checkSchedule; the default is the first.
std::vector<Schedule> searchSpace(const Schedule &standard, const Problem &problem, const Machine &machine);

/// The same at these sizes, without the families that run only for others: quick to compile.
Schedule onlyWhatRuns(const Schedule &schedule, const Problem &problem);

} // namespace heed::tune

#endif // HEED_CODEGEN_TUNE_SEARCHSPACE_H
