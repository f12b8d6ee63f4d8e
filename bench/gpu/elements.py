"""Numbers in memory, and whether a result is right."""

import math
import struct
from array import array

CODES = {"b8": "B", "i32": "i", "i64": "q", "f32": "f", "f64": "d"}
LARGEST = {"f16": 65504.0, "bf16": 3.4028234663852886e38, "f32": 3.4028234663852886e38}
SLACK = 1.01  # terms of second order and the reference's own rounding, as in `heed verify`


def numbers(element, data):
    """The elements of dense memory."""
    if element == "f16":
        return [value for value, in struct.iter_unpack("<e", data)]
    if element == "bf16":
        wide = bytearray(2 * len(data))
        wide[2::4], wide[3::4] = data[0::2], data[1::2]
        return array("f", bytes(wide))
    return array(CODES[element], data)


def agrees(element, got, value, bound):
    """As in tools/heed/Verify/Comparison.cpp."""
    if math.isinf(bound):
        return True
    if math.isnan(value):
        return math.isnan(got)
    if got == value:
        return True
    if math.isinf(got):
        return abs(value) + bound > LARGEST.get(element, math.inf) and (got > 0) == (value > 0)
    return abs(got - value) <= SLACK * bound


class Mistakes(list):
    """What is wrong, and how far right results are from the expected ones."""

    def __init__(self):
        super().__init__()
        self.elements, self.difference = 0, 0.0

    def compare(self, name, element, shape, got, values, bounds):
        wrong = None
        for i, (number, value, bound) in enumerate(zip(got, values, bounds)):
            if not agrees(element, number, value, bound):
                wrong = wrong or f"{name}{index_of(i, shape)}: got {number:.9g}, expected {value:.9g} ± {bound:.2g}"
            elif math.isfinite(number) and math.isfinite(value):
                self.difference = max(self.difference, abs(number - value))
        self.elements += len(values)
        if wrong:
            self.append(wrong)


def index_of(i, shape):
    index = []
    for extent in reversed(shape):
        index.append(i % extent)
        i //= extent
    return tuple(reversed(index))
