/// On the CPU: tokens become queries, keys and values of heads.
#include <heed/dsl.hpp>
using namespace heed;

constexpr extent batch{"batch"}, tokens{"tokens"};
constexpr int width = 96, heads = 6;

constexpr kernel project{"project", [](graph &g) {
                           tensor x = rms_norm(g.input("x", f32, {batch, tokens, width}));
                           tensor all = linear(x, g.weight("w", f32, {3 * width, width})); // (b, s, 3·h·d)
                           const auto parts = chunk<3>(all, -1);
                           const char *names[] = {"q", "k", "v"};
                           for (int i = 0; i < 3; ++i)
                             g.output(names[i], split_heads(parts[i], heads)); // (b, h, s, d)
                         }};
HEED_EXPORT(project);
