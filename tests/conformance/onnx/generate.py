#!/usr/bin/env python3
"""Writes the node cases of the onnx package for attention as folders of plain files.

usage: generate.py FOLDER        (with `pip install onnx==1.23.2`)
For every case of Attention, FlexAttention and RotaryEmbedding over the element types in TYPES: FOLDER/CASE/case.json,
and one .npy file per input and output, named as the operator's schema names it; bf16 is stored as f32. LICENSE and NOTICE are the package's.
"""

import importlib.metadata
import json
import pathlib
import sys

import numpy
from onnx import GraphProto, TensorProto, defs, helper, numpy_helper
from onnx.backend.test.case import node as registry
from onnx.backend.test.case.node import attention, flexattention, rotaryembedding  # noqa: F401 (they fill the registry)

OPERATORS = {"Attention", "FlexAttention", "RotaryEmbedding"}
TYPES = {"bool": "b8", "int64": "i64", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}

# The bound of a result in the element type's own arithmetic; of half types, two units in the last place.
TIGHT = {
    "f16": {"rtol": 2**-9, "atol": 1e-6},
    "bf16": {"rtol": 2**-6, "atol": 1e-6},
    "f32": {"rtol": 1e-5, "atol": 1e-6},
    "f64": {"rtol": 1e-5, "atol": 1e-6},
}

# What the graphs given to FlexAttention compute, by their operators; index arithmetic comes before the last ones.
FUNCTIONS = {
    ("Add",): "add",
    ("Mul",): "multiply",
    ("Div", "Tanh", "Mul"): "soft_cap",
    ("GreaterOrEqual", "Where"): "causal_mask",
    ("Sub", "Cast", "Add"): "relative_positional",
}
INDEX_OPERATORS = {"Shape", "Gather", "Range", "Reshape"}


def function_of(graph):
    """The name of a score or weight function, with its number if it has one."""
    name = FUNCTIONS[tuple(node.op_type for node in graph.node if node.op_type not in INDEX_OPERATORS)]
    numbers = [float(numpy_helper.to_array(tensor)) for tensor in graph.initializer
               if tensor.data_type != TensorProto.INT64]
    return [name, *(number for number in numbers if numpy.isfinite(number))]


def attributes_of(node):
    attributes = {}
    for attribute in node.attribute:
        value = helper.get_attribute_value(attribute)
        attributes[attribute.name] = function_of(value) if isinstance(value, GraphProto) else value
    return attributes


def named(formal, given, values):
    """Arrays by the schema's names; an input that the node leaves out has an empty name."""
    present = [parameter.name for parameter, name in zip(formal, given) if name]
    assert len(present) == len(values)
    return {name: numpy_helper.to_array(value) if isinstance(value, TensorProto) else numpy.asarray(value)
            for name, value in zip(present, values)}


def described(arrays):
    return {name: [TYPES[array.dtype.name], *array.shape] for name, array in arrays.items()}


def stored(array):
    """The array as NumPy stores it without extensions: bf16 widened to f32."""
    return numpy.ascontiguousarray(array.astype(numpy.float32) if array.dtype.name == "bfloat16" else array)


def tolerances_of(case, dtype):
    """ONNX's own and the tight one. Values in bf16 were rounded after every step, more coarsely than ONNX's own."""
    return [{"rtol": case.rtol, "atol": case.atol}] * (dtype != "bf16") + [TIGHT[dtype]]


def write_case(folder, case):
    (node,) = case.model.graph.node
    ((inputs, outputs),) = case.data_sets
    opset = next(entry.version for entry in case.model.opset_import if entry.domain == node.domain)
    schema = defs.get_schema(node.op_type, opset, node.domain)
    inputs, outputs = named(schema.inputs, node.input, inputs), named(schema.outputs, node.output, outputs)
    if any(array.dtype.name not in TYPES for array in [*inputs.values(), *outputs.values()]):
        return False
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in (inputs | outputs).items():
        with open(folder / f"{name}.npy", "wb") as file:
            numpy.lib.format.write_array(file, stored(array), version=(1, 0))
    fields = {
        "operator": node.op_type,
        "opset": opset,
        "attributes": attributes_of(node),
        "inputs": described(inputs),
        "outputs": described(outputs),
        "tolerances": tolerances_of(case, TYPES[next(iter(outputs.values())).dtype.name]),
    }
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in fields.items())
    (folder / "case.json").write_text(f"{{\n{lines}\n}}\n")
    return True


def main():
    target = pathlib.Path(sys.argv[1])
    wanted = [case for case in registry._NodeTestCases
              if len(case.model.graph.node) == 1 and case.model.graph.node[0].op_type in OPERATORS]
    written = sum(write_case(target / case.name, case) for case in wanted)
    for name in ("LICENSE", "NOTICE"):
        (target / name).write_text(importlib.metadata.distribution("onnx").read_text(f"licenses/{name}"))
    print(f"{written} cases written, {len(wanted) - written} of other element types left out")


if __name__ == "__main__":
    main()
