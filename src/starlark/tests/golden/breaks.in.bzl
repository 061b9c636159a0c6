x = a + \
      b
x = (a
     and b or
  c)
y = \
  1
f(name =
   1, deps = a +
   b)
long_name = (first % second
    == third)
