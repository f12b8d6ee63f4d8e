"""What a device can do at most: by its data sheet, where the driver says it, and measured."""

from dataclasses import dataclass
from typing import Optional


@dataclass
class Limits:
    peak: Optional[float]  # f32 operations per second, two for a multiply-add
    bandwidth: Optional[float]  # bytes per second
    measured_peak: float
    measured_bandwidth: float

    @staticmethod
    def measured(device, peak, bandwidth, size):
        """A copy of `size` bytes reads and writes as many."""
        source, to = device.allocate(size), device.allocate(size)
        device.seconds(lambda: device.copy(to, source, size), 2)
        copied = min(device.seconds(lambda: device.copy(to, source, size), 4) for _ in range(5)) / 4
        device.release(source)
        device.release(to)
        return Limits(peak, bandwidth, device.fma_rate(), 2 * size / copied)
