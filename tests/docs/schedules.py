"""Compiles the example of docs/schedules.md: its spec with its schedules beside it.

usage: schedules.py PAGE FOLDER HEED
"""

import pathlib
import re
import subprocess
import sys

page, folder, heed = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2]), sys.argv[3]


def block(language, first):
    return re.search(rf"^```{language}\n({first}.*?)^```$", page, re.MULTILINE | re.DOTALL).group(1)


def run(*arguments):
    return subprocess.run([heed, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def expect(text, part):
    if part not in text:
        sys.exit(f"found no {part!r} in\n{text}")


folder.mkdir(parents=True, exist_ok=True)
(folder / "attend.cpp").write_text(block("cpp", "#include"))
schedules = folder / "attend.x86-64-v4.schedule"
schedules.write_text(block("", "heed schedules"))
target = ["--target", "x86-64-v4"]

printed = run("compile", "attend.cpp", "--emit=schedule", *target)
for words in ["# Two sizes", "# sentences\nattention attend.attention at keys=64 queries=64 {\n  query_block 32\n",
              "# documents\nattention attend.attention at keys=2048 queries=2048 {\n  query_block 128\n"]:
    expect(printed, words)
schedules.write_text(printed)
if run("compile", "attend.cpp", "--emit=schedule", *target) != printed:
    sys.exit("what was printed reads as something else")
run("compile", "attend.cpp", "-o", "lib", "--depfile", "lib.d", *target)
expect((folder / "lib.d").read_text(), "attend.x86-64-v4.schedule")
driver = run("compile", "attend.cpp", "--emit=driver", *target)
expect(driver, "queries*keys <= 131072")

# Every field of every kind is in a table of the page, and no other.
(folder / "every.cpp").write_text("""#include <heed/dsl.hpp>
using namespace heed;
constexpr extent n{"n"};
constexpr kernel every{"every", [](graph &g) {
  tensor q = g.input("q", f32, {1, 2, n, 16}), k = g.input("k", f32, {1, 2, n, 16});
  tensor weights = softmax(matmul(q, transpose(k)));
  g.output("attended", matmul(weights, k));
  g.output("weights", weights);
  g.output("product", matmul(k, g.input("r", f32, {1, 2, 16, n})));
  g.output("projected", linear(q, g.weight("w", f32, {16, 16})));
  g.output("sums", sum(q));
  g.output("halves", q * 0.5);
}};
HEED_EXPORT(every);
""")
printed = "\n".join(run("compile", "every.cpp", "--emit=schedule", *for_target)
                    for for_target in (target, ["--target", "x86-64-opencl"]))
sections = re.findall(r"^### ([\w, ]+)\n(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL)
fields = {kind: set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", text, re.MULTILINE))))
          for kinds, text in sections for kind in kinds.split(", ")}
entries = re.findall(r"^(\w+) (\S+) {\n(.*?)^}", printed, re.MULTILINE | re.DOTALL)
if {kind for kind, _, _ in entries} != set(fields):
    sys.exit(f"the page has the kinds {sorted(fields)}, heed printed\n{printed}")
for kind, name, text in entries:
    found = set(re.findall(r"^  (\w+) ", text, re.MULTILINE))
    if found != fields[kind]:
        sys.exit(f"{kind}: found the fields {sorted(found ^ fields[kind])} in one of the page and {name} alone")
