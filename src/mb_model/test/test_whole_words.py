"""Tables on terminals and in files of any width: every word stays whole, every cell is there."""

import io

from hypothesis import given, strategies as st
import pytest
from rich.console import Console

from mb_model.commands.terminal import table

WORDS = st.text('abcdefghij_', min_size=1, max_size=12)
TEXTS = st.lists(WORDS, min_size=1, max_size=3).map(' '.join)
HEADINGS = ('', 'degree of freedom', 'position [rad]', 'acceleration [rad/s²]', 'NEES', 'rejected')
ROWS = [['adaptive_error_ekf_fe', 'theta [rad]', '0.006039', '0.4004', '0.78', '0'],
        ['error_ekf_fe', 'theta [rad]', '0.00599', '0.3925', '0.71', '3']]


def shown(made, width, is_terminal):
    """Return the lines of a table on a terminal, or in a file, of a width."""
    console = Console(file=io.StringIO(), width=width, force_terminal=is_terminal,
                      color_system=None)
    console.print(made, crop=False)
    return console.file.getvalue().splitlines()


def cells_of(lines):
    """Return the texts of all cells: words of lines below each other are joined by spaces."""
    columns, cells = [], set()
    for line in lines:
        if line.startswith('│'):
            columns.append([part.strip() for part in line.strip('│').split('│')])
        elif columns:
            cells |= {' '.join(filter(None, parts)) for parts in zip(*columns, strict=True)}
            columns = []
    return cells


@given(cells=st.lists(TEXTS, min_size=4, max_size=4), width=st.integers(1, 120),
       is_terminal=st.booleans())
def test_cells_are_read_whole_wherever_two_words_have_room(cells, width, is_terminal):
    lines = shown(table(('name', 'a', 'b', 'c'), [[cells]]), width, is_terminal)
    if not is_terminal or width >= 2 * 12 + 7:
        assert cells_of(lines) >= set(cells)
    if is_terminal and width >= 2 * 12 + 7:
        assert max(map(len, lines)) <= width


@pytest.mark.parametrize(('width', 'tables'), [(60, 2), (80, 1), (120, 1)])
def test_a_narrow_terminal_has_columns_below_each_other(width, tables):
    lines = shown(table(HEADINGS, [[row] for row in ROWS], 'a title', ['a caption'], words=(0, 1)),
                  width, is_terminal=True)
    assert sum(line.startswith('╭') for line in lines) == tables
    assert sum('adaptive_error_ekf_fe' in line for line in lines) == tables
    assert sum(line.startswith('├') for line in lines) == 2 * tables
    assert lines[0].strip() == 'a title'
    assert lines[-1].strip() == 'a caption'
    assert max(map(len, lines)) <= width


def test_a_file_has_one_table_with_the_longest_words_in_whole():
    lines = shown(table(HEADINGS, [ROWS], words=(0, 1)), 80, is_terminal=False)
    assert sum(line.startswith('╭') for line in lines) == 1
    assert all(any(word in line for line in lines)
               for word in ('adaptive_error_ekf_fe', 'acceleration', '[rad/s²]', '0.006039'))
