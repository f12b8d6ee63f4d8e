"""Runs the commands of docs/plot.md, which must write the pictures that the page shows.

usage: plot.py HEED DOCS FOLDER
Their bytes are not compared: letters are those of the machine's fonts.
"""

import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree

heed, docs, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
page = (docs / "plot.md").read_text()
shutil.rmtree(folder, ignore_errors=True)
shutil.copytree(docs, folder)
for picture in (folder / "plot").glob("*.svg"):
    picture.unlink()

commands = [shlex.split(line) for line in re.findall(r"^heed (plot .+)$", page, re.MULTILINE)]
for command in commands:
    subprocess.run([heed, *command], cwd=folder, check=True)

shown = re.findall(r"!\[[^]]*\]\(([^)]+)\)", page)
written = [command[command.index("-o") + 1] for command in commands]
if not shown or shown != written:
    sys.exit(f"plot.md shows {shown}, its commands write {written}")
for name in shown:
    for where in (docs, folder):
        root = xml.etree.ElementTree.parse(where / name).getroot()
        if root.find("{http://www.w3.org/2000/svg}title") is None:
            sys.exit(f"{where / name}: has no title")
