# Licence.

# About x.
x = 1
# After x, above nothing.

# On its own.

# Above y.
y = 2
# Trailing.
