"""Clocks of logs: of few bits, with wraps and losses; counters, rates, dates, epochs."""

from fractions import Fraction
from itertools import pairwise

from hypothesis import assume, given, settings, strategies as st
import numpy as np
import pandas as pd
import pytest

from mb_model import LATEST
from mb_sensors.imported.clock import stamps_of
from mb_sensors.imported.column_settings import TimeSettings, is_counter
from mb_sensors.imported.table import LogError, Table
from mb_sensors.imported.units import TIMES

SECOND = 10 ** 9


class RefusedError(Exception):
    """Settings do not fit the log."""


def refused(message):
    raise RefusedError(message)


def table_of(cells, name='t', before=()):
    return Table('log.csv', pd.DataFrame({name: cells}, dtype=object),
                 list(range(2, len(cells) + 2)), 'line', before=list(before))


def stamps(cells, name='t', before=(), **given):
    """Return (stamps from the first on [ns], remarks)."""
    found, remarks = stamps_of(table_of(cells, name, before), TimeSettings(column=name, **given),
                               refused)
    return (found - found[0]).tolist(), remarks


@given(bits=st.integers(8, 64), first=st.integers(0, 2 ** 64), data=st.data(),
       unit=st.sampled_from(['us', 'ns', 'counter']))
@settings(max_examples=300, deadline=None)
def test_a_clock_of_some_bits_goes_on_over_its_wraps(bits, first, data, unit):
    """With losses of up to half of its period."""
    steps = data.draw(st.lists(st.integers(1, min(2 ** (bits - 1), 10 ** 12)), max_size=12))
    whole = [first]
    for step in steps:
        whole.append(whole[-1] + step)
    cells = [str(number % 2 ** bits).zfill(5) for number in whole]
    factor = {'us': 1000, 'ns': 1, 'counter': 10 ** 6}[unit]
    begin = first % 2 ** bits * factor
    latest = int(LATEST) * SECOND
    assume((begin if begin < latest else 0) + (whole[-1] - first) * factor <= latest)
    found, _ = stamps(cells, bits=bits, unit=unit, rate=1000.0)
    assert found == [(number - first) * factor for number in whole]


@given(bits=st.sampled_from([8, 16, 24, 32, 64]), before=st.integers(2, 20),
       step=st.integers(1, 10 ** 5), losses=st.sets(st.integers(0, 39), max_size=10))
