#include "Tune/ChildProcess.h"

#include "Support/Progress.h"
#include "Support/ToolError.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heed::tools {

namespace {

// What the child writes: a letter, the text, a zero byte.
constexpr char phaseMark = 'p', resultMark = 'r', exceptionMark = 'e';

void writeRecord(int pipe, char mark, const std::string &text) {
  std::string record = mark + text + '\0';
  for (std::size_t at = 0; at < record.size();) {
    ssize_t written = write(pipe, record.data() + at, record.size() - at);
    if (written <= 0)
      _exit(1);
    at += static_cast<std::size_t>(written);
  }
}

[[noreturn]] void runChild(const std::function<std::string(const Announce &)> &work, int pipe, int errors) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_DFL);
  int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  int status = 0;
  try {
    writeRecord(pipe, resultMark,
                work([&](const std::string &phase) { writeRecord(pipe, phaseMark, phase); }));
  } catch (const std::exception &exception) {
    writeRecord(pipe, exceptionMark, exception.what());
    status = 1;
  }
  _exit(status); // no destructors: they are the parent's
}

/// Of a file that the child wrote.
std::string lastLine(int file) {
  std::string text(4096, '\0');
  off_t size = lseek(file, 0, SEEK_END);
  ssize_t count = pread(file, text.data(), text.size(), std::max<off_t>(0, size - 4096));
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  std::size_t line = text.rfind('\n');
  return line == std::string::npos ? text : text.substr(line + 1);
}

/// Reads records until the pipe ends; false when there is reason to stop.
class Reader {
public:
  Reader(int pipe, ChildReport &report) : pipe(pipe), report(report) {}

  /// Waits for a moment; false at the end of the pipe.
  bool read() {
    pollfd waiting{pipe, POLLIN, 0};
    if (poll(&waiting, 1, 100) <= 0)
      return true;
    char part[4096];
    ssize_t count = ::read(pipe, part, sizeof part);
    if (count < 0)
      return errno == EINTR;
    text.append(part, static_cast<std::size_t>(count));
    for (std::size_t end; (end = text.find('\0')) != std::string::npos; text.erase(0, end + 1))
      take(text.substr(0, end));
    return count > 0;
  }

private:
  void take(const std::string &record) {
    if (record[0] == phaseMark) {
      report.phase = record.substr(1);
    } else {
      report.end = record[0] == resultMark ? ChildEnd::Finished : ChildEnd::Threw;
      report.result = record.substr(1);
    }
  }

  int pipe;
  ChildReport &report;
  std::string text;
};

} // namespace

ChildReport runInChild(const std::function<std::string(const Announce &)> &work, double seconds,
                       const std::function<bool()> &stopped) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw ToolError(fmt::format("a pipe to a child process can't be made: {}", std::strerror(errno)));
  std::FILE *errors = std::tmpfile();
  if (!errors)
    throw ToolError(fmt::format("a temporary file can't be made: {}", std::strerror(errno)));
  std::fflush(nullptr);
  pid_t child = fork();
  if (child < 0)
    throw ToolError(fmt::format("a child process can't be started: {}", std::strerror(errno)));
  if (child == 0)
    runChild(work, ends[1], fileno(errors));
  setpgid(child, child);
  close(ends[1]);

  ChildReport report;
  Reader reader(ends[0], report);
  auto start = std::chrono::steady_clock::now();
  std::optional<ChildEnd> killed;
  while (!killed && reader.read()) {
    if (stopped())
      killed = ChildEnd::Stopped;
    else if (secondsSince(start) > seconds)
      killed = ChildEnd::TimedOut;
  }
  if (killed)
    kill(-child, SIGKILL);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (killed)
    report.end = *killed;
  if (report.end == ChildEnd::Died) {
    std::string line = lastLine(fileno(errors));
    report.words = WIFSIGNALED(status) ? fmt::format("{} ({})", strsignal(WTERMSIG(status)), WTERMSIG(status))
                                       : fmt::format("exit status {}", WEXITSTATUS(status));
    report.words += line.empty() ? "" : ": " + line;
  }
  std::fclose(errors);
  return report;
}

} // namespace heed::tools
