if a:
    b()
    # Still in the first branch.
# So is this.
elif c:  # about c
    d()

else:  # otherwise
    # Above e.
    e()
