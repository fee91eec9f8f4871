"""The one look of tables on the terminal."""

from rich.text import Text

from mb_model.commands.terminal import laid_out, table


def test_a_table_shows_units_groups_title_and_caption():
    shown = laid_out(table(
        ('mass [kg]', 'kind'), [[('2', 'rod'), ('10', Text('plate', 'bold'))], [('3', '[red]')]],
        'parts [of it]', ['all [kg]'], words=(1,)))
    assert [line.rstrip() for line in shown.splitlines()] == [
        'parts [of it]',
        '╭───────────┬───────╮',
        '│ mass [kg] │ kind  │',
        '├───────────┼───────┤',
        '│         2 │ rod   │',
        '│        10 │ plate │',
        '├───────────┼───────┤',
        '│         3 │ [red] │',
        '╰───────────┴───────╯',
        'all [kg]']


def test_a_table_without_headings_has_no_line_for_them():
    shown = laid_out(table(('', ''), [[('speed', '2 x real time')]], words=(0, 1)))
    assert len(shown.splitlines()) == 3
