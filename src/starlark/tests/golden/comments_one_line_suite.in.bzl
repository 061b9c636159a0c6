if a: b()

# Taken for a comment below the suite.

c()
