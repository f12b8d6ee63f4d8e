"""Measures the benchmark set with `heed bench`, every case with one and with two threads beside the limit of this
machine that it could reach, and prints Markdown tables. Records: build/bench/CASE.json.

usage: run.py [--heed PROGRAM] [--list] [CASE...]
"""

import argparse
import json
import pathlib
import subprocess
import sys

from cases import CASES, TABLES, UnknownCase, select
from tables import records_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
RECORDS = ROOT / "build" / "bench"
THREADS = (1, 2)


def command(heed, case, threads, json_file):
    words = [heed, "bench", case.spec, "--kernel", case.kernel, "--threads", str(threads), "--json", str(json_file)]
    for name, value in case.sizes.items():
        words += ["--size", f"{name}={value}"]
    for name, values in case.inputs.items():
        words += ["--in", f"{name}={','.join(map(str, values))}"]
    return words


def measure(heed, case):
    """Its records, which are also written to a file."""
    records = []
    for threads in THREADS:
        part = RECORDS / f"{case.name}.{threads}.part"
        subprocess.run(command(heed, case, threads, part), cwd=ROOT, check=True,
                       stdout=subprocess.DEVNULL)
        records += json.loads(part.read_text())
        part.unlink()
    (RECORDS / f"{case.name}.json").write_text(json.dumps(records, indent=2) + "\n")
    return records


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--heed", default=str(ROOT / "build" / "install" / "bin" / "heed"))
    parser.add_argument("--list", action="store_true", help="print the names of the cases")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all")
    options = parser.parse_args()
    if options.list:
        print("\n".join(case.name for case in CASES if case.table))
        return
    try:
        chosen = [case for case in select(options.cases) if case.table]
    except UnknownCase as error:
        sys.exit(f"run.py: {error}")
    RECORDS.mkdir(parents=True, exist_ok=True)
    records = {case.name: measure(options.heed, case) for case in chosen}
    for name, (title, relative_to) in TABLES.items():
        found = {case.name: records[case.name] for case in chosen if case.table == name}
        if found:
            print(f"\n## {title}\n\n{records_table(found, relative_to)}")


if __name__ == "__main__":
    main()
