"""Numbers of 16 bits. NumPy has no bfloat16: such an array is one of uint16 with the bits, the upper half of a float32's.
"""

import numpy as np

SIZE = {"f32": 4, "f16": 2, "bf16": 2}


def stored(array, element):
    """A float32 array in another type, rounded to the nearest, of two the even; integers as they are."""
    if array.dtype != np.float32 or element not in ("f16", "bf16"):
        return array
    if element == "f16":
        return array.astype(np.float16)
    bits = np.ascontiguousarray(array).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def widened(array, element):
    """What `stored` gives, as float32."""
    if element == "bf16" and array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float32) if array.dtype == np.float16 else array


def rounded(array, element):
    """float32 with numbers of the type only."""
    return widened(stored(array, element), element)
