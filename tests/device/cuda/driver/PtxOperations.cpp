// What instructions do. Those of one form are entered into a table for all their types.

#include "PtxBlock.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace checking {

namespace {

template <class T> T get(const Thread &thread, const Operand &operand) {
  const uint64_t bits = operand.isRegister ? thread.registers[size_t(operand.value)] : operand.value;
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T> void set(Thread &thread, const Operand &operand, T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  thread.registers[size_t(operand.value)] = bits;
}

template <class T, class F> void unary(Block &, Thread &t, const Instruction &i) {
  set(t, i.to[0], T(F{}(get<T>(t, i.from[0]))));
}
template <class T, class F> void binary(Block &, Thread &t, const Instruction &i) {
  set(t, i.to[0], T(F{}(get<T>(t, i.from[0]), get<T>(t, i.from[1]))));
}
template <class T, class F> void ternary(Block &, Thread &t, const Instruction &i) {
  set(t, i.to[0], T(F{}(get<T>(t, i.from[0]), get<T>(t, i.from[1]), get<T>(t, i.from[2]))));
}
template <class T, class F> void compare(Block &, Thread &t, const Instruction &i) {
  set(t, i.to[0], uint8_t(F{}(get<T>(t, i.from[0]), get<T>(t, i.from[1]))));
}
/// The second operand is the number of bits.
template <class T, class F> void shift(Block &, Thread &t, const Instruction &i) {
  set(t, i.to[0], T(F{}(get<T>(t, i.from[0]), get<uint32_t>(t, i.from[1]))));
}
template <class T, class Wide, bool adds> void multiplyWide(Block &, Thread &t, const Instruction &i) {
  Wide value = Wide(get<T>(t, i.from[0])) * Wide(get<T>(t, i.from[1]));
  if constexpr (adds)
    value += get<Wide>(t, i.from[2]);
  set(t, i.to[0], value);
}
template <class T> void select(Block &, Thread &t, const Instruction &i) {
  set(t, i.to[0], get<T>(t, i.from[get<uint8_t>(t, i.from[2]) ? 0 : 1]));
}
template <class T> void extractBits(Block &, Thread &t, const Instruction &i) {
  const uint32_t first = get<uint32_t>(t, i.from[1]) & 255, count = get<uint32_t>(t, i.from[2]) & 255;
  const auto value = get<uint32_t>(t, i.from[0]);
  const uint64_t bits =
      (uint64_t(value) >> std::min(first, 32U)) & ((uint64_t(1) << std::min(count, 32U)) - 1);
  const bool isNegative = std::is_signed_v<T> && count > 0 && count < 32 && (bits >> (count - 1) & 1);
  set(t, i.to[0], uint32_t(isNegative ? bits | ~uint64_t(0) << count : bits));
}
/// A number, or parts that make one up and that it comes apart in.
template <class T> void move(Block &, Thread &t, const Instruction &i) {
  const unsigned bits = 8 * sizeof(T);
  uint64_t value = 0;
  for (size_t part = 0; part < i.from.size(); ++part)
    value |= (get<uint64_t>(t, i.from[part]) & (~uint64_t(0) >> (64 - bits / i.from.size())))
             << part * (bits / i.from.size());
  for (size_t part = 0; part < i.to.size(); ++part)
    set(t, i.to[part], (value >> part * (bits / i.to.size())) & (~uint64_t(0) >> (64 - bits / i.to.size())));
}
enum class Product { none, low, high };
/// Sums of words, or of a product and a word, that take part in longer ones.
template <Product product, bool takesCarry> void sumWithCarry(Block &, Thread &t, const Instruction &i) {
  const uint64_t a = get<uint32_t>(t, i.from[0]), b = get<uint32_t>(t, i.from[1]);
  const uint64_t first = product == Product::none  ? a
                         : product == Product::low ? a * b & 0xFFFFFFFF
                                                   : a * b >> 32;
  const uint64_t second = product == Product::none ? b : get<uint32_t>(t, i.from[2]);
  const uint64_t sum = first + second + (takesCarry && t.carry ? 1 : 0);
  t.carry = sum >> 32 != 0;
  set(t, i.to[0], uint32_t(sum));
}
/// Bytes of two words by the nibbles of a third.
void permute(Block &, Thread &t, const Instruction &i) {
  const uint64_t words = get<uint32_t>(t, i.from[0]) | uint64_t(get<uint32_t>(t, i.from[1])) << 32;
  const auto selector = get<uint32_t>(t, i.from[2]);
  uint32_t value = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const uint32_t nibble = selector >> 4 * byte & 15, found = uint32_t(words >> 8 * (nibble & 7)) & 255;
    value |= (nibble & 8 ? (found & 128 ? 255U : 0U) : found) << 8 * byte;
  }
  set(t, i.to[0], value);
}
/// The upper or lower word of two that are shifted as one.
template <bool isLeft> void funnelShift(Block &, Thread &t, const Instruction &i) {
  const uint64_t words = get<uint32_t>(t, i.from[0]) | uint64_t(get<uint32_t>(t, i.from[1])) << 32;
  const uint32_t by = get<uint32_t>(t, i.from[2]) & 31;
  set(t, i.to[0], isLeft ? uint32_t(words << by >> 32) : uint32_t(words >> by));
}

int64_t wholeOf(const NumberType &type, uint64_t bits) {
  const int unused = 64 - type.bits;
  return type.kind == 's' ? int64_t(bits << unused) >> unused : int64_t(bits << unused >> unused);
}

double rounded(double value, char way) {
  return way == 'n'   ? std::nearbyint(value)
         : way == 'z' ? std::trunc(value)
         : way == 'm' ? std::floor(value)
         : way == 'p' ? std::ceil(value)
                      : value;
}

/// A number that does not fit becomes the nearest one; NaN becomes 0.
uint64_t whole(const NumberType &type, double value) {
  const double least = type.kind == 's' ? -std::ldexp(1, type.bits - 1) : 0;
  const double bound = std::ldexp(1, type.kind == 's' ? type.bits - 1 : type.bits);
  if (std::isnan(value))
    return 0;
  if (value >= bound)
    return type.kind == 's' ? (uint64_t(1) << (type.bits - 1)) - 1 : ~uint64_t(0) >> (64 - type.bits);
  return value < 0 ? uint64_t(int64_t(std::max(value, least))) : uint64_t(value);
}

void convert(Block &, Thread &t, const Instruction &i) {
  const auto bits = get<uint64_t>(t, i.from[0]);
  const bool fromFloat = i.fromType.kind == 'f', toFloat = i.type.kind == 'f';
  if (!fromFloat && !toFloat) {
    const uint64_t value = uint64_t(wholeOf(i.fromType, bits));
    return set(t, i.to[0], i.type.bits == 64 ? value : value & ((uint64_t(1) << i.type.bits) - 1));
  }
  const int64_t number = wholeOf(i.fromType, bits);
  const bool isUnsigned = i.fromType.kind == 'u';
  const double real = !fromFloat              ? 0
                      : i.fromType.bits == 64 ? std::bit_cast<double>(bits)
                                              : double(std::bit_cast<float>(uint32_t(bits)));
  if (!toFloat) {
    const uint64_t value = whole(i.type, rounded(real, i.rounding));
    return set(t, i.to[0], i.type.bits == 64 ? value : value & ((uint64_t(1) << i.type.bits) - 1));
  }
  if (i.type.bits == 64)
    set(t, i.to[0],
        fromFloat    ? rounded(real, i.rounding)
        : isUnsigned ? double(uint64_t(number))
                     : double(number));
  else
    set(t, i.to[0],
        fromFloat    ? float(rounded(real, i.rounding))
        : isUnsigned ? float(uint64_t(number))
                     : float(number));
}

uint64_t addressOf(const Thread &t, const Instruction &i) {
  return get<uint64_t>(t, i.base) + uint64_t(i.offset);
}
void load(Block &block, Thread &t, const Instruction &i) {
  const uint64_t address = addressOf(t, i), bytes = uint64_t(i.type.bits) / 8;
  if (!block.isAligned(t, i, address, bytes * i.to.size()))
    return;
  for (size_t part = 0; part < i.to.size(); ++part)
    set(t, i.to[part], uint64_t(wholeOf(i.type, block.load(t, i, address + part * bytes, int(bytes)))));
}
void store(Block &block, Thread &t, const Instruction &i) {
  const uint64_t address = addressOf(t, i), bytes = uint64_t(i.type.bits) / 8;
  if (!block.isAligned(t, i, address, bytes * i.from.size()))
    return;
  for (size_t part = 0; part < i.from.size(); ++part)
    block.store(t, i, address + part * bytes, int(bytes), get<uint64_t>(t, i.from[part]));
}
void loadParameter(Block &block, Thread &t, const Instruction &i) {
  set(t, i.to[0], block.parameter(addressOf(t, i)));
}
void branch(Block &, Thread &t, const Instruction &i) { t.next = i.target; }
void barrier(Block &, Thread &t, const Instruction &) { t.isWaiting = true; }
void end(Block &, Thread &t, const Instruction &) { t.isDone = true; }

/// fmin and fmax of PTX: of a number and NaN the number, -0 below 0.
struct Least {
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
    else
      return std::min(a, b);
  }
};
struct Largest {
  template <class T> T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
    else
      return std::max(a, b);
  }
};
struct Negated {
  template <class T> T operator()(T a) const {
    if constexpr (std::is_integral_v<T>)
      return T(std::make_unsigned_t<T>(0) - std::make_unsigned_t<T>(a));
    else
      return -a;
  }
};
/// Whole numbers wrap.
template <class T> using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;
template <class T> T quotient(T a, T b) {
  return b == 0 ? T(-1) : std::is_signed_v<T> && b == T(-1) ? Negated{}(a) : T(a / b);
}
template <class T> T remainder(T a, T b) { return T(a - T(quotient(a, b) * b)); }

