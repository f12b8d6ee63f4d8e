"""An OpenCL device: memory, an in-order queue, times, limits."""

import ctypes
import time

from limits import Limits

FMA_SOURCE = """
__kernel void rounds(__global float *out, int count) {
  float16 x[8];
  for (int c = 0; c < 8; ++c)
    x[c] = (float)(get_local_id(0) + c);
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < 8; ++c)
      x[c] = fma(x[c], (float16)(0.9999999f), (float16)(3e-8f));
  for (int c = 1; c < 8; ++c)
    x[0] += x[c];
  if (x[0].s0 < -1e30f)
    out[0] = x[0].s1;
}
"""
ROUNDS, THREADS, GROUPS = 4096, 64, 64
ANY_DEVICE, READ_WRITE, BLOCKING, NAME, DRIVER, UNITS = 0xFFFFFFFF, 1, 1, 0x102B, 0x102D, 0x1002


class OpenCl:
    interface = "opencl"

    def __init__(self, index=0):
        try:
            self.library = ctypes.CDLL("libOpenCL.so.1")
        except OSError as error:
            raise RuntimeError(f"opencl: {error}") from error
        platform, self.device = ctypes.c_void_p(), ctypes.c_void_p()
        self._run("clGetPlatformIDs", 1, ctypes.byref(platform), None)
        self._run("clGetDeviceIDs", platform, ctypes.c_uint64(ANY_DEVICE), 1, ctypes.byref(self.device), None)
        self.context = self._make("clCreateContext", None, 1, ctypes.byref(self.device), None, None)
        self.queue = self._make("clCreateCommandQueue", ctypes.c_void_p(self.context), self.device, ctypes.c_uint64(0))

    def _run(self, name, *arguments):
        error = getattr(self.library, name)(*arguments)
        if error:
            raise RuntimeError(f"{name}: error {error}")

    def _make(self, name, *arguments):
        function, error = getattr(self.library, name), ctypes.c_int32()
        function.restype = ctypes.c_void_p
        made = function(*arguments, ctypes.byref(error))
        if error.value:
            raise RuntimeError(f"{name}: error {error.value}")
        return made

    def _text(self, number):
        text = ctypes.create_string_buffer(300)
        self._run("clGetDeviceInfo", self.device, number, ctypes.c_size_t(300), text, None)
        return text.value.decode()

    def describe(self):
        units = ctypes.c_uint32()
        self._run("clGetDeviceInfo", self.device, UNITS, ctypes.c_size_t(4), ctypes.byref(units), None)
        return {"interface": "opencl", "name": self._text(NAME), "driver": self._text(DRIVER), "cores": units.value}

    def allocate(self, size):
        return self._make("clCreateBuffer", ctypes.c_void_p(self.context), ctypes.c_uint64(READ_WRITE),
                          ctypes.c_size_t(max(size, 1)), None)

    def release(self, memory):
        self._run("clReleaseMemObject", ctypes.c_void_p(memory))

    def write(self, memory, data, offset=0):
        buffer = (ctypes.c_char * len(data)).from_buffer_copy(data)
        self._run("clEnqueueWriteBuffer", ctypes.c_void_p(self.queue), ctypes.c_void_p(memory), BLOCKING,
                  ctypes.c_size_t(offset), ctypes.c_size_t(len(data)), buffer, 0, None, None)

    def read(self, memory, size):
        buffer = (ctypes.c_char * max(size, 1))()
        if size:
            self._run("clEnqueueReadBuffer", ctypes.c_void_p(self.queue), ctypes.c_void_p(memory), BLOCKING,
                      ctypes.c_size_t(0), ctypes.c_size_t(size), buffer, 0, None, None)
        return bytes(buffer)[:size]

    def copy(self, to, source, size):
        self._run("clEnqueueCopyBuffer", ctypes.c_void_p(self.queue), ctypes.c_void_p(source), ctypes.c_void_p(to),
                  ctypes.c_size_t(0), ctypes.c_size_t(0), ctypes.c_size_t(size), 0, None, None)

    def finish(self):
        self._run("clFinish", ctypes.c_void_p(self.queue))

    def seconds(self, function, calls):
        """That so many calls take until the device has done them."""
        self.finish()
        began = time.perf_counter()
        for _ in range(calls):
            function()
        self.finish()
        return time.perf_counter() - began

    def fma_rate(self):
        """Measured operations per second, two for a multiply-add."""
        source = ctypes.c_char_p(FMA_SOURCE.encode())
        program = self._make("clCreateProgramWithSource", ctypes.c_void_p(self.context), 1, ctypes.byref(source), None)
        self._run("clBuildProgram", ctypes.c_void_p(program), 0, None, None, None, None)
        kernel = ctypes.c_void_p(self._make("clCreateKernel", ctypes.c_void_p(program), b"rounds"))
        out, count = ctypes.c_void_p(self.allocate(4)), ctypes.c_int32(ROUNDS)
        self._run("clSetKernelArg", kernel, 0, ctypes.c_size_t(8), ctypes.byref(out))
        self._run("clSetKernelArg", kernel, 1, ctypes.c_size_t(4), ctypes.byref(count))
        whole, group = ctypes.c_size_t(THREADS * GROUPS), ctypes.c_size_t(THREADS)

        def launch():
            self._run("clEnqueueNDRangeKernel", ctypes.c_void_p(self.queue), kernel, 1, None, ctypes.byref(whole),
                      ctypes.byref(group), 0, None, None)

        self.seconds(launch, 1)
        best = min(self.seconds(launch, 1) for _ in range(5))
        self.release(out.value)
        return 2 * 128 * ROUNDS * THREADS * GROUPS / best

    def limits(self):
        return Limits.measured(self, None, None, 1 << 26)
