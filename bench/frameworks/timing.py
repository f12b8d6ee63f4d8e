"""Timing in blocks of calls, interleaved: in every round each framework once.

Every framework has a pool of threads that look for work for a while after a call. A block begins only when the process
that was timed before is idle, so no pool takes a core from another, and each keeps the waiting policy it is shipped
with.
"""

import time

BLOCK_SECONDS = 0.06
IDLE_STEP, IDLE_PART, IDLE_LIMIT = 0.004, 0.05, 0.5  # seconds, part of a core, seconds


def wait_until_idle():
    end = time.perf_counter() + IDLE_LIMIT
    while time.perf_counter() < end:
        began, used = time.perf_counter(), time.process_time()
        time.sleep(IDLE_STEP)
        if time.process_time() - used < IDLE_PART * (time.perf_counter() - began):
            return


def block(call, calls):
    """Seconds per call."""
    began = time.perf_counter()
    for _ in range(calls):
        call()
    return (time.perf_counter() - began) / max(1, calls)


def calls_per_block(call, seconds=BLOCK_SECONDS):
    """Warms up, and finds how many calls make a block."""
    calls, elapsed = 1, block(call, 1)
    while calls * elapsed < seconds / 4:
        calls *= 2
        elapsed = block(call, calls)
    return max(1, round(seconds / elapsed))


def quantile(values, part):
    ordered = sorted(values)
    position = part * (len(ordered) - 1)
    below = int(position)
    above = ordered[min(below + 1, len(ordered) - 1)]
    return ordered[below] + (position - below) * (above - ordered[below])


def statistics(seconds):
    """Median, and spread: half of the range between the quartiles, over the median."""
    median = quantile(seconds, 0.5)
    return {"seconds_median": median, "seconds_min": min(seconds),
            "spread": (quantile(seconds, 0.75) - quantile(seconds, 0.25)) / (2 * median)}


def interleaved(blocks, counts, rounds):
    """blocks: by a name, a function from a number of calls to the seconds per call, or to None when it failed, which
    ends its turns; counts: these numbers. For each name that never failed its statistics over the rounds. Each round
    begins with another name."""
    samples, names = {name: [] for name in blocks}, list(blocks)
    for number in range(rounds):
        first = number % max(1, len(names))
        for name in names[first:] + names[:first]:
            if name in samples:
                samples[name].append(blocks[name](counts[name]))
                if samples[name][-1] is None:
                    del samples[name]
    return {name: statistics(found) for name, found in samples.items()}
