#include "Entries.h"
#include "Fields.h"
#include "ScheduleFile.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace heed {

namespace {

/// Specialisations beyond this only make libraries large.
constexpr size_t mostEntries = 64;

/// What the names and numbers of entries mean.
class Meaning {
public:
  Meaning(std::string_view file, const ScheduleLimits &limits, const ScheduledOperations &operations,
          ScheduleFile &result)
      : file(file), limits(limits), operations(operations), result(result) {}

  Fault add(const WrittenEntry &entry) {
    const auto known = operations.find(std::string(entry.name.text));
    if (known == operations.end())
      return fault(entry.name, entry, unknownOperation(entry));
    std::vector<SizedSchedule> &entries = result.entries[known->first];
    SizedSchedule added{entry.sizes, known->second.defaults, entry.comments, entry.name.line};
    if (Fault wrong = checkSizes(entry, known->second.symbols, entries))
      return wrong;
    if (!entries.empty() && entries.front().sizes.empty())
      added.schedule = entries.front().schedule;
    if (Fault wrong = std::visit([&](auto &schedule) { return readFields(entry, schedule); }, added.schedule))
      return wrong;
    entries.push_back(std::move(added));
    return std::nullopt;
  }

private:
  Fault fault(const Word &word, const WrittenEntry &entry, const std::string &rest) const {
    return faultAt(file, word.line, entry.subject(), rest);
  }

  std::string unknownOperation(const WrittenEntry &entry) const {
    std::vector<std::string> names;
    for (const auto &[name, operation] : operations)
      names.push_back(name);
    if (names.empty())
      return "no such operation, needed nothing: the spec has no fused operation";
    return "no such operation, needed one of " + joined(names) + suggestion(entry.name.text, names);
  }

  Fault checkSizes(const WrittenEntry &entry, const std::vector<std::string> &symbols,
                   const std::vector<SizedSchedule> &others) const {
    for (const auto &[name, size] : entry.sizes)
      if (std::find(symbols.begin(), symbols.end(), name) == symbols.end())
        return fault(entry.name, entry,
                     "found the size of '" + shortened(name) + "', needed symbolic extents of the operation" +
                         (symbols.empty() ? ", which has none; leave 'at' out"
                                          : ": " + joined(symbols) + suggestion(name, symbols)));
    if (!sizeProduct(entry.sizes))
      return fault(entry.name, entry,
                   "found sizes whose product is above 2^63 - 1, needed a smaller one; leave extents out");
    if (others.size() == mostEntries)
      return fault(entry.name, entry,
                   "found more than " + std::to_string(mostEntries) +
                       " entries of one operation, needed at most as many; leave sizes out that are near "
                       "others");
    for (const SizedSchedule &other : others)
      if (Fault wrong = checkAgainst(entry, other))
        return wrong;
    return std::nullopt;
  }

  Fault checkAgainst(const WrittenEntry &entry, const SizedSchedule &other) const {
    const std::string there = " as line " + std::to_string(other.line);
    if (entry.sizes == other.sizes)
      return fault(entry.name, entry,
                   "found the same operation and sizes" + there + ", needed one entry; leave one out");
    if (entry.sizes.empty() || other.sizes.empty())
      return std::nullopt;
    const auto sameName = [](const auto &a, const auto &b) { return a.first == b.first; };
    if (!std::equal(entry.sizes.begin(), entry.sizes.end(), other.sizes.begin(), other.sizes.end(), sameName))
      return fault(entry.name, entry,
                   "found sizes of other extents than line " + std::to_string(other.line) +
                       ", needed the same ones in all entries of an operation; add or leave out some");
    if (sizeProduct(entry.sizes) == sizeProduct(other.sizes))
      return fault(entry.name, entry,
                   "found sizes with the same product" + there +
                       ", needed different ones, since the product decides which entry is nearest; leave one "
                       "out");
    return std::nullopt;
  }

