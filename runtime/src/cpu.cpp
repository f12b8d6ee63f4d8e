#include "cpu.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace heed::runtime {
namespace {

constexpr std::uint32_t bit(int number) noexcept { return std::uint32_t{1} << number; }

constexpr bool has(std::uint64_t set, std::uint64_t bits) noexcept { return (set & bits) == bits; }

// A level asks for all that the compiler's CPU of that level has, since code for it may hold any of that:
// those of x86-64-v2 and -v3 in the psABI, of Skylake's and of Zen 4's AVX-512.

constexpr std::uint32_t ssse3 = bit(9), fma = bit(12), cx16 = bit(13), sse41 = bit(19), sse42 = bit(20),
                        movbe = bit(22), popcnt = bit(23), osxsave = bit(27), avx = bit(28),
                        f16c = bit(29); // leaf 1, ecx
constexpr std::uint32_t bmi1 = bit(3), avx2 = bit(5), bmi2 = bit(8), avx512f = bit(16), avx512dq = bit(17),
                        avx512ifma = bit(21), avx512cd = bit(28), avx512bw = bit(30),
                        avx512vl = bit(31); // leaf 7, ebx
constexpr std::uint32_t avx512vbmi = bit(1), avx512vbmi2 = bit(6), gfni = bit(8), vaes = bit(9),
                        vpclmulqdq = bit(10), avx512vnni = bit(11), avx512bitalg = bit(12),
                        avx512vpopcntdq = bit(14);     // leaf 7, ecx
constexpr std::uint32_t avx512bf16 = bit(5);           // leaf 7.1, eax
constexpr std::uint32_t lahf = bit(0), lzcnt = bit(5); // leaf 0x80000001, ecx

constexpr std::uint64_t ymm_state = 0x6;  ///< XMM and the upper halves of YMM
constexpr std::uint64_t zmm_state = 0xe6; ///< those, masks, and all of ZMM

bool has_v2(const cpu_description &cpu) noexcept { return has(cpu.leaf_1_ecx, ssse3 | cx16 | sse41); }

bool has_v3(const cpu_description &cpu) noexcept {
  return has(cpu.leaf_1_ecx, fma | sse42 | movbe | popcnt | osxsave | avx | f16c) &&
         has(cpu.leaf_7_ebx, bmi1 | avx2 | bmi2) && has(cpu.extended_leaf_ecx, lahf | lzcnt) &&
         has(cpu.saved_state, ymm_state);
}

bool has_v4(const cpu_description &cpu) noexcept {
  return has(cpu.leaf_7_ebx, avx512f | avx512dq | avx512cd | avx512bw | avx512vl) &&
         has(cpu.saved_state, zmm_state);
}

bool has_v4_bf16(const cpu_description &cpu) noexcept {
  return has(cpu.leaf_7_ebx, avx512ifma) &&
         has(cpu.leaf_7_ecx, avx512vbmi | avx512vbmi2 | gfni | vaes | vpclmulqdq | avx512vnni | avx512bitalg |
                                 avx512vpopcntdq) &&
         has(cpu.leaf_7_1_eax, avx512bf16);
}

#ifdef __x86_64__

cpu_description describe_this_cpu() noexcept {
  cpu_description cpu;
  unsigned eax, ebx, ecx, edx;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx))
    cpu.leaf_1_ecx = ecx;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx)) {
    cpu.leaf_7_ebx = ebx;
    cpu.leaf_7_ecx = ecx;
    if (eax >= 1 && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx))
      cpu.leaf_7_1_eax = eax;
  }
  if (__get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx))
    cpu.extended_leaf_ecx = ecx;
  // XGETBV exists only where the system has turned XSAVE on. Written out, since the intrinsic needs -mxsave.
  if (has(cpu.leaf_1_ecx, osxsave)) {
    __asm__("xgetbv" : "=a"(eax), "=d"(edx) : "c"(0));
    cpu.saved_state = std::uint64_t{edx} << 32 | eax;
  }
  return cpu;
}

#endif

} // namespace

heed_cpu_level x86_level(const cpu_description &cpu) noexcept {
  if (!has_v2(cpu))
    return HEED_CPU_ANY;
  if (!has_v3(cpu))
    return HEED_CPU_X86_64_V2;
  if (!has_v4(cpu))
    return HEED_CPU_X86_64_V3;
  return has_v4_bf16(cpu) ? HEED_CPU_X86_64_V4_BF16 : HEED_CPU_X86_64_V4;
}

heed_cpu_level detect_level() noexcept {
#if defined(__x86_64__)
  return x86_level(describe_this_cpu());
#elif defined(__aarch64__)
  return HEED_CPU_AARCH64;
#else
  return HEED_CPU_ANY;
#endif
}

} // namespace heed::runtime
