// Damaged files: whatever the bytes are, reading ends with a value that prints and reads back the same, or
// with one sentence that starts with the file and a line of it. `Fuzz SEED FILES [SECONDS]` reads so many
// files, or as many as it can in that time.
#include "RandomFiles.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

using namespace heed;
using namespace heed::tests;

namespace {

class Mutator {
public:
  explicit Mutator(std::mt19937_64 &random) : random(random) {}

  std::string damaged(std::string text, const std::string &other) {
    for (uint64_t count = below(4); count-- > 0;)
      damage(text, other);
    return text;
  }

private:
  size_t below(size_t end) { return end == 0 ? 0 : random() % end; }

  void damage(std::string &text, const std::string &other) {
    static constexpr std::string_view pieces[] = {"{",
                                                  "}",
                                                  "#",
                                                  "\n",
                                                  "\r\n",
                                                  "\r",
                                                  " at ",
                                                  "keys=512 ",
                                                  "queries=9223372036854775807 ",
                                                  "=",
                                                  "target ",
                                                  "heed schedules 2 ",
                                                  "-1",
                                                  "2147483648",
                                                  "9223372036854775808",
                                                  "0",
                                                  "row_block 1 ",
                                                  "block.attention",
                                                  "\xef\xbb\xbf",
                                                  "\xff\xfe",
                                                  "\t"};
    const size_t at = below(text.size() + 1), length = below(std::min<size_t>(text.size() - at, 40) + 1);
    switch (below(8)) {
    case 0: // a byte
      if (!text.empty())
        text[below(text.size())] = static_cast<char>(random());
      break;
    case 1: // a bit
      if (!text.empty())
        text[below(text.size())] ^= static_cast<char>(1 << below(8));
      break;
    case 2:
      text.resize(at);
      break;
    case 3:
      text.erase(at, length);
      break;
    case 4: // a part again
      text.insert(below(text.size() + 1), text.substr(at, length));
      break;
    case 5: // the rest of another
      text = text.substr(0, at) + other.substr(below(other.size() + 1));
      break;
    case 6:
      text.insert(at, pieces[below(std::size(pieces))]);
      break;
    case 7: // a word as long as a file
      text.insert(at,
                  std::string(below(100) == 0 ? 1000000 : below(300), static_cast<char>('!' + below(90))));
      break;
    }
  }

  std::mt19937_64 &random;
};

/// What is wrong with how a text is read; nothing otherwise.
std::string wrongWith(const std::string &text, int lanes) {
  const ScheduledOperations operations = everyOperation(lanes);
  ScheduleFile file, again;
  file.target = "unchanged";
  const std::optional<std::string> fault = parseScheduleFile(text, "file", limitsOf(lanes), operations, file);
  std::string target;
  if (parseScheduleTarget(text, "file", target) && !fault)
    return "the head has a fault, the file has none";
  if (fault) {
    const int line = fault->starts_with("file:") ? std::atoi(fault->c_str() + 5) : 0;
    if (line < 1 || line > 1 + std::count(text.begin(), text.end(), '\n'))
      return "no line of the file: " + *fault;
    if (fault->find('\n') != std::string::npos || fault->size() > 1000 ||
        fault->find(", ") == std::string::npos)
      return "no sentence: " + *fault;
    return file.target == "unchanged" && file.entries.empty() ? "" : "the value was changed";
  }
  if (target != file.target)
    return "two targets: " + target + ", " + file.target;
  const std::string printed = printScheduleFile(file);
  if (std::optional<std::string> lost =
          parseScheduleFile(printed, "file", limitsOf(lanes), operations, again))
    return "what was printed does not read: " + *lost;
  if (!(again == file))
    return "what was printed reads as something else";
  return printScheduleFile(again) == printed ? "" : "it prints as something else";
}

} // namespace

int main(int count, char **arguments) {
  if (count < 3) {
    std::fprintf(stderr, "usage: %s SEED FILES [SECONDS]\n", arguments[0]);
    return 2;
  }
  std::mt19937_64 random(std::strtoull(arguments[1], nullptr, 10));
  const long files = std::strtol(arguments[2], nullptr, 10);
  const auto start = std::chrono::steady_clock::now();
  const auto isOver = [&](long read) {
    if (count < 4)
      return read >= files;
    return std::chrono::steady_clock::now() - start > std::chrono::seconds(std::atoi(arguments[3]));
  };
  Mutator mutator(random);
  long read = 0, accepted = 0;
  for (std::string before; !isOver(read); ++read) {
    const int lanes = 4 << random() % 3;
    const std::string whole = printScheduleFile(randomFile(random, lanes));
    const std::string text = mutator.damaged(whole, before);
    before = whole;
    if (const std::string wrong = wrongWith(text, lanes); !wrong.empty()) {
      std::fprintf(stderr, "file %ld: %s\n%s\n", read, wrong.c_str(), text.c_str());
      return 1;
    }
    ScheduleFile file;
    accepted += !parseScheduleFile(text, "file", limitsOf(lanes), everyOperation(lanes), file);
  }
  std::printf("%ld files, %ld of them accepted\n", read, accepted);
  return 0;
}
