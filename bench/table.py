"""Prints the records that `heed bench --json` wrote into a folder as one Markdown table.

With --relative-to KERNEL-SIZE (the name of a record's file without threads and suffix) a column gives the time per
visible score over that of this record. It is the ratio of their shares of the limit, since every record was measured
beside the limit of its own minutes.
"""

import argparse
import json
import pathlib

LIMITS = {"fma": "FMA peak", "bf16_dot": "bf16 dot-product peak", "read_bandwidth": "read bandwidth"}


def records(folder):
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        content = json.loads(path.read_text())
        yield from content if isinstance(content, list) else [content]


def row(record, base):
    sizes = ", ".join(f"{name} {value}" for name, value in record["sizes"].items())
    speed = f"{record['gflops']:.0f} GFLOP/s" if "gflops" in record else f"{record['gbytes_per_s']:.1f} GB/s"
    limit = f"{record['share']:.0%} of {LIMITS[record['limit']]}"
    cells = [record["kernel"], sizes, record["threads"], speed, limit]
    if base:
        cells += [f"{record['visible']:.1%}", f"{base[record['threads']] / record['share']:.2f}"]
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--relative-to")
    options = parser.parse_args()
    columns = ["kernel", "size", "threads", "speed", "share"]
    base = {}
    if options.relative_to:
        columns += ["visible", "time per visible score"]
        for path in pathlib.Path(options.folder).glob(f"{options.relative_to}-*.json"):
            for record in json.loads(path.read_text()):
                base[record["threads"]] = record["share"]
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    for record in records(options.folder):
        print(row(record, base))


main()
