"""Prints the records that `heed bench --json` wrote into a folder as one Markdown table."""

import json
import pathlib
import sys

LIMITS = {"fma": "FMA peak", "bf16_dot": "bf16 dot-product peak", "read_bandwidth": "read bandwidth"}


def records(folder):
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        content = json.loads(path.read_text())
        yield from content if isinstance(content, list) else [content]


def row(record):
    sizes = ", ".join(f"{name} {value}" for name, value in record["sizes"].items())
    speed = f"{record['gflops']:.0f} GFLOP/s" if "gflops" in record else f"{record['gbytes_per_s']:.1f} GB/s"
    limit = f"{record['share']:.0%} of {LIMITS[record['limit']]}"
    return f"| {record['kernel']} | {sizes} | {record['threads']} | {speed} | {limit} |"


print("| kernel | size | threads | speed | share |\n|---|---|---|---|---|")
for record in records(sys.argv[1]):
    print(row(record))
