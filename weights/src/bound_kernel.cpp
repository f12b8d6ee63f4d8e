#include <heed/weights/bound_kernel.hpp>

#include <heed/call.hpp>
#include <heed/weights/convert.hpp>

#include "guarded.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace heed {
namespace {

/// Writes a status of HEED_INVALID_ARGUMENT; what does not fit the message is cut.
#ifdef __GNUC__
__attribute__((format(printf, 2, 3)))
#endif
void fail(status &status, const char *format, ...) noexcept {
  status.c_status()->code = HEED_INVALID_ARGUMENT;
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(status.c_status()->message, HEED_MESSAGE_SIZE, format, arguments);
  va_end(arguments);
}

template <class T> void store(std::int64_t &storage, T value) noexcept {
  std::memcpy(&storage, &value, sizeof value);
}

/// Stores the number where the type T has it.
template <class T> bool store_exactly(std::int64_t &storage, std::int64_t number) noexcept {
  const auto value = static_cast<T>(number);
  // Every value of both types is one of long double.
  if (static_cast<long double>(value) != static_cast<long double>(number))
    return false;
  store(storage, value);
  return true;
}

bool store_integer(heed_dtype type, std::int64_t &storage, std::int64_t number) noexcept {
  switch (type) {
  case HEED_B8:
    return (number == 0 || number == 1) && store_exactly<std::uint8_t>(storage, number);
  case HEED_I32:
    return store_exactly<std::int32_t>(storage, number);
  case HEED_I64:
    return store_exactly<std::int64_t>(storage, number);
  case HEED_F32:
    return store_exactly<float>(storage, number);
  case HEED_F64:
    return store_exactly<double>(storage, number);
  default:
    return false;
  }
}

} // namespace

bound_kernel::bound_kernel(const heed_program &program, std::shared_ptr<const bound_weights> weights)
    : program_(&program), weights_(std::move(weights)),
      views_(static_cast<std::size_t>(program.argument_count)),
      scalars_(static_cast<std::size_t>(program.argument_count)),
      is_set_(static_cast<std::size_t>(program.argument_count)) {
  for (const auto &[argument, view] : weights_->items()) {
    views_[static_cast<std::size_t>(argument)] = view;
    is_set_[static_cast<std::size_t>(argument)] = true;
  }
  for (std::size_t i = 0; i < views_.size(); ++i)
    if (program.arguments[i].role == HEED_SCALAR)
      views_[i] = {nullptr, program.arguments[i].dtype, 0, {}, {}};
}

int bound_kernel::find(std::string_view name) noexcept {
  for (int i = 0; i < program_->argument_count; ++i)
    if (program_->arguments[i].name == name)
      return i;
  if (fault_.ok())
    fail(fault_,
         "%.*s: %s has no argument of this name, one of its own is needed; pass a name that its header lists",
         static_cast<int>(name.size()), name.data(), program_->name);
  return -1;
}

bound_kernel &bound_kernel::set(std::string_view name, const heed_view &view) noexcept {
  const int argument = find(name);
  if (argument < 0)
    return *this;
  const heed_argument &wanted = program_->arguments[argument];
  if (wanted.role == HEED_SCALAR) {
    if (fault_.ok())
      fail(fault_, "%s: a view was set, a number is needed; write set(\"%s\", number)", wanted.name,
           wanted.name);
    return *this;
  }
  views_[static_cast<std::size_t>(argument)] = view;
  is_set_[static_cast<std::size_t>(argument)] = true;
  return *this;
}

bool bound_kernel::is_scalar(int argument) noexcept {
  const heed_argument &wanted = program_->arguments[argument];
  if (wanted.role != HEED_SCALAR && fault_.ok())
    fail(fault_, "%s: a number was set, a view is needed; write set(\"%s\", heed::view{data, extents})",
         wanted.name, wanted.name);
  return wanted.role == HEED_SCALAR;
}

bound_kernel &bound_kernel::set_integer(std::string_view name, std::int64_t number) noexcept {
  const int argument = find(name);
  if (argument < 0 || !is_scalar(argument))
    return *this;
  const auto i = static_cast<std::size_t>(argument);
  const auto type = static_cast<heed_dtype>(program_->arguments[i].dtype);
  if (store_integer(type, scalars_[i], number))
    is_set_[i] = true;
  else if (fault_.ok())
    fail(fault_, "%s: the number is %lld, one that %s holds exactly is needed; pass another",
         program_->arguments[i].name, static_cast<long long>(number), type_name(type));
  return *this;
}

bound_kernel &bound_kernel::set_fraction(std::string_view name, double number) noexcept {
  const int argument = find(name);
  if (argument < 0 || !is_scalar(argument))
    return *this;
  const auto i = static_cast<std::size_t>(argument);
  const auto type = static_cast<heed_dtype>(program_->arguments[i].dtype);
  if (type == HEED_F32)
    store(scalars_[i], static_cast<float>(number));
  else if (type == HEED_F64)
    store(scalars_[i], number);
  else if (fault_.ok())
    fail(fault_, "%s: the number is %g, an integer is needed for %s; pass one", program_->arguments[i].name,
         number, type_name(type));
  is_set_[i] = is_set_[i] || type == HEED_F32 || type == HEED_F64;
  return *this;
}

void bound_kernel::report_unset(status &status) const noexcept {
  char names[HEED_MESSAGE_SIZE / 2] = "";
  std::size_t length = 0;
  for (std::size_t i = 0; i < is_set_.size(); ++i)
    if (!is_set_[i] && length < sizeof names - 1)
      length += static_cast<std::size_t>(std::snprintf(names + length, sizeof names - length, "%s%s",
                                                       length > 0 ? ", " : "", program_->arguments[i].name));
  if (length >= sizeof names)
    std::memcpy(names + sizeof names - 4, "...", 4);
  fail(status, "%s: not set: %s, every argument is needed; call set(name, view or number) before call",
       program_->name, names);
}

status bound_kernel::call(const options &options) noexcept {
  status result;
  if (!fault_.ok()) {
    result = fault_;
    fault_ = {};
    return result;
  }
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (!is_set_[i]) {
      report_unset(result);
      return result;
    }
    if (program_->arguments[i].role == HEED_SCALAR)
      views_[i].data = &scalars_[i];
  }
  const heed_options c_options = options;
  heed_call(program_, views_.data(), &c_options, result.c_status());
  return result;
}

result<bound_kernel> bind_kernel(const heed_program &program, const weights_store &store,
                                 const bind_options &options) noexcept {
  return detail::guarded(program.name, [&]() -> result<bound_kernel> {
    auto weights = bind_weights(program, store, options);
    if (!weights)
      return failure{weights.message()};
    return bound_kernel(program, std::make_shared<const bound_weights>(*std::move(weights)));
  });
}

} // namespace heed
