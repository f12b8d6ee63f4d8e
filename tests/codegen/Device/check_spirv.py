"""SPIR-V of kernels through spirv-val.

usage: check_spirv.py HEED SPIRV_VAL SPEC FOLDER KERNEL...
"""

import pathlib
import subprocess
import sys

from archive import device_code, spirv


def main():
    heed, validator, spec, folder, *kernels = sys.argv[1:]
    folder, code = pathlib.Path(folder), {}
    folder.mkdir(parents=True, exist_ok=True)
    for kernel in kernels:
        subprocess.run([heed, "compile", spec, "--kernel", kernel, "--target", "vulkan", "--name", "kernels", "-o", folder],
                       check=True, stdout=subprocess.DEVNULL)
        code |= device_code(folder / "libkernels.a", spirv)
    mistakes, modules = [], 0
    for name, found in sorted(code.items()):
        for module in found:
            file = folder / "kernel.spv"
            file.write_bytes(module)
            done = subprocess.run([validator, "--target-env", "vulkan1.1", file], capture_output=True, text=True)
            modules += 1
            if done.returncode != 0:
                mistakes.append(f"{name}: {done.stdout}{done.stderr}")
    print(f"{modules} modules of {len(code)} functions")
    if mistakes or not modules:
        sys.exit("\n".join(mistakes) or "the library holds no SPIR-V")


if __name__ == "__main__":
    main()
