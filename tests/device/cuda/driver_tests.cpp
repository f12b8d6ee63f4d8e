// The checking driver itself: it runs PTX, and notes what kernels and callers do wrong.
#include "CheckedCuda.h"

#include <catch2/catch.hpp>
#include <cstring>

using namespace heed::tests;

namespace {

const std::string head =
    ".version 7.0\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 all[];\n"
    ".visible .entry kernel(.param .u64 .ptr .align 4 out, .param .u32 count)\n{\n"
    "ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [count]; mov.u32 %r2, %tid.x;\n"
    "mov.u64 %rd2, all; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd4, %rd1, %rd3;\n"
    "add.s64 %rd5, %rd2, %rd3;\n";

/// The results of 8 threads, one word of each, of a kernel with these instructions.
std::vector<uint32_t> results(const std::string &instructions, unsigned sharedBytes = 64,
                              unsigned count = 8) {
  CheckedCuda cuda;
  runCuda<void *>("cuCtxPushCurrent_v2", cuda.context);
  void *module = nullptr, *function = nullptr;
  uint64_t out = 0;
  std::vector<uint32_t> words(8);
  runCuda<void **, const void *>("cuModuleLoadData", &module, (head + instructions + "\nret;\n}\n").c_str());
  runCuda<void **, void *, const char *>("cuModuleGetFunction", &function, module, "kernel");
  runCuda<uint64_t *, size_t>("cuMemAlloc_v2", &out, words.size() * sizeof words[0]);
  void *parameters[] = {&out, &count};
  auto *launch = cudaFunction<int(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  unsigned, void *, void **, void **)>("cuLaunchKernel");
  launch(function, 1, 1, 1, 8, 1, 1, sharedBytes, cuda.stream, parameters, nullptr);
  cudaFunction<int()>("cuCtxSynchronize")();
  cudaFunction<int(void *, uint64_t, size_t)>("cuMemcpyDtoH_v2")(words.data(), out,
                                                                 words.size() * sizeof words[0]);
  cudaFunction<int(uint64_t)>("cuMemFree_v2")(out);
  cudaFunction<int(void *)>("cuModuleUnload")(module);
  void *left;
  runCuda<void **>("cuCtxPopCurrent_v2", &left);
  return words;
}

/// What is noted of such a kernel, after its own name.
std::string noted(const std::string &instructions, unsigned sharedBytes = 64) {
  const CheckedDriver driver;
  CheckingCudaState before;
  try {
    before = driver.state();
    results(instructions, sharedBytes);
  } catch (const std::runtime_error &) { // a lost context takes no more calls
  }
  return driver.misuses();
}

} // namespace

TEST_CASE("driver: instructions do what PTX says") {
  const CheckedDriver driver;
  const auto [instructions, expected] = GENERATE(table<std::string, std::vector<uint32_t>>({
      {"st.global.b32 [%rd4], %r2;", {0, 1, 2, 3, 4, 5, 6, 7}},
      {"setp.lt.s32 %p1, %r2, 3; selp.b32 %r3, 10, -1, %p1; st.global.b32 [%rd4], %r3;",
       {10, 10, 10, ~0U, ~0U, ~0U, ~0U, ~0U}},
      {"cvt.rn.f32.u32 %f1, %r2; fma.rn.f32 %f1, %f1, 0f40000000, 0f3F000000; cvt.rzi.s32.f32 %r3, %f1; "
       "st.global.b32 [%rd4], %r3;",
       {0, 2, 4, 6, 8, 10, 12, 14}},
      {"st.shared.b32 [%rd5], %r2; bar.sync 0; ld.shared.v2.b32 {%r3, %r4}, [all+8]; add.s32 %r3, %r3, %r4; "
       "st.global.b32 [%rd4], %r3;",
       {5, 5, 5, 5, 5, 5, 5, 5}},
      {"mov.b32 %r3, 0; again: add.s32 %r3, %r3, %r2; sub.s32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra "
       "again; @!%p1 st.global.b32 [%rd4], %r3;",
       {0, 8, 16, 24, 32, 40, 48, 56}},
      {"{ .reg .b32 tmp; mov.b64 {tmp, %r3}, 0x500000007; add.s32 %r3, %r3, tmp; } st.global.b32 [%rd4], "
       "%r3;",
       {12, 12, 12, 12, 12, 12, 12, 12}},
  }));
  CHECK(results(instructions) == expected);
  CHECK(driver.leftovers() == "");
}

