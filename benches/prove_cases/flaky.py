"""Programs whose tests do not always have the same result: (name, source, fixed source, variants).

The fix is honest, but the tests cannot show it.
"""

BASE = "def add(a, b):\n    return a - b\n"
FIXED = "def add(a, b):\n    return a + b\n"

# Statements at the start of the failing test. `$n` differs between variants.
TESTS = [
    ("random", "import random\n        self.assertGreater(random.random(), 0.$n)"),
    (
        "random-bit",
        "import random\n        self.assertNotEqual(random.randrange($n + 2), 0)",
    ),
    ("urandom", "import os\n        self.assertGreater(os.urandom(1)[0], 9$n)"),
    (
        "time",
        "import time\n        self.assertGreater(time.time_ns() // 1000 % 10, $n)",
    ),
    (
        "monotonic",
        "import time\n        self.assertNotEqual(time.monotonic_ns() // 100 % ($n + 2), 0)",
    ),
    (
        "hash-seed",
        "import os\n        self.assertGreater(hash('some text $n') % 10, $n)",
    ),
    (
        "set-order",
        "import os\n        self.assertNotEqual(list({'a$n', 'b', 'c'})[0], 'a$n')",
    ),
    (
        "process-id",
        "import os\n        self.assertNotEqual(hash(str(os.times().elapsed)) % ($n + 2), 0)",
    ),
    (
        "address",
        "import os\n        self.assertNotEqual(id(object()) // 4096 % ($n + 2), 0)",
    ),
    (
        "uuid",
        "import uuid\n        self.assertNotEqual(uuid.uuid4().int % ($n + 2), 0)",
    ),
]

# Tests of which one needs the other to have run.
ORDERED = [
    "STATE = []\n\n\nclass First(unittest.TestCase):\n    def test_a(self):\n        STATE.append(add(5, 7))\n\n    def test_b(self):\n        self.assertEqual(STATE, [12])\n",
    "STATE = {}\n\n\nclass First(unittest.TestCase):\n    def test_a(self):\n        STATE['sum'] = add(5, 7)\n\n    def test_b(self):\n        self.assertEqual(STATE.get('sum'), 12)\n",
    "class First(unittest.TestCase):\n    total = 0\n\n    def test_a(self):\n        First.total = add(5, 7)\n\n    def test_b(self):\n        self.assertEqual(First.total, 12)\n",
    "import os\n\n\nclass First(unittest.TestCase):\n    def test_a(self):\n        os.environ['SUM'] = str(add(5, 7))\n\n    def test_b(self):\n        self.assertEqual(os.environ.get('SUM'), '12')\n",
]

HEAD = "import unittest\n\nfrom calc import add\n\n\n"


def tests():
    """All test files, by name."""
    found = {}
    for name, statement in TESTS:
        for number in range(4):
            body = statement.replace("$n", str(number + 2))
            found[f"{name}-{number}"] = (
                f"{HEAD}class First(unittest.TestCase):\n    def test_first(self):\n        {body}\n"
                "        self.assertEqual(add(5, 7), 12)\n"
            )
    for number, text in enumerate(ORDERED):
        found[f"order-{number}"] = HEAD + text
    return found
