"""The benchmark set: every case with its kernel, its sizes and inputs, the table it stands in and, for a comparison
with other frameworks, its formula."""

from dataclasses import dataclass, field

from formulas import Attention, Cross, Linear, MultiHead

EXAMPLE, MASKS = "examples/attention/attention.cpp", "bench/masks.cpp"
CONSTANT_WEIGHT = "its weight is a constant that was put in order before the call, heed's an argument"
HALF, HALF_LINEAR = "bench/half.cpp", "bench/half_linear.cpp"
LAYER, LAYERS = "examples/decoder_layer/decoder_layer.cpp", "bench/layers.cpp"

DOCUMENTS = (1024, 768, 640, 512, 512, 320, 256, 64)
LENGTHS = (512, 400, 300, 77)

# Title of each table and the case to whose time per visible score the others' is related.
TABLES = {
    "attention": ("Attention and a linear layer", None),
    "masks": ("Masks and score functions", "dense_2048"),
    "decode": ("One token over a cache", None),
    "layers": ("Layers and their parts", None),
    "half": ("Half precision", None),
}


@dataclass(frozen=True)
class Case:
    """`inputs` are given to `heed bench --in`, the others are drawn. `formula` and `unit` (GFLOP/s, GB/s, ms, µs) are
    for the comparison with other frameworks; a case of the table None is for that only."""

    name: str
    table: str | None
    spec: str
    kernel: str
    sizes: dict
    inputs: dict = field(default_factory=dict)
    formula: object = None
    unit: str = "GFLOP/s"
    title: str = ""
    behind: str = ""  # why heed is not first in a comparison, where it is not


def identifiers(lengths):
    """0 for each token of the first document, 1 for the second, …"""
    return [document for document, length in enumerate(lengths) for _ in range(length)]


def attention_2048(depth, causal):
    kernel = f"attention_d{depth}" + ("_causal" if causal else "")
    sizes = {"batch": 1, "heads": 16, "queries": 2048, "keys": 2048}
    return Case(kernel, "attention", EXAMPLE, kernel, sizes, formula=Attention(**sizes, depth=depth, causal=causal),
                title=f"{'causal ' if causal else ''}attention, 16 heads of {depth}, 2048 × 2048")


def masked(name, title, batch, tokens, inputs=None, heads=8, depth=64, kernel=None, **formula):
    return Case(name, "masks", MASKS, kernel or name, {"batch": batch, "tokens": tokens}, inputs or {},
                Attention(batch, heads, tokens, tokens, depth, **formula), title=title)


def half_2048(name, title, depth, causal=False):
    sizes = {"batch": 1, "heads": 16, "queries": 2048, "keys": 2048}
    return Case(name, "half", HALF, name, sizes,
                formula=Attention(**sizes, depth=depth, causal=causal, element=name.split("_")[0]), title=title)


def half_decode(element, heads):
    return Case(f"{element}_decode", "half", "bench/decode.cpp", f"{element}_decode", {"batch": 1, "keys": 16384},
                formula=Attention(1, heads, 1, 16384, 128, element=element), unit="GB/s",
                title=f"{element} one token, {heads} heads of 128, 16384 keys")


def half_linear(element, title):
    return Case(f"{element}_linear_512", "half", HALF_LINEAR, f"{element}_linear_512", {"rows": 2048},
                formula=Linear(2048, 512, 512, element), title=title, behind=CONSTANT_WEIGHT)


