
load(":a.bzl", "a")
x = 1
y = 2


z = 3
def f():

    a()



    b()
    c()

w = 4
