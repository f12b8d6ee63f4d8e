#pragma once
/// \file
/// The tables of a graph while its block runs. Only the DSL's own headers use it.
///
/// It grows plain arrays and interns extents and symbols, so that shapes are compared by index. After the
/// first fault it stays as it is: operations see failed() and return a tensor that belongs to nothing.

#include <heed/dsl/dtype.hpp>
#include <heed/dsl/extent.hpp>
#include <heed/dsl/graph_data.hpp>
#include <heed/dsl/location.hpp>
#include <heed/dsl/name.hpp>
#include <heed/dsl/shape.hpp>
#include <heed/dsl/table.hpp>
#include <heed/dsl/text.hpp>

#include <cstdint>
#include <initializer_list>

namespace heed::detail {

/// Bounds that keep a graph within the default limits of both compilers' constant evaluation.
inline constexpr int max_nodes = 2048;
inline constexpr int max_instructions = 4096;

/// An input, weight, scalar, state or output; its name stands in builder::characters.
struct argument {
  std::int32_t characters = 0; ///< offset of the name
  std::uint32_t hash = 0;
  std::int32_t next = -1; ///< in the same bucket
  std::int16_t node = 0;
  bool is_output = false;
};

/// The program that an operation is writing.
struct open_program {
  const char *word = nullptr; ///< the operation; null: no program is open
  std::int16_t first = 0;     ///< its first instruction
  shape result;               ///< the axes that its positions run along
  int own_operands = 0;       ///< operands that are not read by element: the scores
  int operand_count = 0;
  std::int16_t operands[spec::max_operands] = {}; ///< nodes
};

class builder {
public:
  table<const char *> symbols;
  table<spec::extent> extents;
  table<spec::node> nodes;
  table<spec::instruction> instructions;
  table<spec::output> outputs;
  table<argument> arguments;
  table<char> characters;

  constexpr bool failed() const { return !fault_.empty(); }
  constexpr const text &fault() const { return fault_; }

  /// Keeps the first fault: `file:line: ` and the parts, which are texts, numbers, extents and shapes.
  template <class... parts> constexpr void fail(location where, const parts &...sentence) {
    if (failed())
      return;
    fault_.append(where.file).append(":").append(where.line).append(": ");
    (print(sentence), ...);
  }

  /// Appends a node; the caller has set everything but shape and line.
  constexpr std::int16_t add(spec::node node, const shape &shape, location where) {
    if (nodes.size() == max_nodes) {
      fail(where, "graph: this is operation ", max_nodes + 1, ", at most ", max_nodes,
           " are possible; split the block into several kernels");
      return -1;
    }
    if (state_count > 0 && !uses_states_well(node, where))
      return -1;
    set_shape(node, shape);
    node.line = line_of(where);
    nodes.push_back(node);
    return static_cast<std::int16_t>(nodes.size() - 1);
  }

  /// The line, or 0 for a line of another file than the first operation's, which graph::file could not name.
  constexpr int line_of(location where) {
    if (file_ == nullptr)
      file_ = where.file;
    last_ = where;
    return __builtin_strcmp(file_, where.file) == 0 ? where.line : 0;
  }

  /// Whether a node is a state; refuses it with a sentence that says who used it.
  constexpr bool is_free_state(std::int16_t node, location where) {
    if (nodes[node].kind != spec::op::state)
      return false;
    fail(where, "state: ", argument_name(node),
         " is used by another operation than append, append alone can; use the tensor that append(state, "
         "rows, "
         "position, axis) returns");
    return true;
  }

  /// The name of an input, weight, scalar or state.
  constexpr const char *argument_name(std::int16_t node) const {
    for (const argument &each : arguments)
      if (!each.is_output && each.node == node)
        return &characters[each.characters];
    return "";
  }

  constexpr const char *file() const { return file_; }
  constexpr location last() const { return last_; }

