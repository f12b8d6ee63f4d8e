import unittest
from unittest import mock

from frameworks import timing


class Clock:
    """Time that only calls and sleeping take. Of sleep, `busy` steps use a core."""

    def __init__(self, busy=0):
        self.now, self.used, self.busy = 0.0, 0.0, busy

    def call(self, seconds):
        def spend():
            self.now += seconds

        return spend

    def sleep(self, seconds):
        self.now += seconds
        if self.busy > 0:
            self.busy, self.used = self.busy - 1, self.used + seconds

    def __enter__(self):
        self.patch = mock.patch.multiple(timing.time, perf_counter=lambda: self.now, sleep=self.sleep,
                                         process_time=lambda: self.used)
        self.patch.__enter__()
        return self

    def __exit__(self, *error):
        self.patch.__exit__(*error)


class Blocks(unittest.TestCase):
    def test_a_block_gives_the_time_of_one_call(self):
        with Clock() as clock:
            self.assertAlmostEqual(timing.block(clock.call(0.25), 8), 0.25)

    def test_short_calls_fill_a_block(self):
        with Clock() as clock:
            self.assertEqual(timing.calls_per_block(clock.call(1e-6), 0.06), 60000)

    def test_a_long_call_is_a_block(self):
        with Clock() as clock:
            self.assertEqual(timing.calls_per_block(clock.call(3.0), 0.06), 1)


class Idle(unittest.TestCase):
    def test_waits_while_a_pool_works(self):
        with Clock(busy=5) as clock:
            timing.wait_until_idle()
            self.assertAlmostEqual(clock.now, 6 * timing.IDLE_STEP)

    def test_gives_up_on_a_pool_that_never_rests(self):
        with Clock(busy=10**6) as clock:
            timing.wait_until_idle()
            self.assertLess(clock.now, 2 * timing.IDLE_LIMIT)


class Statistics(unittest.TestCase):
    def test_quantiles_lie_between_neighbours(self):
        self.assertEqual(timing.quantile([4, 1, 3, 2], 0.5), 2.5)
        self.assertEqual(timing.quantile([1], 0.75), 1)

    def test_spread_is_half_the_quartiles_range_over_the_median(self):
        self.assertEqual(timing.statistics([1, 2, 3, 4, 5]),
                         {"seconds_median": 3, "seconds_min": 1, "spread": (4 - 2) / (2 * 3)})


class Interleaved(unittest.TestCase):
    def test_every_round_has_each_once_and_begins_with_another(self):
        order = []
        blocks = {name: lambda calls, name=name: order.append(name) or calls for name in "abc"}
        found = timing.interleaved(blocks, {"a": 1, "b": 2, "c": 3}, 3)
        self.assertEqual("".join(order), "abcbcacab")
        self.assertEqual([found[name]["seconds_median"] for name in "abc"], [1, 2, 3])

    def test_what_fails_has_no_more_turns_and_no_statistics(self):
        answers = iter([1.0, None])
        found = timing.interleaved({"a": lambda calls: next(answers), "b": lambda calls: 2.0}, {"a": 1, "b": 1}, 4)
        self.assertEqual(list(found), ["b"])


if __name__ == "__main__":
    unittest.main()
