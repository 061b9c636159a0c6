f(**kwargs, *args, a = 1, b)
f(c = 1, x, b = 2, y)
