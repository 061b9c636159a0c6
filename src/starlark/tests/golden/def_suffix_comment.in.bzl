x = 1

def f():  # finds no parameter, so it goes to what ended before
    pass
