"""What a bundle holds: specs with the number of calls that are checked, and calls that are timed."""

from dataclasses import dataclass, field

from formulas import Attention, Linear

GALLERY, EXAMPLE, MASKS = "docs/gallery/variants.cpp", "examples/attention/attention.cpp", "bench/masks.cpp"
HALF, DECODE, LAYER = "bench/half.cpp", "bench/decode.cpp", "examples/decoder_layer/decoder_layer.cpp"

# Name of the library, spec, calls per kernel.
SUITE = [
    ("gallery", GALLERY, 3),
    *((f"spec_{name}", f"tests/tools/specs/{name}.cpp", 2)
      for name in ("blocks", "decoder_only", "dense", "general", "index_masks", "layouts", "masks", "outputs", "rows",
                   "scalars", "score_mods", "scores", "slices", "states", "symbolic", "tensor_masks")),
    ("s0", "tests/seeds/s0_cross_attention.cpp", 3),
    ("s1", "tests/seeds/s1_fill_and_widths.cpp", 3),
    ("s2", "tests/seeds/s2_token_major.cpp", 3),
    ("s3c", "tests/seeds/s3c_memory_efficient.cpp", 3),
    ("s3e", "tests/seeds/s3e_layers.cpp", 1),
]


@dataclass(frozen=True)
class Timed:
    """`small` are the sizes for a device that is no GPU. `formula` is what PyTorch computes, where it is compared."""

    name: str
    title: str
    spec: str
    kernel: str
    sizes: dict
    small: dict
    inputs: dict = field(default_factory=dict)
    formula: object = None

    @property
    def library(self):
        return "timed_" + self.spec.split("/")[-1].split(".")[0]


def attention(kernel, depth, causal=False, spec=EXAMPLE, element="f32"):
    sizes = {"batch": 4, "heads": 16, "queries": 4096, "keys": 4096}
    return Timed(kernel, f"{element} {'causal ' if causal else ''}attention, batch 4, 16 heads of {depth}, 4096 × 4096",
                 spec, kernel, sizes, {"batch": 1, "heads": 2, "queries": 300, "keys": 300},
                 formula=Attention(**sizes, depth=depth, causal=causal, element=element))


def masked(kernel, title, batch, tokens, inputs=None, heads=8, depth=64, **formula):
    return Timed(kernel, title, MASKS, kernel, {"batch": batch, "tokens": tokens}, {"batch": 1, "tokens": 300},
                 inputs or {}, Attention(batch, heads, tokens, tokens, depth, **formula))


def linear(element, tokens):
    return Timed(f"linear_{element}", f"{element} linear 4096 → 4096, {tokens} rows", DECODE, f"project_{element}",
                 {"tokens": tokens}, {"tokens": 20})


TIMED = [
    attention("attention_d64", 64),
    attention("attention_d128", 128),
    attention("attention_d64_causal", 64, True),
    attention("attention_d128_causal", 128, True),
    attention("bf16_d64", 64, False, HALF, "bf16"),
    attention("bf16_d128", 128, False, HALF, "bf16"),
    attention("bf16_d128_causal", 128, True, HALF, "bf16"),
    attention("f16_d64", 64, False, HALF, "f16"),
    masked("dense", "attention, batch 8, 8 heads of 64, 2048 × 2048", 8, 2048),
    masked("window", "window of 256 keys, batch 4, 8 heads of 64, 16384 tokens", 4, 16384, window=256),
    masked("padded", "half of 2048 keys are padding, batch 8, 8 heads of 64", 8, 2048, {"lengths": [1024] * 8},
           lengths=(1024,) * 8),
    masked("causal_alibi", "causal with ALiBi, batch 8, 8 heads of 64, 2048 tokens", 8, 2048, causal=True, alibi=True),
    masked("causal_softcap", "causal with a cap of 30, batch 8, 8 heads of 64, 2048 tokens", 8, 2048, causal=True,
           softcap=30.0),
    masked("grouped_causal", "causal, 32 heads over 8 of 128, 4096 tokens", 1, 4096, causal=True, heads=32, key_heads=8,
           depth=128),
    Timed("decode_32_8", "one token, batch 16, 32 heads over 8 of 128, 8192 keys", DECODE, "decode_32_8",
          {"batch": 16, "keys": 8192}, {"batch": 1, "keys": 200}, formula=Attention(16, 32, 1, 8192, 128, key_heads=8)),
    Timed("bf16_decode_32_8", "bf16 one token, batch 16, 32 heads over 8 of 128, 8192 keys", DECODE, "bf16_decode_32_8",
          {"batch": 16, "keys": 8192}, {"batch": 1, "keys": 200},
          formula=Attention(16, 32, 1, 8192, 128, key_heads=8, element="bf16")),
    Timed("linear_512", "linear 512 → 512 with bias, 65536 rows", EXAMPLE, "linear_512", {"rows": 65536}, {"rows": 200},
          formula=Linear(65536, 512, 512)),
    linear("f32", 8192),
    linear("bf16", 8192),
    Timed("decoder_layer", "decoder layer of 512, batch 16, 512 tokens, weights returned", LAYER, "decoder_layer",
          {"batch": 16, "queries": 512, "keys": 512}, {"batch": 1, "queries": 40, "keys": 40}, {"p": [0]}),
    Timed("decoder_layer_by_lengths", "decoder layer of 512, batch 16, 512 tokens", LAYER, "decoder_layer_by_lengths",
          {"batch": 16, "queries": 512, "keys": 512}, {"batch": 1, "queries": 40, "keys": 40}, {"lengths": [512] * 16}),
]
