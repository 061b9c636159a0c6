x = (foo
    .bar(a)
    .baz(
    b,
    c,
))
y = foo.bar \
    .baz
