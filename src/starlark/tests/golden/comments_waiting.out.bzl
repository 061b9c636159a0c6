x = [b for v in
# one
# two
"z"]
y = (a[
# one
# two
0])
z = (c if
# one
# two
1 else 2)
w = a[f()]
# last
