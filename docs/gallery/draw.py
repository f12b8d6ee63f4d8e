"""Writes docs/gallery.md and its pictures from variants.cpp with `heed plot`.

Usage: draw.py HEED OUTPUT_FOLDER [--check]. The page and the folder gallery/ go into OUTPUT_FOLDER (docs). With --check
the files that are there are compared with what would be written, and a difference ends with status 1.
"""

import filecmp
import pathlib
import re
import subprocess
import sys
import tempfile

SPEC = pathlib.Path(__file__).with_name("variants.cpp")

INTRODUCTION = """# Gallery of masks and score functions

Every variant of the library (`heed/dsl/masks`, `heed/dsl/mods`), as a kernel and as a picture: which keys (across) a query
(down) sees, or what a score function makes of scores of 0. `attend` is self- or cross-attention with these options; the
whole spec is [variants.cpp](gallery/variants.cpp). Each is a function of indices: nothing is stored, tiles that a mask empties
are not computed, and `heed explain` says how many.
"""

VARIANT = re.compile(r'^/// ## (?P<title>.+)\n(?P<text>(?:/// .+\n)+)///\n(?P<plot>(?:/// .+\n)+)'
                     r'(?P<code>constexpr kernel \w+\{\s*"(?P<name>\w+)"(?:.*\n)*?(?:.*\}\};))$', re.MULTILINE)


def variants():
    found = [match.groupdict() for match in VARIANT.finditer(SPEC.read_text())]
    exported = SPEC.read_text().count("\nHEED_EXPORT(")
    if len(found) != exported:
        sys.exit(f"{SPEC}: {exported} kernels are exported, but {len(found)} have a heading, a text and a paragraph with plot")
    return found


def section(variant):
    text = variant["text"].replace("/// ", "").strip()
    return (f"\n## {variant['title']}\n\n![{variant['title']}](gallery/{variant['name']}.svg)\n\n{text}\n\n"
            f"```cpp\n{variant['code']}\n```\n")


def draw(heed, variant, folder):
    command, kind, *options = variant["plot"].replace("///", "").split()
    subprocess.run([heed, command, kind, SPEC, "--kernel", variant["name"], *options, "-o",
                    folder / f"{variant['name']}.svg"], check=True)


def write(heed, folder):
    """The names of the files, relative to the folder."""
    (folder / "gallery").mkdir(parents=True, exist_ok=True)
    found = variants()
    for variant in found:
        draw(heed, variant, folder / "gallery")
    (folder / "gallery.md").write_text(INTRODUCTION + "".join(section(variant) for variant in found))
    return ["gallery.md", *(f"gallery/{variant['name']}.svg" for variant in found)]


def check(heed, folder):
    with tempfile.TemporaryDirectory() as temporary:
        names = write(heed, pathlib.Path(temporary))
        stale = filecmp.cmpfiles(folder, temporary, names, shallow=False)
        unknown = {path.name for path in (folder / "gallery").glob("*.svg")} - {pathlib.Path(name).name for name in names}
    wrong = sorted([*stale[1], *stale[2], *unknown])
    if wrong:
        sys.exit(f"{', '.join(wrong)}: differ from what {SPEC.name} says; run docs/gallery/draw.py HEED docs")


heed_program, output = sys.argv[1], pathlib.Path(sys.argv[2])
if "--check" in sys.argv[3:]:
    check(heed_program, output)
else:
    write(heed_program, output)
