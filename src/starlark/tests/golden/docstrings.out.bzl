"""Module docstrings stay.
  As they are.
"""

def f():
    """First line.

    Args:
      x: y
    """

    def g():
        """Nested.
        More.
        """
        """Not a docstring.
  Stays.
      """

def h():
    r"""Raw.
    More.
 Less.
    """