TEST_CASE("driver: what a kernel does wrong with memory is noted") {
  const auto [instructions, words] = GENERATE(table<std::string, std::string>({
      {"st.shared.b32 [%rd3], %r2;",
       "thread 0: st.shared.b32 [%rd3], %r2: address 0 is not in shared memory, 64 bytes "
       "from 1024 on"},
      {"st.shared.b32 [%rd5+60], %r2;",
       "thread 1: st.shared.b32 [%rd5+60], %r2: address 1088 is not in shared memory"},
      {"ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%rd5];",
       "thread 1: ld.shared.v4.b32 {%r3, %r4, %r5, %r6}, [%rd5]: "
       "address 1028 is misaligned"},
      {"st.global.b32 [%rd4+4], %r2;",
       "thread 7: st.global.b32 [%rd4+4], %r2: the address is in no allocation"},
      {"st.shared.b32 [%rd5], %r2; ld.shared.b32 %r3, [all+4];",
       "thread 1: st.shared.b32 [%rd5], %r2: thread 0 used what is there since the last barrier"},
      {"ld.shared.b32 %r3, [all]; st.shared.b32 [%rd5], %r2;",
       "thread 1: ld.shared.b32 %r3, [all]: thread 0 wrote there since the last barrier"},
      {"st.shared.b32 [all], %r2;",
       "thread 1: st.shared.b32 [all], %r2: thread 0 used what is there since the last "
       "barrier"},
      {"frobnicate.b32 %r3, %r2;", "frobnicate.b32 %r3, %r2: is not understood"},
  }));
  const std::string found = noted(instructions);
  INFO(found);
  CHECK(found.find(words) != std::string::npos);
}

TEST_CASE("driver: two threads may write the same") {
  CHECK(noted("mov.b32 %r3, 5; st.shared.b32 [all], %r3;") == "");
}

TEST_CASE("driver: what a caller does wrong is noted") {
  const CheckedDriver driver;
  {
    const CheckedCuda cuda;
    CHECK(cudaFunction<int(uint64_t *, size_t)>("cuMemAlloc_v2")(nullptr, 8) == 201); // no context is current
    CHECK(driver.misuses() == "cuMemAlloc: no context is current\n");
    driver.clear();
    void *left = nullptr;
    CHECK(cudaFunction<int(void **)>("cuCtxPopCurrent_v2")(&left) == 201);
    CHECK(driver.misuses() == "cuCtxPopCurrent: no context is current\n");
    driver.clear();
    runCuda<void *>("cuCtxPushCurrent_v2", cuda.context);
    uint64_t memory = 0;
    char bytes[16];
    runCuda<uint64_t *, size_t>("cuMemAlloc_v2", &memory, 8);
    CHECK(cudaFunction<int(uint64_t, const void *, size_t)>("cuMemcpyHtoD_v2")(memory + 4, bytes, 5) == 1);
    CHECK(driver.misuses().find(" are not in one allocation of the current context\n") != std::string::npos);
    driver.clear();
    runCuda<uint64_t>("cuMemFree_v2", memory);
    CHECK(cudaFunction<int(uint64_t)>("cuMemFree_v2")(memory) == 1);
    CHECK(driver.misuses().find(" is no allocation of the current context\n") != std::string::npos);
    driver.clear();
    runCuda<uint64_t *, size_t>("cuMemAlloc_v2", &memory, 8); // and is left
    runCuda<void **>("cuCtxPopCurrent_v2", &left);
  }
  CHECK(driver.misuses() == "cuCtxDestroy: the context ends with 0 modules and 1 allocations in it\n");
}
