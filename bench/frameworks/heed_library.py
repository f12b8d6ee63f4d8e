"""heed: the case's kernel, compiled ahead of time, linked into a shared object and called through its C interface."""

import ctypes
import os
import shlex
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from frameworks.element import stored, widened
from frameworks.problem import aligned
from frameworks.way import Way

MAX_RANK, MESSAGE_SIZE = 6, 240
TYPES = {np.dtype(np.bool_): 0, np.dtype(np.int32): 1, np.dtype(np.int64): 2, np.dtype(np.float16): 3,
         np.dtype(np.uint16): 4, np.dtype(np.float32): 5}
ELEMENTS = {3: "f16", 4: "bf16", 5: "f32"}


class View(ctypes.Structure):
    """heed_view of heed/abi.h."""

    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("extents", ctypes.c_int64 * MAX_RANK), ("strides", ctypes.c_int64 * MAX_RANK),
                ("memory", ctypes.c_int32), ("first", ctypes.c_int64)]


def view(array):
    strides = [stride // array.itemsize for stride in array.strides]
    return View(array.ctypes.data, TYPES[array.dtype], array.ndim, (ctypes.c_int64 * MAX_RANK)(*array.shape),
                (ctypes.c_int64 * MAX_RANK)(*strides))


def build(prefix, spec, kernel, folder):
    """The path of a shared object with the kernel and the runtime. prefix: where heed is installed."""
    subprocess.run([prefix / "bin" / "heed", "compile", spec, "--kernel", kernel, "--name", kernel, "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    library = Path(folder) / f"lib{kernel}.so"
    subprocess.run([*shlex.split(os.environ.get("CXX", "c++")), "-O2", "-shared", "-fPIC", "-o", library,
                    f"-I{prefix / 'include'}", "-x", "c", Path(__file__).with_name("arguments.c"), "-x", "none",
                    "-Wl,--whole-archive", Path(folder) / f"lib{kernel}.a", "-Wl,--no-whole-archive",
                    prefix / "lib" / "libheed_runtime.a", "-lm", "-pthread"], check=True)
    return library


class Kernel:
    def __init__(self, library, name):
        self.library = ctypes.CDLL(str(library))
        self.library.bench_argument_name.restype = ctypes.c_char_p
        if self.library.bench_view_size() != ctypes.sizeof(View):
            raise RuntimeError("heed_view has another size than here; bring View in line with heed/abi.h")
        self.program = ctypes.addressof(ctypes.c_char.in_dll(self.library, f"heed_program_{name}"))

    def arguments(self):
        program = ctypes.c_void_p(self.program)
        count = self.library.bench_argument_count(program)
        return [self.library.bench_argument_name(program, i).decode() for i in range(count)]

    def element(self, name):
        """The floating-point type of an argument; None for others."""
        number = self.library.bench_argument_type(ctypes.c_void_p(self.program), self.arguments().index(name))
        return ELEMENTS.get(number)

    def prepare(self, arrays, threads):
        """A function that calls the kernel with these arrays, as they are."""
        names = self.arguments()
        views = (View * len(names))(*(view(arrays[name]) for name in names))
        message = ctypes.create_string_buffer(MESSAGE_SIZE)
        function, program, count = self.library.bench_call, ctypes.c_void_p(self.program), ctypes.c_int32(threads)

        def call():
            if function(program, views, count, message):
                raise RuntimeError(f"heed: {message.value.decode()}")

        return call


def ways(problem, context):
    def prepare():
        case = problem.case
        with tempfile.TemporaryDirectory() as folder:
            library = build(context.prefix, context.root / case.spec, case.kernel, folder)
            kernel = Kernel(library, case.kernel)
        arrays = problem.arrays | {"y": np.full(problem.shape, np.nan, np.float32)}
        arrays = {name: aligned(stored(array, kernel.element(name))) for name, array in arrays.items()}
        return Way(kernel.prepare(arrays, context.threads), lambda: widened(arrays["y"], kernel.element("y")))

    return {"heed_call": prepare}