  /// The index of an extent, -1 after a fault. `user` names the argument or operation that has it.
  constexpr std::int16_t intern(const extent &from, const char *user, location where) {
    if (from.is_number() && from.numerator() > 0)
      return intern_number(from.numerator());
    if (from.fault() != nullptr)
      fail(where, user, ": an extent is not valid, ", from.fault());
    else if (from.factor_count() == 0 && from.denominator() != 1)
      fail(where, user, ": an extent is ", from.numerator(), "/", from.denominator(),
           ", a whole number is needed");
    else if (from.numerator() <= 0)
      fail(where, user, ": an extent is ", from.numerator(), ", at least 1 is needed");
    spec::extent made;
    made.numerator = from.numerator();
    made.denominator = from.denominator();
    for (int i = 0; i < from.factor_count() && !failed(); ++i)
      insert_factor(made, intern_symbol(from.at(i).symbol, where), from.at(i).power);
    return failed() ? std::int16_t{-1} : intern(made);
  }

  /// The shape of an argument or result that the user gives by extents; of no use after a fault.
  constexpr shape shape_of(std::initializer_list<extent> axes, const char *word, location where) {
    shape result;
    if (axes.size() == 0 || axes.size() > spec::max_rank)
      fail(where, word, ": the shape has ", static_cast<std::int64_t>(axes.size()), " axes, 1 to ",
           spec::max_rank, " are needed");
    else
      for (const extent &each : axes)
        result.push(intern(each, word, where));
    return result;
  }

  /// The extent as the user writes it.
  constexpr extent user_extent(std::int16_t index) const {
    const spec::extent &from = extents[index];
    extent result = extent::fraction(from.numerator, from.denominator);
    for (int i = 0; i < from.factor_count; ++i)
      result.multiply_factor(symbols[from.factors[i].symbol], from.factors[i].power);
    return result;
  }

  constexpr bool is_number(std::int16_t index) const { return extents[index].factor_count == 0; }
  constexpr bool is_one(std::int16_t index) const {
    return is_number(index) && extents[index].numerator == 1;
  }

  /// Takes a name for an argument; false after a fault. `word` is what the user called.
  constexpr bool add_argument(const name &from, std::int16_t node, bool is_output, const char *word,
                              location where) {
    const std::size_t offset = characters.size();
    const spelling made = write_name(from);
    const char *const written = &characters[offset];
    if (!made.is_identifier) {
      fail(where, word, ": the name is ", *written == 0 ? "empty" : written,
           ", a C identifier is needed (letters, digits and underscores, no keyword)");
      return false;
    }
    std::int32_t &bucket = buckets_[made.hash % bucket_count];
    for (std::int32_t i = bucket - 1; i >= 0; i = arguments[i].next)
      if (arguments[i].hash == made.hash && compare(&characters[arguments[i].characters], written) == 0) {
        fail(where, word, ": another argument has the name ", written,
             " already, every name must be used once");
        return false;
      }
    arguments.push_back({static_cast<std::int32_t>(offset), made.hash, bucket - 1, node, is_output});
    bucket = static_cast<std::int32_t>(arguments.size());
    return true;
  }

  open_program program;
  std::int32_t dropout_count = 0;
  std::int32_t state_count = 0;
  table<std::int16_t> appended; ///< states that an append changes

private:
  static constexpr int bucket_count = 256;

  /// A state is the first operand of one append, and nothing else.
  constexpr bool uses_states_well(const spec::node &node, location where) {
    const bool is_append = node.kind == spec::op::append;
    for (int i = is_append ? 1 : 0; i < node.operand_count; ++i)
      if (is_free_state(node.operands[i], where))
        return false;
    if (!is_append)
      return true;
    for (const std::int16_t state : appended)
      if (state == node.operands[0]) {
        fail(where, "append: the state ", argument_name(state),
             " has been appended to already, once is possible; append all rows together, or use two states");
        return false;
      }
    appended.push_back(node.operands[0]);
    return true;
  }

  constexpr void print(const char *part) { fault_.append(part); }
  constexpr void print(std::int64_t part) { fault_.append(part); }
  constexpr void print(int part) { fault_.append(part); }
  constexpr void print(double part) { fault_.append(part); }
  constexpr void print(dtype part) { fault_.append(dtype_name(part)); }

