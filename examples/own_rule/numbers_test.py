import unittest


class NumbersTest(unittest.TestCase):
    def test_sum(self):
        self.assertEquals(1 + 1, 2)

    def test_product(self):
        self.assertEquals( 2 * 3,6 )
