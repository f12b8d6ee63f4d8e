"""Runs a bundle: the suite in several processes, since one that fails may leave its device unusable, then the times."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from devices import open_device
from table import limits_text, table

SUITE_PART = 0.55  # of the time
RESERVE = 15  # seconds for what is left to do at the end


def records_of(words, seconds, environment):
    """JSON lines that a part of this program prints, and what went wrong with it."""
    process = subprocess.Popen([sys.executable, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, env=environment, start_new_session=True)
    try:
        out, error = process.communicate(timeout=max(seconds, 1))
        fault = "" if process.returncode == 0 else f"exit status {process.returncode}: {error[-2000:]}"
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # and what it started, which holds its pipes
        out, error = process.communicate()
        fault = "no time was left"
    records = []
    for line in out.splitlines():
        try:
            records.append(json.loads(line))
        except ValueError:
            fault = fault or f"not a record: {line[:200]}"
    return records, fault


class Suite:
    def __init__(self, folder, bundle, seconds, jobs):
        self.folder, self.bundle, self.end, self.jobs = folder, bundle, time.perf_counter() + seconds, jobs
        self.environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")

    def check(self, library):
        left = self.end - time.perf_counter()
        records, fault = records_of([self.folder / "gpu" / "suite.py", self.folder, library, self.bundle["interface"],
                                     left], left + RESERVE, self.environment)
        wrong = [record for record in records if record.get("wrong")]
        print(f"{library}: {len(records)} calls, {len(wrong)} wrong{'; ' + fault if fault else ''}", flush=True)
        for record in wrong[:3]:
            print(f"  {record['kernel']} ({record['sizes']}), {record['memory']} memory: {record['wrong'][0]}")
        return {"library": library, "records": records, "fault": fault}

    def run(self):
        with ThreadPoolExecutor(self.jobs) as pool:
            return list(pool.map(self.check, self.bundle["libraries"]))


def summary(parts):
    records = [record for part in parts for record in part["records"]]
    return {"calls": len(records), "kernels": len({(part["library"], record["kernel"]) for part in parts
                                                   for record in part["records"]}),
            "right": sum(record.get("wrong") == [] for record in records),
            "wrong": sum(bool(record.get("wrong")) for record in records),
            "left_out": sum("left_out" in record for record in records),
            "elements": sum(record.get("elements", 0) for record in records),
            "faults": [f"{part['library']}: {part['fault']}" for part in parts if part["fault"]]}


def torch_times(folder, seconds, environment):
    try:
        records, fault = records_of([folder / "gpu" / "torch_times.py", folder, seconds], seconds + RESERVE, environment)
    except OSError as error:
        return {}, str(error)
    return {record["name"]: record for record in records if "name" in record}, fault


def check_bundle(folder, options):
    began = time.perf_counter()
    bundle = json.loads((folder / "bundle.json").read_text())
    try:
        device = open_device(bundle["interface"]).describe()
    except RuntimeError as error:
        print(f"gpu_check: {error}; a device of this interface is needed", file=sys.stderr)
        return 2
    print(f"{device['name']}, driver {device['driver']}; {bundle['calls']} calls in both memories, heed "
          f"{bundle['commit']}", flush=True)
    seconds = 60 * options.minutes
    jobs = options.jobs or min(8, os.cpu_count() or 1)
    suite = Suite(folder, bundle, SUITE_PART * seconds, jobs)
    parts = suite.run()
    totals = summary(parts)
    print(json.dumps(totals), flush=True)

    left = seconds - (time.perf_counter() - began) - RESERVE
    peers, torch_fault = {}, "not asked"
    if bundle["interface"] == "cuda":
        peers, torch_fault = torch_times(folder, left / 2, suite.environment)
        left = seconds - (time.perf_counter() - began) - RESERVE
    times, fault = records_of([folder / "gpu" / "timed.py", folder, bundle["interface"], left], left + RESERVE,
                              suite.environment)
    head, records = (times[0], times[1:]) if times else ({"limits": None}, [])
    if head["limits"]:
        print(f"\n{limits_text(head['limits'])}\n\n{table(records, head['limits'], peers)}\n")
    faults = totals["faults"] + ([f"times: {fault}"] if fault else [])
    faults += [f"{record['name']}: {record['wrong']}" for record in records if record.get("wrong")]
    if torch_fault:
        print(f"PyTorch: {torch_fault.strip().splitlines()[-1]}")
    minutes = (time.perf_counter() - began) / 60
    path = Path(options.json) if options.json else folder / "gpu_check.json"
    path.write_text(json.dumps({"bundle": bundle, "device": device, "limits": head["limits"], "summary": totals,
                                "faults": faults, "suite": parts, "timed": records, "peers": peers,
                                "minutes": minutes}, indent=1))
    print(f"{totals['right']} of {totals['calls']} calls right, {totals['wrong']} wrong, {totals['left_out']} left out, "
          f"{totals['elements']} elements compared; {minutes:.1f} minutes; {path}")
    for line in faults:
        print(f"gpu_check: {line}", file=sys.stderr)
    return 1 if totals["wrong"] or faults else 0
