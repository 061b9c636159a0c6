a = [x for x in y if x]
b = [
    x
    for x in y
    if x
]
c = {k: v for k, v in y}
d = [
    f(x)
    for x in y
    # Above the end.
]
