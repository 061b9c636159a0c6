"""Types."""

def _types(items, string):
    files = depset(items)
    for f in files:
        _use(f)
    if 1 in files and len(files) > 2:
        files = depset(items = items)
    a = files + depset()
    b = files.union(items)
    c = depset(files)
    for i in items:
        c = depset([i], transitive = [c])
    d = {"b": 1, "a": 2}
    e = d + {"c": 3}
    d.get("a", default = 1)
    s = "abc"
    for char in s:
        _use(char)
    half = 7 / 2
    half /= 2
    known = []
    known += [half]
    string += [a, b]
    string += [  # why
        c,
    ]
    return e, known

def _use(x):
    [y for y in x]
    x.y
    """Not a docstring."""
