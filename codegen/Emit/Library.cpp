//===- Library.cpp - Objects and C text become an archive -----------------===//

#include "Library.h"

#include "AbiText.h"
#include "Target/CpuLevel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace heed {
namespace {

using Command = llvm::SmallVector<std::string>;

/// $CC may hold options after the program's name.
Command hostCompiler() {
  Command command;
  if (std::optional<std::string> cc = llvm::sys::Process::GetEnv("CC")) {
    llvm::SmallVector<llvm::StringRef> words;
    llvm::SplitString(*cc, words);
    for (llvm::StringRef word : words)
      command.push_back(word.str());
  }
  if (command.empty())
    command.push_back("cc");
  return command;
}

/// What a program printed, and whether it succeeded. An error when it can't be run.
struct Outcome {
  bool succeeded = false;
  std::string printed;
};
llvm::Expected<Outcome> run(const std::string &program, llvm::ArrayRef<std::string> command) {
  llvm::SmallString<128> log;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("heed", "log", log))
    return llvm::createFileError("temporary file", code);
  llvm::FileRemover removeLog(log);
  llvm::SmallVector<llvm::StringRef> words(command.begin(), command.end());
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), log.str(), log.str()};
  bool succeeded = llvm::sys::ExecuteAndWait(program, words, std::nullopt, redirects) == 0;
  auto printed = llvm::MemoryBuffer::getFile(log);
  return Outcome{succeeded, printed ? (*printed)->getBuffer().str() : ""};
}

/// Runs the C compiler; its own message becomes the error's text.
llvm::Error runCompiler(Command command, llvm::ArrayRef<std::string> arguments) {
  llvm::append_range(command, arguments);
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(command.front());
  if (!program)
    return llvm::createStringError(llvm::formatv(
        "C compiler: found no program '{0}', one is needed to finish a library; set CC", command.front()));
  llvm::Expected<Outcome> outcome = run(*program, command);
  if (!outcome)
    return outcome.takeError();
  if (outcome->succeeded)
    return llvm::Error::success();
  return llvm::createStringError(
      llvm::formatv("C compiler: '{0}' failed\n{1}", command.front(), outcome->printed));
}

/// Whether a compiler's code is for an architecture, as it says itself.
bool compilesFor(llvm::StringRef architecture, Command command) {
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(command.front());
  if (!program)
    return false;
  command.push_back("-dumpmachine");
  llvm::Expected<Outcome> outcome = run(*program, command);
  if (outcome)
    return outcome->succeeded && llvm::StringRef(outcome->printed).starts_with(architecture);
  llvm::consumeError(outcome.takeError());
  return false;
}

/// The compiler for the architecture of a level.
llvm::Expected<Command> compilerFor(heed_cpu_level level) {
  auto isArm = [](heed_cpu_level level) { return level == HEED_CPU_AARCH64; };
  if (isArm(level) == isArm(hostLevel()))
    return hostCompiler();
  llvm::StringRef architecture = isArm(level) ? "aarch64" : "x86_64";
  if (compilesFor(architecture, hostCompiler()))
    return hostCompiler();
  std::string cross = architecture.str() + "-linux-gnu-gcc";
  if (llvm::sys::findProgramByName(cross))
    return Command{cross};
  return llvm::createStringError(
      llvm::formatv("C compiler: found no program '{0}', one that compiles for {1} is needed to finish a "
                    "library; install it (Debian: gcc-{2}-linux-gnu), or set CC to one",
                    cross, levelName(level), isArm(level) ? "aarch64" : "x86-64"));
}

} // namespace

llvm::Error compileDriver(llvm::StringRef text, heed_cpu_level level, llvm::StringRef scratch,
                          llvm::StringRef object) {
  llvm::Expected<Command> compiler = compilerFor(level);
  if (!compiler)
    return compiler.takeError();
  std::string folder = scratch.str() + "/include/heed", source = scratch.str() + "/driver.c";
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createFileError(folder, code);
  if (llvm::Error failure = writeFile(folder + "/abi.h", abiText))
    return failure;
  if (llvm::Error failure = writeFile(source, text))
    return failure;
  return runCompiler(*compiler, {"-std=c11", "-O1", "-fPIC", "-fvisibility=default",
                                 "-I" + scratch.str() + "/include", "-c", source, "-o", object.str()});
}

llvm::Error writeArchive(llvm::StringRef archive, llvm::ArrayRef<std::string> objects) {
  std::vector<llvm::NewArchiveMember> members;
  for (const std::string &object : objects) {
    auto member = llvm::NewArchiveMember::getFile(object, /*Deterministic=*/true);
    if (!member)
      return member.takeError();
    member->MemberName = llvm::sys::path::filename(object);
    members.push_back(std::move(*member));
  }
  return llvm::writeArchive(archive, members, llvm::SymtabWritingMode::NormalSymtab,
                            llvm::object::Archive::K_GNU, /*Deterministic=*/true, /*Thin=*/false);
}

llvm::Error linkSharedObject(llvm::StringRef output, llvm::ArrayRef<std::string> archives) {
  llvm::SmallVector<std::string> arguments{"-shared", "-o", output.str(), "-Wl,--whole-archive"};
  llvm::append_range(arguments, archives);
  llvm::append_range(arguments, llvm::ArrayRef<std::string>{"-Wl,--no-whole-archive", "-lm"});
  return runCompiler(hostCompiler(), arguments);
}

llvm::Error writeFile(llvm::StringRef path, llvm::StringRef text) {
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << text;
    return llvm::Error::success();
  });
}

llvm::Expected<ScratchFolder> ScratchFolder::create() {
  llvm::SmallString<128> path;
  if (std::error_code code = llvm::sys::fs::createUniqueDirectory("heed", path))
    return llvm::createFileError("temporary folder", code);
  return ScratchFolder(path.str().str());
}

ScratchFolder::~ScratchFolder() {
  if (!path.empty())
    llvm::sys::fs::remove_directories(path);
}

} // namespace heed
