#include "safetensors_header.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace heed::detail {
namespace {

using nlohmann::json;

/// Receives the header token by token, so that doubled keys are seen and depth costs no stack.
class header_handler {
public:
  explicit header_handler(std::string file) : file_(std::move(file)) {}

  std::vector<header_entry> entries;
  std::string error;

  bool null() { return value("null"); }
  bool boolean(bool) { return value("a truth value"); }
  bool number_float(double, const std::string &text) { return value(text); }
  bool number_integer(std::int64_t number) { return value(std::to_string(number)); }
  bool binary(json::binary_t &) { return value("binary data"); }

  bool number_unsigned(std::uint64_t number) {
    if (skipping_)
      return true;
    if (!list_ || number > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return value(std::to_string(number));
    list_->push_back(static_cast<std::int64_t>(number));
    return true;
  }

  bool string(std::string &text) {
    if (skipping_)
      return true;
    if (depth_ != 2 || key_ != "dtype" || list_)
      return value('"' + text + '"');
    entries.back().dtype = text;
    return true;
  }

  bool key(std::string &text) {
    if (skipping_)
      return true;
    if (depth_ == 2) {
      if (!keys_.insert(text).second)
        return fail(entries.back().name + " has " + text + " twice, once is needed; write the file anew");
      key_ = text;
      return text == "dtype" || text == "shape" || text == "data_offsets" ||
             fail(entries.back().name + " has a member " + text +
                  ", dtype, shape and data_offsets are needed");
    }
    if (!names_.insert(text).second)
      return fail("two tensors are named " + text + ", every name must be used once; rename one");
    metadata_ = text == "__metadata__";
    if (!metadata_)
      entries.push_back({text, {}, {}, {}});
    return true;
  }

  bool start_object(std::size_t) {
    skipping_ |= depth_ == 1 && metadata_;
    if (!skipping_ && depth_ > 1)
      return value("an object");
    ++depth_;
    keys_.clear();
    return true;
  }
  bool end_object() { return leave(); }

  bool start_array(std::size_t) {
    skipping_ |= depth_ == 1 && metadata_;
    if (!skipping_ && (depth_ != 2 || (key_ != "shape" && key_ != "data_offsets")))
      return value("a list");
    ++depth_;
    if (skipping_)
      return true;
    auto &destination = key_ == "shape" ? entries.back().shape : entries.back().offsets;
    list_ = &destination.emplace();
    return true;
  }
  bool end_array() {
    list_ = nullptr;
    return leave();
  }

  bool parse_error(std::size_t position, const std::string &, const json::exception &) {
    return fail("its header is no JSON from byte " + std::to_string(position) +
                " on, an object of tensors is needed; write the file anew");
  }

private:
  bool fail(const std::string &text) {
    if (error.empty())
      error = file_ + ": " + text;
    return false;
  }

  /// A value that the format does not have at this place.
  bool value(const std::string &text) {
    if (skipping_ || (depth_ == 1 && metadata_))
      return true;
    const std::string place = entries.empty() ? "the header"
                              : depth_ < 2    ? entries.back().name
                                              : key_ + " of " + entries.back().name;
    return fail(place + " is " + text + ", " +
                (depth_ < 2        ? "an object of dtype, shape and data_offsets is needed"
                 : key_ == "dtype" ? "a string is needed"
                                   : "a list of whole numbers is needed"));
  }

  bool leave() {
    --depth_;
    if (depth_ == 1)
      skipping_ = false;
    return true;
  }

  std::string file_, key_;
  std::unordered_set<std::string> names_, keys_;
  std::vector<std::int64_t> *list_ = nullptr;
  std::size_t depth_ = 0;
  bool metadata_ = false, skipping_ = false;
};

} // namespace

result<std::vector<header_entry>> read_safetensors_header(std::string_view text, const std::string &file) {
  header_handler handler(file);
  if (!json::sax_parse(text.begin(), text.end(), &handler))
    return failure{handler.error.empty() ? file + ": its header is not understood" : handler.error};
  return std::move(handler.entries);
}

} // namespace heed::detail
