"""What a case computes, as data: enough to make its inputs, its result in double precision and a peer's model.

element: the type of all numbers, f32, f16 or bf16.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Attention:
    """softmax(score(q · kᵀ / √depth), visible) · v: q (batch, heads, queries, depth), k and v with `key_heads` heads.

    window: how many keys a query sees, its own the last. documents: their lengths, one after the other. lengths: of
    the keys of each batch entry. softcap: c · tanh(score / c). alibi: −slope(head) · |query − key|.
    """

    batch: int
    heads: int
    queries: int
    keys: int
    depth: int
    key_heads: int = 0
    causal: bool = False
    window: int = 0
    documents: tuple = ()
    lengths: tuple = ()
    softcap: float = 0
    alibi: bool = False
    element: str = "f32"

    @property
    def groups(self):
        """Heads of queries for each head of keys."""
        return self.heads // self.key_heads if self.key_heads else 1

    @property
    def is_masked(self):
        return bool(self.causal or self.window or self.documents or self.lengths)


@dataclass(frozen=True)
class Linear:
    """x · weightᵀ + bias."""

    rows: int
    inputs: int
    outputs: int
    element: str = "f32"


@dataclass(frozen=True)
class MultiHead:
    """Self-attention with four projections that have biases."""

    batch: int
    tokens: int
    width: int
    heads: int
    element: str = "f32"


@dataclass(frozen=True)
class Cross:
    """Attention of queries over keys and values, (batch, …, inputs), under a mask (batch, heads, queries, keys): three
    projections without and one with bias, `outputs` wide."""

    batch: int
    queries: int
    keys: int
    inputs: int
    outputs: int
    heads: int
    element: str = "f32"
