"""A bundle for CUDA, made and checked with a driver that checks its callers. And what it brings along is for Python 3.9."""

import ast
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parents[2] / "bench"
sys.path.insert(0, str(BENCH / "gpu"))

from pack import RUN_PARTS  # noqa: E402


def has_union(annotation):
    """X | Y between types is Python 3.10's."""
    return annotation is not None and any(isinstance(part, ast.BinOp) for part in ast.walk(annotation))


class OldPython(unittest.TestCase):
    def test_syntax(self):
        for part in (*(BENCH / "gpu" / name for name in RUN_PARTS), BENCH / "gpu_check"):
            for node in ast.walk(ast.parse(part.read_text(), feature_version=(3, 9))):
                for field in ("annotation", "returns"):
                    self.assertFalse(has_union(getattr(node, field, None)), f"{part}:{getattr(node, 'lineno', 0)}")


class CudaBundle(unittest.TestCase):
    def test_a_bundle_uses_the_driver_rightly(self):
        build, environment = os.environ["HEED_BUILD"], dict(os.environ)
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, BENCH / "gpu_check", "--pack", folder, "--build", build, "--target",
                            "x86-64-cuda", "--small", "--only", "s2", "timed_decode"], check=True, env=environment,
                           stdout=subprocess.DEVNULL)
            log = Path(folder) / "misuses"
            # Kernels whose threads take longer, all that are timed, are begun and given up.
            environment |= {"LD_LIBRARY_PATH": os.environ["HEED_CHECKING_CUDA"], "HEED_CHECKING_CUDA_LOG": str(log),
                            "HEED_CHECKING_CUDA_INSTRUCTIONS": "10000"}
            done = subprocess.run([sys.executable, Path(folder) / "gpu_check", "--minutes", "1", "--jobs", "1"],
                                  cwd="/", env=environment, capture_output=True, text=True)
            self.assertEqual(log.read_text() if log.exists() else "", "")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("Traceback", done.stdout + done.stderr)
            self.check(json.loads((Path(folder) / "gpu_check.json").read_text()))

    def check(self, records):
        self.assertEqual(records["device"]["name"], "Checking device 0")
        self.assertEqual(records["device"]["capability"], [9, 0])
        self.assertEqual(records["summary"]["right"], 12)  # two kernels, three calls, two memories
        self.assertEqual(records["summary"]["wrong"] + records["summary"]["left_out"], 0)
        self.assertEqual(records["faults"], [])
        self.assertTrue(all(record["seconds"] > 0 and "wrong" not in record for record in records["timed"]))
        self.assertEqual(len(records["timed"]), records["bundle"]["timed"])
        for limit in records["limits"].values():
            self.assertGreater(limit, 0)


if __name__ == "__main__":
    unittest.main()
