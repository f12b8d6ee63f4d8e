/// Kernels in several levels: which one a call runs.

#include "cpu_level.hpp"
#include "cpu.hpp"
#include "table.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <utility>

using namespace heed::test;
using heed::runtime::cpu_description;
using heed::runtime::runs;
using heed::runtime::x86_level;

namespace {

constexpr std::array x86_levels = {HEED_CPU_X86_64_V2, HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V4,
                                   HEED_CPU_X86_64_V4_BF16};

/// Each a fact of the machine that the tests run on.
heed_cpu_level machine() { return heed::machine_cpu_level(); }

/// No limit stays behind.
struct limit {
  ~limit() { heed_set_cpu_level(HEED_CPU_ANY); }
};

template <int level> int write_level(void **args) {
  *reinterpret_cast<float *>(static_cast<heed_buffer *>(args[1])->host) = level;
  return 0;
}

/// A kernel that writes the number of its level, for each of these, best first.
class chain {
public:
  explicit chain(std::vector<heed_cpu_level> levels) : tables_(levels.size()), programs_(levels.size()) {
    for (std::size_t i = levels.size(); i-- > 0;) {
      const number y = tables_[i].output("y", {});
      tables_[i].step({{function(levels[i]), {}, {written(y, 0, {})}}});
      programs_[i] = tables_[i].program(levels[i], i + 1 < levels.size() ? &programs_[i + 1] : nullptr);
    }
  }
  const heed_program &program() const { return programs_[0]; }

  heed_status call(float &result) const { return run(program(), {heed::view{&result}}); }

  /// The level of the code that a call ran.
  int level() const {
    float result = NAN;
    const heed_status status = call(result);
    INFO(status.message);
    REQUIRE(status.code == HEED_OK);
    return static_cast<int>(result);
  }
  heed_status refused() const {
    float result = NAN;
    const heed_status status = call(result);
    CHECK(std::isnan(result));
    CHECK(heed_select_program(&program(), nullptr) == nullptr);
    return status;
  }

private:
  static heed_tile_function function(int level) {
    switch (level) {
    case HEED_CPU_ANY:
      return write_level<HEED_CPU_ANY>;
    case HEED_CPU_X86_64_V2:
      return write_level<HEED_CPU_X86_64_V2>;
    case HEED_CPU_X86_64_V3:
      return write_level<HEED_CPU_X86_64_V3>;
    case HEED_CPU_X86_64_V4:
      return write_level<HEED_CPU_X86_64_V4>;
    case HEED_CPU_X86_64_V4_BF16:
      return write_level<HEED_CPU_X86_64_V4_BF16>;
    case HEED_CPU_AARCH64:
      return write_level<HEED_CPU_AARCH64>;
    default:
      return write_level<-1>;
    }
  }
  std::vector<table> tables_;
  std::vector<heed_program> programs_;
};

constexpr auto unknown_level = static_cast<heed_cpu_level>(200);

chain every_level() {
  return chain({unknown_level, HEED_CPU_AARCH64, HEED_CPU_X86_64_V4_BF16, HEED_CPU_X86_64_V4,
                HEED_CPU_X86_64_V3, HEED_CPU_X86_64_V2, HEED_CPU_ANY});
}

/// A Zen 4: every bit that some level asks for.
constexpr cpu_description zen4 = {.leaf_1_ecx = 0x3ed83203,
                                  .leaf_7_ebx = 0xf1bf97a9,
                                  .leaf_7_ecx = 0x00405fce,
                                  .leaf_7_1_eax = 0x20,
                                  .extended_leaf_ecx = 0x75c237ff,
                                  .saved_state = 0x2e7};

} // namespace

