"""PTX of every kernel through ptxas: registers, memory and spills, and the share of multiply-adds in the hot loops.

usage: check_ptx.py HEED PTXAS SPEC FOLDER [--hot KERNEL...] [--dense KERNEL...] [--share PART]

The functions of hot kernels must not spill. Of dense ones, multiply-adds must be PART of the instructions of the hot
loops: the innermost ones with at least 32 of them. (A mask adds a loop that is rarely run.) Without ptxas the exit
status is 77.
"""

import argparse
import pathlib
import re
import subprocess
import sys

from archive import device_code, ptx as ptx_of
from ptx import hot_loops

ARCHITECTURES = ("sm_80", "sm_90")
SKIPPED = 77
REPORT = re.compile(r"Compiling entry function '(\S+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, "
                    r"(\d+) bytes spill loads.*?Used (\d+) registers([^\n]*)", re.DOTALL)


def reports(ptxas, text, architecture, folder):
    """By entry, what ptxas says: bytes of the stack and of spills, registers, the rest of its line."""
    source = folder / "kernel.ptx"
    source.write_text(text)
    done = subprocess.run([ptxas, "-v", f"-arch={architecture}", source, "-o", folder / "kernel.cubin"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"ptxas refuses {architecture}:\n{done.stderr}\n{text[:2000]}")
    found = {match[0]: match[1:] for match in REPORT.findall(done.stderr)}
    if not found:
        raise SystemExit(f"ptxas reports no kernel:\n{done.stderr}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    for name in ("heed", "ptxas", "spec", "folder"):
        parser.add_argument(name)
    parser.add_argument("--hot", nargs="*", default=[])
    parser.add_argument("--dense", nargs="*", default=[])
    parser.add_argument("--share", type=float, default=0.0)
    options = parser.parse_args()
    folder = pathlib.Path(options.folder)
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([options.heed, "compile", options.spec, "--target", "cuda", "--name", "kernels", "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    code = device_code(folder / "libkernels.a", ptx_of)
    if not code:
        raise SystemExit("the library holds no PTX")
    if not pathlib.Path(options.ptxas).exists():
        print(f"PTX of {len(code)} functions was made; ptxas is not here, so it is not checked")
        sys.exit(SKIPPED)

    mistakes, dense_found = [], set()
    for name, found in sorted(code.items()):
        hot, dense = ({kernel for kernel in kernels if f"_{kernel}_" in name} for kernels in (options.hot, options.dense))
        for text in found:
            for architecture in ARCHITECTURES:
                for entry, (stack, stores, loads, registers, rest) in reports(options.ptxas, text, architecture,
                                                                              folder).items():
                    print(f"{name} {architecture}: {registers} registers{rest}, stack {stack}, "
                          f"spills {stores} + {loads} bytes")
                    if hot and int(stores) + int(loads) > 0:
                        mistakes.append(f"{name} {architecture}: {stores} + {loads} bytes of spills, 0 are needed")
            loops = [loop for found_loops in hot_loops(text).values() for loop in found_loops]
            for loop in loops:
                print(f"{name}: a loop of {len(loop.operations)} instructions, {loop.fma} multiply-adds "
                      f"({100 * loop.share:.0f} %), {loop.count('ld.shared')} loads of shared memory, "
                      f"{loop.count('ld.global')} of global memory")
                if dense and loop.share < options.share:
                    mistakes.append(f"{name}: {100 * loop.share:.0f} % multiply-adds in a hot loop, "
                                    f"{100 * options.share:.0f} % are needed")
            if loops:
                dense_found |= dense
    mistakes += [f"{kernel}: no function with hot loops was found" for kernel in set(options.dense) - dense_found]
    print(f"{len(code)} functions for {', '.join(ARCHITECTURES)}")
    if mistakes:
        sys.exit("\n".join(mistakes))


if __name__ == "__main__":
    main()
