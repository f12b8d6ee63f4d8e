#pragma once
/// \file
/// HEED_EXPORT and the list of kernels that a spec module hands to the heed program.

#include <heed/dsl/fault.hpp>
#include <heed/dsl/graph_data.hpp>
#include <heed/dsl/name.hpp>

#include <type_traits>

namespace heed::detail {

/// The module's own list, in the order of its exports. Hidden: another module in the process has another
/// list.
struct [[gnu::visibility("hidden")]] registry {
  static inline constinit const spec::registration *first = nullptr;
  static inline constinit spec::registration *last = nullptr;
};

constexpr text name_fault(const spec::graph &kernel) {
  text fault;
  if (kernel.name != nullptr && !is_identifier(kernel.name))
    fault.append(kernel.file)
        .append(":")
        .append(kernel.line)
        .append(": kernel: the name is ")
        .append(*kernel.name == 0 ? "empty" : kernel.name)
        .append(", a C identifier is needed (letters, digits and underscores, no keyword)");
  return fault;
}

template <class type> constexpr bool is_kernel = std::is_base_of_v<spec::graph, type>;

/// The graph of what is exported; an empty one of something else, which is refused in words.
template <class type> constexpr spec::graph graph_in(const type &exported) {
  if constexpr (is_kernel<type>)
    return exported;
  return {};
}

/// Appends a kernel to the module's list when the module is loaded.
template <const auto &kernel> class [[gnu::visibility("hidden")]] exported {
public:
  exported() {
    if (registry::last != nullptr)
      registry::last->next = &entry_;
    else
      registry::first = &entry_;
    registry::last = &entry_;
  }

private:
  static_assert(is_kernel<std::remove_cvref_t<decltype(kernel)>>,
                "HEED_EXPORT: a constexpr kernel is needed");
  // A copy, since g++ 12 puts a constexpr variable that a constructor has made into writable memory.
  static constexpr spec::graph graph = graph_in(kernel);
  static constexpr text fault = name_fault(graph);
  static_assert(sizeof(the_graph_is_wrong<fixed_string<fault.size()>(fault)>) > 0);

  spec::registration entry_{&graph, nullptr};
};

/// In the order of the list.
template <const auto &...kernels> class [[gnu::visibility("hidden")]] exported_list : exported<kernels>... {};

} // namespace heed::detail

/// The one function of a spec module; see spec::spec_kernels_function.
extern "C" [[gnu::used, gnu::visibility("default")]] inline const heed::spec::registration *
heed_spec_kernels() {
  return heed::detail::registry::first;
}

#define HEED_DETAIL_JOIN(a, b) a##b
#define HEED_DETAIL_NAME(line) HEED_DETAIL_JOIN(heed_exported_, line)

/// HEED_EXPORT(kernel, …); makes constexpr kernels of namespace scope part of what the spec's module exports.
/// Errors: a kernel's name is no C identifier.
#define HEED_EXPORT(...) static const heed::detail::exported_list<__VA_ARGS__> HEED_DETAIL_NAME(__LINE__)
