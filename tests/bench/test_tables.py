import unittest

from tables import records_table, table


def record(threads, share, **more):
    return {"sizes": {"batch": 1, "tokens": 8}, "threads": threads, "spread": 0.0123, "share": share, "limit": "fma",
            "gflops": 432.1, "visible": 0.5, **more}


class Table(unittest.TestCase):
    def test_rows_are_markdown(self):
        self.assertEqual(table(["a", "b"], [[1, "x"]]), "| a | b |\n| --- | --- |\n| 1 | x |")


class Records(unittest.TestCase):
    def test_speed_spread_and_share(self):
        self.assertEqual(records_table({"dense": [record(2, 0.846)]}).splitlines(), [
            "| case | size | threads | speed | spread | share |",
            "| --- | --- | --- | --- | --- | --- |",
            "| dense | batch 1, tokens 8 | 2 | 432 GFLOP/s | ±1.2% | 85% of FMA peak |"])

    def test_bandwidth(self):
        decode = record(1, 0.9, limit="read_bandwidth", gbytes_per_s=39.84)
        del decode["gflops"]
        self.assertIn("| 39.8 GB/s | ±1.2% | 90% of read bandwidth |", records_table({"decode": [decode]}))

    def test_time_per_visible_score_is_of_the_same_number_of_threads(self):
        lines = records_table({"dense": [record(1, 0.8), record(2, 0.9)], "causal": [record(1, 0.4), record(2, 0.6)]},
                              "dense").splitlines()
        self.assertTrue(lines[0].endswith("| share | visible | time per visible score |"))
        self.assertEqual([line.split(" | ")[-1] for line in lines[2:]], ["1.00 |", "1.00 |", "2.00 |", "1.50 |"])

    def test_without_its_base_a_ratio_is_a_dash(self):
        self.assertTrue(records_table({"causal": [record(1, 0.4)]}, "dense").endswith("| 50.0% | – |"))


if __name__ == "__main__":
    unittest.main()
