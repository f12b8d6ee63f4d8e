#include "library.hpp"

#include <dlfcn.h>

namespace heed::runtime::device {

library::library(const char *name) noexcept : handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {}

void *library::address(const char *name) const noexcept { return dlsym(handle_, name); }

} // namespace heed::runtime::device
