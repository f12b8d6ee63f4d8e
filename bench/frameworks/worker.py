"""A process for each framework, so that neither their thread pools nor what they change in each other can disturb.

The parent asks one at a time: to find the best way for a case, to time a block of calls, to check the result again. A
process answers when its pool is idle.
"""

import importlib
import multiprocessing
import os
import traceback
from dataclasses import dataclass
from pathlib import Path

from cases import select
from frameworks import timing
from frameworks.problem import Problem
from frameworks.way import Lacks

TRIAL_ROUNDS = 3
PREPARE_LIMIT, BLOCK_LIMIT = 240, 60  # seconds


@dataclass(frozen=True)
class Context:
    """threads of every call; root: the source tree; prefix: where heed is installed; cache: for compiled code."""

    threads: int
    root: Path
    prefix: Path
    cache: Path


def first_line(error):
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]


def tried(prepare, problem):
    """The way, if it works and is right, and its record."""
    try:
        way = prepare()
        way.call()
        difference = problem.difference(way.result())
    except Exception as error:  # a framework may fail in its own way; the table says so
        if os.environ.get("HEED_BENCH_TRACE"):
            traceback.print_exc()
        return None, {"error": first_line(error)}
    return (way if difference <= problem.tolerance else None), {"difference": difference}


def idle_block(call, calls):
    """Several models of one framework may have a pool each."""
    timing.wait_until_idle()
    return timing.block(call, calls)


def best_way(ways, problem):
    """The fastest way that is right, if any, and a record of all that were tried."""
    tries = {label: tried(prepare, problem) for label, prepare in ways.items()}
    right = {label: way for label, (way, _) in tries.items() if way}
    record = {"tried": {label: entry for label, (_, entry) in tries.items()}}
    if not right:
        return None, record
    counts = {label: timing.calls_per_block(way.call) for label, way in right.items()}
    blocks = {label: lambda calls, call=way.call: idle_block(call, calls) for label, way in right.items()}
    for label, statistics in timing.interleaved(blocks, counts, TRIAL_ROUNDS).items():
        record["tried"][label]["trial_seconds"] = statistics["seconds_min"]
    best = min(right, key=lambda label: record["tried"][label]["trial_seconds"])
    return right[best], record | {"way": best, "difference": record["tried"][best]["difference"]}


class Server:
    """What the process does; a method per question."""

    def __init__(self, module, context):
        threads = str(context.threads)
        os.environ |= {"OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads, "OPENBLAS_NUM_THREADS": threads,
                       "TORCHINDUCTOR_COMPILE_THREADS": "1", "TORCHINDUCTOR_CACHE_DIR": str(context.cache / module)}
        self.module, self.context = importlib.import_module(f"frameworks.{module}"), context
        self.problem = self.way = None

    def prepare(self, name):
        self.problem = self.way = None  # frees the last case's arrays first
        self.problem = Problem(select([name])[0])
        try:
            self.way, record = best_way(self.module.ways(self.problem, self.context), self.problem)
        except Lacks as reason:
            record = {"lacks": str(reason)}
        return record

    def calls(self):
        return timing.calls_per_block(self.way.call)

    def block(self, calls):
        timing.block(self.way.call, calls // 8)
        return timing.block(self.way.call, calls)

    def difference(self):
        return self.problem.difference(self.way.result())


def serve(connection, module, context):
    server = Server(module, context)
    while (question := connection.recv()) is not None:
        method, *arguments = question
        try:
            answer = getattr(server, method)(*arguments)
        except Exception as error:
            answer = error
        timing.wait_until_idle()
        connection.send(answer)


class Ended(Exception):
    """The process of a framework is no more, or takes too long."""


class Worker:
    """The parent's side."""

    def __init__(self, module, context):
        self.module, self.context, self.process = module, context, None

    def ask(self, method, *arguments, limit=BLOCK_LIMIT):
        if self.process is None:
            self._start()
        try:
            self.connection.send((method, *arguments))
            if not self.connection.poll(limit):
                raise Ended(f"no answer within {limit} s")
            answer = self.connection.recv()
        except (EOFError, OSError, Ended) as error:
            self.process.kill()
            self.process.join()
            code, self.process = self.process.exitcode, None
            raise Ended(str(error) if isinstance(error, Ended) else f"its process ended with {code}") from None
        if isinstance(answer, Exception):
            raise Ended(first_line(answer))
        return answer

    def _start(self):
        spawn = multiprocessing.get_context("spawn")
        self.connection, end = spawn.Pipe()
        self.process = spawn.Process(target=serve, args=(end, self.module, self.context), daemon=True)
        self.process.start()
        end.close()

    def stop(self):
        if self.process is not None:
            self.connection.send(None)
            self.process.join(10)
            self.process.kill()
