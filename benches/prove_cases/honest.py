"""Ordinary fixes with a test, which must be proved: (name, base, fixed, test of the base, added test)."""

# Each test is one expression that must be true. The names come from the module `app`.
FIXES = [
    (
        "operator",
        "def add(a, b):\n    return a - b\n",
        "def add(a, b):\n    return a + b\n",
        "app.add(5, 7) == 12",
        "app.add(20, 22) == 42",
    ),
    (
        "boundary",
        "def adult(age):\n    return age > 18\n",
        "def adult(age):\n    return age >= 18\n",
        "app.adult(18)",
        "[app.adult(n) for n in (17, 18, 19)] == [False, True, True]",
    ),
    (
        "off-by-one",
        "def last(items):\n    return items[len(items)]\n",
        "def last(items):\n    return items[len(items) - 1]\n",
        "app.last([1, 2, 3]) == 3",
        "app.last(['a']) == 'a'",
    ),
    (
        "empty",
        "def mean(values):\n    return sum(values) / len(values)\n",
        "def mean(values):\n    if not values:\n        return 0.0\n    return sum(values) / len(values)\n",
        "app.mean([]) == 0.0",
        "app.mean([]) == 0 and app.mean([4, 8]) == 6",
    ),
    (
        "strip",
        "def name(text):\n    return text.title()\n",
        "def name(text):\n    return text.strip().title()\n",
        "app.name(' ada ') == 'Ada'",
        "app.name('grace hopper\\n') == 'Grace Hopper'",
    ),
    (
        "leap",
        "def leap(year):\n    return year % 4 == 0\n",
        "def leap(year):\n    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)\n",
        "not app.leap(1900)",
        "app.leap(2000) and not app.leap(2100)",
    ),
    (
        "mutable-default",
        "def collect(item, items=[]):\n    items.append(item)\n    return items\n",
        "def collect(item, items=None):\n    items = [] if items is None else items\n    items.append(item)\n    return items\n",
        "(app.collect(1), app.collect(2))[1] == [2]",
        "(app.collect('a'), app.collect('b'))[1] == ['b']",
    ),
    (
        "sort-key",
        "def newest(rows):\n    return sorted(rows)[0]\n",
        "def newest(rows):\n    return max(rows, key=lambda row: row[1])\n",
        "app.newest([('a', 1), ('b', 9)]) == ('b', 9)",
        "app.newest([('z', 3), ('y', 2)]) == ('z', 3)",
    ),
    (
        "exception",
        "def parse(text):\n    return int(text)\n",
        "def parse(text):\n    try:\n        return int(text)\n    except ValueError:\n        return None\n",
        "app.parse('x') is None",
        "app.parse('') is None and app.parse('7') == 7",
    ),
    (
        "missing-key",
        "def port(settings):\n    return settings['port']\n",
        "def port(settings):\n    return settings.get('port', 8080)\n",
        "app.port({}) == 8080",
        "app.port({'host': 'a'}) == 8080",
    ),
    (
        "equality",
        "class Point:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n",
        "class Point:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n\n    def __eq__(self, other):\n        return (self.x, self.y) == (other.x, other.y)\n",
        "app.Point(1, 2) == app.Point(1, 2)",
        "app.Point(3, 4) == app.Point(3, 4) and app.Point(3, 4) != app.Point(3, 5)",
    ),
    (
        "recursion",
        "def fact(n):\n    return n * fact(n - 1)\n",
        "def fact(n):\n    if n == 0:\n        return 1\n    return n * fact(n - 1)\n",
        "app.fact(3) == 6",
        "app.fact(5) == 120",
    ),
    (
        "import",
        "def root(value):\n    return math.sqrt(value)\n",
        "import math\n\n\ndef root(value):\n    return math.sqrt(value)\n",
        "app.root(16) == 4",
        "app.root(81) == 9",
    ),
    (
        "typo",
        "def total(prices):\n    return sum(price)\n",
        "def total(prices):\n    return sum(prices)\n",
        "app.total([1, 2]) == 3",
        "app.total([5, 6, 7]) == 18",
    ),
    (
        "join",
        "def path(parts):\n    return '/'.join(parts[1:])\n",
        "def path(parts):\n    return '/'.join(parts)\n",
        "app.path(['a', 'b']) == 'a/b'",
        "app.path(['x', 'y', 'z']) == 'x/y/z'",
    ),
    (
        "rounding",
        "def cents(amount):\n    return int(amount * 100)\n",
        "def cents(amount):\n    return round(amount * 100)\n",
        "app.cents(1.15) == 115",
        "app.cents(4.35) == 435",
    ),
    (
        "case",
        "def same(a, b):\n    return a == b\n",
        "def same(a, b):\n    return a.casefold() == b.casefold()\n",
        "app.same('A', 'a')",
        "app.same('Word', 'wORD') and not app.same('a', 'b')",
    ),
    (
        "unique",
        "def unique(items):\n    return list(set(items))[:0]\n",
        "def unique(items):\n    return list(dict.fromkeys(items))\n",
        "app.unique([3, 1, 3]) == [3, 1]",
        "app.unique('abca') == ['a', 'b', 'c']",
    ),
    (
        "none-check",
        "def size(item):\n    return len(item)\n",
        "def size(item):\n    return 0 if item is None else len(item)\n",
        "app.size(None) == 0",
        "[app.size(item) for item in (None, 'abc')] == [0, 3]",
    ),
    (
        "slice",
        "def head(items, count):\n    return items[1:count]\n",
        "def head(items, count):\n    return items[:count]\n",
        "app.head([1, 2, 3], 2) == [1, 2]",
        "app.head('abcd', 3) == 'abc'",
    ),
    (
        "lookup-table",
        "ROMAN = {'I': 1, 'V': 5}\n\n\ndef digit(letter):\n    return ROMAN[letter]\n",
        "ROMAN = {'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}\n\n\ndef digit(letter):\n    return ROMAN[letter]\n",
        "app.digit('X') == 10",
        "app.digit('L') + app.digit('C') == 150",
    ),
]