using Table = std::unordered_map<std::string, Operation>;

template <class T> void addWhole(Table &table, const std::string &type) {
  table["add." + type] = binary<T, decltype([](T a, T b) { return Wrapping<T>(a) + Wrapping<T>(b); })>;
  table["sub." + type] = binary<T, decltype([](T a, T b) { return Wrapping<T>(a) - Wrapping<T>(b); })>;
  table["mul.lo." + type] = binary<T, decltype([](T a, T b) { return Wrapping<T>(a) * Wrapping<T>(b); })>;
  table["mad.lo." + type] =
      ternary<T, decltype([](T a, T b, T c) { return Wrapping<T>(a) * Wrapping<T>(b) + Wrapping<T>(c); })>;
  using Product = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  table["mul.hi." + type] =
      binary<T, decltype([](T a, T b) { return T(Product(a) * Product(b) >> 8 * sizeof(T)); })>;
  table["div." + type] = binary<T, decltype([](T a, T b) { return quotient(a, b); })>;
  table["rem." + type] = binary<T, decltype([](T a, T b) { return remainder(a, b); })>;
  table["abs." + type] = unary<T, decltype([](T a) { return a < 0 ? Negated{}(a) : a; })>;
  table["shr." + type] =
      shift<T,
            decltype([](T a, uint32_t by) { return by < 8 * sizeof(T) ? T(a >> by) : T(a < 0 ? -1 : 0); })>;
}

