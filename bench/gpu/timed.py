"""Times of calls in the device's memory, beside the device's limits.

usage: timed.py BUNDLE INTERFACE SECONDS    prints the limits, then one JSON record per call
"""

import ctypes
import json
import os
import statistics
import struct
import sys
import time
from pathlib import Path

from devices import open_device
from library import SIZES, Kernel, Refused, load_runtime
from suite import count_of
from tensor import Tensor

SAMPLES, SAMPLE_SECONDS, PATTERN = 7, 0.02, 1 << 14
PACK = {"b8": "B", "i32": "i", "i64": "q", "f16": "e", "f32": "f", "f64": "d"}


def random_floats(element):
    """Some numbers in [-1, 1]."""
    words = struct.unpack(f"<{PATTERN}i", os.urandom(4 * PATTERN))
    if element == "bf16":
        return b"".join(struct.pack("<f", word / 2**31)[2:] for word in words)
    return struct.pack(f"<{PATTERN}{PACK[element]}", *(word / 2**31 for word in words))


def content_of(entry):
    size = count_of(entry["shape"]) * SIZES[entry["type"]]
    if entry["output"]:
        return None
    if "integers" in entry:
        values = entry["integers"]
        values = [float(v) for v in values] if entry["type"].startswith("f") else [int(v) for v in values]
        return struct.pack(f"<{len(values)}{PACK[entry['type']]}", *values)
    pattern = random_floats(entry["type"])
    return (pattern * (size // len(pattern) + 1))[:size]


def samples(device, call):
    """Seconds per call."""
    call()
    device.finish()
    once = device.seconds(call, 1)
    calls = max(1, min(1000, round(SAMPLE_SECONDS / max(once, 1e-6))))
    device.seconds(call, calls)
    return [device.seconds(call, calls) / calls for _ in range(SAMPLES)]


def measure(kernel, case, device):
    tensors = {entry["name"]: Tensor(entry["type"], entry["shape"], content_of(entry),
                                     None if entry["name"] in kernel.scalars else device)
               for entry in case["arguments"]}
    try:
        views = {name: tensor.view() for name, tensor in tensors.items()}
        seconds = samples(device, kernel.prepared(views, device.context, device.queue))
    finally:
        for tensor in tensors.values():
            tensor.release()
    middle = statistics.median(seconds)
    quarters = statistics.quantiles(seconds, n=4)
    return {"seconds": middle, "spread": (quarters[2] - quarters[0]) / (2 * middle)}


def main():
    bundle, interface, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    end = time.perf_counter() + seconds
    device = open_device(interface)
    runtime = load_runtime(bundle / "lib")
    limits = device.limits()
    print(json.dumps({"device": device.describe(), "limits": vars(limits)}), flush=True)
    for case in json.loads((bundle / "timed.json").read_text()):
        found = {"name": case["name"], "title": case["title"]}
        if time.perf_counter() > end:
            print(json.dumps(found | {"left_out": "no time was left"}), flush=True)
            continue
        try:
            library = ctypes.CDLL(str(bundle / "lib" / f"lib{case['library']}.so"))
            found |= measure(Kernel(runtime, library, case["kernel"]), case, device)
            found |= {"operations": case["operations"], "bytes": case["bytes"], "visible": case["visible"]}
        except (Refused, RuntimeError) as error:
            found["wrong"] = str(error)
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
