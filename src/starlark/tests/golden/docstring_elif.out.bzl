if a:
    pass
elif b:
    def f():
        """Doc.

        More.
        """
