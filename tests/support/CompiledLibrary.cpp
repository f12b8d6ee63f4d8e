#include "CompiledLibrary.h"

#include "Compile.h"
#include "Emit/EmitLibrary.h"
#include "Emit/Library.h"
#include "llvm/Support/FileSystem.h"

#include <dlfcn.h>

namespace heed::tests {

static std::string text(llvm::Error error) { return error ? llvm::toString(std::move(error)) : ""; }

CompiledLibrary::CompiledLibrary(std::span<const spec::graph *const> kernels, const AdjustSchedules &adjust,
                                 const std::string &target) {
  fault = compile(kernels, adjust, target);
}

std::string CompiledLibrary::compile(std::span<const spec::graph *const> kernels,
                                     const AdjustSchedules &adjust, const std::string &target) {
  mlir::MLIRContext context;
  auto fused = fuseKernels(context, llvm::ArrayRef(kernels.data(), kernels.size()));
  if (!fused)
    return text(fused.takeError());
  const auto chosen = [&](const HalideBackend &backend) -> llvm::Expected<ScheduleChoices> {
    for (const auto &[operation, scheduled] : scheduledOperations(**fused, backend))
      schedules[operation] = scheduled.defaults;
    if (adjust)
      adjust(schedules, backend.limits().lanes);
    for (const auto &[name, schedule] : schedules)
      if (std::optional<std::string> wrong = checkSchedule(schedule, backend.limits()))
        return llvm::createStringError(name + ": " + *wrong);
    return withoutSizes(schedules);
  };
  llvm::Expected<EmittedLibrary> library = emitLibrary(**fused, target, "test", chosen);
  if (!library)
    return text(library.takeError());
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createUniqueDirectory("heed-test", path))
    return "no folder for the library can be made";
  folder = path.str().str();
  if (std::string wrong = text(writeLibrary(*library, "test", folder, 0)); !wrong.empty())
    return wrong;
  if (std::string wrong = text(linkSharedObject(folder + "/test.so", {folder + "/libtest.a"}));
      !wrong.empty())
    return wrong;
  handle = dlopen((folder + "/test.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  return handle ? "" : dlerror();
}

CompiledLibrary::~CompiledLibrary() {
  if (handle)
    dlclose(handle);
  if (!folder.empty())
    llvm::sys::fs::remove_directories(folder);
}

const heed_program *CompiledLibrary::program(const std::string &kernel) const {
  return handle ? static_cast<const heed_program *>(dlsym(handle, ("heed_program_" + kernel).c_str()))
                : nullptr;
}

std::string CompiledLibrary::call(const std::string &kernel, std::span<const heed_view> arguments,
                                  const heed_options *options) const {
  const heed_program *table = program(kernel);
  if (!table)
    return kernel + ": the library has no such kernel";
  if (size_t(table->argument_count) != arguments.size())
    return kernel + ": " + std::to_string(arguments.size()) + " views were given, needed " +
           std::to_string(table->argument_count);
  heed_status status{};
  heed_call(table, arguments.data(), options, &status);
  return status.message;
}

std::vector<std::string> CompiledLibrary::operations() const {
  std::vector<std::string> names;
  for (const auto &[name, schedule] : schedules)
    names.push_back(name);
  return names;
}

} // namespace heed::tests
