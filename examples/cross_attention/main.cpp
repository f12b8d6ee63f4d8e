#include "parts.hpp"

#include <cstdio>
#include <exception>

int main(int count, char **arguments) {
  try {
    const bool small = run_small_block();
    const bool sentences = run_sentences(count > 1 ? arguments[1] : EXAMPLE_DATA);
    return small && sentences ? 0 : 1;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
