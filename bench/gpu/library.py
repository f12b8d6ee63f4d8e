"""Kernels of a bundle, called through heed's C interface. Needs nothing but Python."""

import ctypes
from pathlib import Path

MAX_RANK, MESSAGE_SIZE = 6, 240
HOST, DEVICE = 0, 1
TYPES = ("b8", "i32", "i64", "f16", "bf16", "f32", "f64")
SIZES = dict(zip(TYPES, (1, 4, 8, 2, 2, 4, 8)))


class Refused(RuntimeError):
    """The status of a call that did not run."""


class View(ctypes.Structure):
    """heed_view of heed/abi.h."""

    _fields_ = [("data", ctypes.c_void_p), ("dtype", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("extents", ctypes.c_int64 * MAX_RANK), ("strides", ctypes.c_int64 * MAX_RANK),
                ("memory", ctypes.c_int32), ("first", ctypes.c_int64)]


def view(data, element, shape, strides, memory=HOST, first=0):
    return View(data, TYPES.index(element), len(shape), (ctypes.c_int64 * MAX_RANK)(*shape),
                (ctypes.c_int64 * MAX_RANK)(*strides), memory, first)


def load_runtime(folder):
    """Kernels find the runtime's functions among the global ones."""
    runtime = ctypes.CDLL(str(Path(folder) / "libheed_runtime.so"), mode=ctypes.RTLD_GLOBAL)
    if runtime.gpu_check_view_size() != ctypes.sizeof(View):
        raise RuntimeError("heed_view has another size than here; bring View in line with heed/abi.h")
    for name in ("gpu_check_argument_name", "gpu_check_interface"):
        getattr(runtime, name).restype = ctypes.c_char_p
    return runtime


class Kernel:
    """A kernel of a library: its arguments and its calls."""

    def __init__(self, runtime, library, name):
        self.runtime, self.name = runtime, name
        self.program = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(library, f"heed_program_{name}")))
        count = runtime.gpu_check_argument_count(self.program)
        self.arguments = [runtime.gpu_check_argument_name(self.program, i).decode() for i in range(count)]
        self.scalars = {name for i, name in enumerate(self.arguments) if runtime.gpu_check_is_scalar(self.program, i)}

    def prepared(self, views, context=None, queue=None):
        """A function that calls the kernel with views by the names of its arguments."""
        ordered = (View * len(self.arguments))(*(views[name] for name in self.arguments))
        message = ctypes.create_string_buffer(MESSAGE_SIZE)
        function, program = self.runtime.gpu_check_call, self.program
        context, queue = ctypes.c_void_p(context), ctypes.c_void_p(queue)

        def call():
            if function(program, ordered, context, queue, message):
                raise Refused(message.value.decode())

        return call
