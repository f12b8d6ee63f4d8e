/// On the device: what grows with the square of the tokens.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, heads{"heads"}, tokens{"tokens"};
constexpr int depth = 16;

constexpr kernel attend{"attend", [](graph &g) {
                          auto operand = [&](const char *name) {
                            return g.input(name, f32, {batch, heads, tokens, depth});
                          };
                          tensor y = attention(operand("q"), operand("k"), operand("v"), {.mask = causal()});
                          g.output("y", merge_heads(y)); // (b, s, h·d)
                        }};
HEED_EXPORT(attend);
