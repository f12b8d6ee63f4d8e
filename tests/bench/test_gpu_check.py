"""What bench/gpu_check compares with, and a bundle made and checked with OpenCL in place of a GPU."""

import json
import math
import os
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH / "gpu"))

from elements import Mistakes, agrees, numbers  # noqa: E402
from table import table  # noqa: E402
from tensor import NAN, Tensor  # noqa: E402


class Elements(unittest.TestCase):
    def test_types(self):
        self.assertEqual(list(numbers("f32", struct.pack("<2f", 1.5, -2))), [1.5, -2])
        self.assertEqual(list(numbers("f16", struct.pack("<2e", 0.5, 65504))), [0.5, 65504])
        self.assertEqual(list(numbers("bf16", struct.pack("<2H", 0x3FC0, 0xC000))), [1.5, -2])
        self.assertEqual(list(numbers("i64", struct.pack("<q", -7))), [-7])
        for element, size in (("f16", 2), ("bf16", 2), ("f32", 4), ("f64", 8)):
            self.assertTrue(math.isnan(numbers(element, NAN * size)[0]))

    def test_agreement(self):
        self.assertTrue(agrees("f32", 1.0, 1.1, 0.1))
        self.assertFalse(agrees("f32", 1.0, 1.2, 0.1))
        self.assertTrue(agrees("f32", math.nan, math.nan, 0))
        self.assertFalse(agrees("f32", math.nan, 1, 100))
        self.assertTrue(agrees("f32", math.nan, 1, math.inf))
        self.assertTrue(agrees("f16", math.inf, 70000, 1))
        self.assertFalse(agrees("f32", math.inf, 70000, 1))

    def test_the_first_mistake_is_named(self):
        mistakes = Mistakes()
        mistakes.compare("y", "f32", [2, 2], [0, 0, 3, 4], [0, 0, 1, 1], [1] * 4)
        self.assertEqual(list(mistakes), ["y(1, 0): got 3, expected 1 ± 1"])


class Tensors(unittest.TestCase):
    def test_gaps(self):
        data = struct.pack("<6f", *range(6))
        for gaps, strides in ((False, [3, 1]), (True, [6, 1])):
            tensor = Tensor("f32", [2, 3], data, None, gaps)
            self.assertEqual(list(tensor.view().strides)[:2], strides)
            self.assertEqual(tensor.read(), data)
            self.assertTrue(tensor.is_untouched())
            self.assertFalse(tensor.is_damaged_around())

    def test_damage(self):
        for at in (60 * 4, (61 + 3) * 4, (61 + 12) * 4):  # before, in the gap, behind
            tensor = Tensor("f32", [2, 3], None, None, True)
            tensor.memory[at] = b"\0"
            self.assertTrue(tensor.is_damaged_around(), at)


class Tables(unittest.TestCase):
    def test_shares(self):
        limits = {"peak": 100e9, "bandwidth": None, "measured_peak": 90e9, "measured_bandwidth": 1e9}
        records = [{"name": "a", "title": "A", "seconds": 1e-3, "spread": 0.01, "operations": 50e6, "bytes": 5e5},
                   {"name": "b", "title": "B", "wrong": "no"}]
        text = table(records, limits, {"a": {"seconds": 2e-3, "way": "flash"}})
        self.assertIn("| A | 1 ms | ±1.0 % | 50 GFLOP/s | 50.0 % | 500 MB/s | 50.0 % | 2 ms, flash | 0.50 |", text)
        self.assertIn("| B | no |", text)


class Bundle(unittest.TestCase):
    def test_a_bundle_is_checked_without_the_sources(self):
        build, environment = os.environ["HEED_BUILD"], dict(os.environ)
        environment.pop("PYTHONPATH")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, BENCH / "gpu_check", "--pack", folder, "--build", build, "--target",
                            "host-opencl", "--small", "--only", "s2", "timed_half"], check=True, env=environment,
                           stdout=subprocess.DEVNULL)
            command = [sys.executable, Path(folder) / "gpu_check", "--minutes", "3", "--jobs", "1"]
            subprocess.run(command, check=True, cwd="/", env=environment)
            records = json.loads((Path(folder) / "gpu_check.json").read_text())
            self.assertEqual(records["summary"]["right"], 12)  # two kernels, three calls, two memories
            self.assertEqual(records["summary"]["wrong"] + records["summary"]["left_out"], 0)
            self.assertEqual([record["name"] for record in records["timed"] if record["seconds"] > 0],
                             ["bf16_d64", "bf16_d128", "bf16_d128_causal", "f16_d64"])

            self.spoil(Path(folder) / "suite" / "s2.json", Path(folder) / "suite" / "s2.bin")
            self.assertEqual(subprocess.run(command, env=environment, capture_output=True).returncode, 1)

            environment["OCL_ICD_VENDORS"] = folder
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 2, done.stderr)

    def spoil(self, cases, data):
        """Another expected number."""
        results = [result for case in json.loads(cases.read_text()) for result in case["results"]]
        result = next(result for result in results if math.prod(result["shape"]))
        content = bytearray(data.read_bytes())
        content[result["values"]:result["values"] + 8] = struct.pack("<d", 1e9)
        data.write_bytes(content)


if __name__ == "__main__":
    unittest.main()
