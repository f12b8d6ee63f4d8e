// Conversions of f16 and bf16 at every level of x86-64: all halves, and what is near, between and beyond
// them.
#include "HalfCasts.h"
#include "TileRunner.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <random>

using namespace heed::kernels;
using Halide::BFloat;
using Halide::Float;
using Halide::Int;
using Halide::Type;

namespace {

/// A 16-bit float by its definition.
struct HalfFormat {
  Type type;
  int mantissaBits, bias;

  double value(uint16_t bits) const {
    const int exponent = (bits & 0x7fff) >> mantissaBits, mantissa = bits & ((1 << mantissaBits) - 1);
    const double sign = bits >> 15 ? -1 : 1;
    if (exponent == 2 * bias + 1)
      return mantissa ? std::copysign(double(NAN), sign) : sign * INFINITY;
    return sign * std::ldexp(mantissa + (exponent ? 1 << mantissaBits : 0),
                             std::max(exponent, 1) - bias - mantissaBits);
  }

  /// The bits of the nearest half of a number that is not NaN, ties to even.
  uint16_t nearest(long double x) const {
    const uint16_t sign = std::signbit(x) << 15, infinity = (2 * bias + 1) << mantissaBits;
    x = std::fabs(x);
    if (x == 0 || std::isinf(x))
      return sign | (x == 0 ? 0 : infinity);
    const int exponent = std::max(std::ilogb(x), 1 - bias);
    const long double steps = std::nearbyint(std::ldexp(x, mantissaBits - exponent));
    // A carry out of the mantissa goes into the exponent, as it must.
    const long bits = long(steps) + (long(exponent + bias - 1) << mantissaBits);
    return sign | uint16_t(std::min<long>(bits, infinity));
  }
};

const HalfFormat f16{Float(16), 10, 15}, bf16{BFloat(16), 7, 127};
const heed_cpu_level levels[] = {HEED_CPU_X86_64_V2, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V4};

std::vector<CpuTarget> targets() {
  std::vector<CpuTarget> list;
  for (const heed_cpu_level level : levels)
    if (level <= hostTarget().level)
      list.push_back(cpuTarget(level));
  return list;
}

/// Counts what Halide says instead of printing it.
struct Warnings : Halide::CompileTimeErrorReporter {
  Warnings() { Halide::set_custom_compile_time_error_reporter(this); }
  ~Warnings() override { Halide::set_custom_compile_time_error_reporter(nullptr); }
  void warning(const char *) override { ++count; }
  void error(const char *message) override { throw std::runtime_error(message); }
  int count = 0;
};

/// Every element cast to another type, in vectors or one by one.
template <class To, class From>
std::vector<To> converted(const std::vector<From> &inputs, Type from, Type to, const CpuTarget &target,
                          bool vectors = true) {
  Halide::ImageParam x(from, 1, "x");
  Halide::Var i("i");
  Halide::Func y("y");
  y(i) = Halide::cast(to, x(i));
  if (vectors)
    y.vectorize(i, target.lanes, Halide::TailStrategy::GuardWithIf);
  Warnings warnings;
  const LoadedTile tile({"convert", Halide::Pipeline(y), {x}}, target);
  CHECK(warnings.count == 0);
  std::vector<To> outputs(inputs.size() + 1, To(77));
  const int64_t count = int64_t(inputs.size());
  Operand source(inputs.data(), from, {{count, 1}}), result(outputs.data(), to, {{count, 1}});
  ScratchContext scratch;
  tile(scratch, {}, {&source, &result});
  CHECK(outputs.back() == To(77));
  outputs.pop_back();
  return outputs;
}

std::vector<uint16_t> everyHalf() {
  std::vector<uint16_t> list(65536);
  for (size_t n = 0; n < list.size(); ++n)
    list[n] = uint16_t(n);
  return list;
}

template <class T> bool sameBits(T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

/// Every finite half, the points halfway to the next, and what is just beside both; and random bits.
template <class T> std::vector<T> numbersAround(const HalfFormat &format) {
  std::vector<T> list;
  for (uint32_t bits = 0; bits < 65536; ++bits) {
    const double half = format.value(uint16_t(bits)), next = format.value(uint16_t(bits + 1));
    if (std::isnan(half) || std::isnan(next) || std::isinf(half))
      continue;
    // Beyond the largest half ties are with the power of two that would come next.
    const double end = std::isinf(next) ? std::copysign(std::ldexp(1.0, format.bias + 1), half) : next;
    for (const double x : {half, half / 2 + end / 2})
      for (const T nearby : {T(x), std::nextafter(T(x), T(INFINITY)), std::nextafter(T(x), -T(INFINITY))})
        list.push_back(nearby);
  }
  std::mt19937_64 random(20);
  for (int n = 0; n < 300000; ++n) {
    const uint64_t bits = random();
    T x;
    std::memcpy(&x, &bits, sizeof x);
    if (!std::isnan(x))
      list.push_back(x);
  }
  for (const double x :
       {1e300, -1e300, 1e-320, -1e-320, 3.5e38, 0.0, -0.0, double(INFINITY), -double(INFINITY)})
    list.push_back(T(x));
  return list;
}

struct CountCasts : Halide::Internal::IRVisitor {
  using IRVisitor::visit;
  void visit(const Halide::Internal::Cast *op) override {
    count += isHalf(op->value.type());
    IRVisitor::visit(op);
  }
  int count = 0;
};

template <class T> void checkNarrowing(const HalfFormat &format, Type from, const std::vector<T> &inputs) {
  for (const CpuTarget &target : targets()) {
    const std::vector<uint16_t> outputs = converted<uint16_t>(inputs, from, format.type, target);
    size_t wrong = 0;
    for (size_t n = 0; n < inputs.size(); ++n)
      if (outputs[n] != format.nearest(inputs[n]) && ++wrong < 5) {
        INFO("level " << int(target.level) << ", " << double(inputs[n]));
        CHECK(outputs[n] == format.nearest(inputs[n]));
      }
    CHECK(wrong == 0);
  }
}

} // namespace

TEST_CASE("every half becomes the same number in f32 and f64", "[half]") {
  const std::vector<uint16_t> halves = everyHalf();
  for (const HalfFormat &format : {f16, bf16})
    for (const CpuTarget &target : targets())
      for (const bool vectors : {true, false}) {
        const std::vector<float> wide = converted<float>(halves, format.type, Float(32), target, vectors);
        const std::vector<double> wider = converted<double>(halves, format.type, Float(64), target, vectors);
        size_t wrong = 0;
        for (size_t n = 0; n < halves.size(); ++n) {
          const double right = format.value(halves[n]);
          wrong += std::isnan(right) ? !std::isnan(wide[n]) || !std::isnan(wider[n]) ||
                                           std::signbit(wide[n]) != std::signbit(right)
                                     : !sameBits(wide[n], float(right)) || !sameBits(wider[n], right);
        }
        INFO("level " << int(target.level) << ", mantissa of " << format.mantissaBits);
        CHECK(wrong == 0);
      }
}

TEST_CASE("numbers become the nearest half, ties to even", "[half]") {
  for (const HalfFormat &format : {f16, bf16}) {
    INFO("mantissa of " << format.mantissaBits);
    checkNarrowing<float>(format, Float(32), numbersAround<float>(format));
    checkNarrowing<double>(format, Float(64), numbersAround<double>(format));
  }
}

TEST_CASE("halves become halves of the other type and return", "[half]") {
  const std::vector<uint16_t> halves = everyHalf();
  for (const CpuTarget &target : targets())
    for (const auto &[from, to] : {std::pair(f16, bf16), std::pair(bf16, f16)}) {
      const std::vector<uint16_t> outputs = converted<uint16_t>(halves, from.type, to.type, target);
      size_t wrong = 0;
      for (size_t n = 0; n < halves.size(); ++n) {
        const double right = from.value(halves[n]);
        wrong += std::isnan(right) ? !std::isnan(to.value(outputs[n])) : outputs[n] != to.nearest(right);
      }
      CHECK(wrong == 0);
    }
}

TEST_CASE("NaN stays NaN, whatever its payload, and becomes quiet", "[half]") {
  std::vector<uint32_t> singles = {0x7f800001, 0xff800001, 0x7f801fff, 0x7f80ffff, 0x7fbfffff,
                                   0x7fc00000, 0xffc12345, 0x7fffffff, 0xffffffff};
  std::vector<uint64_t> doubles = {0x7ff0000000000001, 0xfff0000000000001, 0x7ff000001fffffff,
                                   0x7ff8000000000000, 0xffffffffffffffff};
  for (const CpuTarget &target : targets())
    for (const HalfFormat &format : {f16, bf16}) {
      std::vector<uint16_t> outputs = converted<uint16_t>(singles, Float(32), format.type, target);
      for (const uint16_t half : converted<uint16_t>(doubles, Float(64), format.type, target))
        outputs.push_back(half);
      for (size_t n = 0; n < outputs.size(); ++n) {
        CHECK(std::isnan(format.value(outputs[n])));
        CHECK((outputs[n] >> (format.mantissaBits - 1) & 1) == 1);
        const bool isNegative = n < singles.size() ? singles[n] >> 31 : doubles[n - singles.size()] >> 63;
        CHECK(outputs[n] >> 15 == isNegative);
      }
    }
}

TEST_CASE("integers are rounded once", "[half]") {
  std::vector<int32_t> integers = {0, 1, -1, 255, 257, 65519, 65520, -65520, 133120, INT32_MAX, INT32_MIN};
  std::vector<int64_t> wide = {0, -1, 65520, INT64_MAX, INT64_MIN, (1ll << 62) + (1ll << 54) + 1};
  std::mt19937_64 random(3);
  for (int n = 0; n < 20000; ++n) {
    integers.push_back(int32_t(random()) >> random() % 31);
    wide.push_back(int64_t(random()) >> random() % 63);
    wide.push_back((int64_t(random() | 0x8000000000000000ull) >> random() % 63 & ~0xffll) +
                   int(random() % 3) - 1);
    // Just beside a tie of bf16.
    const int shift = int(9 + random() % 53);
    wide.push_back((1ll << shift) + (1ll << (shift - 8)) + int(random() % 3) - 1);
  }
  for (const HalfFormat &format : {f16, bf16}) {
    checkNarrowing<int32_t>(format, Int(32), integers);
    checkNarrowing<int64_t>(format, Int(64), wide);
  }
}

TEST_CASE("casts are found in whatever form Halide leaves them", "[half]") {
  using Halide::Expr;
  struct Formula {
    std::function<Expr(Expr, Expr)> halide;
    double (*right)(double, double);
  };
  const std::vector<Formula> formulas = {
      {[](Expr a, Expr) { return a * 3.0f; }, [](double a, double) { return a * 3; }},
      {[](Expr a, Expr b) { return a * b; }, [](double a, double b) { return a * b; }},
      {[](Expr a, Expr b) { return a + b; }, [](double a, double b) { return a + b; }},
      {[](Expr a, Expr b) { return a - 2.0f * b; }, [](double a, double b) { return a - 2 * b; }},
      {[](Expr a, Expr b) { return max(a, b) + a - min(b, 1.0f); },
       [](double a, double b) { return std::max(a, b) + a - std::min(b, 1.0); }},
      {[](Expr a, Expr b) { return max(max(a, b), 0.0f); },
       [](double a, double b) { return std::max({a, b, 0.0}); }},
      {[](Expr a, Expr b) { return select(a > b, a, 1.0f) / (abs(b) + 1.0f); },
       [](double a, double b) { return (a > b ? a : 1) / (std::abs(b) + 1); }},
      {[](Expr a, Expr b) { return strict_float(max(a, b) * min(a, b) + a); },
       [](double a, double b) { return a * b + a; }}};
  const auto value = [](int n) { return uint16_t(0x3c00 + 37 * n % 512 + (n % 3 ? 0x8000 : 0)); };
  std::vector<uint16_t> x(40), w(40), y(40);
  for (int n = 0; n < 40; ++n)
    x[n] = value(n), w[n] = value(3 * n + 5);
  for (const HalfFormat &format : {f16, bf16})
    for (const CpuTarget &target : targets())
      for (const auto &formula : formulas) {
        Halide::ImageParam a(format.type, 1, "a"), b(format.type, 1, "b");
        Halide::Var i("i");
        Halide::Func f("f");
        f(i) = cast(format.type, formula.halide(cast(Float(32), a(i)), cast(Float(32), b(i))));
        f.vectorize(i, target.lanes);
        Warnings warnings;
        const LoadedTile tile({"formula", Halide::Pipeline(f), {a, b}}, target);
        CHECK(warnings.count == 0);
        const halide_type_t type = format.type;
        Operand first(x.data(), type, {{40, 1}}), second(w.data(), type, {{40, 1}}),
            result(y.data(), type, {{40, 1}});
        ScratchContext scratch;
        tile(scratch, {}, {&first, &second, &result});
        for (int n = 0; n < 40; ++n) {
          const double right = formula.right(format.value(x[n]), format.value(w[n]));
          CHECK(std::abs(format.value(y[n]) - right) <=
                std::ldexp(std::abs(right), -format.mantissaBits - 1) * 1.001);
        }
      }
}

TEST_CASE("f16 is converted by the CPU where it can", "[half]") {
  Halide::ImageParam x(Float(16), 1, "x");
  Halide::Var i("i");
  Halide::Func y("y");
  y(i) = Halide::cast(Float(16), Halide::cast(Float(32), x(i)) * 3.0f);
  y.vectorize(i, 16);
  const auto assembly = [&](heed_cpu_level level) {
    return compile({"thrice", Halide::Pipeline(y), {x}}, cpuTarget(level), Form::Assembly);
  };
  for (const char *instruction : {"vcvtph2ps", "vcvtps2ph"}) {
    CHECK(assembly(HEED_CPU_X86_64_V4).find(instruction) != std::string::npos);
    CHECK(assembly(HEED_CPU_X86_64_V3).find(instruction) != std::string::npos);
    CHECK(assembly(HEED_CPU_X86_64_V2).find(instruction) == std::string::npos);
  }
  Warnings warnings;
  CHECK(!assembly(HEED_CPU_AARCH64).empty());
  CHECK(warnings.count == 0);
}

TEST_CASE("sums of products of pairs of bf16 stay whole where the CPU has them", "[half]") {
  using namespace Halide::Internal;
  const auto load = [](const char *name) {
    return Halide::cast(Float(32, 32), Variable::make(BFloat(16, 32), name));
  };
  const Halide::Expr sum = VectorReduce::make(VectorReduce::Add, Mul::make(load("a"), load("b")), 16);
  const auto casts = [](const Halide::Expr &e) {
    CountCasts counter;
    e.accept(&counter);
    return counter.count;
  };
  CHECK(casts(LowerHalfCasts(true, true).mutate(sum)) == 2);
  CHECK(casts(LowerHalfCasts(true, false).mutate(sum)) == 0);
  const Halide::Expr mixed =
      VectorReduce::make(VectorReduce::Add, Mul::make(load("a"), Variable::make(Float(32, 32), "b")), 16);
  CHECK(casts(LowerHalfCasts(true, true).mutate(mixed)) == 0);
}
