a = (1)
a = ((name))
a = (
    name
)
