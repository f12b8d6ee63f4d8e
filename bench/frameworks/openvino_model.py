"""OpenVINO: ScaledDotProductAttention and layers with constant weights in a model for the CPU, in the problem's type."""

import math

import numpy as np
import openvino
from openvino import opset13 as op

from formulas import Attention, Linear, MultiHead
from frameworks.element import stored, widened
from frameworks.problem import additive_mask, aligned
from frameworks.way import Way

CORE = openvino.Core()
TYPES = {"f32": openvino.Type.f32, "f16": openvino.Type.f16, "bf16": openvino.Type.bf16}
PRECISION = {"f32": "f32", "f16": "f32", "bf16": "bf16"}  # with f16 a CPU without arithmetic of f16 takes bf16


def type_of(array, problem):
    return TYPES[problem.formula.element] if array.dtype == np.float32 else openvino.Type(array.dtype)


def parameter(array, problem):
    return op.parameter(list(array.shape), type_of(array, problem))


def compiled(problem, threads, y, parameters):
    """parameters: (node, array) of each."""
    element = problem.formula.element
    settings = {"INFERENCE_PRECISION_HINT": PRECISION[element], "INFERENCE_NUM_THREADS": threads,
                "PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1}
    model = openvino.Model([y], [node for node, _ in parameters])
    request = CORE.compile_model(model, "CPU", settings).create_infer_request()
    kept = [aligned(stored(array, element)) for _, array in parameters]
    for index, (array, (_, given)) in enumerate(zip(kept, parameters)):
        request.set_input_tensor(index, openvino.Tensor(array, list(array.shape), type_of(given, problem)))
    result = aligned(stored(np.full(tuple(model.outputs[0].shape), np.nan, np.float32), element))
    request.set_output_tensor(0, openvino.Tensor(result, list(result.shape), TYPES[element]))
    return Way(request.infer, lambda: widened(result, element).reshape(problem.shape), kept)


def constant(array, problem=None):
    """Of integers, or of numbers in the problem's type."""
    array = np.ascontiguousarray(array)
    return op.constant(array, dtype=type_of(array, problem)) if problem else op.constant(array)


def repeated(k, f):
    """Every head of keys as often as it serves heads of queries."""
    shape = [f.batch, f.key_heads, f.groups, f.keys, f.depth]
    wide = op.broadcast(op.unsqueeze(k, constant(np.int64(2))), constant(np.array(shape, np.int64)))
    return op.reshape(wide, constant(np.array([f.batch, f.heads, f.keys, f.depth], np.int64)), False)


def written_out(q, k, v, problem, mask):
    """By separate operators: the fused one has no score function."""
    f = problem.formula
    scale = constant(np.float32(1 / math.sqrt(f.depth) / (f.softcap or 1)), problem)
    scores = op.multiply(op.matmul(q, k, False, True), scale)
    if f.softcap:
        scores = op.multiply(op.tanh(scores), constant(np.float32(f.softcap), problem))
    return op.matmul(op.softmax(op.add(scores, mask) if mask else scores, 3), v, False, False)


def attention(problem, threads, group_as_rows=False, fused=True):
    f, a = problem.formula, problem.arrays
    rows = a["q"].reshape(f.batch, f.heads // f.groups, f.groups, f.depth) if group_as_rows else a["q"]
    arrays = [rows, a["k"], a["v"]]
    simple = f.causal and not (f.alibi or f.documents or f.softcap)
    if (f.is_masked or f.alibi) and not simple:
        arrays.append(additive_mask(f))
    nodes = [parameter(array, problem) for array in arrays]
    q, k, v = nodes[:3]
    if f.groups > 1 and not group_as_rows:
        k, v = repeated(k, f), repeated(v, f)
    if not fused:
        y = written_out(q, k, v, problem, nodes[3] if len(nodes) > 3 else None)
    else:
        y = op.scaled_dot_product_attention(q, k, v, *nodes[3:], causal=bool(simple))
    return compiled(problem, threads, y, list(zip(nodes, arrays)))


def project(problem, x, weight, bias=None):
    """weight, bias: names."""
    y = op.matmul(x, constant(problem.arrays[weight], problem), False, True)
    return y if bias is None else op.add(y, constant(problem.arrays[bias], problem))


def split_heads(x, length, width, heads):
    shape = constant(np.array([-1, length, heads, width // heads], np.int64))
    return op.transpose(op.reshape(x, shape, False), constant(np.array([0, 2, 1, 3])))


def merge_heads(x, length, width):
    return op.reshape(op.transpose(x, constant(np.array([0, 2, 1, 3]))), constant(np.array([-1, length, width])), False)


def multi_head(problem, threads):
    f, a = problem.formula, problem.arrays
    x = parameter(a["x"], problem)
    q, k, v = (split_heads(project(problem, x, f"attn_w_{p}", f"attn_b_{p}"), f.tokens, f.width, f.heads)
               for p in "qkv")
    context = merge_heads(op.scaled_dot_product_attention(q, k, v), f.tokens, f.width)
    return compiled(problem, threads, project(problem, context, "attn_w_o", "attn_b_o"), [(x, a["x"])])


def cross(problem, threads):
    f, a = problem.formula, problem.arrays
    arrays = [a["queries"], a["keys"], a["values"], np.where(a["mask"] == 0, np.float32(-np.inf), np.float32(0))]
    nodes = [parameter(array, problem) for array in arrays]
    lengths = (f.queries, f.keys, f.keys)
    q, k, v = (split_heads(project(problem, x, w), length, f.outputs, f.heads)
               for x, length, w in zip(nodes, lengths, ("w_query", "w_key", "w_value")))
    context = merge_heads(op.scaled_dot_product_attention(q, k, v, nodes[3]), f.queries, f.outputs)
    return compiled(problem, threads, project(problem, context, "w_out", "b_out"), list(zip(nodes, arrays)))


def linear(problem, threads):
    x = parameter(problem.arrays["x"], problem)
    return compiled(problem, threads, project(problem, x, "weight", "bias"), [(x, problem.arrays["x"])])


def ways(problem, context):
    f, threads = problem.formula, context.threads
    if isinstance(f, Attention):
        if f.softcap:
            return {"MatMul, Tanh, Softmax, MatMul": lambda: attention(problem, threads, fused=False)}
        found = {"ScaledDotProductAttention": lambda: attention(problem, threads)}
        if f.queries == 1 and f.groups > 1:
            found["heads of a group as rows"] = lambda: attention(problem, threads, True)
        if f.queries == 1:
            found["MatMul, Softmax, MatMul"] = lambda: attention(problem, threads, True, False)
        return found
    if isinstance(f, Linear):
        return {"MatMul": lambda: linear(problem, threads)}
    if isinstance(f, MultiHead):
        return {"MatMul, ScaledDotProductAttention": lambda: multi_head(problem, threads)}
    return {"MatMul, ScaledDotProductAttention": lambda: cross(problem, threads)}
