"""PyTorch's FlexAttention, compiled for the CPU: masks as functions over blocks, score functions."""

import torch
from torch.nn.attention.flex_attention import create_block_mask, flex_attention

from formulas import Attention
from frameworks.problem import slopes
from frameworks.pytorch import compiled, tensors, way
from frameworks.way import Lacks


def mask_function(formula, t):
    def seen(b, h, q, k):
        result = k >= 0
        if formula.causal or formula.window:
            result = result & (k <= q)
        if formula.window:
            result = result & (k > q - formula.window)
        if formula.documents:
            result = result & (t["ids"][q] == t["ids"][k])
        if formula.lengths:
            result = result & (k < t["lengths"][b])
        return result

    return seen


def score_function(formula):
    if formula.softcap:
        return lambda score, b, h, q, k: formula.softcap * torch.tanh(score / formula.softcap)
    if formula.alibi:
        slope = torch.from_numpy(slopes(formula.heads)).float()
        return lambda score, b, h, q, k: score - slope[h] * (q - k)
    return None


def ways(problem, context):
    torch.set_num_threads(context.threads)
    torch._dynamo.reset()
    f = problem.formula
    if not isinstance(f, Attention):
        raise Lacks("")
    t = tensors(problem)
    options = {"score_mod": score_function(f)}
    if f.is_masked:
        options["block_mask"] = create_block_mask(mask_function(f, t), f.batch if f.lengths else None, None, f.queries,
                                                  f.keys, device="cpu")

    def prepared(q, **more):
        function = compiled(lambda q, k, v: flex_attention(q, k, v, **options, **more))
        return lambda: way(problem, function, (q, t["k"], t["v"]))

    found = {"block mask" if f.is_masked else "plain": prepared(t["q"], enable_gqa=f.groups > 1)}
    if f.groups > 1 and f.queries == 1:
        found["heads of a group as rows"] = prepared(t["q"].view(f.batch, f.key_heads, f.groups, f.depth))
    return found
