x = not -a
x = -(-1)
x = not not a
x = a is b
x = a or lambda: b
x = lambda: a if b else c
f(*a+b, **c or d)
x = ~a-b*c//d%e<<f&g|h^i
x = a not in b and not c in d
x=- a
x += 1
x //= 2