TEST_CASE("a level needs all of its instructions") {
  CHECK(x86_level(zen4) == HEED_CPU_X86_64_V4_BF16);
  CHECK(x86_level({}) == HEED_CPU_ANY);
  const auto without = [](auto cpu_description::*leaf, int bit) {
    cpu_description cpu = zen4;
    cpu.*leaf &= ~(std::uint64_t{1} << bit);
    return x86_level(cpu);
  };
  using cpu = cpu_description;
  for (const int bit : {9, 13, 19}) // SSSE3, CMPXCHG16B, SSE4.1
    CHECK(without(&cpu::leaf_1_ecx, bit) == HEED_CPU_ANY);
  for (const int bit : {12, 20, 22, 23, 27, 28, 29}) // FMA, SSE4.2, MOVBE, POPCNT, OSXSAVE, AVX, F16C
    CHECK(without(&cpu::leaf_1_ecx, bit) == HEED_CPU_X86_64_V2);
  for (const int bit : {3, 5, 8}) // BMI1, AVX2, BMI2
    CHECK(without(&cpu::leaf_7_ebx, bit) == HEED_CPU_X86_64_V2);
  CHECK(without(&cpu::extended_leaf_ecx, 5) == HEED_CPU_X86_64_V2); // LZCNT
  for (const int bit : {16, 17, 28, 30, 31})                        // AVX-512 F, DQ, CD, BW, VL
    CHECK(without(&cpu::leaf_7_ebx, bit) == HEED_CPU_X86_64_V3);
  CHECK(without(&cpu::leaf_7_ebx, 21) == HEED_CPU_X86_64_V4); // IFMA
  for (const int bit :
       {1, 6, 8, 9, 10, 11, 12, 14}) // VBMI, VBMI2, GFNI, VAES, VPCLMULQDQ, VNNI, BITALG, VPOPCNT
    CHECK(without(&cpu::leaf_7_ecx, bit) == HEED_CPU_X86_64_V4);
  CHECK(without(&cpu::leaf_7_1_eax, 5) == HEED_CPU_X86_64_V4); // BF16
}

TEST_CASE("instructions whose registers the system doesn't save don't count") {
  const auto saving = [](std::uint64_t state) {
    cpu_description cpu = zen4;
    cpu.saved_state = state;
    return x86_level(cpu);
  };
  CHECK(saving(0) == HEED_CPU_X86_64_V2);
  CHECK(saving(0x3) == HEED_CPU_X86_64_V2);
  CHECK(saving(0x7) == HEED_CPU_X86_64_V3);
  CHECK(saving(0x67) == HEED_CPU_X86_64_V3);
  CHECK(saving(0xe7) == HEED_CPU_X86_64_V4_BF16);
}

TEST_CASE("a CPU runs its level and those below") {
  for (const heed_cpu_level cpu : x86_levels)
    for (const heed_cpu_level code : x86_levels)
      CHECK(runs(cpu, code) == (code <= cpu));
  for (const heed_cpu_level cpu : x86_levels) {
    CHECK_FALSE(runs(cpu, HEED_CPU_AARCH64));
    CHECK_FALSE(runs(HEED_CPU_AARCH64, cpu));
    CHECK_FALSE(runs(HEED_CPU_ANY, cpu));
    CHECK_FALSE(runs(cpu, unknown_level));
    CHECK(runs(cpu, HEED_CPU_ANY));
  }
  CHECK(runs(HEED_CPU_AARCH64, HEED_CPU_AARCH64));
  CHECK_FALSE(runs(HEED_CPU_AARCH64, unknown_level));
  CHECK(runs(HEED_CPU_ANY, HEED_CPU_ANY));
}

TEST_CASE("levels have names, and the names levels") {
  for (const heed_cpu_level level : x86_levels)
    CHECK(heed::runtime::level_named(heed::name(level)) == level);
  CHECK(heed::runtime::level_named("aarch64") == HEED_CPU_AARCH64);
  for (const char *text : {"", "x86-64", "x86-64-v", "x86-64-v3 ", "X86-64-V3", "avx2"})
    CHECK(heed::runtime::level_named(text) == HEED_CPU_ANY);
  CHECK(heed_cpu_level_name(unknown_level) == nullptr);
  CHECK(heed_cpu_level_name(-1) == nullptr);
}

