#include "output.hpp"

#include "heed/plot/error.hpp"

#include <cairo-svg.h>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace heed::plot {

namespace fs = std::filesystem;

namespace {

using surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

constexpr double most_pixels_along = 32767; // of an image in cairo

cairo_status_t append(void *text, const unsigned char *bytes, unsigned length) {
  static_cast<std::string *>(text)->append(reinterpret_cast<const char *>(bytes), length);
  return CAIRO_STATUS_SUCCESS;
}

void require(cairo_status_t status, const std::string &file) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw error(file + ": can't be drawn: " + cairo_status_to_string(status));
}

[[noreturn]] void fail(const std::string &file, int reason) {
  throw error(file + ": can't be written: " + std::strerror(reason));
}

surface make_surface(format f, const canvas &size, const std::string &file, std::string &bytes) {
  if (f == format::svg)
    return {cairo_svg_surface_create_for_stream(append, &bytes, size.width, size.height),
            cairo_surface_destroy};
  double width = std::ceil(size.width * size.pixels_per_point),
         height = std::ceil(size.height * size.pixels_per_point);
  if (!(width >= 1 && height >= 1 && width <= most_pixels_along && height <= most_pixels_along))
    throw error(file + ": the picture has " + std::to_string(std::llround(width)) + " × " +
                std::to_string(std::llround(height)) +
                " pixels, at most 32767 × 32767 are possible; write an .svg");
  return {cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(width), static_cast<int>(height)),
          cairo_surface_destroy};
}

/// Opens, writes and closes; the number of an error or 0.
int write_bytes(const std::string &file, int flags, const std::string &bytes) {
  int descriptor = open(file.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
  if (descriptor < 0)
    return errno;
  int reason = 0;
  for (std::size_t done = 0; done < bytes.size() && reason == 0;) {
    ssize_t count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      reason = errno;
  }
  if (close(descriptor) != 0 && reason == 0)
    reason = errno;
  return reason;
}

/// cairo counts the surfaces of the process in the name of the first group; the same drawing shall be the
/// same bytes.
void number_from_one(std::string &svg) {
  constexpr std::string_view group = "<g id=\"surface";
  std::size_t number = svg.find(group);
  if (number == std::string::npos)
    return;
  number += group.size();
  svg.replace(number, svg.find('"', number) - number, "1");
}

} // namespace

format format_of(const std::string &file) {
  if (file.ends_with(".svg"))
    return format::svg;
  if (file.ends_with(".png"))
    return format::png;
  throw error(file + ": a name that ends with .svg or .png is needed");
}

std::string drawn(format f, const canvas &size, const std::string &file,
                  const std::function<void(cairo_t *)> &draw) {
  std::string bytes;
  surface target = make_surface(f, size, file, bytes);
  context on(cairo_create(target.get()), cairo_destroy);
  if (f == format::png)
    cairo_scale(on.get(), size.pixels_per_point, size.pixels_per_point);
  draw(on.get());
  require(cairo_status(on.get()), file);
  if (f == format::png)
    require(cairo_surface_write_to_png_stream(target.get(), append, &bytes), file);
  cairo_surface_finish(target.get());
  require(cairo_surface_status(target.get()), file);
  if (f == format::svg)
    number_from_one(bytes);
  return bytes;
}

void write_file(const std::string &file, const std::string &bytes) {
  std::error_code ignored;
  // Renaming would put a file in the place of a link, or of a device.
  fs::path target = fs::is_symlink(file, ignored) ? fs::weakly_canonical(file, ignored) : fs::path(file);
  if (fs::is_directory(target, ignored))
    fail(file, EISDIR);
  bool exists = fs::exists(target, ignored);
  if (exists && access(target.c_str(), W_OK) != 0)
    fail(file, errno);
  if (exists && !fs::is_regular_file(target, ignored)) {
    if (int reason = write_bytes(target.string(), 0, bytes))
      fail(file, reason);
    return;
  }
  std::string part = target.string() + "." + std::to_string(getpid()) + ".part";
  int reason = write_bytes(part, O_CREAT | O_EXCL, bytes);
  if (reason == 0 && std::rename(part.c_str(), target.c_str()) != 0)
    reason = errno;
  if (reason == 0)
    return;
  if (reason != EEXIST)
    unlink(part.c_str());
  fail(file, reason);
}

} // namespace heed::plot
