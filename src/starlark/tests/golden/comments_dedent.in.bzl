def f():
    a()
    # In f.

  # Not quite out of f.
# Above g.
def g():
    if x:
        y()
        # In if.
      # In if as well? No: in g.
    # In g.
# Out.

z = 1
