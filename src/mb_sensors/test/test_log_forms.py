"""Logs in whatever form they are: what is above the rows, between cells, in which encoding."""

from functools import cache
from math import isnan

from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_sensors.imported.column_settings import ColumnsError
from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log import read_log
from mb_sensors.imported.table import LogError, read_tables
from mb_sensors.imported.text_form import TextSettings

COLUMNS = 'mechanism: four_bar\ntime: {column: t}\nsensors: {crank_encoder: angle}\n'
BETWEEN = {'tab': '\t', ';': ';', ',': ',', '|': '|', 'blanks': '   '}
ABOVE = st.lists(st.sampled_from([
    '# made by a logger', '// Rate: 50 Hz', '% log', 'DeviceTag:,k9', 'Serial: 7', '', 'Start;now',
    '"© Ångström, 2021"', 'Filter\tgeneral']), max_size=8)


@cache
def columns_of(folder, text):
    """Return the Columns of a text, read once."""
    described = folder / 'columns.yaml'
    described.write_text(text)
    return read_columns(described)


def log_of(folder, content, columns=COLUMNS):
    """Return the Log of a file with a content."""
    file = folder / 'log.csv'
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_log(file, columns_of(folder, columns))


@given(above=ABOVE, between=st.sampled_from(list(BETWEEN)), comma=st.booleans(),
       header=st.sampled_from(['plain', 'comment', 'units', 'quoted']),
       encoding=st.sampled_from(['utf-8', 'utf-8-sig', 'cp1252', 'utf-16', 'utf-16-le']),
       ends=st.sampled_from(['\n', '\r\n']), last=st.booleans(),
       angles=st.lists(st.floats(-5.0, 5.0).map(lambda x: round(x, 5)), min_size=3, max_size=12))
@settings(max_examples=300, deadline=None)
def test_the_form_of_a_log_is_guessed(folder, above, between, comma, header, encoding, ends, last,
                                      angles):
    """Stamps and numbers are as they were written, whatever the form."""
    delimiter, decimal = BETWEEN[between], ',' if comma and between != ',' else '.'
    names = ['t', 'angle', 'other']
    lines = [*above]
    if header == 'quoted' and between != 'blanks':
        lines.append(delimiter.join(f'"{name}"' for name in names))
    else:
        lines.append(('# ' if header == 'comment' else '') + delimiter.join(names))
    if header == 'units':
        lines.append(delimiter.join(['[s]', '[rad]', '[V]']))
    for k, angle in enumerate(angles):
        lines.append(delimiter.join([f'{2 + k / 100:.2f}'.replace('.', decimal),
                                     repr(angle).replace('.', decimal), str(k)]))
    text = ends.join(lines) + (ends if last else '')
    found = log_of(folder, text.encode(encoding, 'replace'))
    assert found.stamps.tolist() == [2 * 10 ** 9 + k * 10 ** 7 for k in range(len(angles))]
    assert found.values[:, 0].tolist() == angles


@given(names=st.booleans(), between=st.sampled_from(list(BETWEEN)), rows=st.integers(2, 6))
@settings(max_examples=50, deadline=None)
def test_columns_without_names_are_numbers_or_have_given_ones(folder, names, between, rows):
    text = ''.join(BETWEEN[between].join([f'{k + 1}.5', f'{k}.25', '7']) + '\n'
                   for k in range(rows))
    columns = (COLUMNS + 'names: [t, angle, x]\n' if names else
               COLUMNS.replace('column: t', 'column: 1').replace('angle', '2'))
    assert log_of(folder, text, columns).values[:, 0].tolist() == [k + 0.25 for k in range(rows)]


def test_a_missing_header_is_said(tmp_path):
    with pytest.raises(ColumnsError, match=r"time: column 't': not in .*, which has 1, 2; no line "
                                           'names its columns: they are numbers'):
        log_of(tmp_path, '0.1,2\n0.2,3\n')


