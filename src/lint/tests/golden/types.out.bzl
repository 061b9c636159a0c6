"""Types."""

def _types(items, string):
    files = depset(items)
    for f in files.to_list():
        _use(f)
    if 1 in files.to_list() and len(files.to_list()) > 2:
        files = depset(items = items)
    a = files + depset()
    b = files.union(items)
    c = depset(files)
    for i in items:
        c = depset([i], transitive = [c])
    d = {"a": 2, "b": 1}
    e = d + {"c": 3}
    d.get("a", default = 1)
    s = "abc"
    for char in s:
        _use(char)
    half = 7 // 2
    half /= 2
    known = []
    known.append(half)
    string += [a, b]
    string.append(
        # why
        c,
    )
    return e, known

def _use(x):
    [y for y in x]
    x.y
    """Not a docstring."""
