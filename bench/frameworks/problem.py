"""The arrays of a case, its result in double precision, and how much work it is."""

import math
from functools import cached_property

import numpy as np

from formulas import Attention, Cross, Linear, MultiHead
from frameworks.element import SIZE, rounded

# Of the largest result. In float32 sums stay below 1e-5, and products rounded to bfloat16 above 1e-3. Rounding the
# result alone gives 2^-12 in f16 and 2^-9 in bf16; weights and scores may be rounded, too.
TOLERANCE = {"f32": 1e-4, "f16": 1e-3, "bf16": 1e-2}


def aligned(array):
    """A copy that begins at a cache line."""
    memory = np.empty(array.nbytes + 64, np.uint8)
    begin = -memory.ctypes.data % 64
    copy = memory[begin:begin + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def identifiers(lengths):
    return np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)


def slopes(heads):
    """ALiBi's slopes for a power of two of heads."""
    assert heads & (heads - 1) == 0
    return 2.0 ** (-8 * np.arange(1, heads + 1) / heads)


def visible(formula, batch, queries):
    """Which keys the queries with these numbers see: (queries, keys)."""
    q, k = np.asarray(queries)[:, None], np.arange(formula.keys)[None, :]
    seen = np.ones((q.shape[0], formula.keys), bool)
    if formula.causal:
        seen &= k <= q
    if formula.window:
        seen &= (k <= q) & (k > q - formula.window)
    if formula.documents:
        document = identifiers(formula.documents)
        seen &= document[q] == document[k]
    if formula.lengths:
        seen &= k < formula.lengths[batch]
    return seen


def additive_mask(formula):
    """(batch or 1, heads or 1, queries, keys) of what is added to scores: −∞ hides, ALiBi's distances."""
    batch = formula.batch if formula.lengths else 1
    seen = np.stack([visible(formula, b, range(formula.queries)) for b in range(batch)])[:, None]
    bias = np.where(seen, np.float32(0), np.float32(-np.inf))
    if formula.alibi:
        distance = abs(np.arange(formula.queries)[:, None] - np.arange(formula.keys))
        bias = bias - (slopes(formula.heads)[:, None, None] * distance)[None].astype(np.float32)
    return aligned(bias)


def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True)


def attend(q, k, v, hidden=None):
    """q (…, m, d), k and v (…, n, d); a boolean `hidden` (…, m, n) hides keys."""
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    return softmax(scores if hidden is None else np.where(hidden, -np.inf, scores)) @ v


def split_heads(x, heads):
    return x.reshape(*x.shape[:-1], heads, -1).swapaxes(-2, -3)


def merge_heads(x):
    return x.swapaxes(-2, -3).reshape(*x.shape[:-3], x.shape[-2], -1)


