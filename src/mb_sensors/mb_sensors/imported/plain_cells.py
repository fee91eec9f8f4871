"""Cells of columns that are plain numbers, all at once: what others need is read one by one."""

from collections.abc import Sequence
from fractions import Fraction
import re
from typing import Any

import numpy as np

from mb_model.arrays import FloatArray, IntArray

_DECIMALS = re.compile(r'(?:\d{1,18}(?:\.\d{0,18})?\n)+', re.ASCII)
_LARGEST = 2 ** 62
_BLOCK = 10_000     # cells at once: what they become meanwhile takes many times their memory


def plain_numbers(cells: Sequence[Any], decimal: str) -> FloatArray | None:
    """Return the numbers of cells (k), None unless all are finite.

    decimal: mark in cells of text, whose numbers are float's.
    """
    numbers = np.empty(len(cells))
    for begin in range(0, len(cells), _BLOCK):
        block = cells[begin:begin + _BLOCK]
        kinds = set(map(type, block))
        if str in kinds:
            if len(kinds) > 1:
                return None
            text = '\n'.join(block)
            if '_' in text or (decimal != '.' and '.' in text):
                return None
            if decimal != '.':
                block = text.replace(decimal, '.').split('\n')
        try:
            numbers[begin:begin + _BLOCK] = list(map(float, block))
        except ValueError:
            return None
    return numbers if np.isfinite(numbers).all() else None


def exact_numbers(cells: Sequence[Any], decimal: str) -> tuple[IntArray, int] | None:
    """Return (exact numbers times 10^digits (k), digits) of cells, None unless all are decimals.

    As text, without a sign or an exponent; decimal: their mark.
    """
    numbers, digits = np.empty(len(cells), np.int64), []
    for begin in range(0, len(cells), _BLOCK):
        exact = _exact(cells[begin:begin + _BLOCK], decimal)
        if exact is None:
            return None
        numbers[begin:begin + _BLOCK] = exact[0]
        digits.append(exact[1])
    most = max(digits)
    for k, own in enumerate(digits):
        block = numbers[k * _BLOCK:(k + 1) * _BLOCK]
        if int(block.max()) * 10 ** (most - own) > _LARGEST:
            return None
        block *= 10 ** (most - own)
    return numbers, most


def _exact(cells: Sequence[Any], decimal: str) -> tuple[IntArray, int] | None:
    """Return the same of some cells."""
    if not all(isinstance(cell, str | int | float) for cell in cells):
        return None
    text = '\n'.join(map(str, cells)).replace(decimal, '.') + '\n'
    if not _DECIMALS.fullmatch(text):
        return None
    parts = [one.partition('.') for one in text.split('\n')[:-1]]
    if len(parts) != len(cells):        # a cell of several lines
        return None
    digits = max(len(after) for _, _, after in parts)
    try:
        return np.array([int(before + after.ljust(digits, '0')) for before, _, after in parts],
                        np.int64), digits
    except OverflowError:
        return None


def rounded_multiples(numbers: IntArray, unit: Fraction) -> IntArray | None:
    """Return numbers (k) times a unit > 0, rounded as Python does; None if they grow too large."""
    largest = max(int(numbers.max()), -int(numbers.min()), 1)
    if max(largest * unit.numerator, unit.denominator) > _LARGEST:
        return None
    whole, rest = np.divmod(numbers * unit.numerator, unit.denominator)
    twice = 2 * rest
    rounded: IntArray = whole + ((twice > unit.denominator) | (
        (twice == unit.denominator) & (whole % 2 == 1)))
    return rounded
