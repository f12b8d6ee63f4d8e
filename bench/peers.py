"""Compares heed with the other frameworks that are installed, on the same numbers in one run, and prints Markdown.

Every way in which a framework can compute a case is checked against double precision; the fastest correct one is timed,
interleaved with those of the others. Records, table and chart: build/bench/peers.{json,md,svg}. Cases that are not
chosen keep their records of earlier runs, and the table says so.

usage: peers.py [--prefix FOLDER] [--output FOLDER] [--rounds N] [--table] [CASE...]
"""

import argparse
import datetime
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import sys

from cases import CASES, UnknownCase, select
from frameworks import timing
from frameworks.problem import Problem
from frameworks.worker import PREPARE_LIMIT, Context, Ended, Worker
from peers_table import cases_table, summary, ways_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
THREADS = 2

# Column, module under frameworks, packages.
PEERS = (
    ("PyTorch", "pytorch", ("torch",)),
    ("FlexAttention", "flex_attention", ("torch",)),
    ("zentorch", "zentorch_backend", ("torch", "zentorch")),
    ("ONNX Runtime", "onnx_runtime", ("onnxruntime", "onnx")),
    ("OpenVINO", "openvino_model", ("openvino",)),
)


def missing_packages():
    packages = sorted({package for _, _, needed in PEERS for package in needed} | {"matplotlib"})
    return [package for package in packages if importlib.util.find_spec(package) is None]


def installed_peers(missing):
    return [(name, module) for name, module, packages in PEERS if not set(packages) & set(missing)]


def asked(worker, record, *question, **options):
    """The worker's answer; None and a note in the record where it gives none."""
    try:
        return worker.ask(*question, **options)
    except Ended as error:
        record["error"] = str(error)
        return None


def measure(case, workers, rounds):
    """The case's record."""
    problem, records, counts, blocks = Problem(case), {}, {}, {}
    for name, worker in workers.items():
        records[name] = {}
        records[name] |= asked(worker, records[name], "prepare", case.name, limit=PREPARE_LIMIT) or {}
        if "way" in records[name] and (calls := asked(worker, records[name], "calls")):
            counts[name] = calls
            blocks[name] = lambda calls, ask=(worker, records[name], "block"): asked(*ask, calls)
    for name, statistics in timing.interleaved(blocks, counts, rounds).items():
        difference = asked(workers[name], records[name], "difference")
        if difference is not None and difference <= problem.tolerance:  # what was timed is still right
            records[name] |= statistics
    return {"case": case.name, "operations": problem.operations, "bytes": problem.bytes, "frameworks": records}


def versions():
    names = sorted({package for _, _, packages in PEERS for package in packages})
    return {name: importlib.metadata.version(name) for name in names if importlib.util.find_spec(name)}


def processor():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if os.path.exists("/proc/cpuinfo") else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")


def read_records(path):
    return {record["case"]: record for record in json.loads(path.read_text())} if path.exists() else {}


def report(records, folder):
    """Prints the tables and writes them beside the records, with a chart where matplotlib is."""
    ordered = [(case, records[case.name]) for case in CASES if case.name in records]
    text = "\n\n".join([cases_table(ordered), summary(ordered), ways_table(ordered)]) + "\n"
    (folder / "peers.md").write_text(text)
    print(text)
    if importlib.util.find_spec("matplotlib"):
        from frameworks.chart import draw
        draw(ordered, folder / "peers.svg")


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    build = ROOT / "build"
    parser.add_argument("--prefix", type=pathlib.Path, default=build / "install", help="where heed is installed")
    parser.add_argument("--output", type=pathlib.Path, default=build / "bench", help="folder of the records")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--table", action="store_true", help="print what was measured before")
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all")
    return parser.parse_args()


def main():
    options = parse()
    try:
        chosen = [case for case in select(options.cases) if case.formula]
    except UnknownCase as error:
        sys.exit(f"peers.py: {error}")
    path = options.output / "peers.json"
    records = read_records(path)
    if not options.table:
        if missing := missing_packages():
            print(f"not installed: {', '.join(missing)}; ./dev bench --peers installs them into build/peers",
                  file=sys.stderr)
        options.output.mkdir(parents=True, exist_ok=True)
        context = Context(THREADS, ROOT, options.prefix, ROOT / "build" / "peers-cache")
        workers = {name: Worker(module, context)
                   for name, module in [("heed", "heed_library"), *installed_peers(missing)]}
        run = {"run": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"), "threads": THREADS,
               "processor": processor(), "versions": versions()}
        for number, case in enumerate(chosen, 1):
            print(f"{number}/{len(chosen)} {case.name}", file=sys.stderr, flush=True)
            records[case.name] = measure(case, workers, options.rounds) | run
            path.write_text(json.dumps(list(records.values()), indent=1) + "\n")
        for worker in workers.values():
            worker.stop()
    if not records:
        sys.exit(f"peers.py: {path} holds no records; run it without --table")
    report(records, options.output)


if __name__ == "__main__":
    main()
