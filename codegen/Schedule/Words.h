//===- Words.h - The words of a schedule file -------------------*- C++ -*-===//
#ifndef HEED_CODEGEN_SCHEDULE_WORDS_H
#define HEED_CODEGEN_SCHEDULE_WORDS_H

#include <string>
#include <string_view>
#include <vector>

namespace heed {

struct Word {
  std::string_view text; ///< a word, `{` or `}`; empty at the end of the file
  int line = 0;
  size_t comments = 0; ///< how many comments come before it
};

struct Comment {
  std::string text; ///< without `#` and one space after it
  int line = 0;
};

struct Words {
  std::vector<Word> words; ///< the last one is the end of the file
  std::vector<Comment> comments;
  int strangeLine = 0; ///< of the first control character, or 0
  unsigned char strange = 0;
};

/// Words stand between blanks, ends of line and braces; `#` starts a comment, which ends with the line. Lines
/// may end with CR LF, and a byte order mark is skipped. Views point into `text`.
Words splitWords(std::string_view text);

/// The word, cut where it is long.
std::string shortened(std::string_view word);

/// `'word'`, shortened; "end of file".
std::string quoted(std::string_view word);

/// "; did you mean 'name'?" for the candidate that takes the fewest changes, if these are few.
std::string suggestion(std::string_view name, const std::vector<std::string> &candidates);

/// "a, b, c"
std::string joined(const std::vector<std::string> &names);

} // namespace heed

#endif // HEED_CODEGEN_SCHEDULE_WORDS_H