@settings(max_examples=300, deadline=None)
def test_the_bits_of_a_clock_that_wraps_are_guessed(bits, before, step, losses):
    """By steps like the others; or it is refused, but never a stamp is wrong."""
    step = min(step, 2 ** bits // 100 or 1)
    whole = [2 ** bits - before * step + k * step for k in range(40) if k not in losses]
    cells = [str(number % 2 ** bits) for number in whole]
    problem = ''
    try:
        found, remarks = stamps(cells, unit='us')
    except LogError as error:
        problem = str(error)
    if problem:
        longest = max(b - a for a, b in pairwise(whole))
        wrapping = max(b - a for a, b in pairwise(whole)
                       if a < 2 ** bits <= b)
        assert wrapping == longest              # a loss at the wrap, like no other
        assert 'a clock that wraps has `bits`' in problem
    else:
        assert found == [(number - whole[0]) * 1000 for number in whole]
        if whole[0] < 2 ** bits <= whole[-1]:
            assert f't: a clock of {bits} bits by its numbers' in remarks[-1]


@pytest.mark.parametrize('cells', [
    ['100', '200', '300', '0', '100'],                  # begun anew
    ['65000', '65100', '65200', '0', '100'],
    ['1000', '2000', '1900', '3000'],                   # out of order
    ['1.5', '2.5', '0.5'], ['1', '2', '2', '3']])
def test_a_clock_that_goes_back_is_no_clock_that_wraps(cells):
    with pytest.raises(LogError, match=r'line \d, column t: .* must be later than in line'):
        stamps(cells)


def test_a_step_back_is_no_wrap_of_given_bits():
    with pytest.raises(LogError, match='line 4, column t: 190 must be later than in line 3, 200, '
                                       'by at most half of the 256 at which the clock wraps'):
        stamps(['100', '200', '190'], bits=8)


@pytest.mark.parametrize(('name', 'said'), [
    ('Counter', True), ('PacketCounter', True), ('seq', True), ('sample_index', True),
    ('frame', True), ('account', False), ('time', False), ('angle', False)])
def test_counters_are_known_by_their_names(name, said):
    assert is_counter(name) == said


def test_a_counter_counts_at_a_rate():
    """Given, or written above the columns; and rows without any time."""
    cells = ['00065534', '00065535', '00000000', '00000003']
    expected = [0, SECOND // 50, SECOND // 25, SECOND // 10]
    assert stamps(cells, 'Counter', ['// Update Rate: 50.0Hz'])[0] == expected
    assert stamps(cells, 'Counter', ['OutputRate:,50Hz'])[0] == expected
    assert stamps(cells, unit='counter', rate=50.0)[0] == expected
    assert stamps([str(k) for k in range(4)], 'x')[0] == [k * SECOND for k in range(4)]
    found, remarks = stamps_of(table_of(cells), TimeSettings(rate=3.0), refused)
    assert found.tolist() == [SECOND, 1333333333, 1666666667, 2 * SECOND]
    assert remarks == ['time: none, rows come at 3 Hz']
    with pytest.raises(RefusedError, match='Counter is a counter by its name: expected `unit'):
        stamps(cells[2:], 'Counter')
    with pytest.raises(RefusedError, match='rate: missing'):
        stamps(cells, unit='counter')
    with pytest.raises(RefusedError, match='rate: missing'):
        stamps_of(table_of(cells), TimeSettings(), refused)


@given(first=st.integers(1_000_000_001, 1_999_999_990), nanoseconds=st.integers(0, SECOND - 1),
       unit=st.sampled_from(['ms', 'us', 'ns']))
@settings(max_examples=50, deadline=None)
def test_times_since_1970_are_known_by_their_size(first, nanoseconds, unit):
    factor = {'ms': 10 ** 6, 'us': 10 ** 3, 'ns': 1}[unit]
    whole = [(first * SECOND + nanoseconds) // factor + k * 10 ** 7 // factor for k in range(3)]
    found, remarks = stamps_of(table_of([str(one) for one in whole]), TimeSettings(column='t'),
                               refused)
    assert found.tolist() == [one * factor for one in whole]
    assert f'{unit} since 1970 by its size' in remarks[0]


@pytest.mark.parametrize(('cells', 'expected'), [
    (['2024-05-31T12:00:00Z', '2024-05-31 12:00:00.25Z'], 250 * 10 ** 6),
    (['2024-05-31T12:00:00+02:00', '2024-05-31T12:00:01+02:00'], SECOND),
    (['2024-02-28 23:59:59,123456789', '2024-02-29 00:00:00,123456789'], SECOND),
    (['23:59:59.5', '00:00:00.5'], SECOND), (['12:00', '12:01'], 60 * SECOND)])
def test_dates_and_times_of_a_day(cells, expected):
    assert stamps(cells)[0] == [0, expected]
    assert stamps(cells, unit='date')[0] == [0, expected]


def test_dates_are_in_utc():
    found, remarks = stamps_of(table_of(['2024-05-31T12:00:00+02:00']), TimeSettings(column='t'),
                               refused)
    assert found.tolist() == [1717149600 * SECOND]
    assert remarks == ['time: t: dates']
    assert stamps(['2024-05-31 10:00:00'])[1] == ['time: t: dates, taken as UTC']
    with pytest.raises(LogError, match="line 3, column t: 'noon' must be a date as"):
        stamps(['2024-05-31T12:00:00Z', 'noon'])


@pytest.mark.parametrize(('name', 'factor'), [
    ('time_ms', 10 ** 6), ('t [us]', 10 ** 3), ('Time (s)', SECOND), ('timestampNs', 1),
    ('SampleTimeFine', 10 ** 3), ('t', SECOND), ('time', SECOND)])
def test_units_of_time_are_those_of_the_name(name, factor):
    assert stamps(['1', '3'], name)[0] == [0, 2 * factor]


def test_numbers_of_arrays_are_exact():
    """A float is the number that is written of it."""
    table = table_of(np.arange(1, 2000) * 0.001)
    found, _ = stamps_of(table, TimeSettings(column='t', start=1.0), refused)
    assert (np.diff(found) == 10 ** 6).all()


@pytest.mark.parametrize(('begin', 'start'), [
    (2_000_000_001, 0.0), (2_147_483_640, 0.0), (2_147_483_640, 5.0), (9_200_000_000, 5.0),
    (9_223_372_000, 1.0)])
@pytest.mark.parametrize(('unit', 'factor'), [('', 1), ('ms', 1000), ('', 10 ** 9)])
def test_times_to_2262_are_read_and_stamped_as_far_as_messages_go(begin, start, unit, factor):
    """Stamps of messages end in 2038, clocks of ROS in 2262."""
    cells = [str((begin + k) * factor) for k in range(5)]
    found, _ = stamps_of(table_of(cells), TimeSettings(column='t', start=start,
                                                       **({'unit': unit} if unit else {})), refused)
    assert found.tolist() == [(round(start) or begin) * SECOND + k * SECOND for k in range(5)]


@pytest.mark.parametrize(('begin', 'words'), [
    (2_147_483_645, 'later than 2147483647 s, in 2038, .* `start` of the time shifts the log'),
    (9_223_372_034, 'must be a time of at most 9.22337e')])
def test_times_without_stamps_are_refused(begin, words):
    with pytest.raises(LogError, match=words):
        stamps([str(begin + k) for k in range(5)], unit='s')


@given(numbers=st.lists(st.decimals(0, 10 ** 6, places=9), min_size=1, max_size=6, unique=True),
       unit=st.sampled_from(['s', 'ms', 'us', 'ns']), as_text=st.booleans())
@settings(max_examples=200, deadline=None)
def test_stamps_are_the_rounded_exact_products(numbers, unit, as_text):
    """Whatever numbers of decimals the cells have; floats are the decimals that they show."""
    numbers = sorted(numbers)
    cells = [f'{one.normalize():f}' if as_text else float(one) for one in numbers]
    exact = [Fraction(str(cell)) * TIMES[unit] for cell in cells]
    rounded = [round(one) for one in exact]
    assume(all(a < b for a, b in pairwise(rounded)))
    assert stamps(cells, unit=unit)[0] == [one - rounded[0] for one in rounded]
