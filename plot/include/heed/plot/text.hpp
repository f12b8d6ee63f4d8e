/// Tokens as text that can be seen.
#ifndef HEED_PLOT_TEXT_HPP
#define HEED_PLOT_TEXT_HPP

#include <string>
#include <string_view>

namespace heed::plot {

/// A token as it is written beside its row or column: a space is ␣, an empty token (empty), a mark without a
/// letter stands on ◌. What has no picture of its own is escaped: control characters as \n or \x1b, other
/// spaces and characters that only direct the text as \u202e, bytes that are not UTF-8 as \xff. Always valid
/// UTF-8.
std::string visible_token(std::string_view token);

/// The same for running text, which keeps its spaces.
std::string visible_text(std::string_view text);

/// For XML's text and attributes.
std::string xml_escaped(std::string_view text);

} // namespace heed::plot

#endif
