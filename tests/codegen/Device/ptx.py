"""Loops of PTX: which there are, and which instructions they hold."""

import re
from dataclasses import dataclass, field

LABEL = re.compile(r"^([$\w]+):")
BRANCH = re.compile(r"^(?:@!?%\w+\s+)?bra(?:\.uni)?\s+([$\w]+);")
INSTRUCTION = re.compile(r"^(?:@!?%\w+\s+)?([a-z][\w.]*)\b.*;")
ENTRY = re.compile(r"^\s*(?:\.visible\s+)?\.entry\s+([$\w]+)")


@dataclass
class Loop:
    """From the label that is jumped back to until the jump."""

    operations: list = field(default_factory=list)

    def count(self, prefix):
        return sum(operation.startswith(prefix) for operation in self.operations)

    @property
    def fma(self):
        return self.count("fma.")

    @property
    def share(self):
        """Multiply-adds among all instructions."""
        return self.fma / max(1, len(self.operations))


def bodies(text):
    """By the name of an entry, its lines between the braces."""
    found, name, depth, lines = {}, None, 0, []
    for line in text.splitlines():
        entry = ENTRY.match(line)
        if entry:
            name, depth, lines = entry.group(1), 0, []
            continue
        if name is None:
            continue
        stripped = line.split("//")[0].strip()
        depth += stripped.count("{") - stripped.count("}") if stripped in ("{", "}") else 0
        if depth > 0 and stripped not in ("{", "}"):
            lines.append(stripped)
        elif depth == 0 and stripped == "}":
            found[name], name = lines, None
    return found


def innermost_loops(lines):
    """The loops without others inside, in order."""
    labels = {match.group(1): at for at, line in enumerate(lines) if (match := LABEL.match(line))}
    ranges = set()
    for at, line in enumerate(lines):
        branch = BRANCH.match(line)
        if branch and labels.get(branch.group(1), at + 1) <= at:
            ranges.add((labels[branch.group(1)], at))
    loops = []
    for begin, end in sorted(ranges):
        inside = any(begin <= other[0] and other[1] <= end and other != (begin, end) for other in ranges)
        if not inside:
            found = (INSTRUCTION.match(line) for line in lines[begin:end + 1])
            loops.append(Loop([match.group(1) for match in found if match]))
    return loops


def hot_loops(text, least=32):
    """The innermost loops with many multiply-adds, by the name of their entry."""
    found = {name: [loop for loop in innermost_loops(lines) if loop.fma >= least] for name, lines in bodies(text).items()}
    return {name: loops for name, loops in found.items() if loops}
