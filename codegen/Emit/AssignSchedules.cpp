//===- AssignSchedules.cpp - The schedules of a library -------------------===//

#include "Emit/AssignSchedules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using llvm::formatv;

namespace heed {

/// Nothing if there is no such file.
static llvm::Expected<std::optional<ScheduleText>> readIfThere(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file && (file.getError() == std::errc::no_such_file_or_directory ||
                file.getError() == std::errc::not_a_directory))
    return std::nullopt;
  if (!file)
    return llvm::createFileError(path, file.getError());
  return ScheduleText{path, (*file)->getBuffer().str()};
}

/// The target that a file says it holds for; empty for every target.
static llvm::Expected<std::string> targetOf(const ScheduleText &file) {
  std::string target;
  if (std::optional<std::string> fault = parseScheduleTarget(file.text, file.path, target))
    return llvm::createStringError(*fault);
  return target;
}

static llvm::Expected<std::optional<ScheduleText>> readGiven(const ScheduleSources &sources,
                                                             const std::string &target) {
  if (sources.given.empty())
    return std::nullopt;
  llvm::Expected<std::optional<ScheduleText>> file = readIfThere(sources.given);
  if (!file)
    return file.takeError();
  if (!*file)
    return llvm::createStringError(
        formatv("--schedule: there is no file '{0}', one with schedules is needed; "
                "print one with heed compile --emit=schedule",
                sources.given));
  llvm::Expected<std::string> held = targetOf(**file);
  if (!held)
    return held.takeError();
  if (held->empty() || *held == target)
    return file;
  if (llvm::is_contained(sources.targets, *held))
    return std::nullopt;
  return llvm::createStringError(
      formatv("{0}: target: found schedules for {1}, schedules for {2} are needed; compile for {1}, or leave "
              "the line 'target {1}' out if they suit any target",
              sources.given, *held, llvm::join(sources.targets, " or ")));
}

llvm::Expected<std::vector<ScheduleText>> findSchedules(const ScheduleSources &sources,
                                                        const std::string &target) {
  llvm::Expected<std::optional<ScheduleText>> given = readGiven(sources, target);
  if (!given)
    return given.takeError();
  if (*given)
    return std::vector<ScheduleText>{std::move(**given)};
  std::vector<ScheduleText> files;
  for (const std::string &source : sources.sources) {
    llvm::SmallString<128> path(source);
    llvm::sys::path::replace_extension(path, target + ".schedule");
    if (llvm::any_of(files, [&](const ScheduleText &other) { return other.path == path; }))
      continue;
    llvm::Expected<std::optional<ScheduleText>> file = readIfThere(path.str().str());
    if (!file)
      return file.takeError();
    if (!*file || (sources.passesEmpty && (*file)->text.empty()))
      continue;
    llvm::Expected<std::string> held = targetOf(**file);
    if (!held)
      return held.takeError();
    if (!held->empty() && *held != target)
      return llvm::createStringError(
          formatv("{0}: target: found {1}, {2} as in the file's name is needed; correct one of them",
                  (*file)->path, *held, target));
    files.push_back(std::move(**file));
  }
  return files;
}

ScheduledOperations scheduledOperations(ModuleOp kernels, const HalideBackend &backend) {
  ScheduledOperations operations;
  for (auto kernel : kernels.getOps<ir::KernelOp>())
    backend.addOperations(kernel, operations);
  return operations;
}

llvm::Expected<AssignedSchedules> assignSchedules(ModuleOp kernels, ModuleOp spec,
                                                  const HalideBackend &backend, const std::string &target,
                                                  llvm::ArrayRef<ScheduleText> files) {
  AssignedSchedules assigned;
  assigned.file.target = target;
  std::map<std::string, std::string> readFrom; // file per operation
  const ScheduledOperations known =
      files.empty() ? ScheduledOperations() : scheduledOperations(spec, backend);
  for (const ScheduleText &text : files) {
    ScheduleFile file;
    if (std::optional<std::string> fault =
            parseScheduleFile(text.text, text.path, backend.limits(), known, file))
      return llvm::createStringError(*fault);
    llvm::append_range(assigned.file.comments, file.comments);
    for (auto &[operation, entries] : file.entries) {
      if (auto [other, isNew] = readFrom.try_emplace(operation, text.path); !isNew)
        return llvm::createStringError(formatv("{0}:{1}: {2}: found schedules in {3}, too, those of one file "
                                               "are needed; leave one out",
                                               text.path, entries.front().line, operation, other->second));
      assigned.file.entries[operation] = std::move(entries);
    }
  }
  std::map<std::string, std::vector<SizedSchedule>> ofSpec = std::move(assigned.file.entries);
  assigned.file.entries.clear();
  for (const auto &[operation, scheduled] : scheduledOperations(kernels, backend)) {
    std::vector<SizedSchedule> &entries = assigned.file.entries[operation];
    if (auto found = ofSpec.find(operation); found != ofSpec.end()) {
      entries = std::move(found->second);
      assigned.choices[operation] = chooseBySize(entries, readFrom[operation]);
    } else {
      entries = {{{}, scheduled.defaults}};
      assigned.choices[operation].ranges = {{scheduled.defaults}};
    }
  }
  return assigned;
}

} // namespace heed
