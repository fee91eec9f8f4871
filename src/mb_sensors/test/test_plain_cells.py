"""Cells read all at once: the numbers of each cell alone, or none where one needs a look."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from mb_sensors.imported.plain_cells import exact_numbers, plain_numbers, rounded_multiples

MANY = 10_001       # cells, more than are read at once


@pytest.mark.parametrize('odd', ['', '1_0', 'nan', '1,5', 'x', 1.5, None])
@pytest.mark.parametrize('at', [0, 1, MANY])
def test_a_cell_that_is_no_plain_number_is_left_to_others(odd, at):
    cells = ['0.5', *(['1.25'] * MANY)]
    cells[at] = odd
    assert plain_numbers(cells, '.') is None


def test_numbers_are_of_each_cell():
    cells = [f'{k / 7.0!r}' for k in range(MANY)]
    assert plain_numbers(cells, '.').tolist() == [float(cell) for cell in cells]
    assert plain_numbers([cell.replace('.', ',') for cell in cells], ',').tolist() == [
        float(cell) for cell in cells]
    assert plain_numbers(['1.5', '2,5'], ',') is None       # two marks


def test_exact_numbers_have_the_digits_of_the_cell_with_most():
    cells = [*(['7'] * MANY), '1.25', 3, 0.125]
    numbers, digits = exact_numbers(cells, '.')
    assert digits == 3
    assert numbers.tolist() == [int(Decimal(str(cell)) * 1000) for cell in cells]


@pytest.mark.parametrize('odd', ['-1', '+1', '1e3', '', '9' * 19, '1.' + '0' * 19, '1\n2', True,
                                 None, np.datetime64(5, 's')])
def test_what_is_no_plain_decimal_is_not_exact(odd):
    assert exact_numbers(['1', odd], '.') is None


@pytest.mark.parametrize('unit', [Fraction(10 ** 22, 3), Fraction(3, 10 ** 22)])
@pytest.mark.parametrize('number', [0, 1])
def test_units_beyond_whole_numbers_are_left_to_others(unit, number):
    assert rounded_multiples(np.array([number]), unit) is None


def test_exact_numbers_that_would_be_too_large_are_none():
    assert exact_numbers(['9' * 18, '0.' + '1' * 18], '.') is None
