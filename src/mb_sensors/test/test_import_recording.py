"""Logs of any machine become bags: numbers, units, stamps and gaps as they are, errors in words."""

from decimal import Decimal
from math import isnan, pi
from pathlib import Path

from hypothesis import example, given, settings, strategies as st
import numpy as np
import pytest

from mb_model import load_mechanism
from mb_model.file_api import read_parameters
from mb_sensors import open_bag, sensors_of
from mb_sensors.imported.column_settings import ColumnsError
from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log import read_log
from mb_sensors.imported.table import LogError
from mb_sensors.nodes import import_recording

COLUMNS = """
mechanism: four_bar
time: {column: time, unit: ms}
sensors:
  crank_encoder: angle
  coupler_gyro: {column: rate, unit: deg/s, scale: 200.0, offset: 1.0}
"""
HEADER = 'time,angle,unused,rate\n'
FOUR_BAR = load_mechanism('four_bar')
NUMBERS = st.floats(-1e6, 1e6) | st.none()


def written(folder, log, columns=COLUMNS):
    """Write a log and its columns; return their paths."""
    paths = folder / 'log.csv', folder / 'columns.yaml'
    for path, text in zip(paths, (log, columns), strict=True):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return paths


@given(first=st.integers(10 ** 9, 10 ** 18), steps=st.lists(st.integers(1, 10 ** 10), max_size=8),
       data=st.data())
@settings(max_examples=100, deadline=None)
def test_stamps_are_exact_and_numbers_those_of_the_cells(folder, first, steps, data):
    """Gaps and jitter are kept to the nanosecond; empty cells are no readings."""
    stamps = [first]
    for step in steps:
        stamps.append(stamps[-1] + step)
    rows = [data.draw(st.tuples(NUMBERS, NUMBERS)) for _ in stamps]
    text = HEADER + ''.join(
        f'{Decimal(stamp).scaleb(-6)},{"" if a is None else repr(a)},?,'
        f'{"NaN" if b is None else repr(b)}\n' for stamp, (a, b) in zip(stamps, rows, strict=True))
    log, columns = written(folder, text)
    found = read_log(log, read_columns(columns))
    assert found.stamps.tolist() == stamps
    for (a, b), (angle, rate) in zip(rows, found.values, strict=True):
        assert isnan(angle) if a is None else angle == a
        assert isnan(rate) if b is None else rate == pytest.approx(
            (200.0 * b + 1.0) * pi / 180.0, rel=1e-12, abs=1e-12)


@given(st.binary(max_size=200) | st.text(max_size=200).map(
    lambda text: (HEADER + text).encode('utf-8', 'replace')))
@example((HEADER + '1e999999999,1,1,1\n').encode())
@example((HEADER + '1,1_0,1,1\n').encode())
@example((HEADER + '"1\n').encode())
@settings(max_examples=200, deadline=None)
def test_whatever_is_in_a_log_is_read_or_refused_in_words(folder, content):
    log, columns = written(folder, content)
    problem = ''
    try:
        found = read_log(log, read_columns(columns))
    except (LogError, ColumnsError) as error:
        problem = str(error)
    if problem:
        assert str(log) in problem
        assert '\n' not in problem
    else:
        assert (np.diff(found.stamps) > 0).all()


@pytest.mark.parametrize(('row', 'words'), [
    ('2000,x,0,1\n', "line 3, column angle: 'x' must be a number"),
    ('2000,1,0,inf\n', "line 3, column rate: 'inf' must be a number"),
    ('2000,1,0\n', 'line 3: 3 cells, expected 4'),
    ('1000,1,0,1\n', 'line 3, column time: 1000 must be later than in line 2'),
    (',1,0,1\n', "line 3, column time: '' must be a time"),
    ('2e13,1,0,1\n', "line 3, column time: '2e13' must be a time of at most 9.22337e+09 s"),
    ('2000,1,0,1e308\n', "line 3, column rate: '1e308' is too large")])
def test_errors_name_file_line_and_column(tmp_path, capsys, row, words):
    """With exit code 2, and nothing is left behind."""
    log, columns = written(tmp_path, f'{HEADER}1000,1,0,1\n{row}')
    assert import_recording.main([str(log), '--columns', str(columns), '--output',
                                  str(tmp_path / 'run/bag')]) == 2
    assert f'{log}: {words}' in capsys.readouterr().err
    assert not list(tmp_path.glob('run/*'))


@pytest.mark.parametrize(('old', 'new', 'words'), [
    ('angle', 'angel', "sensors.crank_encoder: column 'angel': not in"),
    ('crank_encoder', 'encoder', 'sensors.encoder: unknown, expected one of crank_encoder, '),
    ('deg/s', 'deg', "sensors.coupler_gyro: unit: 'deg' must be one of rad/s, "),
    ('scale', 'factor', 'sensors.coupler_gyro: factor: unknown setting'),
    ('unit: ms', 'unit: h', "time: unit: 'h' must be one of s, ms, us, ns"),
    ('angle', '[angle, rate]', 'sensors.crank_encoder: 2 columns, expected one for each of '),
    ('angle', '3', "sensors.crank_encoder: column '3': not in"),
    ('angle', 'off', 'sensors.crank_encoder: must be the name of a column'),
    ('time:', 'tine:', 'tine: unknown, expected one of mechanism, time, '),
    ('sensors:', 'truth: {theta: {velocity: rate}}\nsensors:',
     'truth.theta.position: missing'),
    ('sensors:', 'known_forces: {phi: rate}\nsensors:',
     'known_forces.phi: unknown, expected one of theta')])
