"""docs/evidence/papers.md: its commands exist, no filter, figure or table is left out."""

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
import re

import numpy as np
import pytest

from benchmarks.command import benchmarks
from benchmarks.figures_of_papers import command
from benchmarks.figures_of_papers.catalogue import NAMES, PAPERS, find
from benchmarks.figures_of_papers.drawing import Asked
from benchmarks.pictures import plt

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / 'docs/evidence/papers.md').read_text()
GALLERY = (ROOT / 'docs/evidence/gallery_of_papers.md').read_text()
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
    elif words[:4] == ['python', '-m', 'benchmarks', 'figure']:
        assert find(words[4], int(words[5]))
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
        assert ':' in status          # it says why
    assert command == '-' or quoted(command)


DRAWN = [(paper, number) for paper, figures in PAPERS.items() for number in figures]


@cache
def drawn(paper, number):
    """Return a figure drawn quickly, once for all tests."""
    one = PAPERS[paper][number]
    found = one.draw(Asked(one.seeds[:1], quick=True))
    plt.close(found.picture)
    return found


def points_of(axis):
    """Return the coordinates (k, 2) of what an axis shows: lines, bars and areas."""
    found = [line.get_xydata() for line in axis.lines]
    found += [[bar.get_xy(), (bar.get_x() + bar.get_width(), bar.get_y() + bar.get_height())]
              for bar in axis.patches if hasattr(bar, 'get_height')]
    found += [path.vertices for area in axis.collections for path in area.get_paths()]
    return np.vstack([np.asarray(part, dtype=float) for part in found] or [np.empty((0, 2))])


def labels_of(axes, axis):
    """Return the texts along x and along y of an axis, also what neighbours say for it."""
    rows = axis.get_subplotspec().rowspan
    beside = [one for one in axes if one.get_subplotspec().rowspan == rows]
    below = axis.get_shared_x_axes().get_siblings(axis)
    return ([one.get_xlabel() for one in below]
            + [tick.get_text() for one in below for tick in one.get_xticklabels()],
            [one.get_ylabel() for one in beside])


@pytest.mark.parametrize(('paper', 'number'), DRAWN)
def test_a_figure_draws_what_it_promises(paper, number):
    found = drawn(paper, number)
    shown = [axis for axis in found.picture.axes
             if axis.axison and axis.get_subplotspec() is not None]
    assert shown
    for axis in shown:
        points = points_of(axis)
        finite = points[np.isfinite(points).all(axis=1)]
        assert len(finite) > 1
        assert (np.ptp(finite, axis=0) > 0.0).all()
        along_x, along_y = labels_of(shown, axis)
        assert any(along_x)
        assert any(re.search(r'\[.+\]', text) for text in along_y)
    assert found.lines


@pytest.mark.parametrize(('paper', 'number'), DRAWN)
def test_a_drawn_figure_is_on_the_page(paper, number):
    rows = rows_of(SECTIONS[NAMES[paper]])
    command, = (row[2] for row in rows if str(number) in numbers_after('Fig', row[0]))
    assert f'python -m benchmarks figure {paper} {number}' in quoted(command)


@pytest.mark.parametrize(('paper', 'number'), DRAWN)
def test_a_drawn_figure_is_in_the_gallery(paper, number):
    block, = (block for block in GALLERY.split('\n\n')
              if f'`python -m benchmarks figure {paper} {number}`' in block)
    assert f'](../pictures/papers/{paper}_{number}.png)' in block
    assert (ROOT / f'docs/pictures/papers/{paper}_{number}.png').stat().st_size < 200_000
    one = PAPERS[paper][number]
    assert one.caption in block
    assert one.claim in block


@pytest.mark.parametrize(('words', 'said'), [
    (['unknown1999', '1'], 'unknown1999: unknown paper, expected one of rodriguez2023 1, 5, 6;'),
    (['rodriguez2023', '2'], 'rodriguez2023 2: no figure with results of this number, expected '
                             'one of 1, 5, 6')])
def test_what_cannot_be_drawn_is_said(words, said, capsys):
    with pytest.raises(SystemExit) as stopped:
        command.main(words)
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
