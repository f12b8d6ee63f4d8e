"""A CUDA device through its driver: memory, a stream, times, limits."""

import ctypes

from limits import Limits

# 4 × 1024 chains of multiply-adds per block; the number of rounds is the parameter.
FMA_PTX = """.version 7.0
.target sm_80
.address_size 64
.visible .entry rounds(.param .u64 out, .param .u32 count)
{
  .reg .f32 %f<20>; .reg .b32 %r<4>; .reg .b64 %a<2>; .reg .pred %p;
  ld.param.u64 %a0, [out]; ld.param.u32 %r0, [count];
  mov.u32 %r1, %tid.x; cvt.rn.f32.u32 %f18, %r1; mov.f32 %f17, 0f3F7FFFFE; mov.f32 %f16, 0f33000000;
CHAINS_BEGIN
again:
CHAINS
  sub.s32 %r0, %r0, 1; setp.ne.s32 %p, %r0, 0; @%p bra again;
SUMS
  setp.lt.f32 %p, %f0, 0fF149F2CA; @%p st.global.f32 [%a0], %f0;
  ret;
}
"""
CHAINS, UNROLLED, ROUNDS, THREADS, BLOCKS_PER_CORE = 16, 8, 1024, 256, 8
CORES = {(8, 0): 64, (8, 6): 128, (8, 7): 128, (8, 9): 128, (9, 0): 128, (10, 0): 128, (10, 3): 128, (12, 0): 128}
CLOCK_RATE, CORE_COUNT, MEMORY_CLOCK, MEMORY_WIDTH, MAJOR, MINOR = 13, 16, 36, 37, 75, 76


def fma_source():
    chains = range(CHAINS)
    lines = "\n".join(f"  fma.rn.f32 %f{i}, %f{i}, %f17, %f16;" for _ in range(UNROLLED) for i in chains)
    begin = "\n".join(f"  add.f32 %f{i}, %f18, 0f{0x3F800000 + i:08X};" for i in chains)
    sums = "\n".join(f"  add.f32 %f0, %f0, %f{i};" for i in chains[1:])
    return FMA_PTX.replace("CHAINS_BEGIN", begin).replace("CHAINS", lines).replace("SUMS", sums)


class Cuda:
    interface = "cuda"

    def __init__(self, index=0):
        try:
            self.driver = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            raise RuntimeError(f"cuda: {error}") from error
        self._run("cuInit", 0)
        self.device, self._context = ctypes.c_int(), ctypes.c_void_p()
        self._run("cuDeviceGet", ctypes.byref(self.device), index)
        self._run("cuDevicePrimaryCtxRetain", ctypes.byref(self._context), self.device)
        self._run("cuCtxSetCurrent", self._context)
        self._stream = ctypes.c_void_p()
        self._run("cuStreamCreate", ctypes.byref(self._stream), 1)  # does not wait for the default stream
        self.context, self.queue = self._context.value, self._stream.value

    def _run(self, name, *arguments):
        error = getattr(self.driver, name)(*arguments)
        if error:
            text = ctypes.c_char_p()
            self.driver.cuGetErrorString(error, ctypes.byref(text))
            raise RuntimeError(f"{name}: {(text.value or b'unknown error').decode()} ({error})")

    def _attribute(self, number):
        value = ctypes.c_int()
        self._run("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def describe(self):
        name, version = ctypes.create_string_buffer(200), ctypes.c_int()
        self._run("cuDeviceGetName", name, 200, self.device)
        self._run("cuDriverGetVersion", ctypes.byref(version))
        return {"interface": "cuda", "name": name.value.decode(), "driver": version.value,
                "capability": [self._attribute(MAJOR), self._attribute(MINOR)],
                "cores": self._attribute(CORE_COUNT), "clock_khz": self._attribute(CLOCK_RATE)}

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self._run("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
        return pointer.value

    def release(self, memory):
        self._run("cuMemFree_v2", ctypes.c_uint64(memory))

    def write(self, memory, data, offset=0):
        buffer = (ctypes.c_char * len(data)).from_buffer_copy(data)
        self._run("cuMemcpyHtoD_v2", ctypes.c_uint64(memory + offset), buffer, ctypes.c_size_t(len(data)))
        self.finish()

    def read(self, memory, size):
        self.finish()
        buffer = (ctypes.c_char * max(size, 1))()
        self._run("cuMemcpyDtoH_v2", buffer, ctypes.c_uint64(memory), ctypes.c_size_t(size))
        return bytes(buffer)[:size]

    def copy(self, to, source, size):
        self._run("cuMemcpyDtoDAsync_v2", ctypes.c_uint64(to), ctypes.c_uint64(source), ctypes.c_size_t(size),
                  self._stream)

    def finish(self):
        self._run("cuCtxSynchronize")

    def seconds(self, function, calls):
        """That so many calls take on the device."""
        events = ctypes.c_void_p(), ctypes.c_void_p()
        for event in events:
            self._run("cuEventCreate", ctypes.byref(event), 0)
        self._run("cuEventRecord", events[0], self._stream)
        for _ in range(calls):
            function()
        self._run("cuEventRecord", events[1], self._stream)
        self._run("cuEventSynchronize", events[1])
        milliseconds = ctypes.c_float()
        self._run("cuEventElapsedTime", ctypes.byref(milliseconds), *events)
        for event in events:
            self._run("cuEventDestroy_v2", event)
        return milliseconds.value / 1e3

    def fma_rate(self):
        """Measured operations per second, two for a multiply-add."""
        module, function, out = ctypes.c_void_p(), ctypes.c_void_p(), self.allocate(4)
        self._run("cuModuleLoadData", ctypes.byref(module), fma_source().encode() + b"\0")
        self._run("cuModuleGetFunction", ctypes.byref(function), module, b"rounds")
        pointer, count = ctypes.c_uint64(out), ctypes.c_uint32(ROUNDS)
        parameters = (ctypes.c_void_p * 2)(ctypes.addressof(pointer), ctypes.addressof(count))
        blocks = BLOCKS_PER_CORE * self._attribute(CORE_COUNT)

        def launch():
            self._run("cuLaunchKernel", function, blocks, 1, 1, THREADS, 1, 1, 0, self._stream, parameters, None)

        self.seconds(launch, 3)
        best = min(self.seconds(launch, 10) for _ in range(5)) / 10
        self.release(out)
        return 2 * CHAINS * UNROLLED * ROUNDS * THREADS * blocks / best

    def limits(self):
        capability = (self._attribute(MAJOR), self._attribute(MINOR))
        peak = 2e3 * CORES.get(capability, 128) * self._attribute(CORE_COUNT) * self._attribute(CLOCK_RATE)
        nominal = 2e3 * self._attribute(MEMORY_CLOCK) * self._attribute(MEMORY_WIDTH) / 8
        return Limits.measured(self, peak, nominal, 1 << 30)
