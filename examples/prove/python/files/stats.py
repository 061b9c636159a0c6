"""Small statistics."""


def mean(values):
    """Return the arithmetic mean of the values, and 0 if there are none."""
    return sum(values) / len(values)
