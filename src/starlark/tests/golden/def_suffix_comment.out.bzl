x = 1  # finds no parameter, so it goes to what ended before

def f():
    pass
