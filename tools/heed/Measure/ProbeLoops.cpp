#include "Measure/ProbeLoops.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace heed::tools {

namespace {

/// Independent accumulators: more than latency times throughput of any CPU, few enough for the registers.
constexpr int wideAccumulators = 24, narrowAccumulators = 12;

// One vector level is one set of these two loops. They are macros, since a function with a target attribute
// can't be a template over its vector type: the intrinsics would not be inlined into it.
#define HEED_FMA_LOOP(NAME, TARGET, VECTOR, SET1, FMA, STORE, LANES, ACCUMULATORS)                           \
  TARGET float NAME(std::int64_t rounds) {                                                                   \
    VECTOR sums[ACCUMULATORS];                                                                               \
    for (int i = 0; i < ACCUMULATORS; ++i)                                                                   \
      sums[i] = SET1(0.001f * i);                                                                            \
    VECTOR factor = SET1(0.999f), term = SET1(0.001f);                                                       \
    for (std::int64_t round = 0; round < rounds; ++round) {                                                  \
      _Pragma("GCC unroll 32") for (int i = 0; i < ACCUMULATORS; ++i) sums[i] = FMA(sums[i], factor, term);  \
    }                                                                                                        \
    float total = 0, lanes[LANES];                                                                           \
    for (int i = 0; i < ACCUMULATORS; ++i) {                                                                 \
      STORE(lanes, sums[i]);                                                                                 \
      total += lanes[0];                                                                                     \
    }                                                                                                        \
    return total;                                                                                            \
  }

#define HEED_READ_ROWS(NAME, TARGET, VECTOR, SET1, LOAD, ADD, STORE, LANES)                                  \
  template <int streams> TARGET float NAME##Rows(const float *first, std::size_t count, std::size_t pitch) { \
    VECTOR sums[streams * 2];                                                                                \
    for (VECTOR &sum : sums)                                                                                 \
      sum = SET1(0.0f);                                                                                      \
    for (std::size_t i = 0; i < count; i += 4 * LANES) {                                                     \
      _Pragma("GCC unroll 8") for (int s = 0; s < streams; ++s) {                                            \
        const float *row = first + s * pitch + i;                                                            \
        __builtin_prefetch(row + 1024);                                                                      \
        sums[2 * s] = ADD(sums[2 * s], ADD(LOAD(row), LOAD(row + LANES)));                                   \
        sums[2 * s + 1] = ADD(sums[2 * s + 1], ADD(LOAD(row + 2 * LANES), LOAD(row + 3 * LANES)));           \
      }                                                                                                      \
    }                                                                                                        \
    float total = 0, lanes[LANES];                                                                           \
    for (VECTOR &sum : sums) {                                                                               \
      STORE(lanes, sum);                                                                                     \
      total += lanes[0];                                                                                     \
    }                                                                                                        \
    return total;                                                                                            \
  }                                                                                                          \
  float NAME(const float *first, std::size_t count, std::size_t pitch, int streams) {                        \
    return streams == 1   ? NAME##Rows<1>(first, count, pitch)                                               \
           : streams == 2 ? NAME##Rows<2>(first, count, pitch)                                               \
           : streams == 4 ? NAME##Rows<4>(first, count, pitch)                                               \
                          : NAME##Rows<8>(first, count, pitch);                                              \
  }

#if defined(__x86_64__)

#define HEED_AVX512 __attribute__((target("avx512f")))
#define HEED_AVX2 __attribute__((target("avx2,fma")))
HEED_FMA_LOOP(fmaAvx512, HEED_AVX512, __m512, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_storeu_ps, 16,
              wideAccumulators)
HEED_READ_ROWS(readAvx512, HEED_AVX512, __m512, _mm512_set1_ps, _mm512_load_ps, _mm512_add_ps,
               _mm512_storeu_ps, 16)
HEED_FMA_LOOP(fmaAvx2, HEED_AVX2, __m256, _mm256_set1_ps, _mm256_fmadd_ps, _mm256_storeu_ps, 8,
              narrowAccumulators)
HEED_READ_ROWS(readAvx2, HEED_AVX2, __m256, _mm256_set1_ps, _mm256_load_ps, _mm256_add_ps, _mm256_storeu_ps,
               8)

#define HEED_AVX512_BF16 __attribute__((target("avx512f,avx512bf16")))
/// Two products per lane, of the halves of the lanes taken as bf16.
HEED_AVX512_BF16 inline __m512 addDots(__m512 sum, __m512 a, __m512 b) {
  return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(a), reinterpret_cast<__m512bh>(b));
}
HEED_FMA_LOOP(dotAvx512Bf16, HEED_AVX512_BF16, __m512, _mm512_set1_ps, addDots, _mm512_storeu_ps, 16,
              wideAccumulators)

/// Without FMA instructions a multiplication and an addition do the same two operations.
inline __m128 multiplyAdd(__m128 a, __m128 b, __m128 c) { return _mm_add_ps(_mm_mul_ps(a, b), c); }
HEED_FMA_LOOP(fmaSse, , __m128, _mm_set1_ps, multiplyAdd, _mm_storeu_ps, 4, narrowAccumulators)
HEED_READ_ROWS(readSse, , __m128, _mm_set1_ps, _mm_load_ps, _mm_add_ps, _mm_storeu_ps, 4)

template <int lanes, int accumulators>
constexpr ProbeLoops loops(const char *level, float (*fma)(std::int64_t),
                           float (*read)(const float *, std::size_t, std::size_t, int),
                           float (*bf16Dot)(std::int64_t) = nullptr) {
  return {level, lanes, fma, 2.0 * lanes * accumulators, bf16Dot, read};
}

#else

/// Four floats of any vector unit, through the compiler's own vectors.
using Vector = float __attribute__((vector_size(16)));
inline Vector set(float value) { return Vector{value, value, value, value}; }
inline Vector multiplyAdd(Vector a, Vector b, Vector c) { return a * b + c; }
inline Vector plus(Vector a, Vector b) { return a + b; }
inline Vector load(const float *at) { return *reinterpret_cast<const Vector *>(at); }
inline void store(float *at, Vector value) { __builtin_memcpy(at, &value, sizeof value); }
HEED_FMA_LOOP(fmaGeneric, , Vector, set, multiplyAdd, store, 4, wideAccumulators)
HEED_READ_ROWS(readGeneric, , Vector, set, load, plus, store, 4)

#endif

} // namespace

ProbeLoops probeLoops([[maybe_unused]] heed_cpu_level level) {
#if defined(__x86_64__)
  if (level == HEED_CPU_X86_64_V4_BF16)
    return loops<16, wideAccumulators>("avx512_bf16", fmaAvx512, readAvx512, dotAvx512Bf16);
  if (level == HEED_CPU_X86_64_V4)
    return loops<16, wideAccumulators>("avx512f", fmaAvx512, readAvx512);
  if (level == HEED_CPU_X86_64_V3)
    return loops<8, narrowAccumulators>("avx2", fmaAvx2, readAvx2);
  return loops<4, narrowAccumulators>("sse2", fmaSse, readSse);
#else
  return {"128-bit vectors", 4, fmaGeneric, 2.0 * 4 * wideAccumulators, nullptr, readGeneric};
#endif
}

} // namespace heed::tools
