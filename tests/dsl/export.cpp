#include "text_of.hpp"

#include <catch2/catch.hpp>

#include <cstdint>
#include <dlfcn.h>
#include <fstream>
#include <vector>

using namespace heed;
using namespace heed::testing;

namespace {

/// The kernels of a module, which stays loaded.
std::vector<const spec::graph *> kernels_of(const char *path) {
  void *const module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  INFO((module ? "" : dlerror()));
  REQUIRE(module != nullptr);
  const auto list = reinterpret_cast<spec::spec_kernels_function *>(dlsym(module, spec::spec_kernels_symbol));
  REQUIRE(list != nullptr);
  std::vector<const spec::graph *> kernels;
  for (const spec::registration *each = list(); each != nullptr; each = each->next)
    kernels.push_back(each->kernel);
  return kernels;
}

/// Whether the page of an address may be written, as the system tells.
bool is_writable(const void *address) {
  std::ifstream maps("/proc/self/maps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string rights;
    std::istringstream(line) >> std::hex >> begin >> dash >> end >> rights;
    if (wanted >= begin && wanted < end)
      return rights.find('w') != std::string::npos;
  }
  return true;
}

} // namespace

TEST_CASE("both compilers build the same graphs") {
  const auto host = kernels_of(HEED_HOST_MODULE), clang = kernels_of(HEED_CLANG_MODULE);
  REQUIRE(host.size() == 5);
  REQUIRE(clang.size() == 5);
  const char *const names[] = {"every_word", "every_row_word", "deep_stack", "scaled_4", "scaled_8"};
  for (int i = 0; i < 5; ++i) {
    CHECK(std::string(host[i]->name) == names[i]);
    CHECK(std::string(clang[i]->name) == names[i]);
    CHECK(text_of(*host[i]) == text_of(*clang[i]));
    for (int n = 0; n < host[i]->node_count; ++n)
      CHECK(host[i]->nodes[n].line == clang[i]->nodes[n].line);
  }
  CHECK(host[2]->node_count == 1 + 24 * 33);
}

TEST_CASE("modules in one process keep lists of their own") {
  const auto host = kernels_of(HEED_HOST_MODULE), clang = kernels_of(HEED_CLANG_MODULE);
  for (std::size_t i = 0; i < host.size(); ++i) {
    CHECK(host[i] != clang[i]);
    CHECK(host[i]->nodes != clang[i]->nodes);
  }
  CHECK(kernels_of(HEED_EMPTY_MODULE).empty());
}

TEST_CASE("graphs lie in read-only memory") {
  for (const char *path : {HEED_HOST_MODULE, HEED_CLANG_MODULE})
    for (const spec::graph *kernel : kernels_of(path)) {
      CHECK_FALSE(is_writable(kernel));
      CHECK_FALSE(is_writable(kernel->nodes));
      CHECK_FALSE(is_writable(kernel->extents));
      CHECK_FALSE(is_writable(kernel->outputs));
      CHECK_FALSE(is_writable(kernel->nodes[0].name));
    }
}
