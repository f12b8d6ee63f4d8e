#pragma once
/// \file
/// How a wrong graph becomes an error of the user's own compiler.
///
/// The block of a kernel is run in a constant expression. Its first fault is kept as a sentence that starts
/// with the user's file and line; the sentence is then the template argument of an assertion that fails. g++
/// prints the argument, clang (and any compiler with computed messages) the message.

#include <heed/dsl/text.hpp>

#include <cstddef>

namespace heed {

#if (defined(__clang__) && __clang_major__ >= 17) ||                                                         \
    (defined(__cpp_static_assert) && __cpp_static_assert >= 202306L)
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
#endif
template <detail::fixed_string sentence> struct the_graph_is_wrong {
  static_assert(sentence.size() == 0, sentence);
};
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#else
template <detail::fixed_string sentence> struct the_graph_is_wrong {
  static_assert(sentence.size() == 0, "the sentence is the template argument printed above");
};
#endif

} // namespace heed
