"""PyTorch: scaled_dot_product_attention, and layers as they are or compiled with frozen weights."""

import logging
import math

import torch
import torch._dynamo
import torch._inductor.config
from torch.nn.functional import scaled_dot_product_attention

from formulas import Attention, Cross, Linear, MultiHead
from frameworks.problem import additive_mask
from frameworks.way import Way

torch.set_grad_enabled(False)
logging.getLogger("torch.utils.cpp_extension").setLevel(logging.ERROR)  # that there is no GPU


TYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}


def tensor(array, problem):
    """Numbers in the problem's type; integers as they are."""
    found = torch.from_numpy(array)
    return found.to(TYPES[problem.formula.element]) if found.is_floating_point() else found


def tensors(problem):
    return {name: tensor(array, problem) for name, array in problem.arrays.items()}


class Layers(torch.nn.Module):
    """A formula's projections around an attention. Queries, keys and values of the same rows are one projection."""

    def __init__(self, problem):
        super().__init__()
        f, t = problem.formula, tensors(problem)
        self.heads = f.heads
        if isinstance(f, MultiHead):
            self.project = self._linear(torch.cat([t[f"attn_w_{p}"] for p in "qkv"]),
                                        torch.cat([t[f"attn_b_{p}"] for p in "qkv"]))
            self.out = self._linear(t["attn_w_o"], t["attn_b_o"])
        else:
            self.query, self.key, self.value = (self._linear(t[f"w_{name}"]) for name in ("query", "key", "value"))
            self.out = self._linear(t["w_out"], t["b_out"])

    @staticmethod
    def _linear(weight, bias=None):
        layer = torch.nn.Linear(weight.shape[1], weight.shape[0], bias is not None)
        layer.weight.data = weight.clone()  # a compiler may change the order of constant weights in place
        if bias is not None:
            layer.bias.data = bias.clone()
        return layer

    def _attend(self, q, k, v, mask=None):
        y = scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(y.transpose(1, 2).reshape(y.shape[0], y.shape[2], -1))

    def _split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, -1).transpose(1, 2)


class SelfAttention(Layers):
    def forward(self, x):
        q, k, v = self.project(x).view(x.shape[0], x.shape[1], 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        return self._attend(q, k, v)


class CrossAttention(Layers):
    def forward(self, queries, keys, values, mask):
        return self._attend(self._split(self.query(queries)), self._split(self.key(keys)),
                            self._split(self.value(values)), mask)


def module_of(problem):
    """The module of a layer and its arguments."""
    f, t = problem.formula, tensors(problem)
    if isinstance(f, Linear):
        return Layers._linear(t["weight"], t["bias"]).eval(), (t["x"],)
    if isinstance(f, MultiHead):
        return SelfAttention(problem).eval(), (t["x"],)
    assert isinstance(f, Cross)
    return CrossAttention(problem).eval(), (t["queries"], t["keys"], t["values"], t["mask"] != 0)


def written_out(f):
    """The formula in plain operations, for what the fused one has no word for and for single queries."""
    def attend(q, k, v, mask=None):
        scores = q @ k.transpose(-1, -2) / math.sqrt(f.depth)
        if f.softcap:
            scores = f.softcap * torch.tanh(scores / f.softcap)
        return torch.softmax(scores if mask is None else scores + mask, -1) @ v

    return attend


def attention_functions(problem):
    """By a label, functions of (q, k, v) or (q, k, v, mask) and those arguments."""
    f, t = problem.formula, tensors(problem)
    arguments = q, k, v = t["q"], t["k"], t["v"]
    grouped = f.groups > 1
    if f.softcap:
        return {"matmul, tanh, softmax, matmul": (written_out(f), (*arguments, tensor(additive_mask(f), problem)))}
    if f.alibi or f.window or f.documents or f.lengths:
        return {"mask tensor": (lambda q, k, v, mask: scaled_dot_product_attention(q, k, v, mask),
                                (*arguments, tensor(additive_mask(f), problem)))}
    functions = {"is_causal" if f.causal else "plain": (
        lambda q, k, v: scaled_dot_product_attention(q, k, v, is_causal=f.causal, enable_gqa=grouped), arguments)}
    if f.queries == 1:
        rows = (q.view(f.batch, -1, f.groups, f.depth), k, v)
        if grouped:
            functions["heads of a group as rows"] = (lambda q, k, v: scaled_dot_product_attention(q, k, v), rows)
        functions["matmul, softmax, matmul"] = (written_out(f), rows)
    return functions


def compiled(function, backend="inductor", **settings):
    """settings: of the code generator, such as freezing, which makes weights constants. A backend of its own keeps
    different results for one function apart."""
    compile_graph = torch._dynamo.lookup_backend(backend)

    def build(graph, inputs):
        with torch._inductor.config.patch(**settings):
            return compile_graph(graph, inputs)

    return torch.compile(function, backend=build, dynamic=False)


def way(problem, function, arguments):
    """The result is that of one more call."""
    return Way(lambda: function(*arguments), lambda: function(*arguments).reshape(problem.shape).float().numpy())


def ways(problem, context):
    torch.set_num_threads(context.threads)
    torch._dynamo.reset()
    if isinstance(problem.formula, Attention):
        functions = attention_functions(problem)
        ways = {label: lambda pair=pair: way(problem, *pair) for label, pair in functions.items()}
        return ways | {f"{label}, torch.compile": lambda pair=pair: way(problem, compiled(pair[0]), pair[1])
                       for label, pair in functions.items() if label.startswith("matmul")}

    def layer(change):
        module, arguments = module_of(problem)
        return way(problem, change(module), arguments)

    return {"eager": lambda: layer(lambda module: module),
            "torch.compile": lambda: layer(compiled),
            "torch.compile, frozen": lambda: layer(lambda module: compiled(module, freezing=True)),
            "torch.compile, frozen, max-autotune":
                lambda: layer(lambda module: compiled(module, freezing=True, max_autotune=True))}