def test_what_is_given_counts_more_than_guesses(tmp_path):
    """Of two lines of names the first, and cells that would be dates."""
    text = 't|angle\nx|y\n1|2\n2|3\n'
    with pytest.raises(ColumnsError, match="column 't': not in"):
        log_of(tmp_path, text)
    log = log_of(tmp_path, text, COLUMNS + 'header: 1\ndelimiter: "|"\nrows: {first: 1}\n')
    assert log.values[:, 0].tolist() == [2.0, 3.0]


@pytest.mark.parametrize(('key', 'words'), [
    ('delimiter: "x"', "delimiter: 'x' must be one of"), ('header: 90', 'header: 90, but it has'),
    ('encoding: latin-9000', "encoding: 'latin-9000' is not known"),
    ('encoding: utf-16', 'not readable as utf-16'), ('names: t', 'names: must be a list')])
def test_forms_that_cannot_be_are_refused(tmp_path, key, words):
    with pytest.raises((ColumnsError, LogError), match=words):
        log_of(tmp_path, 't,angle\n1,2\n2,3', COLUMNS + key + '\n')


def test_rows_are_left_out(tmp_path):
    """By their number, and by what a column has."""
    text = 't,angle,status\n' + ''.join(f'{k},{k},{"ok" if k % 3 else "bad"}\n'
                                        for k in range(1, 11))
    log = log_of(tmp_path, text, COLUMNS + (
        "rows: {first: 2, last: 9, without: [4, '7-8'], where: {status: ok}}\n"))
    assert log.values[:, 0].tolist() == [2.0, 5.0]
    assert '8 of 10 rows are left out' in log.remarks
    with pytest.raises(ColumnsError, match=r"rows\.without: '7 to 8' must be a number, or a range"):
        log_of(tmp_path, text, COLUMNS + "rows: {without: ['7 to 8']}\n")
    with pytest.raises(ColumnsError, match='rows: none of the 10 rows'):
        log_of(tmp_path, text, COLUMNS + 'rows: {first: 11}\n')


def test_a_last_line_that_is_cut_off_is_left_out(tmp_path):
    log = log_of(tmp_path, 't,angle,x\n1,2,3\n2,3,4\n3,4')
    assert log.values[:, 0].tolist() == [2.0, 3.0]
    assert 'line 4 is cut off: left out' in log.remarks
    with pytest.raises(LogError, match='line 3: 2 cells, expected 3'):
        log_of(tmp_path, 't,angle,x\n1,2,3\n2,3\n3,4,5\n')


def test_files_side_by_side_and_by_time(tmp_path):
    """One column per file; or a table each, whose times differ."""
    for name, text in (('t', '1\n2\n3\n'), ('angle', '4\n5\n6\n'), ('short', '1\n'),
                       ('a', 't,x\n1,10\n3,30\n'), ('b', 't,x\n2,20\n3,31\n')):
        (tmp_path / f'{name}.txt').write_text(text)
    table = read_tables([tmp_path / 't.txt', tmp_path / 'angle.txt'], TextSettings())
    assert table.frame.to_dict('list') == {'t': ['1', '2', '3'], 'angle': ['4', '5', '6']}
    table = read_tables([tmp_path / 'a.txt', tmp_path / 'b.txt'], TextSettings(), time='t')
    assert table.frame.to_dict('list') == {
        't': ['1', '2', '3'], 'a.x': ['10', '', '30'], 'b.x': ['', '20', '31']}
    with pytest.raises(LogError, match='3, 1 rows: files side by side need equally many'):
        read_tables([tmp_path / 't.txt', tmp_path / 'short.txt'], TextSettings())


@pytest.mark.parametrize(('name', 'unit', 'given', 'words'), [
    ('angle_deg', '', '', "column 'angle_deg' is in deg by its name: expected unit: deg"),
    ('angle', '[deg]', '', "column 'angle' is in deg by its name"),
    ('angle_deg', '', 'unit: rad', ''), ('angle_deg', '', 'scale: 0.0174', ''),
    ('angle_rad', '', '', ''), ('lead_in', '', '', '')])
