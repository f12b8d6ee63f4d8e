#include "heed/plot/text.hpp"

#include <cstdio>
#include <glib.h>

namespace heed::plot {

namespace {

constexpr gunichar zero_width_non_joiner = 0x200c, zero_width_joiner = 0x200d, soft_hyphen = 0xad,
                   first_tag = 0xe0020, last_tag = 0xe007f;

std::string escaped(const char *format, unsigned value) {
  char buffer[16];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

std::string escaped(gunichar character) {
  switch (character) {
  case '\n':
    return "\\n";
  case '\r':
    return "\\r";
  case '\t':
    return "\\t";
  default:
    return character < 0x80      ? escaped("\\x%02x", character)
           : character < 0x10000 ? escaped("\\u%04x", character)
                                 : escaped("\\U%06x", character);
  }
}

/// Joiners and tags shape the letters and pictures beside them.
bool shapes_neighbours(gunichar character) {
  return character == zero_width_joiner || character == zero_width_non_joiner ||
         (character >= first_tag && character <= last_tag);
}

bool has_picture(gunichar character, bool first) {
  switch (g_unichar_type(character)) {
  case G_UNICODE_CONTROL:
  case G_UNICODE_SURROGATE:
  case G_UNICODE_LINE_SEPARATOR:
  case G_UNICODE_PARAGRAPH_SEPARATOR:
    return false;
  case G_UNICODE_SPACE_SEPARATOR:
    return character == ' ';
  case G_UNICODE_FORMAT:
    return character != soft_hyphen && !first && shapes_neighbours(character);
  default:
    return true;
  }
}

void append(std::string &text, gunichar character) {
  char buffer[6];
  text.append(buffer, g_unichar_to_utf8(character, buffer));
}

std::string visible(std::string_view text, const char *space) {
  std::string result;
  bool first = true;
  while (!text.empty()) {
    gunichar character = g_utf8_get_char_validated(text.data(), static_cast<gssize>(text.size()));
    bool valid = character != gunichar(-1) && character != gunichar(-2);
    std::size_t length = valid ? g_unichar_to_utf8(character, nullptr) : 1;
    if (!valid)
      result += escaped("\\x%02x", static_cast<unsigned char>(text[0]));
    else if (!has_picture(character, first))
      result += escaped(character);
    else if (character == ' ')
      result += space;
    else {
      if (first && g_unichar_ismark(character))
        result += "\u25cc";
      append(result, character);
    }
    first = false;
    text.remove_prefix(length);
  }
  return result;
}

} // namespace

std::string visible_token(std::string_view token) {
  return token.empty() ? "(empty)" : visible(token, "\u2423");
}

std::string visible_text(std::string_view text) { return visible(text, " "); }

std::string xml_escaped(std::string_view text) {
  std::string result;
  for (char c : text)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

} // namespace heed::plot
