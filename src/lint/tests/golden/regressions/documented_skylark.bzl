def f():
    """Skylark.

    Args:
      skylark: the thing
    """