  template <class S> Fault readFields(const WrittenEntry &entry, S &schedule) const {
    if (entry.kind.text != kindName(schedule))
      return fault(entry.kind, entry,
                   "found kind " + quoted(entry.kind.text) + ", needed '" + std::string(kindName(schedule)) +
                       "'");
    std::map<std::string_view, int> lines;
    for (const WrittenField &field : entry.fields) {
      if (Fault wrong = readField(entry, field, schedule))
        return wrong;
      if (const auto [first, isNew] = lines.try_emplace(field.name.text, field.name.line); !isNew)
        return fault(field.name, entry,
                     "found " + std::string(field.name.text) + " a second time after line " +
                         std::to_string(first->second) + ", needed it once; leave one out");
    }
    fillIn(schedule, lines);
    if (std::optional<std::string> impossible = checkSchedule(schedule, limits))
      return fault(entry.name, entry, *impossible);
    return std::nullopt;
  }

  /// A register tile that is named without its height of outputs has as many vectors as fit.
  static void fillIn(AttentionSchedule &schedule, const std::map<std::string_view, int> &named) {
    const auto fill = [&](RowsTile &tile, std::initializer_list<std::string_view> form,
                          std::string_view height) {
      const auto isNamed = [&](std::string_view field) { return named.count(field) != 0; };
      if (!isNamed(height) && std::any_of(form.begin(), form.end(), isNamed))
        tile.valueVectors = tile.valueVectorsThatFit();
    };
    fill(schedule.rows, {"vectors", "key_tile", "value_tile"}, "value_vectors");
    fill(schedule.small, {"small_vectors", "small_key_tile", "small_value_tile"}, "small_value_vectors");
  }
  template <class S> static void fillIn(S &, const std::map<std::string_view, int> &) {}

  template <class S>
  Fault readField(const WrittenEntry &entry, const WrittenField &field, S &schedule) const {
    std::vector<std::string> names;
    std::string number = "not found";
    visitFields(schedule, [&](std::string_view candidate, auto &member) {
      names.emplace_back(candidate);
      if (candidate == field.name.text)
        number = readNumber(field.value.text, member);
    });
    if (number == "not found")
      return fault(field.name, entry,
                   "found field " + quoted(field.name.text) + ", needed one of " + joined(names) +
                       suggestion(field.name.text, names));
    if (!number.empty())
      return fault(field.value, entry,
                   std::string(field.name.text) + " is " + quoted(field.value.text) + ", needed " + number);
    return std::nullopt;
  }

  /// What is needed instead; nothing if it is read.
  template <class Integer> static std::string readNumber(std::string_view text, Integer &value) {
    const char *end = text.data() + text.size();
    const auto [stop, code] = std::from_chars(text.data(), end, value);
    if (code == std::errc::result_out_of_range && stop == end)
      return "an integer of at most " + std::to_string(std::numeric_limits<Integer>::max());
    return code == std::errc() && stop == end ? "" : "an integer";
  }

  std::string_view file;
  const ScheduleLimits &limits;
  const ScheduledOperations &operations;
  ScheduleFile &result;
};

} // namespace

std::optional<int64_t> sizeProduct(const std::map<std::string, int64_t> &sizes) {
  int64_t product = 1;
  for (const auto &[name, size] : sizes)
    if (__builtin_mul_overflow(product, size, &product))
      return std::nullopt;
  return product;
}

void sortEntries(std::vector<SizedSchedule> &entries) {
  const auto key = [](const SizedSchedule &entry) {
    return std::tuple(!entry.sizes.empty(), sizeProduct(entry.sizes).value_or(0), entry.sizes);
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const SizedSchedule &a, const SizedSchedule &b) { return key(a) < key(b); });
}

std::optional<std::string> parseScheduleFile(std::string_view text, std::string_view file,
                                             const ScheduleLimits &limits,
                                             const ScheduledOperations &operations, ScheduleFile &result) {
  const Words words = splitWords(text);
  WrittenFile written;
  if (Fault wrong = readFile(words, file, written))
    return wrong;
  ScheduleFile read{written.target, written.comments, {}};
  Meaning meaning(file, limits, operations, read);
  for (bool sized : {false, true}) // an entry for any size is the base of the others
    for (const WrittenEntry &entry : written.entries)
      if (entry.sizes.empty() != sized)
        if (Fault wrong = meaning.add(entry))
          return wrong;
  for (auto &[name, entries] : read.entries)
    sortEntries(entries);
  result = std::move(read);
  return std::nullopt;
}

std::optional<std::string> parseScheduleTarget(std::string_view text, std::string_view file,
                                               std::string &target) {
  WrittenFile written;
  if (Fault wrong = readHead(splitWords(text), file, written))
    return wrong;
  target = written.target;
  return std::nullopt;
}

} // namespace heed
