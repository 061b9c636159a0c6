x = 1
all(elements = "a")
list(x = depset([1]))
