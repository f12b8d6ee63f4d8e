"""ONNX Runtime: its own attention operators and ONNX's, in models of one operator or of a layer, with constant weights
and bound arrays."""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from formulas import Attention, Linear, MultiHead
from frameworks.element import stored, widened
from frameworks.problem import additive_mask, aligned
from frameworks.way import Lacks, Way

OWN = "com.microsoft"
TYPES = {"f32": TensorProto.FLOAT, "f16": TensorProto.FLOAT16}


def session(nodes, inputs, constants, outputs, element, threads):
    """A model of these nodes. inputs, constants: arrays by name; outputs: shapes by name, of this type."""
    graph = helper.make_graph(
        nodes, "case",
        [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
         for name, array in inputs.items()],
        [helper.make_tensor_value_info(name, TYPES[element], shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(array, name) for name, array in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23), helper.make_opsetid(OWN, 1)])
    model.ir_version = 11
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def bound(problem, threads, nodes, inputs, constants=None, layout=None, shared=None):
    """A way whose result `y` is bound to memory. layout: turns y into the problem's layout. shared: outputs that take
    the memory of an input, by name."""
    shared, element = shared or {}, problem.formula.element
    inputs, constants = ({name: aligned(stored(array, element)) for name, array in arrays.items()}
                         for arrays in (inputs, constants or {}))
    shape, to_problem = layout or (problem.shape, lambda y: y)
    y = aligned(stored(np.full(shape, np.nan, np.float32), element))
    outputs = {"y": shape} | {name: inputs[source].shape for name, source in shared.items()}
    model = session(nodes, inputs, constants, outputs, element, threads)
    values = {name: onnxruntime.OrtValue.ortvalue_from_numpy(array) for name, array in inputs.items()}
    result = onnxruntime.OrtValue.ortvalue_from_numpy(y)
    binding = model.io_binding()
    for name, value in values.items():
        binding.bind_ortvalue_input(name, value)
    binding.bind_ortvalue_output("y", result)
    for name, source in shared.items():
        binding.bind_ortvalue_output(name, values[source])
    return Way(lambda: model.run_with_iobinding(binding), lambda: to_problem(widened(result.numpy(), element)),
               (values, y))


def own(kind, inputs, outputs=("y",), **attributes):
    return helper.make_node(kind, list(inputs), list(outputs), domain=OWN, **attributes)


def rows_first(x):
    """(b, h, s, d) as (b, s, h · d), which these operators read."""
    return aligned(np.ascontiguousarray(x.swapaxes(1, 2)).reshape(x.shape[0], x.shape[2], -1))


def rows_layout(f):
    shape = (f.batch, f.queries, f.heads * f.depth)
    return shape, lambda y: y.reshape(f.batch, f.queries, f.heads, f.depth).swapaxes(1, 2)


def multi_head(problem, threads, keys_by_head):
    f, a = problem.formula, problem.arrays
    k, v = (a["k"], a["v"]) if keys_by_head else (rows_first(a["k"]), rows_first(a["v"]))
    inputs, names = {"q": rows_first(a["q"]), "k": k, "v": v}, ["q", "k", "v"]
    simple = f.causal and not (f.alibi or f.documents)
    if (f.is_masked or f.alibi) and not simple:
        inputs["bias"] = additive_mask(f)
        names += ["", "", "bias"]
    node = own("MultiHeadAttention", names, num_heads=f.heads, unidirectional=int(simple))
    return bound(problem, threads, [node], inputs, layout=rows_layout(f))


def grouped(problem, threads):
    """Keys and values of the same tokens; causal, with a window, a cap or an added bias."""
    f, a = problem.formula, problem.arrays
    inputs = {name: rows_first(a[name]) for name in "qkv"}
    inputs |= {"last": np.full(f.batch, f.keys - 1, np.int32), "total": np.array([f.keys], np.int32)}
    names = ["q", "k", "v", "", "", "last", "total"]
    if f.alibi or f.documents:
        inputs["bias"] = additive_mask(f)
        names += ["", "", "", "bias"]
    node = own("GroupQueryAttention", names, ("y", "keys", "values"), num_heads=f.heads,
               kv_num_heads=f.key_heads or f.heads, local_window_size=f.window or -1, softcap=float(f.softcap))
    return bound(problem, threads, [node], inputs, layout=rows_layout(f))


def cached(problem, threads):
    """One token: the cache's last row is the new one; the cache is bound to the output, so that it is not copied."""
    f, a = problem.formula, problem.arrays
    inputs = {"q": rows_first(a["q"]), "k": rows_first(a["k"][:, :, -1:]), "v": rows_first(a["v"][:, :, -1:]),
              "past_keys": aligned(a["k"]), "past_values": aligned(a["v"]),
              "last": np.full(f.batch, f.keys - 1, np.int32), "total": np.array([f.keys], np.int32)}
    node = own("GroupQueryAttention", ["q", "k", "v", "past_keys", "past_values", "last", "total"],
               ("y", "keys", "values"), num_heads=f.heads, kv_num_heads=f.key_heads or f.heads)
    return bound(problem, threads, [node], inputs, layout=rows_layout(f),
                 shared={"keys": "past_keys", "values": "past_values"})


