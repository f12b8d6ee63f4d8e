#!/usr/bin/env python3
"""Writes the cases as heed specs, and a Catch2 test case for each.

usage: write_specs.py CASES FOLDER
For each group of cases FOLDER/GROUP.cpp, a kernel per case with the case's own extents, and GROUP_compiled.cpp, a test per
kernel; for groups of attention FAMILY_GROUP.schedule, which has a family of kernels run that the defaults would not take
for so few queries. FOLDER/evaluated.cpp: a test per case. Needs the standard library only.
"""

import json
import pathlib
import sys

CALLS = {"Attention": "attention", "FlexAttention": "flex_attention", "RotaryEmbedding": "rotary_embedding"}
GROUPS = ["attention_3d", "attention_4d", "attention_cache", "attention_scores", "flex_attention", "rotary_embedding"]

FAMILIES = {
    "rows": {"attention": "depth_row_limit 0\n  small_limit 0", "scores": "small_limit 0"},
    "depth": {"attention": "depth_row_limit 8\n  depth_key_chunk 16"},
}


def group_of(case):
    """Groups of similar size, which compile side by side."""
    if case["operator"] != "Attention":
        return CALLS[case["operator"]]
    if "qk_matmul_output" in case["outputs"]:
        return "attention_scores"
    if "past_key" in case["inputs"] or "nonpad_kv_seqlen" in case["inputs"]:
        return "attention_cache"
    return "attention_3d" if len(case["inputs"]["Q"]) == 1 + 3 else "attention_4d"


def tensor(case, name):
    """The argument of that name; an empty tensor if the case leaves it out."""
    if name not in case["inputs"]:
        return "{}"
    dtype, *extents = case["inputs"][name]
    return f'g.input("{name}", {dtype}, {{{", ".join(map(str, extents))}}})'


def literal(value, boolean):
    return str(bool(value)).lower() if boolean else repr(value)


def designated(values):
    return "{" + ", ".join(f".{name} = {value}" for name, value in values.items()) + "}"


def attributes(case, names, booleans):
    given = case["attributes"]
    return designated({name: literal(given[name], name in booleans) for name in names if name in given})


def function(attribute):
    if attribute is None:
        return "onnx::unchanged()"
    name, *numbers = attribute
    return f"onnx::{name}({', '.join(map(repr, numbers))})"


def attention(case):
    names = ["Q", "K", "V", "attn_mask", "past_key", "past_value", "nonpad_kv_seqlen"]
    inputs = designated({name.lower(): tensor(case, name) for name in names if name in case["inputs"]})
    how = attributes(case, ["q_num_heads", "kv_num_heads", "scale", "is_causal", "softcap", "left_window_size",
                            "right_window_size", "qk_matmul_output_mode"], {"is_causal"})
    lines = [f"const onnx::attention_outputs made = onnx::attention({inputs}, {how});"]
    return lines + [f'g.output("{name}", made.{name.lower()});' for name in case["outputs"]]


def flex_attention(case):
    given = case["attributes"]
    inputs = [f"{name.lower()} = {tensor(case, name)}" for name in "QKV"]
    call = (f"onnx::flex_attention(q, k, v, {given.get('scale', 0)!r}, {function(given.get('score_mod'))}, "
            f"{function(given.get('prob_mod'))})")
    return [f"const tensor {', '.join(inputs)};", f'g.output("Y", {call});']


def rotary_embedding(case):
    inputs = [f"{name.lower()} = {tensor(case, name)}" for name in ["X", "cos_cache", "sin_cache", "position_ids"]]
    how = attributes(case, ["interleaved", "rotary_embedding_dim", "num_heads"], {"interleaved"})
    return [f"const tensor {', '.join(inputs)};",
            f'g.output("Y", onnx::rotary_embedding(x, cos_cache, sin_cache, position_ids, {how}));']


def spec(group, cases):
    operator = "attention" if group.startswith("attention") else group
    text = f'#include "{operator}.hpp"\nusing namespace heed;\n'
    for name, case in cases:
        body = "".join(f"  {line}\n" for line in globals()[operator](case))
        text += f'\nconstexpr kernel {name}{{"{name}", [](graph &g) {{\n{body}}}}};\nHEED_EXPORT({name});\n'
    return text


def compiled_tests(names):
    text = '#include "Compiled.h"\n#include <catch2/catch.hpp>\n\n'
    for name in names:
        text += f'extern "C" const heed_program heed_program_{name};\n'
        text += f'TEST_CASE("{name}") {{ onnx::checkCompiled("{name}", heed_program_{name}); }}\n'
    return text


def evaluated_tests(names):
    text = '#include "Evaluated.h"\n#include <catch2/catch.hpp>\n\n'
    return text + "".join(f'TEST_CASE("{name}") {{ onnx::checkEvaluated("{name}"); }}\n' for name in names)


def schedule(family, cases):
    operations = [("attention", name) for name, _ in cases]
    operations += [("scores", name) for name, case in cases if "qk_matmul_output" in case["outputs"]]
    entries = "".join(f"{kind} {name}.{kind} {{\n  {FAMILIES[family][kind]}\n}}\n"
                      for kind, name in operations if kind in FAMILIES[family])
    return "heed schedules 1\n" + entries


def write(file, text):
    """Leaves an equal file alone, so that what depends on it is not built again."""
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def main():
    folder, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    cases = [(file.parent.name, json.loads(file.read_text())) for file in sorted(folder.glob("*/case.json"))]
    target.mkdir(parents=True, exist_ok=True)
    for group in GROUPS:
        members = [item for item in cases if group_of(item[1]) == group]
        write(target / f"{group}.cpp", spec(group, members))
        write(target / f"{group}_compiled.cpp", compiled_tests(name for name, _ in members))
        for family in FAMILIES if group.startswith("attention") else []:
            write(target / f"{family}_{group}.schedule", schedule(family, members))
    write(target / "evaluated.cpp", evaluated_tests(name for name, _ in cases))


if __name__ == "__main__":
    main()