template <class T> void addOrdered(Table &table, const std::string &type) {
  table["min." + type] = binary<T, Least>;
  table["max." + type] = binary<T, Largest>;
  table["neg." + type] = unary<T, Negated>;
  table["setp.eq." + type] = compare<T, decltype([](T a, T b) { return a == b; })>;
  table["setp.lt." + type] = compare<T, decltype([](T a, T b) { return a < b; })>;
  table["setp.le." + type] = compare<T, decltype([](T a, T b) { return a <= b; })>;
  table["setp.gt." + type] = compare<T, decltype([](T a, T b) { return a > b; })>;
  table["setp.ge." + type] = compare<T, decltype([](T a, T b) { return a >= b; })>;
  table["setp.ne." + type] = compare<T, decltype([](T a, T b) { return a < b || a > b; })>; // no NaN
}

template <class T> void addFloat(Table &table, const std::string &type) {
  table["add." + type] = binary<T, decltype([](T a, T b) { return a + b; })>;
  table["sub." + type] = binary<T, decltype([](T a, T b) { return a - b; })>;
  table["mul." + type] = binary<T, decltype([](T a, T b) { return a * b; })>;
  table["div." + type] = binary<T, decltype([](T a, T b) { return a / b; })>;
  table["fma." + type] = ternary<T, decltype([](T a, T b, T c) { return std::fma(a, b, c); })>;
  table["abs." + type] = unary<T, decltype([](T a) { return std::fabs(a); })>;
  table["sqrt." + type] = unary<T, decltype([](T a) { return std::sqrt(a); })>;
  table["rsqrt." + type] = unary<T, decltype([](T a) { return 1 / std::sqrt(a); })>;
  table["rcp." + type] = unary<T, decltype([](T a) { return 1 / a; })>;
  table["ex2." + type] = unary<T, decltype([](T a) { return std::exp2(a); })>;
  table["lg2." + type] = unary<T, decltype([](T a) { return std::log2(a); })>;
  table["setp.equ." + type] = compare<T, decltype([](T a, T b) { return !(a < b || a > b); })>;
  table["setp.neu." + type] = compare<T, decltype([](T a, T b) { return a != b; })>;
  table["setp.ltu." + type] = compare<T, decltype([](T a, T b) { return !(a >= b); })>;
  table["setp.leu." + type] = compare<T, decltype([](T a, T b) { return !(a > b); })>;
  table["setp.gtu." + type] = compare<T, decltype([](T a, T b) { return !(a <= b); })>;
  table["setp.geu." + type] = compare<T, decltype([](T a, T b) { return !(a < b); })>;
  table["setp.nan." + type] = compare<T, decltype([](T a, T b) { return a != a || b != b; })>;
  table["setp.num." + type] = compare<T, decltype([](T a, T b) { return a == a && b == b; })>;
}

