"""Builds and runs the first example of the README from the code blocks that a reader sees.

usage: readme.py README.md FOLDER -- CMAKE [OPTION...]
Every block of the first section whose first line names a file (`// main.cpp`, `# CMakeLists.txt`) becomes that file.
The line below "prints" in the section is what the program must print.
"""

import pathlib
import re
import shutil
import subprocess
import sys

readme, folder, command = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[4:]
section = readme.read_text().split("\n## ")[0]

shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
for block in re.findall(r"^```\w+\n(.*?)^```$", section, re.MULTILINE | re.DOTALL):
    if name := re.match(r"(?://|#) ([\w.]+)\b.*\n", block):
        (folder / name[1]).write_text(block)
expected = re.search(r"prints `([^`]+)`", section)[1]

subprocess.run([*command, "-S", folder, "-B", folder / "build"], check=True)
subprocess.run([command[0], "--build", folder / "build"], check=True)
printed = subprocess.run([folder / "build" / "app"], check=True, capture_output=True, text=True).stdout.strip()
if printed != expected:
    sys.exit(f"the program printed {printed!r}, the page says {expected!r}")
