"""Records of `heed bench --json` as Markdown tables.

The time per visible score relative to another case's is the ratio of their shares of the limit, since every record was
measured beside the limit of its own minutes.
"""

LIMITS = {"fma": "FMA peak", "bf16_dot": "bf16 dot-product peak", "read_bandwidth": "read bandwidth"}


def table(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def speed(record):
    return f"{record['gflops']:.0f} GFLOP/s" if "gflops" in record else f"{record['gbytes_per_s']:.1f} GB/s"


def row(name, record, base):
    sizes = ", ".join(f"{size} {value}" for size, value in record["sizes"].items())
    cells = [name, sizes, record["threads"], speed(record), f"±{record['spread']:.1%}",
             f"{record['share']:.0%} of {LIMITS[record['limit']]}"]
    if base is not None:
        relative = base.get(record["threads"])
        cells += [f"{record['visible']:.1%}", f"{relative / record['share']:.2f}" if relative else "–"]
    return cells


def records_table(records, relative_to=None):
    """records: those of each case by its name. relative_to: the case for the time per visible score, if any."""
    columns = ["case", "size", "threads", "speed", "spread", "share"]
    base = None
    if relative_to:
        columns += ["visible", "time per visible score"]
        base = {record["threads"]: record["share"] for record in records.get(relative_to, [])}
    return table(columns, [row(name, record, base) for name, found in records.items() for record in found])
