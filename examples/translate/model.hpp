#pragma once
/// \file
/// The trained encoder-decoder: lines of text to dates.

#include <heed/weights.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// Symbols of the model, one Unicode character each but for <pad>, <bos> and <eos>.
class vocabulary {
public:
  static constexpr std::int32_t pad = 0, bos = 1, eos = 2;

  explicit vocabulary(std::vector<std::string> symbols);

  /// The ids of a line's characters, then eos. A character that the model has not seen is left out, and
  /// appended to `unknown`.
  std::vector<std::int32_t> encode(const std::string &line, std::string &unknown) const;
  const std::string &symbol(std::int32_t id) const { return symbols_[static_cast<std::size_t>(id)]; }

private:
  std::vector<std::string> symbols_;
  std::map<std::string, std::int32_t> ids_;
};

/// What became of one line: the date, and for each of its characters how much of every source token the model
/// looked at.
struct translation {
  std::string text;
  std::vector<std::string> source, target; ///< tokens, with <eos>
  std::vector<float> alignment;            ///< (target, source), averaged over heads
};

class translator {
public:
  /// Reads model.safetensors, names.map and vocab.json of a folder.
  static heed::result<translator> load(const std::string &folder);

  /// Greedy: the best next symbol until <eos>, at most 12. Fails where the line is empty or too long.
  heed::result<translation> translate(const std::string &line);

private:
  translator(vocabulary symbols, heed::bound_kernel encode, heed::bound_kernel decode);

  vocabulary symbols_;
  heed::bound_kernel encode_, decode_;
};
