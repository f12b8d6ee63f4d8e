"""Compiles the specs that a page shows.

usage: specs.py PAGE -- COMPILER [OPTION...]
A spec is a block of C++ whose first line includes <heed/dsl.hpp>.
"""

import pathlib
import re
import subprocess
import sys

page, command = pathlib.Path(sys.argv[1]), sys.argv[3:]
specs = re.findall(r"^```cpp\n(#include <heed/dsl\.hpp>\n.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
if not specs:
    sys.exit(f"{page}: no spec, at least one is needed")
for spec in specs:
    subprocess.run([*command, "-x", "c++", "-"], input=spec, text=True, check=True)
