"""docs/evidence/papers.md: its commands exist, no filter, figure or table is left out."""

from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
import re

import pytest

from benchmarks.__main__ import benchmarks

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / 'docs/evidence/papers.md').read_text()
STATUS = ('built', 'partly', 'missing', 'not ours')
JUDGED = ('reproduced', 'contradicted', 'the text does not say', 'not judged')      # of claims
# the last figure of each paper, and its tables
PICTURES = {'Rodriguez et al. 2023': (6, ['1']), 'Pyrhonen et al. 2023a': (7, ['1']),
            'Pyrhonen et al. 2023b': (16, ['1']), 'Blanco-Claraco et al. 2021': (8, ['1', '2']),
            'Mohammad et al. 2025': (10, ['I', 'II', 'III'])}


def rows_of(text):
    """Return [(what, where, command, status)] of the tables in a text."""
    lines = [line for line in text.splitlines() if line.startswith('| ')]
    cells = [[cell.strip() for cell in line.strip('|').split('|')] for line in lines]
    return [tuple(row) for row in cells if row[0] not in ('what', 'claim', '---')]


SECTIONS = {re.split('[,\n]', part)[0]: part for part in re.split('^## ', PAGE, flags=re.M)[1:]}
CLAIMS = {part.partition('\n')[0]: rows_of(part)
          for part in re.split('^### Claims of ', SECTIONS.pop('Claims of the papers'),
                               flags=re.M)[1:]}
ROWS = [row for part in SECTIONS.values() for row in rows_of(part)]


def quoted(cell):
    """Return what stands in backquotes."""
    return re.findall('`([^`]+)`', cell)


def numbers_after(word, text):
    """Return the numbers that follow a word, such as 4 and 5 of 'Figs. 4, 5'."""
    found = re.findall(word + r's?\.? ((?:[0-9]+|[IVX]+)(?:, (?:[0-9]+|[IVX]+))*)', text)
    return {number for group in found for number in group.split(', ')}


def test_the_page_has_rows_of_four_cells():
    assert len(ROWS) > 100
    assert {len(row) for row in ROWS} == {4}


@pytest.mark.parametrize('row', ROWS, ids=lambda row: row[0][:40])
def test_a_row_has_a_status_and_what_belongs_to_it(row):
    _, where, command, status = row
    assert status.startswith(STATUS)
    there = status.startswith(('built', 'partly'))
    assert bool(quoted(where)) == bool(quoted(command)) == there
    if not there:
        assert (where, command) == ('-', '-')


PLACES = sorted({place for row in ROWS for place in quoted(row[1])})
EVERY_CLAIM = [claim for claims in CLAIMS.values() for claim in claims]
COMMANDS = sorted({command for cell in [row[2] for row in ROWS] + [row[3] for row in EVERY_CLAIM]
                   for command in quoted(cell)})


@pytest.mark.parametrize('place', PLACES)
def test_a_place_exists(place):
    if '/' in place:
        assert (ROOT / place).is_file()
        return
    module, _, name = place.partition(':')
    found = import_module(module)
    assert not name or hasattr(found, name)


@pytest.mark.parametrize('command', COMMANDS)
def test_a_command_exists(command):
    words = command.split()
    if words[0] == 'pytest':
        assert (ROOT / words[1]).is_file()
    elif words[0] == 'make':
        assert re.search(f'^{words[1]}:', (ROOT / 'Makefile').read_text(), re.M)
    elif words[:2] == ['ros2', 'run']:
        assert any(entry.name == words[3] and entry.value.partition(':')[2].partition('.')[2]
                   .startswith(f'{words[2]}.') for entry in entry_points(group='console_scripts'))
    else:
        assert words[:3] == ['python', '-m', 'benchmarks']
        found = benchmarks()[words[3]]
        assert callable(getattr(import_module(f'benchmarks.{found.module}'), found.function))


def test_every_filter_is_on_the_page():
    ours = {entry.value.partition(':')[0] for entry in entry_points(group='mb_estimators.filters')
            if entry.value.startswith('mb_estimators.')}
    assert ours <= set(PLACES)


@pytest.mark.parametrize('paper', PICTURES)
def test_every_figure_and_table_is_on_the_page(paper):
    last, tables = PICTURES[paper]
    what = '\n'.join(row[0] for row in rows_of(SECTIONS[paper]))
    assert numbers_after('Fig', what) == {str(k) for k in range(1, last + 1)}
    assert numbers_after('Table', what) == set(tables)


@pytest.mark.parametrize('paper', PICTURES)
def test_every_paper_has_claims(paper):
    assert len(CLAIMS[paper]) >= 8
    assert {len(row) for row in CLAIMS[paper]} == {4}


@pytest.mark.parametrize('row', EVERY_CLAIM, ids=lambda row: row[0][:40])
def test_a_claim_is_judged_by_a_command(row):
    _, status, _, command = row
    assert status.startswith(JUDGED)
    if status.startswith(('reproduced', 'contradicted')):
        assert quoted(command)
    if status.startswith('not judged'):
        assert status.partition(' ')[2] != 'judged'         # it says why
        assert command == '-'
    assert command == '-' or quoted(command)
