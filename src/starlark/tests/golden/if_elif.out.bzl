if a:
    b()
elif c:
    d()
else:
    e()
if a:
    b()
else:  # a comment keeps them apart
    if c:
        d()
if a:
    b()
else:
    # So does this.
    if c:
        d()
