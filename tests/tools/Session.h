//===- Session.h - The heed program in a folder of its own ------*- C++ -*-===//
///
/// \file
/// What the program prints and how it exits when called as a user calls it.
///
//===----------------------------------------------------------------------===//
#ifndef HEED_TESTS_TOOLS_SESSION_H
#define HEED_TESTS_TOOLS_SESSION_H

#include "Support/Process.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace heed::tools {

namespace fs = std::filesystem;

struct Result {
  int status;
  std::string out, err;
};

inline std::string contentOf(const fs::path &file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A folder with a spec, and the program called in it.
struct Session {
  TemporaryDirectory directory;

  explicit Session(const std::string &spec) { write("spec.cpp", spec); }

  fs::path file(const std::string &name) const { return directory.path() / name; }
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(file(name), std::ios::binary) << text;
  }

  Result run(const std::string &arguments) const {
    std::string command = "cd " + directory.path().string() + " && XDG_CACHE_HOME=" + file("cache").string() +
                          " " + HEED_PROGRAM + " " + arguments + " >out 2>err </dev/null";
    int status = std::system(command.c_str());
    return {WEXITSTATUS(status), contentOf(file("out")), contentOf(file("err"))};
  }
};

} // namespace heed::tools

#endif // HEED_TESTS_TOOLS_SESSION_H
