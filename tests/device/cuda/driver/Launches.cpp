// The start of a kernel, which is checked and not run.

#include "Memory.h"
#include "Modules.h"
#include "PtxBlock.h"
#include "Streams.h"

#include <algorithm>
#include <cstring>

namespace checking {

namespace {

constexpr size_t keptLaunches = 256;
constexpr unsigned mostBlocks[3] = {2147483647, 65535, 65535}, mostThreads[3] = {1024, 1024, 64};
constexpr unsigned threadsOfABlock = 1024;

Result checkShape(const CheckingCudaLaunch &launch, const Function &function) {
  for (int axis = 0; axis < 3; ++axis) {
    if (launch.blocks[axis] == 0 || launch.blocks[axis] > mostBlocks[axis])
      return Misuse(invalidValue) << launch.entry << " has " << launch.blocks[axis] << " blocks along axis "
                                  << axis;
    if (launch.threads[axis] == 0 || launch.threads[axis] > mostThreads[axis])
      return Misuse(invalidValue) << launch.entry << " has " << launch.threads[axis] << " threads along axis "
                                  << axis;
  }
  if (launch.threads[0] * launch.threads[1] * launch.threads[2] > threadsOfABlock)
    return Misuse(invalidValue) << launch.entry << " has more than " << threadsOfABlock
                                << " threads in a block";
  const Ptx &ptx = function.module->ptx;
  if (int(launch.sharedBytes) > function.allowedShared)
    return Misuse(invalidValue) << launch.entry << " takes " << launch.sharedBytes
                                << " bytes of shared memory, " << function.allowedShared << " are allowed";
  if (launch.sharedBytes && !ptx.declaresShared)
    return Misuse(invalidValue) << launch.entry << " declares no shared memory and takes "
                                << launch.sharedBytes << " bytes";
  return success;
}

/// The parameters as the kernel would see them.
Result readParameters(CheckingCudaLaunch &launch, const std::vector<Parameter> &parameters, void **values) {
  launch.parameterCount = int(parameters.size());
  if (parameters.size() > std::size(launch.parameters))
    return Misuse(invalidValue) << launch.entry << " has " << parameters.size() << " parameters";
  if (!parameters.empty() && !values)
    return Misuse(invalidValue) << launch.entry << " needs parameters, there are none";
  for (size_t i = 0; i < parameters.size(); ++i) {
    const size_t bytes = size_t(parameters[i].bytes);
    if (bytes > sizeof launch.parameters[i] || !isReadable(values + i, sizeof *values) ||
        !isReadable(values[i], bytes))
      return Misuse(invalidValue) << "parameter " << i << " of " << launch.entry << " can't be read";
    std::memcpy(&launch.parameters[i], values[i], bytes);
  }
  return success;
}

/// Whether pointers lead into memory that is there: when the kernel is started, and when it would run.
Result checkPointers(Context &context, const CheckingCudaLaunch &launch,
                     const std::vector<Parameter> &parameters) {
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].isPointer && !find(context, launch.parameters[i], 1))
      return Misuse(invalidValue) << "parameter " << i << " of " << launch.entry
                                  << " is no memory of the device";
  return success;
}

/// Runs all blocks, unless one does something wrong, which loses the context, or takes too long.
void runKernel(Context &context, const CheckingCudaLaunch &launch, const Entry &entry) {
  context.milliseconds += 1;
  if (driver().configured.instructions == 0 || checkPointers(context, launch, entry.parameters))
    return;
  if (!entry.kernel.fault.empty()) {
    Misuse(invalidPtx) << launch.entry << ": " << entry.kernel.fault << ": is not understood";
    return;
  }
  Block block(context, entry.kernel, launch);
  auto end = Block::End::right;
  unsigned index[3];
  for (index[2] = 0; index[2] < launch.blocks[2]; ++index[2])
    for (index[1] = 0; index[1] < launch.blocks[1]; ++index[1])
      for (index[0] = 0; index[0] < launch.blocks[0] && end == Block::End::right; ++index[0])
        end = block.run(index);
  if (end == Block::End::wrong)
    context.lost = illegalAddress;
}

} // namespace

} // namespace checking

using namespace checking;

extern "C" int cuLaunchKernel(void *handle, unsigned blocksX, unsigned blocksY, unsigned blocksZ,
                              unsigned threadsX, unsigned threadsY, unsigned threadsZ, unsigned sharedBytes,
                              void *stream, void **values, void **extra) {
  return inContext("cuLaunchKernel", [&](Context &context) -> Result {
    const Function *function = findFunction(context, handle);
    if (!function)
      return invalidHandle;
    if (extra)
      return Misuse(invalidValue) << "extra options are unknown here";
    CheckingCudaLaunch launch{
        "", {blocksX, blocksY, blocksZ}, {threadsX, threadsY, threadsZ}, sharedBytes, &context, stream, 0,
        {}};
    std::strncpy(launch.entry, function->entry.c_str(), sizeof launch.entry - 1);
    const Entry &entry = function->module->ptx.entries.at(function->entry);
    const std::vector<Parameter> &parameters = entry.parameters;
    for (const Result result : {checkShape(launch, *function), readParameters(launch, parameters, values)})
      if (result)
        return result;
    if (const Result result = checkPointers(context, launch, parameters))
      return result;
    driver().launches.push_back(launch);
    if (driver().launches.size() > keptLaunches)
      driver().launches.pop_front();
    return enqueue(context, stream, [&context, launch, &entry] { runKernel(context, launch, entry); });
  });
}