class Problem:
    """Arrays by the names of the kernel's arguments; the same numbers in every run. Those of 16 bits are float32 here,
    which holds them exactly."""

    def __init__(self, case):
        self.case, self.formula = case, case.formula
        self.random = np.random.default_rng(1)
        self.arrays = {name: aligned(rounded(array, self.formula.element)) for name, array in self._draw().items()}

    def _normal(self, *shape, scale=1.0):
        return (self.random.standard_normal(shape) * scale).astype(np.float32)

    def _layer(self, outputs, inputs):
        return self._normal(outputs, inputs, scale=1 / math.sqrt(inputs))

    def _draw(self):
        f = self.formula
        if isinstance(f, Attention):
            heads = f.key_heads or f.heads
            arrays = {"q": self._normal(f.batch, f.heads, f.queries, f.depth),
                      "k": self._normal(f.batch, heads, f.keys, f.depth),
                      "v": self._normal(f.batch, heads, f.keys, f.depth)}
            if f.documents:
                arrays["ids"] = identifiers(f.documents)
            if f.lengths:
                arrays["lengths"] = np.array(f.lengths, np.int32)
            return arrays
        if isinstance(f, Linear):
            return {"x": self._normal(f.rows, f.inputs), "weight": self._layer(f.outputs, f.inputs),
                    "bias": self._normal(f.outputs)}
        if isinstance(f, MultiHead):
            arrays = {"x": self._normal(f.batch, f.tokens, f.width)}
            for part in "qkvo":
                arrays[f"attn_w_{part}"] = self._layer(f.width, f.width)
                arrays[f"attn_b_{part}"] = self._normal(f.width)
            return arrays
        assert isinstance(f, Cross)
        arrays = {"queries": self._normal(f.batch, f.queries, f.inputs)}
        for name in ("keys", "values"):
            arrays[name] = self._normal(f.batch, f.keys, f.inputs)
        mask = self.random.random((f.batch, f.heads, f.queries, f.keys)) < 0.7
        mask[..., 0] = True
        arrays["mask"] = mask.astype(np.float32)
        for name in ("w_query", "w_key", "w_value"):
            arrays[name] = self._layer(f.outputs, f.inputs)
        return arrays | {"w_out": self._layer(f.outputs, f.outputs), "b_out": self._normal(f.outputs)}

    @property
    def shape(self):
        """Of the result."""
        f = self.formula
        if isinstance(f, Attention):
            return f.batch, f.heads, f.queries, f.depth
        if isinstance(f, Linear):
            return f.rows, f.outputs
        if isinstance(f, MultiHead):
            return f.batch, f.tokens, f.width
        return f.batch, f.queries, f.outputs

    @cached_property
    def checked_rows(self):
        """Query rows of an attention that are compared with double precision: the first, the last, some between."""
        return np.unique(np.linspace(0, self.formula.queries - 1, 48).astype(int))

    @cached_property
    def expected(self):
        """In double precision; of an attention the checked rows of all heads."""
        f, a = self.formula, {name: array.astype(np.float64) for name, array in self.arrays.items()}
        if isinstance(f, Attention):
            return self._attention(a)
        if isinstance(f, Linear):
            return a["x"] @ a["weight"].T + a["bias"]
        if isinstance(f, MultiHead):
            q, k, v = (split_heads(a["x"] @ a[f"attn_w_{p}"].T + a[f"attn_b_{p}"], f.heads) for p in "qkv")
            return merge_heads(attend(q, k, v)) @ a["attn_w_o"].T + a["attn_b_o"]
        q = split_heads(a["queries"] @ a["w_query"].T, f.heads)
        k, v = (split_heads(a[x] @ a[weight].T, f.heads) for x, weight in (("keys", "w_key"), ("values", "w_value")))
        return merge_heads(attend(q, k, v, a["mask"] == 0)) @ a["w_out"].T + a["b_out"]

    def _attention(self, a):
        f, rows = self.formula, self.checked_rows
        result = np.empty((f.batch, f.heads, len(rows), f.depth))
        for b in range(f.batch):
            seen = visible(f, b, rows)
            for h in range(f.heads):
                k, v = a["k"][b, h // f.groups], a["v"][b, h // f.groups]
                scores = a["q"][b, h, rows] @ k.T / math.sqrt(f.depth)
                if f.softcap:
                    scores = f.softcap * np.tanh(scores / f.softcap)
                if f.alibi:
                    scores = scores - slopes(f.heads)[h] * abs(rows[:, None] - np.arange(f.keys))
                result[b, h] = softmax(np.where(seen, scores, -np.inf)) @ v
        return result

    def checked_part(self, result):
        return result[:, :, self.checked_rows] if isinstance(self.formula, Attention) else result

    def difference(self, result):
        """The largest one from the expected result, over the largest expected number; infinite where one is NaN."""
        if result.shape != self.shape:
            return math.inf
        difference = np.max(np.abs(self.checked_part(result) - self.expected)) / np.max(np.abs(self.expected))
        return float(difference) if np.isfinite(result).all() else math.inf

    @property
    def tolerance(self):
        return TOLERANCE[self.formula.element]

    @cached_property
    def operations(self):
        """Of matrix products; of an attention's for the visible pairs only."""
        f = self.formula
        if isinstance(f, Attention):
            pairs = sum(int(visible(f, b, range(f.queries)).sum()) for b in range(f.batch))
            return 4 * f.heads * pairs * f.depth
        if isinstance(f, Linear):
            return 2 * f.rows * f.inputs * f.outputs
        if isinstance(f, MultiHead):
            return 8 * f.batch * f.tokens * f.width**2 + 4 * f.batch * f.tokens**2 * f.width
        projections = 2 * f.batch * f.outputs * (f.queries * (f.inputs + f.outputs) + 2 * f.keys * f.inputs)
        return projections + 4 * f.batch * f.queries * f.keys * f.outputs

    @property
    def bytes(self):
        """Of arguments and the result, each once."""
        size = SIZE[self.formula.element]
        arrays = sum(array.size * (size if array.dtype == np.float32 else array.itemsize)
                     for array in self.arrays.values())
        return arrays + size * math.prod(self.shape)
