//===- Library.cpp - Objects and C text become an archive -----------------===//

#include "Library.h"

#include "AbiText.h"
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

/// $CC may hold options after the program's name.
llvm::SmallVector<std::string> compilerCommand() {
  llvm::SmallVector<std::string> command;
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

/// Runs the C compiler; its own message becomes the error's text.
llvm::Error runCompiler(llvm::ArrayRef<std::string> arguments) {
  llvm::SmallVector<std::string> command = compilerCommand();
  llvm::append_range(command, arguments);
  llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(command.front());
  if (!program)
    return llvm::createStringError(llvm::formatv(
        "C compiler: found no program '{0}', one is needed to finish a library; set CC", command.front()));
  llvm::SmallString<128> log;
  if (std::error_code code = llvm::sys::fs::createTemporaryFile("heed", "log", log))
    return llvm::createFileError("temporary file", code);
  llvm::FileRemover removeLog(log);
  llvm::SmallVector<llvm::StringRef> words(command.begin(), command.end());
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), log.str(), log.str()};
  if (llvm::sys::ExecuteAndWait(*program, words, std::nullopt, redirects) == 0)
    return llvm::Error::success();
  auto message = llvm::MemoryBuffer::getFile(log);
  return llvm::createStringError(llvm::formatv("C compiler: '{0}' failed\n{1}", command.front(),
                                               message ? (*message)->getBuffer() : llvm::StringRef()));
}

} // namespace

llvm::Error compileDriver(llvm::StringRef text, llvm::StringRef scratch, llvm::StringRef object) {
  std::string folder = scratch.str() + "/include/heed", source = scratch.str() + "/driver.c";
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return llvm::createFileError(folder, code);
  if (llvm::Error failure = writeFile(folder + "/abi.h", abiText))
    return failure;
  if (llvm::Error failure = writeFile(source, text))
    return failure;
  return runCompiler({"-std=c11", "-O1", "-fPIC", "-fvisibility=default", "-I" + scratch.str() + "/include",
                      "-c", source, "-o", object.str()});
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
  return runCompiler(arguments);
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
