"""Views of a filter's records: cached properties, because fields of records are slow to look up."""

from functools import cached_property


def without_views(self):
    """Return the attributes of an object but its cached properties, as its __getstate__.

    A copy makes its own: copied views would not share memory with the copied records.
    """
    return {name: value for name, value in vars(self).items()
            if not isinstance(getattr(type(self), name, None), cached_property)}