def test_mistakes_in_the_columns_are_named(tmp_path, capsys, old, new, words):
    log, columns = written(tmp_path, HEADER + '1000,1,0,1\n', COLUMNS.replace(old, new, 1))
    assert import_recording.main([str(log), '--columns', str(columns), '--output',
                                  str(tmp_path / 'run/bag')]) == 2
    assert f'{columns}: {words}' in capsys.readouterr().err


def test_the_bag_has_what_the_columns_say(tmp_path, capsys):
    """Readings, known forces and truth; a log that begins at 0 is stamped from 1 s on."""
    columns = COLUMNS + """
known_forces: {theta: {column: rate, minus: unused, unit: N mm}}
truth: {theta: {position: angle, velocity: rate, force: unused}}
"""
    log, columns = written(tmp_path, HEADER + '0,1.5,0.25,2\n\n40,,0.5,3\n50,1.6,,4\n', columns)
    bag = tmp_path / 'run/bag'
    words = [str(log), '--columns', str(columns), '--output', str(bag)]
    assert import_recording.main(words) == 0
    assert '3 rows, 0.05 s; steps of 0.025 s, the longest 0.04 s' in capsys.readouterr().out
    second, ms = 10 ** 9, 10 ** 6
    with open_bag(bag) as opened:
        stamps, readings = opened.readings(sensors_of(FOUR_BAR, ['crank_encoder', 'coupler_gyro']))
        forces = [(stamp, list(message.name), list(message.effort))
                  for stamp, message in opened.of('/known_forces')]
        truth = list(opened.of('/prototype/state'))
        true_forces = [list(m.effort) for _, m in opened.of('/prototype/external_forces')]
    assert (stamps - second).tolist() == [0, 40 * ms, 50 * ms]
    np.testing.assert_allclose(readings, [
        (1.5, 401.0 * pi / 180.0), (np.nan, 601.0 * pi / 180.0), (1.6, 801.0 * pi / 180.0)])
    assert forces == [(second, ['theta'], [pytest.approx(1.75e-3)]),
                      (second + 40 * ms, ['theta'], [pytest.approx(2.5e-3)])]
    assert [stamp - second for stamp, _ in truth] == [0, 50 * ms]
    assert true_forces == [[0.25], [0.5]]
    q = FOUR_BAR.assemble([1.6])
    np.testing.assert_allclose(truth[1][1].q, q, atol=1e-12)
    np.testing.assert_allclose(truth[1][1].qd, FOUR_BAR.velocity(q, [4.0]), atol=1e-12)
    np.testing.assert_allclose(truth[1][1].zdd, [2.0 / 0.05], rtol=1e-9)     # of rates 2 and 4
    assert import_recording.main(words) == 2
    assert 'parameters.yaml already exists' in capsys.readouterr().err


@pytest.mark.parametrize(('named', 'read'), [
    (None, ['crank_encoder', 'coupler_gyro']), ('[coupler_gyro]', ['coupler_gyro']),
    ('[coupler_gyro, rocker_gyro]', ['coupler_gyro']), ('[rocker_gyro]', None),
    ('[coupler_gyro, coupler_gyro]', ['coupler_gyro']), ('coupler_gyro', None),
    ('3', None)])
def test_the_estimator_reads_what_its_parameters_name(tmp_path, capsys, named, read):
    """Not what is in the bag to judge it by."""
    log, columns = written(tmp_path, HEADER + '1000,1,0,1\n2000,1,0,1\n')
    config = tmp_path / 'estimator.yaml'
    config.write_text('estimator: {ros__parameters: {dt: 0.01' + (
        f', sensors: {named}' if named else '') + '}}')
    code = import_recording.main([str(log), '--columns', str(columns), '--output', str(
        tmp_path / 'run/bag'), '--config', str(config)])
    printed = capsys.readouterr()
    assert code == (0 if read else 2)
    if read:
        assert read_parameters([tmp_path / 'run/parameters.yaml'], 'estimator')['sensors'] == read
    assert ('rocker_gyro' in printed.out + printed.err) == ('rocker_gyro' in (named or ''))
    assert ('expected a list of some of crank_encoder' in printed.err) == (not read)


def test_commands_of_valves_are_in_the_bag(tmp_path):
    """On the topic from which filters of oil take them."""
    log, columns = written(tmp_path, 't,s,c\n1,2.5,0.1\n1.1,2.5,\n1.2,2.5,-0.2\n', (
        'mechanism: crane\ntime: {column: t}\nsensors: {cylinder_encoder: s}\n'
        'commands: {directional: c}\n'))
    bag = tmp_path / 'run/bag'
    assert import_recording.main([str(log), '--columns', str(columns), '--output', str(bag)]) == 0
    with open_bag(bag, 'ValveCommand') as opened:
        assert [(stamp, list(message.valve), list(message.command))
                for stamp, message in opened.of('/valve_command')] == [
            (10 ** 9, ['directional'], [0.1]), (12 * 10 ** 8, ['directional'], [-0.2])]


def test_a_mechanism_file_beside_the_columns_is_found_from_anywhere(tmp_path):
    log, columns = written(tmp_path, HEADER + '1000,1,0,1\n',
                           COLUMNS.replace('four_bar', 'mine.yaml'))
    (tmp_path / 'mine.yaml').write_text('extends: four_bar\n')
    assert import_recording.main([str(log), '--columns', str(columns), '--output',
                                  str(tmp_path / 'bag')]) == 0
    assert './mine.yaml' in Path(tmp_path, 'parameters.yaml').read_text()