template <class T> void addBits(Table &table, const std::string &type) {
  table["and." + type] = binary<T, decltype([](T a, T b) { return a & b; })>;
  table["or." + type] = binary<T, decltype([](T a, T b) { return a | b; })>;
  table["xor." + type] = binary<T, decltype([](T a, T b) { return a ^ b; })>;
  table["not." + type] = unary<T, decltype([](T a) { return ~a; })>;
  table["shl." + type] =
      shift<T, decltype([](T a, uint32_t by) { return by < 8 * sizeof(T) ? T(a << by) : T(0); })>;
  table["setp.eq." + type] = compare<T, decltype([](T a, T b) { return a == b; })>;
  table["setp.ne." + type] = compare<T, decltype([](T a, T b) { return a != b; })>;
  table["popc." + type] = unary<T, decltype([](T a) { return std::popcount(a); })>;
  table["clz." + type] = unary<T, decltype([](T a) { return std::countl_zero(a); })>;
  for (const char *kind : {"b", "u", "s", "f"}) {
    const std::string of = kind + type.substr(1);
    table["selp." + of] = select<T>;
    table["mov." + of] = table["cvta." + of] = move<T>;
  }
}

template <class T, class Wide> void addWide(Table &table, const std::string &type) {
  table["mul.wide." + type] = multiplyWide<T, Wide, false>;
  table["mad.wide." + type] = multiplyWide<T, Wide, true>;
}

