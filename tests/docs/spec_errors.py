"""Compiles the wrong statements that docs/errors.md lists and compares what the compiler says with the page.

usage: spec_errors.py [--update] errors.md -- COMPILER [OPTION...]
A row of the table is | `statement` | sentence |. Each statement is the block of a kernel of its own, after the
declarations in the page's first code block. --update writes the compiler's sentences into the page.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

update = "--update" in sys.argv
arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
page, compiler = pathlib.Path(arguments[0]), arguments[2:]
text = page.read_text()
section = re.search(r"^## Spec$.*?(?=^## )", text, re.MULTILINE | re.DOTALL)[0]
preamble = re.search(r"^```cpp\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[1]
rows = re.findall(r"^\| `(.+?)` \| (.*) \|$", section, re.MULTILINE)

SPEC = """#include <heed/dsl.hpp>
using namespace heed;
constexpr extent batch{{"batch"}}, queries{{"queries"}}, keys{{"keys"}};
constexpr kernel wrong{{"wrong", [](graph &g) {{
{preamble}
  {statement}
}}}};
HEED_EXPORT(wrong);
"""


def sentence(statement):
    """What the compiler says about the kernel, without the place."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "wrong.cpp"
        file.write_text(SPEC.format(preamble=preamble, statement=statement))
        result = subprocess.run([*compiler, file], capture_output=True, text=True)
    # Both compilers may cut the sentence short in one place and print it whole in another.
    found = re.findall(r"wrong\.cpp:\d+: (.*?)(?=\"\}|\n)", result.stderr)
    if result.returncode == 0 or not found:
        return f"no sentence, status {result.returncode}: {result.stderr[:2000]}"
    return max(found, key=len)


with concurrent.futures.ThreadPoolExecutor(2) as pool:
    sentences = list(pool.map(lambda row: sentence(row[0]), rows))
wrong = [(statement, said, found) for (statement, said), found in zip(rows, sentences) if said != found]
if update:
    for statement, said, found in wrong:
        text = text.replace(f"| `{statement}` | {said} |", f"| `{statement}` | {found} |")
    page.write_text(text)
elif wrong or not rows:
    for statement, said, found in wrong:
        print(f"{statement}\n  page:     {said}\n  compiler: {found}")
    sys.exit(f"{len(wrong)} of {len(rows)} sentences differ")
else:
    print(f"{len(rows)} sentences are as the page says")
