/// The shared memory of PTX gets a name, and every access of it begins there.

#include "cuda_code.hpp"

#include <catch2/catch.hpp>

using heed::runtime::device::cuda::with_declared_shared_memory;

namespace {

std::string module_of(const std::string &instructions) {
  return ".version 7.0\n.target sm_80\n.address_size 64\n\n.visible .entry kernel(\n\t.param .u64 .ptr "
         ".align 1 p\n)\n{\n" +
         instructions + "\tret;\n}\n";
}

/// What becomes of the instructions.
std::string changed(const std::string &instructions) {
  const std::string text = with_declared_shared_memory(module_of(instructions));
  const std::string first = "\tmov.u32 %heed_base32, heed_shared;\n";
  const std::size_t begin = text.find(first);
  REQUIRE(begin != std::string::npos);
  CHECK(text.find(".address_size 64\n.extern .shared .align 16 .b8 heed_shared[];\n") != std::string::npos);
  CHECK(text.find("{\n\t.reg .b64 %heed_base64, %heed_at64;\n") != std::string::npos);
  const std::size_t end = text.find("\tret;\n}\n");
  REQUIRE(end != std::string::npos);
  return text.substr(begin + first.size(), end - begin - first.size());
}

} // namespace

TEST_CASE("cuda: accesses of shared memory begin where it was declared") {
  CHECK(changed("\tst.shared.b32 \t[%rd5+1152], %r379;\n") ==
        "\tadd.s64 %heed_at64, %heed_base64, %rd5;\n\tst.shared.b32 \t[%heed_at64+1152], %r379;\n");
  CHECK(changed("\tld.shared.v2.b32 \t{%r1, %r2}, [%rd49+-8064]; // 8-byte\n") ==
        "\tadd.s64 %heed_at64, %heed_base64, %rd49;\n\tld.shared.v2.b32 \t{%r1, %r2}, [%heed_at64+-8064]; // "
        "8-byte\n");
  CHECK(changed("\t@%p1 ld.shared.b32 \t%r1, [%r2];\n") ==
        "\tadd.s32 %heed_at32, %heed_base32, %r2;\n\t@%p1 ld.shared.b32 \t%r1, [%heed_at32];\n");
  CHECK(changed("\tst.shared.b32 \t[4096], %r1;\n") == "\tst.shared.b32 \t[heed_shared+4096], %r1;\n");
  CHECK(changed("\tcp.async.ca.shared.global [%r1], [%rd2], 16;\n") ==
        "\tadd.s32 %heed_at32, %heed_base32, %r1;\n\tcp.async.ca.shared.global [%heed_at32], [%rd2], 16;\n");
}

TEST_CASE("cuda: all else of a module stays as it is") {
  const std::string without = module_of("\tld.global.b32 \t%r1, [%rd2];\n");
  CHECK(with_declared_shared_memory(without) == without);
  const std::string shared =
      "\tst.shared.b32 \t[named+4], %r1; // [%rd1]\n\tld.global.b32 \t%r1, [%rd2]; // .shared [%rd3]\n";
  CHECK(changed(shared) == shared);
}
