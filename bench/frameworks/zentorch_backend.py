"""zentorch: what pytorch.py computes, compiled by zentorch's backend."""

import torch
import zentorch  # noqa: F401  registers the backend

from formulas import Attention
from frameworks.pytorch import attention_functions, compiled, module_of, way


def ways(problem, context):
    torch.set_num_threads(context.threads)
    torch._dynamo.reset()

    if isinstance(problem.formula, Attention):
        return {label: lambda pair=pair: way(problem, compiled(pair[0], "zentorch"), pair[1])
                for label, pair in attention_functions(problem).items()}

    def layer(frozen):
        module, arguments = module_of(problem)
        return way(problem, compiled(module, "zentorch", freezing=frozen), arguments)

    return {"compiled": lambda: layer(False), "compiled, frozen": lambda: layer(True)}