def standard(problem, threads, group_as_rows=False):
    """ONNX's operator."""
    f, a = problem.formula, problem.arrays
    inputs = {name: a[name] for name in "qkv"}
    names, layout = ["q", "k", "v"], None
    simple = f.causal and not (f.alibi or f.documents)
    if (f.is_masked or f.alibi) and not simple:
        inputs["mask"] = additive_mask(f)
        names.append("mask")
    if group_as_rows:
        inputs["q"] = a["q"].reshape(f.batch, f.key_heads, f.groups, f.depth)
        layout = inputs["q"].shape, lambda y: y.reshape(problem.shape)
    node = helper.make_node("Attention", names, ["y"], is_causal=int(simple), softcap=float(f.softcap))
    return bound(problem, threads, [node], inputs, layout=layout)


def attention_ways(problem, threads):
    f = problem.formula
    same_tokens = f.queries == f.keys and (f.causal or f.window)
    found = {"Attention": lambda: standard(problem, threads)}
    if f.groups == 1 and not f.softcap:
        found["MultiHeadAttention"] = lambda: multi_head(problem, threads, False)
        found["MultiHeadAttention, keys by head"] = lambda: multi_head(problem, threads, True)
    if same_tokens:
        found["GroupQueryAttention"] = lambda: grouped(problem, threads)
    if f.queries == 1:
        found["GroupQueryAttention, shared cache"] = lambda: cached(problem, threads)
        if f.groups > 1:
            found["Attention, heads of a group as rows"] = lambda: standard(problem, threads, True)
    return found


def linear_nodes(x, y, name, bias):
    nodes = [helper.make_node("MatMul", [x, f"w_{name}"], [f"{y}_product" if bias else y])]
    return nodes + ([helper.make_node("Add", [f"{y}_product", f"b_{name}"], [y])] if bias else [])


def multi_head_layer(problem, threads, merged):
    """merged: with the operator that projects queries, keys and values too."""
    f, a = problem.formula, problem.arrays
    constants = {f"w_{p}": np.ascontiguousarray(a[f"attn_w_{p}"].T) for p in "qkvo"}
    constants |= {f"b_{p}": a[f"attn_b_{p}"] for p in "qkvo"}
    if merged:
        constants = {"w": np.concatenate([constants[f"w_{p}"] for p in "qkv"], 1),
                     "b": np.concatenate([constants[f"b_{p}"] for p in "qkv"]),
                     "w_o": constants["w_o"], "b_o": constants["b_o"]}
        nodes = [own("Attention", ["x", "w", "b"], ["context"], num_heads=f.heads)]
    else:
        nodes = [node for p in "qkv" for node in linear_nodes("x", p, p, True)]
        nodes.append(own("MultiHeadAttention", "qkv", ["context"], num_heads=f.heads))
    return bound(problem, threads, nodes + linear_nodes("context", "y", "o", True), {"x": a["x"]}, constants)


def cross_layer(problem, threads):
    f, a = problem.formula, problem.arrays
    inputs = {name: a[name] for name in ("queries", "keys", "values")}
    inputs["bias"] = np.where(a["mask"] == 0, np.float32(-np.inf), np.float32(0))
    constants = {f"w_{p}": np.ascontiguousarray(a[f"w_{p}"].T) for p in ("query", "key", "value", "out")}
    nodes = [node for x, p in (("queries", "query"), ("keys", "key"), ("values", "value"))
             for node in linear_nodes(x, p, p, False)]
    nodes.append(own("MultiHeadAttention", ["query", "key", "value", "", "", "bias"], ["context"], num_heads=f.heads))
    return bound(problem, threads, nodes + linear_nodes("context", "y", "out", True), inputs,
                 constants | {"b_out": a["b_out"]})


def linear(problem, threads):
    a = problem.arrays
    node = helper.make_node("Gemm", ["x", "weight", "bias"], ["y"], transB=1)
    return bound(problem, threads, [node], {"x": a["x"]}, {"weight": a["weight"], "bias": a["bias"]})


def ways(problem, context):
    f, threads = problem.formula, context.threads
    if f.element not in TYPES:
        raise Lacks(f"no {f.element}")
    if isinstance(f, Attention):
        return attention_ways(problem, threads)
    if isinstance(f, Linear):
        return {"Gemm": lambda: linear(problem, threads)}
    if isinstance(f, MultiHead):
        return {"Attention with projections": lambda: multi_head_layer(problem, threads, True),
                "MatMul, MultiHeadAttention": lambda: multi_head_layer(problem, threads, False)}
    return {"MatMul, MultiHeadAttention": lambda: cross_layer(problem, threads)}
