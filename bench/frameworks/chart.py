"""The comparison as a picture: a line per case, a dot per framework at its speed over heed's."""

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

from peers_table import FRAMEWORKS, timed  # noqa: E402

STYLES = dict(zip(FRAMEWORKS, zip(("#1a1a1a", "#d1495b", "#edae49", "#66a182", "#00798c", "#7b5ea7"), "DosvP^")))


def draw(ordered, path):
    """ordered: pairs of a case and its record, from top to bottom."""
    matplotlib.rcParams.update({"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "heed"})
    rows = [(case, timed(record)) for case, record in ordered if "heed" in timed(record)]
    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.32 * len(rows)))
    for name, (color, marker) in STYLES.items():
        points = [(found["heed"]["seconds_median"] / found[name]["seconds_median"], -row)
                  for row, (_, found) in enumerate(rows) if name in found]
        if points:
            axes.plot(*zip(*points), linestyle="none", marker=marker, color=color, markeredgecolor="white",
                      markeredgewidth=0.5, markersize=6.5, label=name, zorder=2 if name == "heed" else 3)
    axes.set_xscale("log")
    axes.axvline(1, color="#1a1a1a", linewidth=0.8)
    axes.set_yticks([-row for row in range(len(rows))], [case.title for case, _ in rows])
    axes.grid(axis="both", color="#e3e3e3", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("speed relative to heed (right is faster)")
    low, high = axes.get_xlim()
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10) if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}×" for tick in ticks])
    axes.minorticks_off()
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(length=0)
    figure.legend(loc="upper center", ncols=len(FRAMEWORKS), frameon=False)
    figure.tight_layout(rect=(0, 0, 1, 1 - 0.35 / figure.get_figheight()))
    figure.savefig(path, metadata={"Date": None})
