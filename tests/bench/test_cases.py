import pathlib
import re
import unittest

import cases
import run
from cases import CASES, TABLES, UnknownCase, select
from formulas import Attention

ROOT = pathlib.Path(cases.__file__).parent.parent


class Cases(unittest.TestCase):
    def test_names_are_unique(self):
        names = [case.name for case in CASES]
        self.assertEqual(len(names), len(set(names)))

    def test_every_kernel_is_in_its_spec(self):
        for case in CASES:
            spec = (ROOT / case.spec).read_text()
            self.assertRegex(spec, rf'kernel \w+\{{\s*"{case.kernel}"', case.name)
            for size in case.sizes:
                self.assertIn(f'{size}{{"{size}"}}', spec, case.name)
            for argument in case.inputs:
                self.assertIn(f'"{argument}"', spec, case.name)

    def test_tables_have_titles_and_rows(self):
        for name, (title, relative_to) in TABLES.items():
            rows = [case.name for case in CASES if case.table == name]
            self.assertTrue(title and rows, name)
            self.assertTrue(relative_to is None or relative_to in rows, name)
        self.assertLessEqual({case.table for case in CASES}, {None, *TABLES})

    def test_formulas_agree_with_sizes_and_inputs(self):
        for case in CASES:
            for size, value in case.sizes.items():
                if case.formula and hasattr(case.formula, size):
                    self.assertEqual(getattr(case.formula, size), value, case.name)
            if isinstance(case.formula, Attention) and "tokens" in case.sizes:
                self.assertEqual((case.formula.queries, case.formula.keys), (case.sizes["tokens"],) * 2, case.name)
            if "ids" in case.inputs:
                self.assertEqual(len(case.inputs["ids"]), sum(case.formula.documents))
                self.assertEqual(case.sizes["tokens"], sum(case.formula.documents))

    def test_what_is_compared_has_a_title_and_a_known_unit(self):
        for case in CASES:
            if case.formula:
                self.assertTrue(case.title, case.name)
                self.assertIn(case.unit, ("GFLOP/s", "GB/s", "ms", "µs"), case.name)

    def test_titles_are_unique(self):
        titles = [case.title for case in CASES if case.formula]
        self.assertEqual(len(titles), len(set(titles)))


class Select(unittest.TestCase):
    def test_none_means_all(self):
        self.assertEqual(select([]), CASES)

    def test_order_is_the_lists(self):
        self.assertEqual([case.name for case in select(["padded", "attention_d64"])], ["attention_d64", "padded"])

    def test_an_unknown_name_is_told_with_the_known_ones(self):
        with self.assertRaisesRegex(UnknownCase, "windows: no such case, .*attention_d64, .*window"):
            select(["windows"])


class Command(unittest.TestCase):
    def test_names_sizes_inputs_and_threads(self):
        words = run.command("heed", select(["padded"])[0], 2, "out.json")
        self.assertEqual(words, ["heed", "bench", "bench/masks.cpp", "--kernel", "padded", "--threads", "2", "--json",
                                 "out.json", "--size", "batch=4", "--size", "tokens=512", "--in",
                                 "lengths=512,400,300,77"])

    def test_identifiers_of_documents(self):
        self.assertEqual(cases.identifiers((2, 1, 3)), [0, 0, 1, 2, 2, 2])
        text = " ".join(run.command("heed", select(["documents"])[0], 1, "out.json"))
        self.assertTrue(re.search(r"ids=0,(0,)+1,", text))


if __name__ == "__main__":
    unittest.main()
