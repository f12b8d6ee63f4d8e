"""Records of the comparison as Markdown."""

from tables import table

FRAMEWORKS = ("heed", "PyTorch", "FlexAttention", "zentorch", "ONNX Runtime", "OpenVINO")


def value(case, record, seconds):
    """A time in the case's unit."""
    if case.unit == "GFLOP/s":
        return record["operations"] / seconds / 1e9
    if case.unit == "GB/s":
        return record["bytes"] / seconds / 1e9
    return seconds * {"ms": 1e3, "µs": 1e6}[case.unit]


def number(x):
    return f"{x:.0f}" if x >= 100 else f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def is_wrong(entry):
    """It gave a result, but no right one."""
    return "seconds_median" not in entry and any("difference" in tried for tried in entry.get("tried", {}).values())


def cell(case, record, entry):
    if "seconds_median" in entry:
        return f"{number(value(case, record, entry['seconds_median']))} ±{entry['spread']:.1%}"
    return "wrong" if is_wrong(entry) else "–"


def timed(record):
    return {name: entry for name, entry in record["frameworks"].items() if "seconds_median" in entry}


def first(record):
    """The fastest, and those whose quartiles overlap with its own."""
    found = timed(record)
    if not found:
        return []
    best = min(found, key=lambda name: found[name]["seconds_median"])

    def low(entry):
        return entry["seconds_median"] * (1 - entry["spread"])

    limit = found[best]["seconds_median"] * (1 + found[best]["spread"])
    return [best] + [name for name, entry in found.items() if name != best and low(entry) <= limit]


def reason(entry):
    """Why there is no time."""
    errors = [tried["error"] for tried in entry.get("tried", {}).values() if "error" in tried]
    return entry.get("error") or (errors[0][:80] if errors else "no result")


def note(case, record):
    """Why heed is not first, and what peers lack."""
    parts, found, leaders = [], timed(record), first(record)
    if "heed" in found and leaders and "heed" not in leaders:
        lead = found["heed"]["seconds_median"] / found[leaders[0]]["seconds_median"] - 1
        parts.append(f"{leaders[0]} is {lead:.0%} faster" + (f": {case.behind}" if case.behind else ""))
    for name, entry in record["frameworks"].items():
        if is_wrong(entry):
            parts.append(f"{name}: differs from the reference")
        elif entry.get("lacks") == "":  # not its subject
            continue
        elif "lacks" in entry:
            parts.append(f"{name}: {entry['lacks']}")
        elif name not in found:
            parts.append(f"{name}: {reason(entry)}")
    return "; ".join(parts)


def columns(ordered):
    present = {name for _, record in ordered for name in record["frameworks"]}
    return [name for name in FRAMEWORKS if name in present]


def cases_table(ordered):
    """ordered: pairs of a case and its record."""
    names = columns(ordered)
    rows = []
    for case, record in ordered:
        cells = [cell(case, record, record["frameworks"].get(name, {})) for name in names]
        rows.append([case.title, case.unit, *cells, ", ".join(first(record)), note(case, record)])
    return table(["case", "unit", *names, "first", "note"], rows)


def summary(ordered):
    records = [record for _, record in ordered]
    leading = sum("heed" in first(record) for record in records)
    last = max(records, key=lambda record: record["run"])
    versions = ", ".join(f"{name} {version}" for name, version in last["versions"].items())
    runs = len({record["run"] for record in records})
    lines = [f"heed is first in {leading} of {len(records)} rows; several names in the column mean that the ranges "
             f"between their quartiles overlap. Medians ± half that range, {last['threads']} threads, "
             f"{last['processor']}; {versions}."]
    if runs > 1:
        lines.append(f"The rows come from {runs} runs.")
    return "\n".join(lines)


def ways_table(ordered):
    """How each framework computed each case, and how far off it was."""
    names = columns(ordered)
    rows = []
    for case, record in ordered:
        entries = [record["frameworks"].get(name, {}) for name in names]
        rows.append([case.title, *(f"{entry['way']}, {entry['difference']:.0e}" if "way" in entry else "–"
                                   for entry in entries)])
    return "Ways, and largest differences from double precision over the largest result:\n\n" + table(["case", *names],
                                                                                                    rows)
