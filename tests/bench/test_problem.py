import math
import unittest
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from formulas import Attention, Cross, Linear, MultiHead
from frameworks.element import rounded, stored, widened
from frameworks.problem import Problem, additive_mask, visible

SMALL = Attention(batch=2, heads=4, queries=9, keys=9, depth=3)


def problem(formula):
    return Problem(SimpleNamespace(formula=formula))


def naive(formula, arrays):
    """One score after the other, in words of the formula."""
    arrays = {name: array.astype(float) for name, array in arrays.items()}
    f, y = formula, np.zeros((formula.batch, formula.heads, formula.queries, formula.depth))
    document = [d for d, length in enumerate(f.documents) for _ in range(length)]
    for b, h, q in np.ndindex(f.batch, f.heads, f.queries):
        weights = {}
        for k in range(f.keys):
            hidden = (f.causal and k > q) or (f.window and not q - f.window < k <= q)
            hidden = hidden or (f.documents and document[q] != document[k]) or (f.lengths and k >= f.lengths[b])
            if hidden:
                continue
            score = float(arrays["q"][b, h, q] @ arrays["k"][b, h // f.groups, k]) / math.sqrt(f.depth)
            score = f.softcap * math.tanh(score / f.softcap) if f.softcap else score
            weights[k] = math.exp(score - (2 ** (-8 * (h + 1) / f.heads) * abs(q - k) if f.alibi else 0))
        for k, weight in weights.items():
            y[b, h, q] += weight * arrays["v"][b, h // f.groups, k] / sum(weights.values())
    return y


class Expected(unittest.TestCase):
    def test_attention_is_what_the_formula_says(self):
        for change in ({}, {"causal": True}, {"window": 3}, {"causal": True, "documents": (4, 2, 3)},
                       {"lengths": (9, 2)}, {"softcap": 0.5, "causal": True}, {"alibi": True}, {"key_heads": 2},
                       {"queries": 1, "key_heads": 1}):
            with self.subTest(**change):
                case = problem(replace(SMALL, **change))
                np.testing.assert_allclose(case.expected, naive(case.formula, case.arrays), rtol=1e-9, atol=1e-12)

    def test_layers_project_attend_and_project(self):
        for formula in (MultiHead(2, 5, 8, 2), Cross(3, 5, 7, 10, 8, 2), Linear(4, 3, 2)):
            case = problem(formula)
            self.assertEqual(case.expected.shape, case.shape)
            self.assertTrue(np.isfinite(case.expected).all())

    def test_a_block_of_one_token_is_two_products(self):
        case = problem(MultiHead(1, 1, 4, 2))
        a = {name: array.astype(float) for name, array in case.arrays.items()}
        values = a["x"] @ a["attn_w_v"].T + a["attn_b_v"]
        np.testing.assert_allclose(case.expected, values @ a["attn_w_o"].T + a["attn_b_o"], rtol=1e-12)

    def test_arrays_are_the_same_in_every_run(self):
        first, second = problem(SMALL), problem(SMALL)
        for name, array in first.arrays.items():
            np.testing.assert_array_equal(array, second.arrays[name])
            self.assertEqual(array.ctypes.data % 64, 0)


class Difference(unittest.TestCase):
    def setUp(self):
        self.case = problem(SMALL)
        self.right = self.case.expected.astype(np.float32)

    def test_what_is_right_is_near(self):
        self.assertLess(self.case.difference(self.right), 1e-6)

    def test_one_wrong_element_is_found(self):
        self.right[1, 3, 8, 2] += 0.5
        self.assertGreater(self.case.difference(self.right), 0.05)

    def test_nan_and_other_shapes_are_infinitely_wrong(self):
        self.assertEqual(self.case.difference(self.right[..., :2]), math.inf)
        self.right[0, 0, 0, 0] = np.nan
        self.assertEqual(self.case.difference(self.right), math.inf)


class Work(unittest.TestCase):
    def test_only_visible_pairs_count(self):
        self.assertEqual(problem(replace(SMALL, causal=True)).operations, 4 * 2 * 4 * 45 * 3)
        self.assertEqual(problem(replace(SMALL, lengths=(9, 2))).operations, 4 * 4 * (81 + 18) * 3)
        self.assertEqual(problem(Linear(2, 3, 5)).operations, 60)

    def test_bytes_are_of_every_array_once(self):
        self.assertEqual(problem(replace(SMALL, queries=1, key_heads=2)).bytes,
                         4 * 3 * (2 * 4 * 1 + 2 * (2 * 2 * 9) + 2 * 4 * 1))


class Elements(unittest.TestCase):
    def test_bfloat16_rounds_to_the_nearest_and_of_two_to_the_even(self):
        x = np.array([1, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, -3e38, np.inf, 0], np.float32)
        expected = np.array([1, 1, 1 + 2**-6, 1 + 2**-7, -226 * 2.0**120, np.inf, 0], np.float32)
        self.assertEqual(stored(x, "bf16").dtype, np.uint16)
        np.testing.assert_allclose(rounded(x, "bf16"), expected, rtol=1e-5)

    def test_numbers_of_a_type_come_back_as_they_were(self):
        for element in ("f32", "f16", "bf16"):
            x = rounded(np.random.default_rng(2).standard_normal(99).astype(np.float32), element)
            np.testing.assert_array_equal(widened(stored(x, element), element), x)

    def test_integers_stay(self):
        ids = np.arange(3, dtype=np.int32)
        self.assertIs(stored(ids, "bf16"), ids)

    def test_a_problem_holds_numbers_of_its_type_and_counts_their_bytes(self):
        case, wide = problem(replace(SMALL, element="bf16")), problem(SMALL)
        for name, array in case.arrays.items():
            np.testing.assert_array_equal(rounded(array, "bf16"), array, name)
            self.assertFalse((array == wide.arrays[name]).all(), name)
        self.assertEqual(2 * case.bytes, wide.bytes)
        self.assertEqual(case.operations, wide.operations)

    def test_rounding_the_result_stays_within_the_tolerance(self):
        for element in ("f16", "bf16"):
            case = problem(replace(SMALL, element=element))
            found = case.difference(rounded(case.expected.astype(np.float32), element))
            self.assertTrue(0 < found < case.tolerance / 2, (element, found))


class Masks(unittest.TestCase):
    def test_an_added_mask_hides_what_is_not_visible(self):
        formula = replace(SMALL, lengths=(9, 2), causal=True)
        mask = additive_mask(formula)
        self.assertEqual(mask.shape, (2, 1, 9, 9))
        for b in range(2):
            np.testing.assert_array_equal(np.isfinite(mask[b, 0]), visible(formula, b, range(9)))

    def test_distances_are_added_per_head(self):
        mask = additive_mask(replace(SMALL, alibi=True))
        self.assertEqual(mask.shape, (1, 4, 9, 9))
        self.assertEqual(mask[0, 1, 5, 2], np.float32(-3 / 16))


if __name__ == "__main__":
    unittest.main()
