"""PyTorch's kernels for the calls of a bundle that have a formula: the fastest of its ways for each.

usage: torch_times.py BUNDLE SECONDS    prints one JSON record per call
"""

import json
import math
import statistics
import sys
import time
from pathlib import Path

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import linear, scaled_dot_product_attention

TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
BACKENDS = {"flash": SDPBackend.FLASH_ATTENTION, "memory-efficient": SDPBackend.EFFICIENT_ATTENTION,
            "cudnn": SDPBackend.CUDNN_ATTENTION, "math": SDPBackend.MATH}
SAMPLES, SAMPLE_SECONDS = 7, 0.02


def visible(f, device):
    """(batch or 1, 1, queries, keys), true where a query sees a key; none if all are."""
    q, k = torch.arange(f["queries"], device=device)[:, None], torch.arange(f["keys"], device=device)[None]
    seen = torch.ones(1, 1, f["queries"], f["keys"], dtype=torch.bool, device=device)
    if f["causal"]:
        seen = seen & (k <= q)
    if f["window"]:
        seen = seen & (k <= q) & (k > q - f["window"])
    if f["lengths"]:
        seen = seen & (k < torch.tensor(f["lengths"], device=device).view(-1, 1, 1, 1))
    return seen


def bias(f, device, element):
    """What is added to scores: -inf for hidden keys, ALiBi's slope times the distance."""
    added = torch.zeros((), device=device).masked_fill(~visible(f, device), -math.inf)
    if f["alibi"]:
        slopes = torch.tensor([2 ** (-8 * (h + 1) / f["heads"]) for h in range(f["heads"])], device=device)
        distance = (torch.arange(f["queries"], device=device)[:, None] - torch.arange(f["keys"], device=device)).abs()
        added = added - slopes.view(1, -1, 1, 1) * distance
    return added.to(element)


def attention_ways(f, device):
    element = TYPES[f["element"]]
    heads = f["key_heads"] or f["heads"]
    q, k, v = (torch.randn(f["batch"], h, n, f["depth"], device=device, dtype=element)
               for h, n in ((f["heads"], f["queries"]), (heads, f["keys"]), (heads, f["keys"])))
    grouped = heads != f["heads"]
    if f["softcap"]:
        added, cap = bias(f, device, element), f["softcap"]

        def capped():
            scores = q @ k.transpose(-1, -2) / math.sqrt(f["depth"])
            return torch.softmax(cap * torch.tanh(scores / cap) + added, -1) @ v

        return {"matmul, tanh, softmax, matmul": capped, "the same, compiled": torch.compile(capped)}
    only_causal = not (f["window"] or f["lengths"] or f["alibi"])
    added = None if only_causal else bias(f, device, element)

    def attend(backend):
        def call():
            with sdpa_kernel(backend):
                return scaled_dot_product_attention(q, k, v, attn_mask=added, is_causal=only_causal and f["causal"],
                                                    enable_gqa=grouped)

        return call

    return {f"scaled_dot_product_attention, {name}": attend(backend) for name, backend in BACKENDS.items()}


def linear_ways(f, device):
    element = TYPES[f["element"]]
    x, w, b = (torch.randn(*shape, device=device, dtype=element)
               for shape in ((f["rows"], f["inputs"]), (f["outputs"], f["inputs"]), (f["outputs"],)))
    return {"linear": lambda: linear(x, w, b)}


def timed(call, device):
    """Median seconds per call."""
    def block(calls):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        return begin.elapsed_time(end) / 1e3 / calls

    block(2)
    calls = max(1, min(1000, round(SAMPLE_SECONDS / max(block(1), 1e-6))))
    return statistics.median(block(calls) for _ in range(SAMPLES))


def main():
    bundle, seconds = Path(sys.argv[1]), float(sys.argv[2])
    end = time.perf_counter() + seconds
    device = torch.device("cuda")
    torch.set_grad_enabled(False)
    torch.backends.cuda.matmul.allow_tf32 = False  # f32 is f32
    print(json.dumps({"torch": torch.__version__, "device": torch.cuda.get_device_name()}), flush=True)
    for case in json.loads((bundle / "timed.json").read_text()):
        formula = case["formula"]
        if not formula or time.perf_counter() > end:
            continue
        found = {}
        for name, call in (attention_ways if "queries" in formula else linear_ways)(formula, device).items():
            try:
                found[name] = timed(call, device)
            except Exception as error:  # a backend that lacks the type, the mask or the memory
                print(f"{case['name']}: {name}: {str(error).splitlines()[0]}", file=sys.stderr)
            torch.cuda.empty_cache()
        if found:
            best = min(found, key=found.get)
            print(json.dumps({"name": case["name"], "way": best, "seconds": found[best], "ways": found}), flush=True)


if __name__ == "__main__":
    main()
