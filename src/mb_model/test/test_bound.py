"""Calls of kernels with arguments that stay the same."""

from numba import float64, int64, njit
import numpy as np
import pytest

from mb_model.bound import bound

RECORD = np.dtype([('sum', np.float64), ('calls', np.int64)])


@njit
def _add(records, factor, values, count):
    record = records[0]
    for value in values[:count]:
        record.sum += factor * value
    record.calls += 1
    if count < 0:
        raise ValueError('negative')
    return record.sum, record.calls


def test_a_bound_kernel_works_on_the_arrays_it_was_bound_to():
    first, second = np.zeros(1, RECORD), np.zeros(1, RECORD)
    add = bound(_add, (first, 2.0), float64[::1], int64)
    values = np.array([1.0, 10.0, 100.0])
    assert add(values, 2) == (22.0, 1)
    assert bound(_add, (second, 1), float64[::1], int64)(values, 3) == (111.0, 1)
    first['sum'] = 0.0
    assert add(values, np.int64(3)) == (222.0, 2)
    assert first['sum'] == 222.0


def test_errors_of_a_bound_kernel_are_its_own():
    add = bound(_add, (np.zeros(1, RECORD), 2.0), float64[::1], int64)
    with pytest.raises(ValueError, match='negative'):
        add(np.zeros(3), -1)
    with pytest.raises(TypeError):
        add(np.zeros(3))