Table makeTable() {
  Table table;
  addBits<uint16_t>(table, "b16");
  addBits<uint32_t>(table, "b32");
  addBits<uint64_t>(table, "b64");
  addWhole<int16_t>(table, "s16");
  addWhole<uint16_t>(table, "u16");
  addWhole<int32_t>(table, "s32");
  addWhole<uint32_t>(table, "u32");
  addWhole<int64_t>(table, "s64");
  addWhole<uint64_t>(table, "u64");
  addOrdered<int16_t>(table, "s16");
  addOrdered<uint16_t>(table, "u16");
  addOrdered<int32_t>(table, "s32");
  addOrdered<uint32_t>(table, "u32");
  addOrdered<int64_t>(table, "s64");
  addOrdered<uint64_t>(table, "u64");
  addOrdered<float>(table, "f32");
  addOrdered<double>(table, "f64");
  addFloat<float>(table, "f32");
  addFloat<double>(table, "f64");
  addWide<int16_t, int32_t>(table, "s16");
  addWide<uint16_t, uint32_t>(table, "u16");
  addWide<int32_t, int64_t>(table, "s32");
  addWide<uint32_t, uint64_t>(table, "u32");
  table["and.pred"] = binary<uint8_t, decltype([](bool a, bool b) { return a && b; })>;
  table["or.pred"] = binary<uint8_t, decltype([](bool a, bool b) { return a || b; })>;
  table["xor.pred"] = binary<uint8_t, decltype([](bool a, bool b) { return a != b; })>;
  table["not.pred"] = unary<uint8_t, decltype([](bool a) { return !a; })>;
  table["mov.pred"] = unary<uint8_t, decltype([](bool a) { return a; })>;
  table["bfe.u32"] = extractBits<uint32_t>;
  table["bfe.s32"] = extractBits<int32_t>;
  for (const char *type : {".u32", ".s32"}) {
    const std::string of = type;
    table["add.cc" + of] = sumWithCarry<Product::none, false>;
    table["addc" + of] = table["addc.cc" + of] = sumWithCarry<Product::none, true>;
    table["mad.lo.cc" + of] = sumWithCarry<Product::low, false>;
    table["madc.lo" + of] = table["madc.lo.cc" + of] = sumWithCarry<Product::low, true>;
    table["mad.hi.cc" + of] = sumWithCarry<Product::high, false>;
    table["madc.hi" + of] = table["madc.hi.cc" + of] = sumWithCarry<Product::high, true>;
  }
  table["prmt.b32"] = permute;
  table["shf.l.wrap.b32"] = funnelShift<true>;
  table["shf.r.wrap.b32"] = funnelShift<false>;
  return table;
}

/// Parts of a name, without what says how exact or where.
std::vector<std::string> partsOf(const std::string &name) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= name.size();) {
    const size_t end = std::min(name.find('.', begin), name.size());
    parts.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool isType(const std::string &part) {
  return part.size() > 1 && std::strchr("busf", part[0]) &&
         std::all_of(part.begin() + 1, part.end(), [](char c) { return c >= '0' && c <= '9'; });
}

NumberType typeOf(const std::string &part) { return {part[0], std::stoi(part.substr(1))}; }

/// Loads, stores, conversions, whose names have many parts.
Operation findByParts(const std::vector<std::string> &parts, Instruction &instruction) {
  const auto has = [&](const char *part) {
    return std::find(parts.begin(), parts.end(), part) != parts.end();
  };
  if (parts[0] == "cvt" && parts.size() > 2) {
    instruction.type = typeOf(parts[parts.size() - 2]);
    instruction.fromType = typeOf(parts.back());
    for (const auto &[part, way] : {std::pair("rni", 'n'), {"rzi", 'z'}, {"rmi", 'm'}, {"rpi", 'p'}})
      if (has(part))
        instruction.rounding = way;
    const bool toHalf = instruction.type.kind == 'f' && instruction.type.bits == 16;
    return has("sat") || toHalf ? nullptr : convert;
  }
  if (!isType(parts.back()))
    return nullptr;
  instruction.type = typeOf(parts.back());
  if (parts[0] == "ld")
    return has("param") ? loadParameter : load;
  if (parts[0] == "st")
    return store;
  return nullptr;
}

} // namespace

Operation findOperation(const std::string &name, Instruction &instruction) {
  static const Table table = makeTable();
  const std::vector<std::string> parts = partsOf(name);
  if (parts[0] == "bra")
    return branch;
  if (parts[0] == "ret" || parts[0] == "exit")
    return end;
  if (name == "bar.sync" || name == "barrier.sync")
    return barrier;
  std::string plain = parts[0];
  for (size_t i = 1; i < parts.size(); ++i)
    if (parts[i] != "rn" && parts[i] != "ftz" && parts[i] != "approx" && parts[i] != "full" &&
        parts[i] != "to" && parts[i] != "global" && parts[i] != "shared" && parts[i] != "local")
      plain += "." + parts[i];
  const auto found = table.find(plain);
  return found != table.end() ? found->second : findByParts(parts, instruction);
}

} // namespace checking
