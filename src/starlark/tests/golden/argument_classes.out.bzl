f(b, a = 1, *args, **kwargs)
f(x, y, c = 1, b = 2)