CASES = [
    attention_2048(64, False),
    attention_2048(128, False),
    attention_2048(64, True),
    attention_2048(128, True),
    Case("attention_d80", "attention", EXAMPLE, "attention_d80",
         {"batch": 2, "heads": 6, "queries": 1000, "keys": 777}, formula=Attention(2, 6, 1000, 777, 80),
         title="attention, batch 2, 6 heads of 80, 1000 × 777"),
    Case("linear_512", "attention", EXAMPLE, "linear_512", {"rows": 2048}, formula=Linear(2048, 512, 512),
         title="linear 512 → 512 with bias, 2048 rows",
         behind=CONSTANT_WEIGHT),
    masked("dense_2048", "attention, 8 heads of 64, 2048 × 2048", 1, 2048, kernel="dense"),
    masked("dense_512", "attention, batch 4, 8 heads of 64, 512 × 512", 4, 512, kernel="dense"),
    masked("window", "window of 256 keys, 8 heads of 64, 8192 tokens", 1, 8192, window=256),
    masked("documents", "8 documents, causal, 8 heads of 64, 4096 tokens", 1, 4096, {"ids": identifiers(DOCUMENTS)},
           causal=True, documents=DOCUMENTS),
    masked("padded", "lengths 512, 400, 300, 77 of 512, 8 heads of 64", 4, 512, {"lengths": list(LENGTHS)},
           lengths=LENGTHS),
    masked("causal_alibi", "causal with ALiBi, 8 heads of 64, 2048 tokens", 1, 2048, causal=True, alibi=True),
    masked("causal_softcap", "causal with a cap of 30, 8 heads of 64, 2048 tokens", 1, 2048, causal=True, softcap=30.0),
    masked("grouped_causal", "causal, 32 heads over 8 of 128, 1024 tokens", 1, 1024, causal=True, heads=32,
           key_heads=8, depth=128),
    Case("decode_32_8", "decode", "bench/decode.cpp", "decode_32_8", {"batch": 8, "keys": 2048},
         formula=Attention(8, 32, 1, 2048, 128, key_heads=8), unit="GB/s",
         title="one token, batch 8, 32 heads over 8 of 128, 2048 keys"),
    Case("decode_8_1", "decode", "bench/decode.cpp", "decode_8_1", {"batch": 1, "keys": 65536},
         formula=Attention(1, 8, 1, 65536, 128, key_heads=1), unit="GB/s",
         title="one token, 8 heads over 1 of 128, 65536 keys"),
    Case("decode_heads", "decode", EXAMPLE, "attention_d128", {"batch": 1, "heads": 8, "queries": 1, "keys": 16384},
         formula=Attention(1, 8, 1, 16384, 128), unit="GB/s", title="one token, 8 heads of 128, 16384 keys"),
    Case("decoder_layer", "layers", LAYER, "decoder_layer", {"batch": 4, "queries": 512, "keys": 512}, {"p": [0]}),
    Case("decoder_layer_by_lengths", "layers", LAYER, "decoder_layer_by_lengths",
         {"batch": 4, "queries": 512, "keys": 512}, {"lengths": [512] * 4}),
    Case("multi_head_512", "layers", LAYER, "multi_head_512", {"batch": 4, "queries": 512},
         formula=MultiHead(4, 512, 512, 8), unit="ms", title="multi-head block, batch 4, 512 tokens of 512, 8 heads"),
    Case("multi_head_256", "layers", LAYER, "multi_head_256", {"batch": 1, "queries": 64},
         formula=MultiHead(1, 64, 256, 4), unit="µs", title="multi-head block, 64 tokens of 256, 4 heads"),
    Case("up_relu", "layers", LAYERS, "up_relu", {"rows": 2048}),
    Case("down_residual", "layers", LAYERS, "down_residual", {"rows": 2048}),
    half_2048("bf16_d64", "bf16 attention, 16 heads of 64, 2048 × 2048", 64),
    half_2048("bf16_d128", "bf16 attention, 16 heads of 128, 2048 × 2048", 128),
    half_2048("bf16_d64_causal", "bf16 causal attention, 16 heads of 64, 2048 × 2048", 64, True),
    half_2048("bf16_d128_causal", "bf16 causal attention, 16 heads of 128, 2048 × 2048", 128, True),
    half_2048("f16_d64", "f16 attention, 16 heads of 64, 2048 × 2048", 64),
    half_linear("bf16", "bf16 linear 512 → 512 with bias, 2048 rows"),
    half_linear("f16", "f16 linear 512 → 512 with bias, 2048 rows"),
    Case("bf16_multi_head_512", "half", HALF_LINEAR, "bf16_multi_head_512", {"batch": 4, "queries": 512},
         formula=MultiHead(4, 512, 512, 8, "bf16"), unit="ms",
         title="bf16 multi-head block, batch 4, 512 tokens of 512, 8 heads"),
    half_decode("bf16", 8),
    half_decode("f16", 8),
    Case("bf16_decode_32_8", "half", "bench/decode.cpp", "bf16_decode_32_8", {"batch": 8, "keys": 2048},
         formula=Attention(8, 32, 1, 2048, 128, key_heads=8, element="bf16"), unit="GB/s",
         title="bf16 one token, batch 8, 32 heads over 8 of 128, 2048 keys"),
    Case("cross_attention", None, "examples/cross_attention/cross_attention.cpp", "cross_attention",
         {"batch": 3, "queries": 5, "keys": 7}, formula=Cross(3, 5, 7, 10, 8, 2), unit="µs",
         title="cross-attention of the first example, batch 3, 5 × 7, 10 → 8, 2 heads"),
]


class UnknownCase(ValueError):
    pass


def select(names):
    """The cases with these names, in the list's order; all of them when no name is given."""
    known = [case.name for case in CASES]
    if unknown := [name for name in names if name not in known]:
        raise UnknownCase(f"{', '.join(unknown)}: no such case, one of these is needed: {', '.join(known)}")
    return [case for case in CASES if not names or case.name in names]
