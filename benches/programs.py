"""Generates Clank programs of any size. Each shape repeats one construct."""

HEAD = "rec Item { name: Str, qty: Int }\nsum Kind { Small, Large(Int) }\n"


def functions(lines):
    """Functions that call each other, like the programs that the original was timed on."""
    return HEAD + "".join(function(at) for at in range(lines // 7))


def function(at, last=None):
    call = f" + f{at - 1}(item, k, xs, d + 1)" if at else ""
    return (
        f"fn f{at}(item: Item, k: Kind, xs: [Int], d: Int{{d > 0}}) -> Int {{\n"
        f"  let base = item.qty * {at % 7 + 1};\n"
        f"  let extra = match k {{ Small -> 1, Large(w) -> w + {at % 5} }};\n"
        "  let mut acc = fold(xs, 0, \\(a: Int, x: Int) -> a + x);\n"
        f"  if d > {at % 3} {{ acc = acc + base }} else {{ acc = acc - extra }};\n"
        f"  {last or 'acc + d'}{call}\n"
        "}\n"
    )


def broken(lines):
    """Every tenth function misspells a name, and another tenth passes too few arguments."""

    def last(at):
        return {0: "acc + bse", 5: "acc + len()"}.get(at % 10)

    return HEAD + "".join(function(at, last(at)) for at in range(lines // 7))


def one_body(lines):
    """A single function."""
    body = "".join(f"  let v{at} = {before(at)} + {at};\n" for at in range(lines - 3))
    return f"fn main(x: Int) -> Int {{\n{body}  v{lines - 4}\n}}\n"


def before(at):
    return f"v{at - 1}" if at else "x"


def one_match(lines):
    """A single match with one arm per line."""
    arms = "".join(f"    {at} -> {at + 1},\n" for at in range(lines - 5))
    return f"fn pick(n: Int) -> Int {{\n  match n {{\n{arms}    _ -> 0,\n  }}\n}}\n"


def nested(lines):
    """Branches nested 40 levels deep."""
    depth, parts = 40, []
    for at in range(max(1, lines // (2 * depth + 4))):
        opened = "".join(
            f"{'  ' * (level + 1)}if n > {level} {{\n" for level in range(depth)
        )
        closed = "".join(
            f"{'  ' * (level + 1)}}} else {{ {level} }}\n"
            for level in reversed(range(depth))
        )
        parts.append(f"fn deep{at}(n: Int) -> Int {{\n{opened}n\n{closed}}}\n")
    return "".join(parts)


def types(lines):
    """Records and sums, each used once."""
    parts = []
    for at in range(lines // 8):
        parts.append(
            f"rec R{at} {{ a: Int, b: Str }}\n"
            f"sum S{at} {{ A{at}, B{at}(Int) }}\n"
            f"fn use{at}(r: R{at}, s: S{at}) -> Int {{\n"
            f"  match s {{\n    A{at} -> r.a,\n    B{at}(n) -> n + r.a,\n  }}\n}}\n"
        )
    return "".join(parts)


def obligations(lines):
    """Indices and refined arguments without known facts."""
    parts = [
        "fn share(total: Int, people: Int{people > 0}) -> Int {\n  total - people\n}\n"
    ]
    for at in range(lines // 5):
        parts.append(
            f"fn o{at}(xs: [Int], n: Int) -> Int {{\n"
            f"  let a = xs[n];\n"
            f"  let b = share(a, n);\n"
            f"  a + b\n}}\n"
        )
    return "".join(parts)


def proofs(lines):
    """Indices and refined arguments that branches prove."""
    parts = [
        "fn share(total: Int, people: Int{people > 0}) -> Int {\n  total - people\n}\n"
    ]
    for at in range(lines // 6):
        parts.append(
            f"fn p{at}(xs: [Int], n: Int) -> Int {{\n"
            f"  if n > 0 && n < len(xs) {{\n"
            f"    share(xs[n], n)\n"
            f"  }} else {{ 0 }}\n}}\n"
        )
    return "".join(parts)


def unused(lines):
    """Unused variables."""
    parts = [
        f"fn u{at}(x: Int) -> Int {{\n  let one = x;\n  let two = x;\n  x\n}}\n"
        for at in range(lines // 5)
    ]
    return "".join(parts)


def one_slip(lines):
    """One name that is misspelt everywhere."""
    parts = ["fn compute(x: Int) -> Int {\n  x\n}\n"]
    parts += [
        f"fn c{at}(x: Int) -> Int {{\n  compte(x)\n}}\n" for at in range(lines // 3)
    ]
    return "".join(parts)


def near_names(lines):
    """Similar names, of which every tenth use is misspelt."""
    parts = []
    for at in range(lines // 3):
        called = f"value_{at:06}" if at % 10 else f"valeu_{at:06}"
        parts.append(f"fn value_{at:06}(x: Int) -> Int {{\n  {called}(x)\n}}\n")
    return "".join(parts)


def mistakes(kind):
    """The same error in every function, by its code."""

    def of(lines):
        head, body = MISTAKES[kind]
        count = body.count("\n")
        return head + "".join(
            body.replace("@", str(at)) for at in range(lines // count)
        )

    return of


MISTAKES = {
    "E1005": ("", "fn m@(x: Strng) -> Int {\n  1\n}\n"),
    "E2001": (
        "fn half(x: Float) -> Float {\n  x * 0.5\n}\n",
        "fn m@(a: Int) -> Float {\n  half(a)\n}\n",
    ),
    "E2002": (
        "fn add(a: Int, b: Int) -> Int {\n  a + b\n}\n",
        "fn m@(a: Int) -> Int {\n  add(a)\n}\n",
    ),
    "E2004": (
        "rec Account { balance: Int }\n",
        "fn m@(a: Account) -> Int {\n  a.balence\n}\n",
    ),
    "E2013": ("", "fn m@(x: Int) -> Int {\n  let n = 0;\n  n = n + x;\n  n\n}\n"),
    "E2015": (
        "sum Kind { Small, Large(Int) }\n",
        "fn m@(k: Kind) -> Int {\n  match k {\n    Small -> 1,\n  }\n}\n",
    ),
    "E3001": (
        "fn share(total: Int, people: Int{people != 0}) -> Int {\n  total - people\n}\n",
        "fn m@() -> Int {\n  share(10, 0)\n}\n",
    ),
    "E4001": ("", 'fn m@(x: Int) -> Int {\n  println("a");\n  x\n}\n'),
}

SHAPES = {
    "functions": functions,
    "every tenth function broken": broken,
    "one function": one_body,
    "one match": one_match,
    "deep nesting": nested,
    "records and sums": types,
    "unproved obligations": obligations,
    "proved obligations": proofs,
    "unused variables": unused,
    "one name misspelt": one_slip,
    "names that look alike": near_names,
} | {f"{kind} everywhere": mistakes(kind) for kind in MISTAKES}
