"""Records as a Markdown table."""


def amount(number, unit):
    for factor, prefix in ((1e12, "T"), (1e9, "G"), (1e6, "M")):
        if number >= factor:
            return f"{number / factor:.3g} {prefix}{unit}"
    return f"{number:.3g} {unit}"


def share(rate, limit):
    return f"{100 * rate / limit:.1f} %" if limit else "-"


def time_text(seconds):
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.4g} ms"


def limits_text(limits):
    by_sheet = [amount(limits[key], unit) for key, unit in (("peak", "FLOP/s"), ("bandwidth", "B/s")) if limits[key]]
    return (f"Limits: {amount(limits['measured_peak'], 'FLOP/s')} of f32 and "
            f"{amount(limits['measured_bandwidth'], 'B/s')} measured"
            + (f"; {' and '.join(by_sheet)} by its clocks" if by_sheet else ""))


def table(records, limits, peers):
    """Shares are of the limits by the clocks, where the driver says them, else of the measured ones."""
    peak, bandwidth = (limits[key] or limits[f"measured_{key}"] for key in ("peak", "bandwidth"))
    lines = ["| call | time | spread | rate | of f32 peak | bytes | of bandwidth | PyTorch | heed's time over PyTorch's |",
             "|---|---|---|---|---|---|---|---|---|"]
    for record in records:
        if "seconds" not in record:
            lines.append(f"| {record['title']} | {record.get('wrong') or record.get('left_out')} | | | | | | | |")
            continue
        seconds, peer = record["seconds"], peers.get(record["name"])
        operations, moved = record["operations"] / seconds, record["bytes"] / seconds
        beside = f"{time_text(peer['seconds'])}, {peer['way']} | {seconds / peer['seconds']:.2f}" if peer else "- | -"
        lines.append(f"| {record['title']} | {time_text(seconds)} | ±{100 * record['spread']:.1f} % | "
                     f"{amount(operations, 'FLOP/s')} | {share(operations, peak)} | {amount(moved, 'B/s')} | "
                     f"{share(moved, bandwidth)} | {beside} |")
    return "\n".join(lines)
