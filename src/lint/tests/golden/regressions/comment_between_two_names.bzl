load("", a =  # why
"a")
a()
