#include "Words.h"

#include <algorithm>
#include <numeric>

namespace heed {

namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A control character other than tab and the ends of lines.
bool isStrange(std::string_view text, size_t at) {
  if (text[at] == '\r')
    return at + 1 < text.size() && text[at + 1] != '\n';
  return (static_cast<unsigned char>(text[at]) < 0x20 && !isBlank(text[at])) || text[at] == 0x7f;
}

void findStrange(std::string_view text, Words &result) {
  int line = 1;
  for (size_t at = 0; at < text.size(); ++at) {
    line += text[at] == '\n';
    if (isStrange(text, at)) {
      result.strange = static_cast<unsigned char>(text[at]);
      result.strangeLine = line;
      return;
    }
  }
}

/// The comment between `#` and the end of its line.
std::string commentText(std::string_view text) {
  if (text.ends_with('\r'))
    text.remove_suffix(1);
  if (text.starts_with(' '))
    text.remove_prefix(1);
  return std::string(text);
}

/// Insertions, deletions and changes of a letter between two short words.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t changed = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, changed});
    }
  }
  return row.back();
}

} // namespace

Words splitWords(std::string_view text) {
  Words result;
  findStrange(text, result);
  int line = 1;
  for (size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0; at < text.size();) {
    const char c = text[at];
    size_t end = at + 1;
    if (c == '\n') {
      ++line;
    } else if (c == '#') {
      end = std::min(text.find('\n', at), text.size());
      result.comments.push_back({commentText(text.substr(at + 1, end - at - 1)), line});
    } else if (!isBlank(c)) {
      if (c != '{' && c != '}')
        end = std::min(text.find_first_of(" \t\r\n{}#", at), text.size());
      result.words.push_back({text.substr(at, end - at), line, result.comments.size()});
    }
    at = end;
  }
  result.words.push_back({{}, line, result.comments.size()});
  return result;
}

std::string shortened(std::string_view word) {
  constexpr size_t most = 60;
  if (word.size() <= most)
    return std::string(word);
  size_t length = most; // not within a character of several bytes
  while (length > 0 && (static_cast<unsigned char>(word[length]) & 0xc0) == 0x80)
    --length;
  return std::string(word.substr(0, length)) + "…";
}

std::string quoted(std::string_view word) {
  return word.empty() ? "end of file" : "'" + shortened(word) + "'";
}

std::string suggestion(std::string_view name, const std::vector<std::string> &candidates) {
  constexpr size_t longest = 200;
  const std::string *best = nullptr;
  size_t fewest = std::max<size_t>(2, name.size() / 3) + 1;
  for (const std::string &candidate : candidates) {
    if (std::max(name.size(), candidate.size()) > longest)
      continue;
    const size_t distance = editDistance(name, candidate);
    if (distance < fewest && distance < std::max(name.size(), candidate.size())) {
      best = &candidate;
      fewest = distance;
    }
  }
  return best ? "; did you mean '" + *best + "'?" : "";
}

std::string joined(const std::vector<std::string> &names) {
  std::string list;
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  return list;
}

} // namespace heed
