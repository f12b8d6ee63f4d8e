/// Drivers that are there, and that are not: processes that find others.

#include "opencl.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>

#include <unistd.h>

using namespace heed::test;

namespace {

/// What the process says with this in its environment.
std::string under(const std::string &variables, const char *api) {
  FILE *const pipe = popen((variables + " " + HEED_DEVICE_PROCESS + " " + api).c_str(), "r");
  REQUIRE(pipe);
  std::string text(2000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), pipe));
  CHECK(pclose(pipe) == 0);
  return text;
}

/// A folder for as long as a test.
struct folder {
  explicit folder(const char *name) : path(std::filesystem::temp_directory_path() / name) {
    path += std::to_string(getpid());
    std::filesystem::create_directory(path);
  }
  ~folder() { std::filesystem::remove_all(path); }
  /// A file that is no library hides one that is.
  std::string hiding(const char *library) const {
    std::ofstream(path / library) << "";
    return "LD_LIBRARY_PATH=" + path.string();
  }
  std::filesystem::path path;
};

const std::string fake_cuda = "LD_LIBRARY_PATH=" HEED_FAKE_CUDA;

} // namespace

TEST_CASE("device: no OpenCL library, no OpenCL device") {
  const folder empty("heed_no_driver");
  const std::string no_library =
      "3 0 opencl: libOpenCL.so.1 was not found, it is needed; install an OpenCL driver, or "
      "compile for the CPU, too, and set options.allow_cpu\n";
  const std::string no_device =
      "3 0 opencl: no device was found, one is needed; install a driver, or compile for the "
      "CPU, too, and set options.allow_cpu\n";
  CHECK(under(empty.hiding("libOpenCL.so.1"), "opencl") == no_library + no_library);
  CHECK(under("ALLOW_CPU=1 " + empty.hiding("libOpenCL.so.1"), "opencl") == "0 28 \n" + no_library);
  if (!has_opencl())
    return;
  const folder vendors("heed_no_vendors");
  const std::string none = "OCL_ICD_VENDORS=" + vendors.path.string();
  CHECK(under(none, "opencl") == no_device + no_device);
  CHECK(under("ALLOW_CPU=1 " + none, "opencl") == "0 28 \n" + no_device);
}

TEST_CASE("device: no CUDA library, no CUDA device") {
  const folder empty("heed_no_driver");
  const std::string no_library =
      "3 0 cuda: libcuda.so.1 was not found, it is needed; install NVIDIA's driver, or "
      "compile for the CPU, too, and set options.allow_cpu\n";
  CHECK(under(empty.hiding("libcuda.so.1"), "cuda") == no_library + no_library);
  const std::string no_device =
      "3 0 cuda: no device was found, one is needed; install a driver, or compile for the "
      "CPU, too, and set options.allow_cpu\n";
  CHECK(under("NO_DEVICE=1 " + fake_cuda, "cuda") == no_device + no_device);
}

TEST_CASE("device: a call on CUDA's driver, or what stands in for it") {
  CHECK(under(fake_cuda, "cuda") == "0 28 \n0 28 \n");
  CHECK(under("SHARED=70000 " + fake_cuda, "cuda") == "0 28 \n0 28 \n");
}

TEST_CASE("device: what CUDA refuses") {
  const auto twice = [](const std::string &line) { return line + "\n" + line + "\n"; };
  CHECK(under("CODE='an error' " + fake_cuda, "cuda") ==
        twice("3 0 cuda: cuModuleLoadDataEx returned 218 (CUDA_ERROR_OF_A_KIND), 0 is needed; update the "
              "driver, or "
              "compile for the CPU; its log: line 3: what is this"));
  CHECK(under("SHARED=200000 " + fake_cuda, "cuda") ==
        twice("3 0 scale: a block of it shares 200000 bytes, at most 101376 are needed on fake; choose a "
              "schedule of "
              "smaller blocks"));
}
