"""Makes a bundle: kernels and the runtime as shared objects, calls with expected results, calls to time."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE.parent))

from bundle_cases import SUITE, TIMED  # which imports formulas from the folder above

RUN_PARTS = ("check.py", "cuda.py", "devices.py", "elements.py", "library.py", "limits.py", "opencl.py", "suite.py",
             "table.py", "tensor.py", "timed.py", "torch_times.py")


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, cwd=ROOT, **options)


def link(output, archive, *more):
    """All objects of an archive, and more, in a shared object without debug information. Of the standard library it takes
    what it uses alone, since the rest asks for a newer glibc than another machine may have."""
    run(*shlex.split(os.environ.get("CXX", "c++")), "-shared", "-s", "-o", output, *more, "-Wl,--whole-archive", archive,
        "-Wl,--no-whole-archive", "-static-libstdc++", "-Wl,--gc-sections", "-Wl,--exclude-libs,libstdc++.a", "-lm", "-ldl",
        "-pthread")


def link_runtime(build, folder):
    calls = folder / "calls.o"
    run(*shlex.split(os.environ.get("CC", "cc")), "-std=c11", "-O2", "-fPIC", "-c", HERE / "calls.c", "-o", calls,
        f"-I{ROOT / 'runtime' / 'include'}")
    link(folder / "libheed_runtime.so", build / "runtime" / "libheed_runtime.a", calls, "-Wl,-z,defs")
    calls.unlink()


def needed_glibc(folder):
    """The newest version that a library in the folder asks for."""
    found = (re.findall(rb"GLIBC_(\d+)\.(\d+)", path.read_bytes()) for path in folder.glob("*.so"))
    return ".".join(map(str, max(tuple(map(int, version)) for versions in found for version in versions)))


def compile_library(build, folder, name, spec, target, kernels=()):
    """libNAME.so with all kernels of a spec, or some."""
    made = folder / name
    words = [word for kernel in kernels for word in ("--kernel", kernel)]
    run(build / "tools" / "heed" / "heed", "compile", spec, "--target", target, "--name", name, "-o", made, *words,
        stdout=subprocess.DEVNULL)
    link(folder / f"lib{name}.so", made / f"lib{name}.a")
    shutil.rmtree(made)


def suite_calls(pack, folder, name, spec, count, small):
    operations = 1e5 if small else 4e6
    done = run(pack, "suite", spec, "--cases", count, "--operations", f"{operations:.0f}", "--numbers",
               folder / f"{name}.bin", capture_output=True, text=True)
    (folder / f"{name}.json").write_text(done.stdout)
    return len(json.loads(done.stdout))


def timed_call(pack, case, small):
    words = [f"--size={name}={value}" for name, value in (case.small if small else case.sizes).items()]
    inputs = {name: values for name, values in case.inputs.items() if not small or len(values) == 1}
    words += [f"--in={name}={','.join(map(str, values))}" for name, values in inputs.items()]
    done = run(pack, "timed", case.spec, "--kernel", case.kernel, *words, capture_output=True, text=True)
    formula = asdict(case.formula) if case.formula and not small else None
    return json.loads(done.stdout) | {"name": case.name, "title": case.title, "library": case.library,
                                      "formula": formula}


def make_bundle(options):
    bundle, build = Path(options.pack).resolve(), (ROOT / options.build).resolve()
    pack = build / "bench" / "gpu" / "heed_pack_cases"
    if not pack.exists():
        sys.exit(f"gpu_check: {pack}: no such file, heed is needed; build it or give --build")
    for folder in ("lib", "suite", "gpu"):
        shutil.rmtree(bundle / folder, ignore_errors=True)
        (bundle / folder).mkdir(parents=True)
    link_runtime(build, bundle / "lib")
    chosen = [entry for entry in SUITE if not options.only or entry[0] in options.only]
    calls = 0
    for name, spec, count in chosen:
        print(f"packing {spec}", flush=True)
        compile_library(build, bundle / "lib", name, spec, options.target)
        calls += suite_calls(pack, bundle / "suite", name, spec, count, options.small)
    timed = [case for case in TIMED if not options.only or case.library in options.only]
    for name, spec in {case.library: case.spec for case in timed}.items():
        print(f"packing {spec}, to time", flush=True)
        compile_library(build, bundle / "lib", name, spec, options.target)
    (bundle / "timed.json").write_text(json.dumps([timed_call(pack, case, options.small) for case in timed], indent=1))
    interface = options.target.split(",")[0].rsplit("-", 1)[-1]
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    (bundle / "bundle.json").write_text(json.dumps(
        {"target": options.target, "interface": interface, "commit": commit.stdout.strip(),
         "glibc": needed_glibc(bundle / "lib"), "libraries": [name for name, _, _ in chosen], "calls": calls,
         "timed": len(timed)}, indent=1))
    for part in RUN_PARTS:
        shutil.copy(HERE / part, bundle / "gpu" / part)
    shutil.copy(HERE.parent / "gpu_check", bundle / "gpu_check")
    size = sum(path.stat().st_size for path in bundle.rglob("*") if path.is_file())
    print(f"{bundle}: {calls} calls to check, each in both memories, and {len(timed)} to time; {size / 2**20:.1f} MiB; "
          f"needs glibc {needed_glibc(bundle / 'lib')}")
