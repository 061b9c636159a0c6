def f():
    # Above the first statement.
    a()

def g():
    # A block of its own.

    a()

def h(
        x):  # about x
    # about the end
    # about h
    a()
