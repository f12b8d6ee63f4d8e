// Features are taken away before instructions are selected.
#include "Target/MachineCode.h"

#include <catch2/catch.hpp>

using namespace heed;

namespace {

/// Two shuffles of 16-bit elements for which a CPU with SSE4A has an instruction of its own.
constexpr const char *shuffles = R"(
target triple = "x86_64-unknown-linux-gnu"
define <8 x i16> @extract(<8 x i16> %a) #0 {
  %r = shufflevector <8 x i16> %a, <8 x i16> zeroinitializer,
                     <8 x i32> <i32 1, i32 2, i32 8, i32 8, i32 poison, i32 poison, i32 poison, i32 poison>
  ret <8 x i16> %r
}
define <8 x i16> @insert(<8 x i16> %a, <8 x i16> %b) #0 {
  %r = shufflevector <8 x i16> %a, <8 x i16> %b,
                     <8 x i32> <i32 0, i32 8, i32 9, i32 3, i32 poison, i32 poison, i32 poison, i32 poison>
  ret <8 x i16> %r
}
define void @narrow(ptr %p, <16 x i32> %v) #0 {
  %t = trunc <16 x i32> %v to <16 x i16>
  call void @llvm.masked.store.v16i16.p0(<16 x i16> %t, ptr align 2 %p, <16 x i1> <i1 true, i1 false, i1 false,
      i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false, i1 false,
      i1 false, i1 false>)
  ret void
}
define void @second(ptr %p, <4 x i16> %v) #0 {
  call void @llvm.masked.store.v4i16.p0(<4 x i16> %v, ptr align 2 %p,
                                        <4 x i1> <i1 false, i1 true, i1 false, i1 false>)
  ret void
}
define float @product(float %a, float %b, float %c) #0 {
  %p = fmul float %a, %b
  %r = fadd float %p, %c
  ret float %r
}
attributes #0 = { "target-cpu"="znver4" "target-features"="+fma" }
)";

/// The last element of a row as 16 bits.
constexpr const char *narrowed = R"(
target triple = "x86_64-unknown-linux-gnu"
define void @last(<16 x i32> %a, ptr %p) #0 {
  %t = trunc <16 x i32> %a to <16 x i16>
  call void @llvm.masked.store.v16i16.p0(<16 x i16> %t, ptr %p, i32 2, <16 x i1> <i1 0, i1 0, i1 1, i1 0,
    i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>)
  ret void
}
declare void @llvm.masked.store.v16i16.p0(<16 x i16>, ptr, i32, <16 x i1>)
attributes #0 = { "target-cpu"="znver4" }
)";

std::string codeOf(const MachineCodeOptions &options, const char *module = shuffles) {
  llvm::Expected<std::string> code = machineCode(module, options);
  REQUIRE(bool(code));
  return *code;
}

bool holds(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("code without a feature has none of its instructions") {
  const std::string all = codeOf({.isAssembly = true});
  CHECK(holds(all, "extrq"));
  CHECK(holds(all, "insertq"));
  const llvm::StringRef sse4a[] = {"sse4a"};
  const std::string fewer = codeOf({.without = sse4a, .isAssembly = true});
  CHECK_FALSE(holds(fewer, "extrq"));
  CHECK_FALSE(holds(fewer, "insertq"));
  CHECK(holds(fewer, "vfmadd"));
}

TEST_CASE("one narrowed lane is stored as wide as it is") {
  const std::string code = codeOf({.isAssembly = true});
  const auto bodyOf = [&](const char *function) {
    const size_t begin = code.find(std::string("\n") + function + ":");
    REQUIRE(begin != std::string::npos);
    return code.substr(begin, code.find("retq", begin) - begin);
  };
  CHECK(holds(bodyOf("narrow"), "movw\t%ax, (%rdi)"));
  CHECK_FALSE(holds(bodyOf("narrow"), "%xmm0, (%rdi)"));
  CHECK(holds(bodyOf("second"), "vpextrw\t$1, %xmm0, 2(%rdi)"));
}

TEST_CASE("products are rounded on their own where that is asked for") {
  CHECK_FALSE(holds(codeOf({.fusesProducts = false, .isAssembly = true}), "vfmadd"));
}

TEST_CASE("a store of one 16-bit element writes 16 bits") {
  const std::string text = codeOf({.isAssembly = true}, narrowed);
  CHECK(holds(text, "movw"));
  CHECK_FALSE(holds(text, "%xmm0, 4(%rdi)"));
}

TEST_CASE("an object is an ELF file") { CHECK(codeOf({}).substr(0, 4) == "\177ELF"); }

TEST_CASE("what is no module is refused") {
  llvm::Expected<std::string> code = machineCode("define nothing", {});
  REQUIRE_FALSE(bool(code));
  CHECK(!llvm::toString(code.takeError()).empty());
}