def test_units_that_names_say_are_not_ignored(tmp_path, name, unit, given, words):
    text = f't,{name}\n' + (f'[s],{unit}\n' if unit else '') + '1,2\n2,3\n'
    columns = COLUMNS.replace('crank_encoder: angle',
                              f'crank_encoder: {{column: {name}, {given}}}')
    problem = ''
    try:
        log_of(tmp_path, text, columns)
    except ColumnsError as error:
        problem = str(error)
    assert words in problem
    assert bool(words) == bool(problem)


def test_what_is_subtracted_has_its_own_scale(tmp_path):
    """As a voltage that is a force, less a force."""
    text = 't,volt,push\n1,2,5\n2,4,\n'
    log = log_of(tmp_path, text, (
        'mechanism: four_bar\ntime: {column: t}\nsensors: {crank_encoder: volt}\nknown_forces: '
        '{theta: {column: volt, scale: 35.0, minus: {column: push, scale: 2.0}, unit: N mm}}\n'))
    assert log.values[0, 1] == pytest.approx(0.06)
    assert isnan(log.values[1, 1])


def test_pressures_above_the_atmosphere(tmp_path):
    """A gauge's are absolute then; negative ones are warned of."""
    columns = ('mechanism: crane\ntime: {column: t}\n'
               'sensors: {pressure1: {column: p, unit: bar%s}}\n')
    text = 't,p\n1,-0.1\n2,20\n'
    log = log_of(tmp_path, text, columns % ', gauge: true')
    np.testing.assert_allclose(log.readings['pressure1'][:, 0], [91325.0, 2101325.0])
    assert log.warnings == []
    warning, = log_of(tmp_path, text, columns % '').warnings
    assert 'pressure1: -1e+04 Pa in line 2: pressures are absolute' in warning


def test_steps_that_contradict_the_rate_are_warned_of(tmp_path):
    """As where the unit of time is wrong."""
    text = 't,angle\n' + ''.join(f'{20 * k},0.{k}\n' for k in range(1, 9))
    (tmp_path / 'mine.yaml').write_text(
        'extends: four_bar\nsensors: {crank_encoder: {rate: 50.0}}\n')
    columns = COLUMNS.replace('four_bar', 'mine.yaml')
    warning, = log_of(tmp_path, text, columns).warnings
    assert warning == ('crank_encoder: readings every 20 s, but its rate in the mechanism is '
                       '50 Hz: is the unit of time right? 1000 times off')
    assert log_of(tmp_path, text, columns.replace('column: t', 'column: t, unit: ms')
                  ).warnings == []


def test_commands_of_valves(tmp_path):
    """They are in -1..1, or in %, of all valves."""
    columns = ('mechanism: crane\ntime: {column: t}\nsensors: {cylinder_encoder: s}\n'
               'commands: {directional: {column: c, unit: "%"}}\n')
    log = log_of(tmp_path, 't,s,c\n1,1,10\n2,1,-100\n', columns)
    np.testing.assert_allclose(log.values[:, 1], [0.1, -1.0])
    with pytest.raises(LogError, match=r'line 3, column c: the command 1\.2 of directional must'):
        log_of(tmp_path, 't,s,c\n1,1,10\n2,1,120\n', columns)
    with pytest.raises(ColumnsError, match=r'commands\.other: unknown, expected each of direct'):
        log_of(tmp_path, 't,s,c\n1,1,10\n', columns.replace('{directional', '{other'))
    with pytest.raises(ColumnsError, match=r'commands\.theta: the mechanism has no valves'):
        log_of(tmp_path, 't,s,c\n1,1,10\n', COLUMNS + 'commands: {theta: c}\n')
