x = a + \
    b, c
y = x[
    a,  # first
    b
]
z = [k for
    k,  # key
    v
 in w]
