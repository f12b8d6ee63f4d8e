"""The source that a driver gets, against a file of what it must hold.

usage: check_text.py HEED FORM SPEC CHECKS FOLDER KERNEL...

A line of CHECKS is `NAME:`, the beginning of the checks of the one function whose object file has NAME in its name;
a regular expression that matches further down than the one before; or `not ` and one that matches nowhere.
"""

import pathlib
import re
import subprocess
import sys

import archive


def checks_of(text):
    """By function, the lines under its name."""
    found, lines = {}, None
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.endswith(":"):
            lines = found[line[:-1]] = []
        elif not line.startswith("# "):
            lines.append(line)
    return found


def mistake(source, checks):
    """The first check that fails; None when all hold."""
    at = 0
    for check in checks:
        if check.startswith("not "):
            if re.search(check[4:], source):
                return f"'{check[4:]}' was found, it must not be there"
            continue
        match = re.search(check, source[at:])
        if not match:
            return f"'{check}' is not there, or not behind what comes before it"
        at += match.end()
    return None


def main():
    heed, form, spec, checks, folder, *kernels = sys.argv[1:]
    folder, code = pathlib.Path(folder), {}
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in kernels:
        subprocess.run([heed, "compile", spec, "--kernel", kernel, "--target", form, "--name", "kernels", "-o", folder],
                       check=True, stdout=subprocess.DEVNULL)
        code |= archive.device_code(folder / "libkernels.a", getattr(archive, form))
    mistakes = []
    for function, lines in checks_of(pathlib.Path(checks).read_text()).items():
        sources = [source for name, found in code.items() if function in name for source in found]
        wrong = mistake(sources[0], lines) if len(sources) == 1 else f"{len(sources)} sources, one is needed"
        print(f"{function}: {wrong or f'{len(lines)} checks hold'}")
        if wrong:
            mistakes.append(f"{function}: {wrong}\n" + "\n".join(sources))
    if mistakes:
        sys.exit("\n".join(mistakes))


if __name__ == "__main__":
    main()