  constexpr void print(const extent &part) {
    bool first = part.numerator() == 1 && has_power(part, 1);
    if (!first)
      fault_.append(part.numerator());
    for (int i = 0; i < part.factor_count(); ++i)
      for (int power = 0; power < part.at(i).power; ++power, first = false)
        fault_.append(first ? "" : "*").append(part.at(i).symbol);
    if (part.denominator() != 1)
      fault_.append("/").append(part.denominator());
    for (int i = 0; i < part.factor_count(); ++i)
      for (int power = 0; power > part.at(i).power; --power)
        fault_.append("/").append(part.at(i).symbol);
  }

  static constexpr bool has_power(const extent &of, int sign) {
    for (int i = 0; i < of.factor_count(); ++i)
      if (of.at(i).power * sign > 0)
        return true;
    return false;
  }

  constexpr void print(const shape &part) {
    fault_.append("(");
    for (int i = 0; i < part.rank; ++i) {
      fault_.append(i == 0 ? "" : ",");
      print(user_extent(part.axes[i]));
    }
    fault_.append(")");
  }

  constexpr std::int16_t intern_number(std::int64_t number) {
    for (std::size_t i = 0; i < extents.size(); ++i)
      if (extents[i].numerator == number && extents[i].factor_count == 0)
        return static_cast<std::int16_t>(i);
    spec::extent made;
    made.numerator = number;
    extents.push_back(made);
    return static_cast<std::int16_t>(extents.size() - 1);
  }

  constexpr std::int16_t intern(const spec::extent &made) {
    for (std::size_t i = 0; i < extents.size(); ++i)
      if (extents[i].numerator == made.numerator && same(extents[i], made))
        return static_cast<std::int16_t>(i);
    extents.push_back(made);
    return static_cast<std::int16_t>(extents.size() - 1);
  }

  static constexpr bool same(const spec::extent &a, const spec::extent &b) {
    bool equal = a.denominator == b.denominator && a.factor_count == b.factor_count;
    for (int i = 0; equal && i < a.factor_count; ++i)
      equal = a.factors[i].symbol == b.factors[i].symbol && a.factors[i].power == b.factors[i].power;
    return equal;
  }

  constexpr std::int16_t intern_symbol(const char *symbol, location where) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if (compare(symbols[i], symbol) == 0)
        return static_cast<std::int16_t>(i);
    if (!is_identifier(symbol))
      fail(where, "extent: the name is ", *symbol == 0 ? "empty" : symbol,
           ", a C identifier is needed (letters, digits and underscores, no keyword)");
    symbols.push_back(symbol);
    return static_cast<std::int16_t>(symbols.size() - 1);
  }

  /// Keeps factors sorted by symbol.
  static constexpr void insert_factor(spec::extent &into, std::int16_t symbol, int power) {
    int at = into.factor_count++;
    for (; at > 0 && into.factors[at - 1].symbol > symbol; --at)
      into.factors[at] = into.factors[at - 1];
    into.factors[at] = {symbol, static_cast<std::int16_t>(power)};
  }

  struct spelling {
    std::uint32_t hash = 2166136261u; ///< FNV-1a
    bool is_identifier = false;
  };

  /// Writes, checks and hashes in one pass: names are the longest loops of a graph.
  constexpr spelling write_name(const name &from) {
    const std::size_t offset = characters.size();
    std::uint32_t hash = spelling().hash;
    bool valid = true;
    for (int i = 0; i < from.part_count(); ++i) {
      if (i > 0)
        characters.push_back('_');
      text digits;
      const char *part = from.at(i).characters;
      if (part == nullptr)
        part = digits.append(static_cast<std::int64_t>(from.at(i).number)).data();
      for (; *part != 0; ++part)
        characters.push_back(*part), hash = (hash ^ static_cast<unsigned char>(*part)) * 16777619u,
                                     valid = valid && is_word_character(*part);
      hash = (hash ^ '_') * 16777619u;
    }
    const std::size_t length = characters.size() - offset;
    characters.push_back(0);
    return {hash, valid && is_letter(characters[offset]) &&
                      (length > longest_keyword || !is_keyword(&characters[offset]))};
  }

  text fault_;
  const char *file_ = nullptr;
  location last_{nullptr, 0};
  std::int32_t buckets_[bucket_count] = {}; ///< 1 + index of the newest argument with that hash
};

} // namespace heed::detail
