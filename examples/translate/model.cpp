#include "model.hpp"

#include "translator.h"

#include <nlohmann/json.hpp>

#include <array>
#include <fstream>

namespace {

constexpr std::int64_t layers = 2, heads = 4, depth = 16, longest_source = 48, longest_target = 12;

/// The length in bytes of the UTF-8 character that begins with this one.
std::size_t length_of(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

struct key_values {
  std::vector<float> keys, values;

  explicit key_values(std::int64_t tokens)
      : keys(static_cast<std::size_t>(heads * tokens * depth)), values(keys.size()) {}
};

heed::view<float, 4> view_of(std::vector<float> &rows, std::int64_t tokens) {
  return {rows.data(), {1, heads, tokens, depth}};
}

std::string numbered(const char *name, std::int64_t layer) { return name + ("_" + std::to_string(layer)); }

} // namespace

vocabulary::vocabulary(std::vector<std::string> symbols) : symbols_(std::move(symbols)) {
  for (std::size_t id = 0; id < symbols_.size(); ++id)
    ids_.emplace(symbols_[id], static_cast<std::int32_t>(id));
}

std::vector<std::int32_t> vocabulary::encode(const std::string &line, std::string &unknown) const {
  std::vector<std::int32_t> ids;
  for (std::size_t at = 0; at < line.size();) {
    const std::string character = line.substr(at, length_of(static_cast<unsigned char>(line[at])));
    at += character.size();
    if (const auto found = ids_.find(character); found != ids_.end())
      ids.push_back(found->second);
    else
      unknown += character;
  }
  ids.push_back(eos);
  return ids;
}

translator::translator(vocabulary symbols, heed::bound_kernel encode, heed::bound_kernel decode)
    : symbols_(std::move(symbols)), encode_(std::move(encode)), decode_(std::move(decode)) {}

heed::result<translator> translator::load(const std::string &folder) {
  const auto weights = heed::load_weights({folder + "/model.safetensors"});
  if (!weights)
    return heed::failure{weights.message()};
  const auto names = heed::read_name_map(folder + "/names.map");
  if (!names)
    return heed::failure{names.message()};
  std::ifstream file(folder + "/vocab.json");
  const nlohmann::json symbols = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!symbols.is_array())
    return heed::failure{folder + "/vocab.json: it holds no array, one of the model's symbols is needed"};
  auto encode = heed::bind_kernel(heed_program_encode, *weights, {.names = *names});
  if (!encode)
    return heed::failure{encode.message()};
  auto decode = heed::bind_kernel(heed_program_decode, *weights, {.names = *names});
  if (!decode)
    return heed::failure{decode.message()};
  return translator(vocabulary(symbols.get<std::vector<std::string>>()), std::move(*encode),
                    std::move(*decode));
}

heed::result<translation> translator::translate(const std::string &line) {
  translation result;
  std::string unknown;
  std::vector<std::int32_t> ids = symbols_.encode(line, unknown);
  if (!unknown.empty())
    return heed::failure{"line: it has the characters '" + unknown +
                         "', letters, digits and the signs of dates are needed; write it without them"};
  const auto source = static_cast<std::int64_t>(ids.size());
  if (source == 1 || source > longest_source)
    return heed::failure{"line: it has " + std::to_string(source - 1) + " characters, 1 to " +
                         std::to_string(longest_source - 1) + " are needed; write one date"};

  std::array<std::int32_t, 1> lengths = {static_cast<std::int32_t>(source)};
  std::vector<key_values> memory(layers, key_values(source)), caches(layers, key_values(longest_target));
  encode_.set("ids", heed::view<const std::int32_t, 2>{ids.data(), {1, source}})
      .set("lengths", heed::view<const std::int32_t, 1>{lengths.data(), {1}});
  decode_.set("lengths", heed::view<const std::int32_t, 1>{lengths.data(), {1}});
  for (std::int64_t i = 0; i < layers; ++i) {
    const heed::view<float, 4> keys = view_of(memory[i].keys, source),
                               values = view_of(memory[i].values, source);
    encode_.set(numbered("keys", i), keys).set(numbered("values", i), values);
    decode_.set(numbered("keys", i), keys)
        .set(numbered("values", i), values)
        .set(numbered("past_keys", i), view_of(caches[i].keys, longest_target))
        .set(numbered("past_values", i), view_of(caches[i].values, longest_target));
  }
  if (const heed::status status = encode_.call(); !status)
    return heed::failure{status.message()};

  std::int32_t token = vocabulary::bos, next = 0;
  std::vector<float> scores(63), alignment(static_cast<std::size_t>(source));
  decode_.set("ids", heed::view<const std::int32_t, 2>{&token, {1, 1}})
      .set("scores", heed::view<float, 3>{scores.data(), {1, 1, 63}})
      .set("next", heed::view<std::int32_t, 2>{&next, {1, 1}})
      .set("alignment", heed::view<float, 3>{alignment.data(), {1, 1, source}});
  for (std::int64_t position = 0; position < longest_target && token != vocabulary::eos; ++position) {
    if (const heed::status status = decode_.set("position", position).call(); !status)
      return heed::failure{status.message()};
    token = next;
    result.target.push_back(symbols_.symbol(token));
    if (token != vocabulary::eos)
      result.text += symbols_.symbol(token);
    result.alignment.insert(result.alignment.end(), alignment.begin(), alignment.end());
  }
  for (const std::int32_t id : ids)
    result.source.push_back(symbols_.symbol(id));
  return result;
}
