#include "Entries.h"

#include "ScheduleFile.h"

#include <charconv>

namespace heed {

std::string faultAt(std::string_view file, int line, std::string_view subject, std::string_view rest) {
  return std::string(file) + ":" + std::to_string(line) + ": " + std::string(subject) + ": " +
         std::string(rest);
}

std::string WrittenEntry::subject() const {
  std::string text = shortened(kind.text) + " " + shortened(name.text);
  std::string_view before = " at ";
  for (const auto &[symbol, size] : sizes) {
    text += std::string(before) + shortened(symbol) + "=" + std::to_string(size);
    before = " ";
  }
  return text;
}

namespace {

bool isName(const Word &word) { return !word.text.empty() && word.text != "{" && word.text != "}"; }

class Reader {
public:
  Reader(const Words &words, std::string_view file, WrittenFile &result)
      : words(words), file(file), result(result) {}

  Fault readHead() {
    const std::string version = std::to_string(scheduleFormVersion);
    const Word heed = next(), schedules = next(), number = next();
    if (heed.text != "heed" || schedules.text != "schedules")
      return fault(heed, "heed schedules",
                   "found " + quoted(heed.text) + ", needed the version of the form; write 'heed schedules " +
                       version + "' as the first line");
    if (number.text != version)
      return fault(number, "heed schedules",
                   (number.text.empty() ? "found no version" : "found version " + shortened(number.text)) +
                       ", this heed reads " + version +
                       "; print the schedules anew with heed compile --emit=schedule, or use the heed that "
                       "wrote them");
    if (words.strangeLine > 0)
      return controlCharacter();
    return peek().text == "target" ? readTarget() : std::nullopt;
  }

  Fault readEntries() {
    takeHeadComments();
    while (!peek().text.empty())
      if (Fault wrong = readEntry(result.entries.emplace_back()))
        return wrong;
    takeComments(words.comments.size(), result.comments);
    return std::nullopt;
  }

private:
  const Word &peek() const { return words.words[at]; }
  Word next() { return words.words[at + 1 < words.words.size() ? at++ : at]; }

  Fault fault(const Word &word, std::string_view subject, const std::string &rest) const {
    return faultAt(file, word.line, subject, rest);
  }

  Fault controlCharacter() const {
    static constexpr char digits[] = "0123456789abcdef";
    const std::string code{'0', 'x', digits[words.strange >> 4], digits[words.strange & 15]};
    return faultAt(file, words.strangeLine, "heed schedules",
                   "found the control character " + code + ", needed text; write the file as plain UTF-8");
  }

  Fault readTarget() {
    next();
    const Word target = next();
    if (!isName(target))
      return fault(target, "target",
                   "found " + quoted(target.text) + ", needed a name; write for example 'target x86-64-v3'");
    result.target = target.text;
    if (peek().text == "target")
      return fault(peek(), "target", "found a second one, needed one; write one file per target");
    return std::nullopt;
  }

  void takeComments(size_t end, std::vector<std::string> &list) {
    for (; comment < end; ++comment)
      list.push_back(words.comments[comment].text);
  }

  /// Those before the first entry, but for the lines right above it.
  void takeHeadComments() {
    size_t end = peek().comments;
    const int head = words.words[at - 1].line;
    for (int line = peek().line - 1; !peek().text.empty() && end > comment && line > head; --line, --end)
      if (words.comments[end - 1].line != line)
        break;
    takeComments(end, result.comments);
  }

  Fault readEntry(WrittenEntry &entry) {
    entry.kind = next();
    entry.name = next();
    if (!isName(entry.kind) || !isName(entry.name))
      return fault(isName(entry.kind) ? entry.name : entry.kind, "entry",
                   "found " + quoted((isName(entry.kind) ? entry.name : entry.kind).text) +
                       ", needed 'KIND NAME {'; write one entry per operation");
    if (peek().text == "at")
      if (Fault wrong = readSizes(entry))
        return wrong;
    if (const Word brace = next(); brace.text != "{")
      return fault(brace, entry.subject(),
                   "found " + quoted(brace.text) +
                       ", needed '{'; write 'KIND NAME {' or 'KIND NAME at SIZE=NUMBER {'");
    return readFields(entry);
  }

  Fault readSizes(WrittenEntry &entry) {
    static const std::string instead = ", needed NAME=NUMBER with a number of at least 1; write for example "
                                       "'at queries=512'";
    for (next(); isName(peek());) {
      const Word word = next();
      const size_t equals = std::min(word.text.find('='), word.text.size());
      const std::string_view number = word.text.substr(std::min(equals + 1, word.text.size()));
      int64_t size = 0;
      const auto [stop, code] = std::from_chars(number.data(), number.data() + number.size(), size);
      if (equals == 0 || number.empty() || code != std::errc() || stop != number.data() + number.size() ||
          size < 1)
        return fault(word, entry.subject(), "found " + quoted(word.text) + " after 'at'" + instead);
      if (!entry.sizes.try_emplace(std::string(word.text.substr(0, equals)), size).second)
        return fault(word, entry.subject(),
                     "found a second size of " + quoted(word.text.substr(0, equals)) +
                         ", needed one; leave one out");
    }
    if (entry.sizes.empty())
      return fault(peek(), entry.subject(), "found " + quoted(peek().text) + " after 'at'" + instead);
    return std::nullopt;
  }

  Fault readFields(WrittenEntry &entry) {
    for (Word field = next(); field.text != "}"; field = next()) {
      if (field.text.empty())
        return fault(field, entry.subject(),
                     "found end of file, needed '}'; write it, or the rest of a file that was cut off");
      const Word value = next();
      if (!isName(field) || !isName(value))
        return fault(isName(field) ? value : field, entry.subject(),
                     isName(field) ? shortened(field.text) + " is " + quoted(value.text) +
                                         ", needed an integer; write one behind the field's name"
                                   : "found " + quoted(field.text) + ", needed a field or '}'");
      entry.fields.push_back({field, value});
    }
    const int brace = words.words[at - 1].line;
    size_t end = peek().comments;
    while (end > comment && words.comments[end - 1].line > brace)
      --end;
    takeComments(end, entry.comments);
    return std::nullopt;
  }

  const Words &words;
  std::string_view file;
  WrittenFile &result;
  size_t at = 0, comment = 0;
};

} // namespace

Fault readHead(const Words &words, std::string_view file, WrittenFile &result) {
  return Reader(words, file, result).readHead();
}

Fault readFile(const Words &words, std::string_view file, WrittenFile &result) {
  Reader reader(words, file, result);
  if (Fault wrong = reader.readHead())
    return wrong;
  return reader.readEntries();
}

} // namespace heed
