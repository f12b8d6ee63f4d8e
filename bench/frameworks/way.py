"""One way to compute a problem."""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Way:
    """`call` does the work that is timed. `result` gives what the last call computed as an array in the problem's
    layout, and may copy."""

    call: Callable
    result: Callable


class Lacks(Exception):
    """The framework has no means for a problem."""
