"""The device of an interface."""

from cuda import Cuda
from opencl import OpenCl


def open_device(interface):
    """Throws RuntimeError with the driver's words where there is none."""
    return {"cuda": Cuda, "opencl": OpenCl}[interface]()
