a(1, "b", -c, [])
a(name = "x",
)
a(name = "x", srcs = ["a", "b"])
a(name = "x",
  srcs = ["a", "b"])
b([
    1, 2], 3)
c = (1,)
c = (1,
)
d = [1, 2,
  3]
e(*args,
  **kwargs)
f([
  1])
