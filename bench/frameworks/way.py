"""One way to compute a problem."""

from dataclasses import dataclass
from typing import Callable


@dataclass(frozen=True)
class Way:
    """`call` does the work that is timed. `result` gives what the last call computed as an array in the problem's
    layout, and may copy. `kept` lives as long: arrays that a framework only points to."""

    call: Callable
    result: Callable
    kept: object = None


class Lacks(Exception):
    """The framework has no means for a problem."""
