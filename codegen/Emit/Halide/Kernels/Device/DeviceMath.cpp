#include "DeviceMath.h"

#include "Numerics.h"
#include "VectorMath.h"
#include "VulkanMath.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>

using namespace Halide;
using namespace Halide::Internal;

namespace heed::kernels {

namespace {

constexpr const char *exp2Name = "heed_exp2";

bool isDouble(const Type &type) { return type.bits() == 64; }

Expr pureCall(const Type &type, const std::string &name, const std::vector<Expr> &args) {
  return Call::make(type, name, args, Call::PureExtern);
}

/// f of values that are computed once.
Expr ofValues(const std::vector<Expr> &values, const std::function<Expr(const std::vector<Expr> &)> &f) {
  std::vector<Expr> inside;
  std::vector<std::pair<std::string, Expr>> lets;
  for (const Expr &value : values) {
    if (value.as<Variable>() || is_const(value)) {
      inside.push_back(value);
      continue;
    }
    lets.emplace_back(unique_name("value"), value);
    inside.push_back(Variable::make(value.type(), lets.back().first));
  }
  Expr result = f(inside);
  for (auto let = lets.rbegin(); let != lets.rend(); ++let)
    result = Let::make(let->first, let->second, result);
  return result;
}

Expr infinityBits(const Type &type) { return bitsOf(number(type, std::numeric_limits<double>::infinity())); }

/// Integers in the order of the numbers, both zeros as one.
Expr orderOf(const Expr &x) { return select(bitsOf(x) < 0, -magnitudeBits(x), magnitudeBits(x)); }

Expr areOrdered(const Expr &a, const Expr &b) {
  return max(magnitudeBits(a), magnitudeBits(b)) <= infinityBits(a.type());
}

/// An instruction that rounds to nearest: `llvm.nvvm.add.rn.ftz.f`, `llvm.nvvm.add.rn.d`.
Expr rounded(const char *instruction, const Type &type, const std::vector<Expr> &args) {
  return pureCall(type, std::string("llvm.nvvm.") + instruction + (isDouble(type) ? ".rn.d" : ".rn.ftz.f"),
                  args);
}

Expr extreme(const char *instruction, const Expr &a, const Expr &b) {
  return pureCall(a.type(), std::string("llvm.nvvm.") + instruction + (isDouble(a.type()) ? ".d" : ".f"),
                  {a, b});
}

bool isNamed(const Call *op, const char *name) {
  return op->name == std::string(name) + "_f32" || op->name == std::string(name) + "_f64";
}

} // namespace

Expr exp2OnDevice(const Expr &x) {
  return isDouble(x.type()) ? exp2NonPositive(x) : pureCall(x.type(), exp2Name, {x});
}

/// What LLVM must not look into, or nothing.
Expr LowerDeviceMath::strict(const Call *op) {
  const Expr a = mutate(op->args[0]), b = mutate(op->args[1]);
  if (op->is_intrinsic(Call::strict_add))
    return rounded("add", op->type, {a, b});
  if (op->is_intrinsic(Call::strict_sub))
    return rounded("add", op->type,
                   {a, reinterpret(b.type(), bitsOf(b) ^ b.type().with_code(Type::Int).min())});
  if (op->is_intrinsic(Call::strict_mul))
    return rounded("mul", op->type, {a, b});
  if (op->is_intrinsic(Call::strict_div))
    return rounded("div", op->type, {a, b});
  if (op->is_intrinsic(Call::strict_min))
    return extreme("fmin", a, b);
  if (op->is_intrinsic(Call::strict_max))
    return extreme("fmax", a, b);
  return ofValues({a, b}, [&](const std::vector<Expr> &v) {
    const Expr left = orderOf(v[0]), right = orderOf(v[1]);
    const Expr holds = op->is_intrinsic(Call::strict_lt)   ? left < right
                       : op->is_intrinsic(Call::strict_le) ? left <= right
                                                           : left == right;
    return areOrdered(v[0], v[1]) && holds;
  });
}

/// Tests on the bits, or nothing.
Expr LowerDeviceMath::test(const Call *op) {
  if (op->args.size() != 1 || !op->args[0].type().is_float())
    return {};
  const Expr magnitude = magnitudeBits(mutate(op->args[0])), infinity = infinityBits(op->args[0].type());
  if (isNamed(op, "is_nan"))
    return magnitude > infinity;
  if (isNamed(op, "is_inf"))
    return magnitude == infinity;
  if (isNamed(op, "is_finite"))
    return magnitude < infinity;
  return {};
}

/// The device's function, or nothing where the name is one that it knows.
Expr LowerDeviceMath::function(const Call *op) {
  const auto call = [&](const std::string &name) { return pureCall(op->type, name, {mutate(op->args[0])}); };
  if (op->name == "exp_f32" && api == DeviceAPI::Vulkan)
    return exponentialOnVulkan(mutate(op->args[0]));
  if (op->name == "exp_f32" || op->name == "tanh_f32")
    return mutate(useVectorMath(op));
  if (op->name == "logf")
    return call("log_f32");
  if (op->name == "log")
    return call("log_f64");
  if (op->name == exp2Name) {
    if (api == DeviceAPI::Vulkan)
      return pureCall(op->type, "exp_f32", {mutate(op->args[0]) * number(op->type, ln2)});
    return call(isCuda() ? "llvm.nvvm.ex2.approx.ftz.f" : "exp2");
  }
  if (op->name == "erf") {
    if (isCuda())
      return call("__nv_erf");
    if (api != DeviceAPI::OpenCL)
      throw std::logic_error(
          "erf: found f64, which this device interface has no function for, f32 is needed");
  }
  if (api == DeviceAPI::Vulkan && isDouble(op->type) && op->name.ends_with("_f64"))
    throw std::logic_error(op->name.substr(0, op->name.size() - 4) +
                           ": found f64, which this device interface has no function for, f32 is needed");
  if (isCuda() && isNamed(op, "sqrt"))
    return rounded("sqrt", op->type, {mutate(op->args[0])});
  return {};
}

Expr LowerDeviceMath::visit(const Call *op) {
  if (isCuda() && op->is_strict_float_intrinsic())
    return strict(op);
  if (op->call_type == Call::PureExtern || op->call_type == Call::Extern) {
    if (const Expr result = function(op); result.defined())
      return result;
    if (const Expr result = test(op); result.defined())
      return result;
  }
  return IRMutator::visit(op);
}

Expr LowerDeviceMath::visit(const Select *op) {
  if (!isCuda() || !op->type.is_float() || op->type.bits() < 32)
    return IRMutator::visit(op);
  return choose(mutate(op->condition), mutate(op->true_value), mutate(op->false_value));
}

// Halide prints f64 constants as those of f32.
Expr LowerDeviceMath::visit(const FloatImm *op) {
  if (api != DeviceAPI::OpenCL || !isDouble(op->type))
    return op;
  return Reinterpret::make(op->type, make_const(UInt(64), std::bit_cast<int64_t>(op->value)));
}

void keepSubnormals(const Module &module) {
  Buffer<> code = module.get_device_code_buffer();
  if (!code.defined())
    return;
  const std::string_view flushing = ".rn.ftz.", keeping = ".rn.";
  char *const begin = static_cast<char *>(code.data()), *const end = begin + code.size_in_bytes();
  char *to = begin;
  for (const char *from = begin; from != end;) {
    const bool flushes = std::string_view(from, end - from).substr(0, flushing.size()) == flushing;
    to = flushes ? std::copy(keeping.begin(), keeping.end(), to) : (*to = *from, to + 1);
    from += flushes ? flushing.size() : 1;
  }
  // The text ends with a zero, and its size is known elsewhere.
  std::fill(to - 1, end - 1, '\n');
  end[-1] = 0;
}

} // namespace heed::kernels
