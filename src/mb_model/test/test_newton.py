"""The stop rule of Newton's iterations."""

from math import inf, nan

import pytest

from mb_model.jit import entry
from mb_model.kernels import newton


@entry
def has_converged(*arguments):
    return newton.has_converged(*arguments)


@entry
def settles(*arguments):
    return newton.settles(*arguments)


TOLERANCE, ROUNDING, STALLED = 1e-12, 1e-9, 0.5


@pytest.mark.parametrize(('change', 'last', 'stops'), [
    (0.0, 1.0, True), (1e-12, 1.0, True),       # within the tolerance
    (1e-10, 1.1e-10, True), (1e-10, 2e-10, True), (1e-9, 1e-9, True),       # rounding alone
    (1e-10, 2.1e-10, False),                    # still shrinks
    (1e-8, 1e-8, False),                        # shrinks no more, but is no rounding
    (nan, 1.0, False), (1e-10, nan, False), (inf, inf, False)])
def test_it_stops_within_the_tolerance_or_when_rounding_is_left(change, last, stops):
    assert has_converged(change, last, TOLERANCE, ROUNDING, STALLED) == stops


def test_quadratic_convergence_ends_at_the_root():
    x, last = 1.0, inf
    for _ in range(10):
        step = (x * x - 2.0) / (2.0 * x)
        x -= step
        if has_converged(abs(step), last, 1e-20, ROUNDING, STALLED):
            break
        last = abs(step)
    assert x == pytest.approx(2.0 ** 0.5, rel=1e-15)


@pytest.mark.parametrize(('change', 'last', 'ends'), [
    (1e-11, 1e-6, True),                        # 1e-16 is next
    (1e-11, 1e-9, False),                       # 1e-13 is next, not nothing beside 1e-12
    (1e-8, 0.1, True), (0.0, 1.0, True), (1e-9, 1e-10, False),
    (nan, 1.0, False), (1e-10, nan, False)])
def test_it_settles_where_what_is_next_is_nothing(change, last, ends):
    assert settles(change, last, TOLERANCE) == ends
