"""Errors of filters."""


class FilterError(ValueError):
    """A filter that cannot be made as asked for; the text says why."""


class DivergenceError(ArithmeticError):
    """A filter that cannot go on from where it is; the text says what went wrong."""


class NotConvergedError(DivergenceError):
    """An iteration that ended before its solution; the text says where and how far from it."""


class ImpossibleReadingError(ValueError):
    """Readings that fit no state of the mechanism; the filter is as it was without them."""
