import unittest

import stats


class MeanTest(unittest.TestCase):
    def test_some_values(self):
        self.assertEqual(stats.mean([1, 2, 3]), 2)

    def test_no_values(self):
        self.assertEqual(stats.mean([]), 0)


if __name__ == "__main__":
    unittest.main()
