"""Fewer points that show the same course."""

from itertools import pairwise

import numpy as np


def kept(values, most):
    """Return the indices, ascending, of at most `most` of values (n) that show their course.

    Of each of equal parts the least and the greatest number are kept, so that no peak is lost.
    A part without any finite number keeps one of its own: a gap stays a gap.
    """
    if len(values) <= most:
        return np.arange(len(values))
    finite = np.isfinite(values)
    low, high = np.where(finite, values, np.inf), np.where(finite, values, -np.inf)
    edges = np.linspace(0, len(values), max(most // 2, 1) + 1).astype(int)
    return np.unique([begin + place for begin, end in pairwise(edges)
                      for place in (low[begin:end].argmin(), high[begin:end].argmax())])