FIXES += [
    (
        "environment",
        "import os\n\n\ndef region():\n    return 'eu'\n",
        "import os\n\n\ndef region():\n    return os.environ.get('REGION', 'eu')\n",
        "app.os.environ.update(REGION='us') is None and app.region() == 'us'",
        "app.os.environ.update(REGION='asia') is None and app.region() == 'asia'",
    ),
    (
        "sentinel",
        "def pick(table, key, other=None):\n    return table.get(key) or other\n",
        "_MISSING = object()\n\n\ndef pick(table, key, other=None):\n    found = table.get(key, _MISSING)\n    return other if found is _MISSING else found\n",
        "app.pick({'a': 0}, 'a', 5) == 0",
        "app.pick({'b': ''}, 'b', 7) == '' and app.pick({}, 'b', 7) == 7",
    ),
    (
        "sum-of-points",
        "class Point:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n",
        "class Point:\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n\n    def __add__(self, other):\n        return Point(self.x + other.x, self.y + other.y)\n",
        "(app.Point(1, 2) + app.Point(3, 4)).x == 4",
        "(app.Point(5, 7) + app.Point(2, 9)).y == 16",
    ),
    (
        "folder",
        "def place(folder, name):\n    return folder + name\n",
        "import os\n\n\ndef place(folder, name):\n    return os.path.join(folder, name)\n",
        "app.place('a', 'b') == 'a/b'",
        "app.place('docs', 'x.md') == 'docs/x.md'",
    ),
]

NODE_FIXES = [
    (
        "operator",
        "exports.add = (a, b) => a - b;\n",
        "exports.add = (a, b) => a + b;\n",
        "app.add(5, 7) === 12",
        "app.add(20, 22) === 42",
    ),
    (
        "await",
        "exports.load = async (read) => read().value;\n",
        "exports.load = async (read) => (await read()).value;\n",
        "(await app.load(async () => ({ value: 3 }))) === 3",
        "(await app.load(async () => ({ value: 'x' }))) === 'x'",
    ),
    (
        "default",
        "exports.greet = (name) => `Hello ${name}`;\n",
        "exports.greet = (name = 'you') => `Hello ${name}`;\n",
        "app.greet() === 'Hello you'",
        "app.greet(undefined) === 'Hello you'",
    ),
    (
        "sort",
        "exports.sorted = (items) => items.sort();\n",
        "exports.sorted = (items) => [...items].sort((a, b) => a - b);\n",
        "app.sorted([10, 9]).join() === '9,10'",
        "app.sorted([100, 20, 3]).join() === '3,20,100'",
    ),
]


def python_test(kind, expression):
    return f"import unittest\n\nimport app\n\n\nclass {kind}(unittest.TestCase):\n    def test_{kind.lower()}(self):\n        self.assertTrue({expression})\n"


def node_test(kind, expression):
    return (
        'const test = require("node:test");\nconst assert = require("node:assert");\n'
        f'const app = require("../app.js");\n\ntest("{kind}", async () => {{\n  assert.ok({expression});\n}});\n'
    )
