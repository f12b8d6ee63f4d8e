import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

import numpy as np

import peers
import peers_table
from cases import select
from frameworks import worker
from frameworks.way import Way

WINDOW = select(["window"])[0]
PEERS = pathlib.Path(peers.__file__)


def entry(seconds, spread=0.01):
    return {"way": "plain", "difference": 1e-6, "seconds_median": seconds, "spread": spread,
            "tried": {"plain": {"difference": 1e-6}}}


def record(**frameworks):
    return {"case": "window", "operations": 4e9, "bytes": 1e9, "frameworks": frameworks, "run": "1", "threads": 2,
            "processor": "some CPU", "versions": {"torch": "2"}}


WRONG = {"tried": {"plain": {"difference": 0.5}}}


class Ranking(unittest.TestCase):
    def test_the_fastest_is_first(self):
        self.assertEqual(peers_table.first(record(heed=entry(1.0), PyTorch=entry(2.0))), ["heed"])

    def test_names_whose_quartiles_overlap_share_the_first_place(self):
        self.assertEqual(peers_table.first(record(heed=entry(1.01), PyTorch=entry(1.0), zentorch=entry(1.1))),
                         ["PyTorch", "heed"])

    def test_what_is_wrong_is_never_ranked(self):
        found = record(heed=entry(1.0), PyTorch=WRONG | {"seconds_trial": 0.1})
        self.assertEqual(peers_table.first(found), ["heed"])
        self.assertEqual(peers_table.cell(WINDOW, found, WRONG), "wrong")
        self.assertEqual(peers_table.note(WINDOW, found), "PyTorch: differs from the reference")

    def test_a_row_where_heed_is_not_first_says_by_how_much(self):
        self.assertEqual(peers_table.note(WINDOW, record(heed=entry(1.5), OpenVINO=entry(1.0))),
                         "OpenVINO is 50% faster")

    def test_what_is_missing_has_its_reason(self):
        found = record(heed=entry(1.0), FlexAttention={"lacks": ""}, PyTorch={"lacks": "no score function"},
                       OpenVINO={"error": "its process ended with -11"})
        self.assertEqual(peers_table.note(WINDOW, found),
                         "PyTorch: no score function; OpenVINO: its process ended with -11")


class Text(unittest.TestCase):
    def test_units(self):
        found = record(heed=entry(0.01))
        for unit, text in (("GFLOP/s", "400"), ("GB/s", "100"), ("ms", "10.0"), ("µs", "10000")):
            case = SimpleNamespace(unit=unit)
            self.assertEqual(peers_table.cell(case, found, found["frameworks"]["heed"]), f"{text} ±1.0%")

    def test_a_table_has_the_frameworks_that_were_there(self):
        lines = peers_table.cases_table([(WINDOW, record(heed=entry(1.0), OpenVINO=WRONG))]).splitlines()
        self.assertEqual(lines[0], "| case | unit | heed | OpenVINO | first | note |")
        self.assertEqual(lines[2], f"| {WINDOW.title} | GFLOP/s | 4.00 ±1.0% | wrong | heed | "
                                   "OpenVINO: differs from the reference |")

    def test_rows_of_several_runs_are_told(self):
        one, other = record(heed=entry(1.0)), record(heed=entry(1.0)) | {"run": "2"}
        self.assertIn("first in 2 of 2 rows", peers_table.summary([(WINDOW, one), (WINDOW, other)]))
        self.assertIn("come from 2 runs", peers_table.summary([(WINDOW, one), (WINDOW, other)]))
        self.assertNotIn("runs", peers_table.summary([(WINDOW, one)]))


class Ways(unittest.TestCase):
    """The choice among the ways of one framework."""

    def setUp(self):
        result = np.zeros(3)
        self.problem = SimpleNamespace(difference=lambda y: float(np.max(np.abs(y - result))), tolerance=1e-4)

    def best(self, **ways):
        seconds = {label: time for label, (time, _) in ways.items()}
        statistics = {label: {"seconds_min": time} for label, time in seconds.items()}
        with mock.patch.object(worker.timing, "calls_per_block", lambda call: 1), \
             mock.patch.object(worker.timing, "interleaved", lambda blocks, counts, rounds:
                               {label: statistics[label] for label in blocks}):
            return worker.best_way({label: prepare for label, (_, prepare) in ways.items()}, self.problem)[1]

    @staticmethod
    def giving(number):
        return lambda: Way(lambda: None, lambda: np.full(3, number))

    def test_the_fastest_right_one_is_kept(self):
        self.assertEqual(self.best(slow=(2.0, self.giving(0.0)), fast=(1.0, self.giving(1e-6)))["way"], "fast")

    def test_wrong_and_failing_ones_are_not(self):
        def fails():
            raise RuntimeError("no kernel\nmore")

        found = self.best(fast=(0.1, self.giving(0.3)), none=(0.1, fails), nan=(0.1, self.giving(np.nan)),
                          slow=(2.0, self.giving(0.0)))
        self.assertEqual(found["way"], "slow")
        self.assertEqual(found["tried"]["none"], {"error": "no kernel"})
        self.assertEqual(found["tried"]["fast"], {"difference": 0.3})

    def test_without_a_right_one_there_is_no_time(self):
        self.assertNotIn("way", self.best(only=(0.1, self.giving(0.3))))


class WithoutPeers(unittest.TestCase):
    def test_each_framework_needs_its_packages(self):
        with mock.patch.object(peers.importlib.util, "find_spec", lambda name: None if name == "zentorch" else name):
            missing = peers.missing_packages()
        self.assertEqual(missing, ["zentorch"])
        self.assertEqual([name for name, _ in peers.installed_peers(missing)],
                         ["PyTorch", "FlexAttention", "ONNX Runtime", "OpenVINO"])

    def test_the_program_says_what_is_missing_and_where_it_comes_from(self):
        with tempfile.TemporaryDirectory() as folder:
            program = "import peers; peers.installed_peers = lambda missing: []; " \
                      "peers.missing_packages = lambda: ['torch', 'zentorch']; peers.main()"
            found = subprocess.run([sys.executable, "-c", program, "--output", folder, "--prefix", folder, "--rounds",
                                    "1", "cross_attention"], capture_output=True, text=True)
            self.assertIn("not installed: torch, zentorch; ./dev bench --peers installs them", found.stderr)
            self.assertEqual(found.returncode, 0, found.stderr)
            records = json.loads((pathlib.Path(folder) / "peers.json").read_text())
            self.assertIn("error", records[0]["frameworks"]["heed"]["tried"]["heed_call"])
            self.assertIn("heed is first in 0 of 1 rows", found.stdout)

    def test_a_table_of_nothing_is_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, PEERS, "--table", "--output", folder]
            found = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(found.returncode, 1)
        self.assertIn("holds no records; run it without --table", found.stderr)


if __name__ == "__main__":
    unittest.main()
