"""Flow."""

def some(a, b, _c, *args):
    """Returns something on some paths.

    Args:
      a: first.
      d: not there.
    """
    if a:
        x = 1
        return x
    elif b:
        return
    for i in b:
        y = i
        continue
        fail("never")
    return _use(x, y)

def missing(a):
    b = 1
    c = 2
    d = 3
    e = 4
    if a:
        return [b, c, d, e]

def wordy(a):
    """This summary goes on
    and on.

    Arguments:
      a: first.
    """
    b = 1
    c = 2
    d = 3
    return [b, c, d]

def _use(*args):
    return args
