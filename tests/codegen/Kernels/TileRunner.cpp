#include "TileRunner.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <tuple>
#include <unistd.h>

using namespace heed::kernels;

extern "C" void *heed_scratch_allocate(void *context, uint64_t bytes) {
  auto &scratch = *static_cast<ScratchContext *>(context);
  if (scratch.failAfter == 0)
    return nullptr;
  if (scratch.failAfter > 0)
    --scratch.failAfter;
  void *memory = nullptr;
  for (auto spare = scratch.spare.begin(); spare != scratch.spare.end(); ++spare)
    if (spare->second >= bytes && spare->second <= 2 * bytes + 64) {
      std::tie(memory, bytes) = *spare;
      scratch.spare.erase(spare);
      break;
    }
  if (!memory) {
    bytes = (bytes + 63) / 64 * 64;
    memory = std::aligned_alloc(64, bytes ? bytes : 64);
  }
  scratch.live.emplace_back(memory, bytes);
  scratch.current += bytes;
  scratch.peak = std::max(scratch.peak, scratch.current);
  return memory;
}

extern "C" void heed_scratch_release(void *context, void *memory) {
  auto &scratch = *static_cast<ScratchContext *>(context);
  if (scratch.live.empty() || scratch.live.back().first != memory) {
    scratch.inOrder = false;
    return;
  }
  scratch.current -= scratch.live.back().second;
  scratch.spare.push_back(scratch.live.back());
  scratch.live.pop_back();
}

namespace heed::kernels {

namespace {

std::filesystem::path temporaryFile(const std::string &content) {
  std::string pattern = (std::filesystem::temp_directory_path() / "heed-tile-XXXXXX").string();
  const int file = mkstemp(pattern.data());
  if (file < 0)
    throw std::runtime_error("temporary file: " + pattern + " can't be made");
  close(file);
  std::ofstream(pattern, std::ios::binary) << content;
  return pattern;
}

} // namespace

ScratchContext::~ScratchContext() {
  for (auto &[memory, bytes] : spare)
    std::free(memory);
}

Operand::Operand(const void *data, halide_type_t type, std::initializer_list<Axis> axes) {
  int rank = 0;
  for (const Axis &axis : axes)
    dimensions[rank++] = {0, static_cast<int32_t>(axis.extent), static_cast<int32_t>(axis.stride), 0};
  value.host = static_cast<uint8_t *>(const_cast<void *>(data));
  value.type = {static_cast<uint8_t>(type.code), type.bits, type.lanes};
  value.dimensions = rank;
  value.dim = dimensions.data();
}

Operand::Operand(const Operand &other) : dimensions(other.dimensions), value(other.value) {
  value.dim = dimensions.data();
}

LoadedTile::LoadedTile(const TileFunction &function, const CpuTarget &target) {
  const auto start = std::chrono::steady_clock::now();
  const std::filesystem::path object = temporaryFile(compile(function, target, Form::Object));
  compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::filesystem::path shared = object.string() + ".so";
  const std::string link = "cc -shared -o " + shared.string() + " " + object.string() + " -lm";
  if (std::system(link.c_str()) != 0)
    throw std::runtime_error("linking: failed: " + link);
  void *handle = dlopen(shared.c_str(), RTLD_NOW | RTLD_LOCAL);
  std::filesystem::remove(object);
  std::filesystem::remove(shared);
  if (!handle)
    throw std::runtime_error(dlerror());
  library = std::shared_ptr<void>(handle, dlclose);
  entry = reinterpret_cast<heed_tile_function>(dlsym(handle, (function.name + "_argv").c_str()));
  if (!entry)
    throw std::runtime_error(dlerror());
}

int LoadedTile::operator()(ScratchContext &context, const std::vector<int32_t> &scalars,
                           const std::vector<Operand *> &operands) const {
  void *handle = &context;
  std::vector<void *> arguments = {&handle};
  for (const int32_t &scalar : scalars)
    arguments.push_back(const_cast<int32_t *>(&scalar));
  for (Operand *operand : operands)
    arguments.push_back(operand->buffer());
  return entry(arguments.data());
}

std::vector<std::string> undefinedSymbols(const std::string &object) {
  const std::filesystem::path file = temporaryFile(object);
  const std::string command = "nm --undefined-only --format=posix " + file.string();
  FILE *list = popen(command.c_str(), "r");
  if (!list)
    throw std::runtime_error("nm: can't be run");
  std::vector<std::string> symbols;
  char name[256];
  while (std::fscanf(list, "%255s%*[^\n]", name) == 1)
    symbols.push_back(name);
  pclose(list);
  std::filesystem::remove(file);
  return symbols;
}

} // namespace heed::kernels