TEST_CASE("a call runs the best level of the machine, and none that is forced away") {
  const limit restored;
  const chain kernel = every_level();
  CHECK(kernel.level() == machine());
  CHECK(heed::cpu_level_of(kernel.program()) == machine());
  for (const heed_cpu_level level : x86_levels) {
    INFO(heed::name(level));
    const int before = kernel.level();
    const bool is_set = heed::set_cpu_level(level);
    CHECK(is_set == runs(machine(), level));
    CHECK(kernel.level() == (is_set ? static_cast<int>(level) : before));
    CHECK(heed_machine_cpu_level() == machine());
  }
  CHECK(heed_set_cpu_level(HEED_CPU_ANY) == HEED_OK);
  CHECK(kernel.level() == machine());
}

TEST_CASE("a limit that is none changes nothing") {
  const limit restored;
  const chain kernel = every_level();
  for (const int level : {-1, 5, 15, 17, 200, 256 + HEED_CPU_X86_64_V2})
    CHECK(heed_set_cpu_level(level) == HEED_INVALID_ARGUMENT);
  const int foreign = machine() == HEED_CPU_AARCH64 ? HEED_CPU_X86_64_V2 : HEED_CPU_AARCH64;
  CHECK(heed_set_cpu_level(foreign) == HEED_UNSUPPORTED);
  CHECK(kernel.level() == machine());
}

TEST_CASE("without a level that runs here a call is refused") {
  const heed_cpu_level foreign = machine() == HEED_CPU_AARCH64 ? HEED_CPU_X86_64_V3 : HEED_CPU_AARCH64;
  check_refused(chain({unknown_level, foreign}).refused(), HEED_UNSUPPORTED,
                "kernel: it is compiled for an unknown level, " + std::string(heed::name(foreign)) +
                    ", this CPU runs up to " + heed::name(machine()) + "; compile it for that level too");
}

#ifdef __x86_64__

TEST_CASE("between two levels the lower one runs; below the lowest none") {
  const limit restored;
  if (!runs(machine(), HEED_CPU_X86_64_V3))
    return;
  REQUIRE(heed::set_cpu_level(HEED_CPU_X86_64_V3));
  CHECK(chain({HEED_CPU_X86_64_V4, HEED_CPU_X86_64_V2}).level() == HEED_CPU_X86_64_V2);
  check_refused(chain({HEED_CPU_X86_64_V4_BF16, HEED_CPU_X86_64_V4}).refused(), HEED_UNSUPPORTED,
                "kernel: it is compiled for x86-64-v4-bf16, x86-64-v4, the level is limited to x86-64-v3; "
                "compile it for that level too, or raise the limit");
}

namespace {

/// What a process says that has this in its environment: "CODE LEVEL MESSAGE", of a chain of all levels.
std::string under(const std::string &variable) {
  FILE *const pipe = popen((variable + " " + HEED_LEVEL_PROGRAM).c_str(), "r");
  REQUIRE(pipe);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), pipe));
  CHECK(pclose(pipe) == 0);
  return text;
}

} // namespace

TEST_CASE("HEED_CPU_LEVEL limits every call, and the program overrides it") {
  const std::string best = std::to_string(machine());
  for (const heed_cpu_level level : x86_levels)
    if (runs(machine(), level)) {
      const std::string variable = "HEED_CPU_LEVEL=" + std::string(heed::name(level));
      CHECK(under(variable) == "0 " + std::to_string(level) + " ");
      CHECK(under("LIMIT=" + best + " " + variable) == "0 " + best + " ");
    }
  CHECK(under("HEED_CPU_LEVEL=") == "0 " + best + " ");
}

TEST_CASE("HEED_CPU_LEVEL that is wrong refuses calls, with words") {
  CHECK(under("HEED_CPU_LEVEL=avx2") ==
        "1 -1 HEED_CPU_LEVEL: found 'avx2', the name of a CPU level is needed; "
        "write for example x86-64-v3, or unset it");
  CHECK(under("HEED_CPU_LEVEL=aarch64") == "3 -1 HEED_CPU_LEVEL: found 'aarch64', this CPU runs up to " +
                                               std::string(heed::name(machine())) +
                                               "; write a level up to that, or unset it");
  CHECK(under("HEED_CPU_LEVEL=" + std::string(1000, 'x')).substr(0, 26) == "1 -1 HEED_CPU_LEVEL: found");
  CHECK(under("LIMIT=1 HEED_CPU_LEVEL=avx2") == "0 1 ");
}

#endif
