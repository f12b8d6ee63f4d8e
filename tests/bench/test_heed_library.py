"""The kernels of the set compute what their formulas say, called as the comparison calls them."""

import os
import pathlib
import tempfile
import unittest
from dataclasses import replace

import numpy as np

from cases import select
from frameworks import heed_library
from frameworks.problem import Problem
from frameworks.worker import Context

ROOT = pathlib.Path(heed_library.__file__).resolve().parent.parent.parent

# Changes of formulas to sizes that are quick and awkward.
SMALL = {
    "attention_d80": {"queries": 100, "keys": 77},
    "attention_d64_causal": {"heads": 2, "queries": 70, "keys": 70},
    "linear_512": {"rows": 37},
    "window": {"queries": 300, "keys": 300},
    "documents": {"queries": 150, "keys": 150, "documents": (64, 1, 70, 15)},
    "padded": {"queries": 65, "keys": 65, "lengths": (65, 64, 1, 33)},
    "causal_alibi": {"queries": 70, "keys": 70},
    "causal_softcap": {"queries": 70, "keys": 70},
    "grouped_causal": {"queries": 33, "keys": 33},
    "decode_32_8": {"batch": 2, "keys": 1025},
    "decode_8_1": {"keys": 130},
    "multi_head_256": {"tokens": 7},
    "bf16_d64": {"heads": 2, "queries": 70, "keys": 77},
    "bf16_d64_causal": {"heads": 2, "queries": 70, "keys": 70},
    "f16_d64": {"heads": 2, "queries": 70, "keys": 77},
    "bf16_decode": {"keys": 1025},
    "bf16_decode_32_8": {"batch": 2, "keys": 1025},
    "f16_decode": {"keys": 1025},
    "bf16_linear_512": {"rows": 37},
    "f16_linear_512": {"rows": 37},
    "bf16_multi_head_512": {"batch": 2, "tokens": 33},
    "cross_attention": {},
}


def installed(folder):
    """What an installation holds of a build's program and runtime."""
    program, runtime = os.environ["HEED_PROGRAM"], os.environ["HEED_RUNTIME"]
    for path, target in (("bin/heed", program), ("lib/libheed_runtime.a", runtime),
                         ("include", ROOT / "runtime" / "include")):
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).symlink_to(target)
    return folder


class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        os.environ.setdefault("HEED_INCLUDE", str(ROOT / "dsl" / "include"))
        folder = pathlib.Path(cls.folder.name)
        cls.context = Context(threads=2, root=ROOT, prefix=installed(folder), cache=folder)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def prepared(self, name):
        case = select([name])[0]
        problem = Problem(replace(case, formula=replace(case.formula, **SMALL[name])))
        (prepare,) = heed_library.ways(problem, self.context).values()
        return problem, prepare()

    def test_results_are_right(self):
        for name in SMALL:
            with self.subTest(name):
                problem, way = self.prepared(name)
                self.assertTrue(np.isnan(way.result()).all())
                way.call()
                # Of 16 bits the result alone is rounded to half of the tolerance.
                self.assertLess(problem.difference(way.result()),
                                problem.tolerance / (10 if problem.formula.element == "f32" else 1))

    def test_a_wrong_call_is_an_error_in_words(self):
        problem, _ = self.prepared("linear_512")
        problem.arrays["bias"] = problem.arrays["bias"][:511]
        (prepare,) = heed_library.ways(problem, self.context).values()
        with self.assertRaisesRegex(RuntimeError, "heed: bias: .*511"):
            prepare().call()


if __name__ == "__main__":
    unittest.main()
