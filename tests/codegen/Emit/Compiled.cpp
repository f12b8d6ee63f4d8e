#include "Compiled.h"

#include "Emit/EmitLibrary.h"
#include "Emit/Library.h"
#include "Emit/Placement.h"
#include "Emit/WriteHeader.h"
#include "Support/Diagnostics.h"
#include "Support/Dialects.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <catch2/catch.hpp>
#include <dlfcn.h>

using namespace mlir;

namespace heed {
namespace {

/// A text on its way: everything up to the emitted library.
struct Emission {
  MLIRContext context;
  OwningOpRef<ModuleOp> module;

  llvm::Error parse(const std::string &text) {
    loadDialects(context);
    DiagnosticsAsError diagnostics(&context);
    module = parseSourceString<ModuleOp>(text, &context);
    if (llvm::Error failure = diagnostics.check(success(bool(module))))
      return failure;
    for (auto kernel : module->getOps<ir::KernelOp>())
      insertCopies(kernel);
    return diagnostics.check(verify(*module));
  }

  /// The schedules are text without the line of the version.
  llvm::Expected<EmittedLibrary> emit(const std::string &schedule, const std::string &target = "host",
                                      const std::string &library = "test") {
    return emitLibrary(
        *module, target, library, [&](const HalideBackend &backend) -> llvm::Expected<ScheduleChoices> {
          auto schedules = assignSchedules(*module, *module, backend, backend.target().name(),
                                           ScheduleText{"schedule", "heed schedules 1\n" + schedule});
          if (!schedules)
            return schedules.takeError();
          return std::move(schedules->choices);
        });
  }
};

std::string message(llvm::Error error) { return error ? llvm::toString(std::move(error)) : ""; }

} // namespace

Compiled::Compiled(const std::string &text, const std::string &schedule, const std::string &target) {
  Emission emission;
  REQUIRE(message(emission.parse(text)) == "");
  llvm::Expected<EmittedLibrary> library = emission.emit(schedule, target);
  REQUIRE(message(library.takeError()) == "");
  programs = library->highest();
  driver = driverText(*library);

  llvm::SmallString<128> path;
  REQUIRE_FALSE(llvm::sys::fs::createUniqueDirectory("heed-test", path));
  folder = path.str().str();
  REQUIRE(message(writeLibrary(*library, "test", folder, 0)) == "");
  REQUIRE(message(linkSharedObject(folder + "/test.so", {folder + "/libtest.a"})) == "");
  handle = dlopen((folder + "/test.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  INFO((handle ? "" : dlerror()));
  REQUIRE(handle);
}

Compiled::~Compiled() {
  if (handle)
    dlclose(handle);
  llvm::sys::fs::remove_directories(folder);
}

const heed_program *Compiled::table(const std::string &kernel) const {
  auto *program = static_cast<const heed_program *>(dlsym(handle, ("heed_program_" + kernel).c_str()));
  REQUIRE(program);
  return program;
}

std::string Compiled::call(const std::string &kernel, const std::vector<heed_view> &arguments,
                           const heed_options *options) const {
  const heed_program *program = table(kernel);
  REQUIRE(size_t(program->argument_count) == arguments.size());
  heed_status status{};
  heed_call(program, arguments.data(), options, &status);
  return status.message;
}

Written written(const std::string &text, const std::string &name, const std::string &schedule) {
  Emission emission;
  REQUIRE(message(emission.parse(text)) == "");
  auto library = emission.emit(schedule, "x86-64-v3", name);
  REQUIRE(message(library.takeError()) == "");
  return {driverText(*library), writeHeader(name, library->highest()),
          writeCHeader(name, library->highest())};
}

void writeArchiveOf(const std::string &text, const std::string &name, const std::string &folder) {
  Emission emission;
  REQUIRE(message(emission.parse(text)) == "");
  auto library = emission.emit("", "host", name);
  REQUIRE(message(library.takeError()) == "");
  REQUIRE(message(writeLibrary(*library, name, folder, 0)) == "");
}

std::string compileError(const std::string &text, const std::string &schedule) {
  Emission emission;
  if (std::string fault = message(emission.parse(text)); !fault.empty())
    return fault;
  return message(emission.emit(schedule).takeError());
}

std::string withCopies(const std::string &text) {
  Emission emission;
  REQUIRE(message(emission.parse(text)) == "");
  std::string result;
  llvm::raw_string_ostream os(result);
  emission.module->print(os);
  return result;
}

} // namespace heed
