"""A tensor in the host's or the device's memory, between guard zones of NaN, with dense rows or with gaps behind."""

import ctypes
import math

from library import DEVICE, HOST, SIZES, view

GUARD, GAP = 61, 3
NAN = b"\xff"  # all bits set: NaN in every floating-point type


class Tensor:
    def __init__(self, element, shape, data=None, device=None, gaps=False):
        """Without data every element is NaN."""
        self.element, self.shape, self.device, size = element, shape, device, SIZES[element]
        self.row = (shape[-1] if shape else 1) * size
        self.step = self.row + (GAP * size if gaps and len(shape) > 1 else 0)
        self.rows = math.prod(shape[:-1]) if math.prod(shape) else 0
        self.guard = GUARD * size
        content = bytearray(NAN * (2 * self.guard + self.rows * self.step))
        if data is not None and self.step == self.row:
            content[self.guard:self.guard + len(data)] = data
        for i in range(self.rows if data is not None and self.step != self.row else 0):
            at = self.guard + i * self.step
            content[at:at + self.row] = data[i * self.row:(i + 1) * self.row]
        self.sealed = bytes(content)
        if device:
            self.memory = device.allocate(len(content))
            device.write(self.memory, content)
        else:
            self.memory = (ctypes.c_char * len(content)).from_buffer(content)

    def view(self):
        size, strides, stride = SIZES[self.element], [], 1
        for axis in reversed(range(len(self.shape))):
            strides.insert(0, stride)
            stride = self.step // size if axis == len(self.shape) - 1 else stride * self.shape[axis]
        if self.device:
            return view(self.memory, self.element, self.shape, strides, DEVICE, GUARD)
        return view(ctypes.addressof(self.memory) + self.guard, self.element, self.shape, strides, HOST)

    def content(self):
        return self.device.read(self.memory, len(self.sealed)) if self.device else bytes(self.memory)

    def read(self):
        """The elements' bytes, dense."""
        content, guard, step = self.content(), self.guard, self.step
        return b"".join(content[guard + i * step:guard + i * step + self.row] for i in range(self.rows))

    def is_untouched(self):
        return self.content() == self.sealed

    def is_damaged_around(self):
        """Whether guard zones or gaps were written to."""
        content, guard = self.content(), self.guard
        gaps = b"".join(content[guard + i * self.step + self.row:guard + (i + 1) * self.step] for i in range(self.rows))
        around = content[:guard] + gaps + content[guard + self.rows * self.step:]
        return around.strip(NAN) != b""

    def release(self):
        if self.device:
            self.device.release(self.memory)
