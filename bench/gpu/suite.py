"""Calls with expected results: every one in the host's memory and in the device's, with and without gaps in rows.

usage: suite.py BUNDLE SPEC INTERFACE SECONDS    prints one JSON record per call
"""

import ctypes
import json
import sys
import time
from array import array
from pathlib import Path

from devices import open_device
from elements import Mistakes, numbers
from library import SIZES, Kernel, Refused, load_runtime
from tensor import Tensor


def part(data, start, count, size):
    return data[start:start + count * size]


def count_of(shape):
    count = 1
    for extent in shape:
        count *= extent
    return count


def check(kernel, case, data, device, on_device, gaps):
    """What is wrong with one call; nothing if all is right."""
    mistakes, tensors = Mistakes(), {}
    results = {entry["name"]: entry for entry in case["results"]}
    for entry in case["arguments"]:
        content = part(data, entry["data"], count_of(entry["shape"]), SIZES[entry["type"]])
        where = device if on_device and entry["name"] not in kernel.scalars else None
        tensors[entry["name"]] = Tensor(entry["type"], entry["shape"], content, where, gaps)
    inputs = set(tensors) - set(results)
    for name, entry in results.items():
        if name not in tensors:
            tensors[name] = Tensor(entry["type"], entry["shape"], None, device if on_device else None, gaps)
    try:
        views = {name: tensor.view() for name, tensor in tensors.items()}
        kernel.prepared(views, device.context, device.queue)()
        device.finish()
        for name in inputs:
            if not tensors[name].is_untouched():
                mistakes.append(f"{name}: an input was written to")
        for name, entry in results.items():
            if tensors[name].is_damaged_around():
                mistakes.append(f"{name}: memory outside was written to")
            count = count_of(entry["shape"])
            values, bounds = (array("d", part(data, entry[key], count, 8)) for key in ("values", "bounds"))
            got = numbers(entry["type"], tensors[name].read())
            mistakes.compare(name, entry["type"], entry["shape"], got, values, bounds)
    finally:
        for tensor in tensors.values():
            tensor.release()
    return mistakes


def record(kernel, case, data, device, on_device, gaps):
    began = time.perf_counter()
    found = {"kernel": case["kernel"], "sizes": case["sizes"], "seed": case["seed"],
             "memory": "device" if on_device else "host", "gaps": gaps}
    try:
        mistakes = check(kernel, case, data, device, on_device, gaps)
        found |= {"wrong": list(mistakes), "elements": mistakes.elements, "largest_difference": mistakes.difference}
    except (Refused, RuntimeError) as error:
        found |= {"wrong": [str(error)], "elements": 0}
    return found | {"seconds": round(time.perf_counter() - began, 3)}


def main():
    bundle, spec, interface, seconds = Path(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4])
    end = time.perf_counter() + seconds
    device = open_device(interface)
    runtime = load_runtime(bundle / "lib")
    library = ctypes.CDLL(str(bundle / "lib" / f"lib{spec}.so"))
    cases = json.loads((bundle / "suite" / f"{spec}.json").read_text())
    data = (bundle / "suite" / f"{spec}.bin").read_bytes()
    for number, case in enumerate(cases):
        kernel = Kernel(runtime, library, case["kernel"])
        for on_device in (True, False):
            if time.perf_counter() > end:
                found = {"kernel": case["kernel"], "sizes": case["sizes"], "left_out": "no time was left"}
            else:
                found = record(kernel, case, data, device, on_device, (number + on_device) % 2 == 0)
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
