"""Pages of docs/reference that are generated: `make reference` writes them."""

from collections.abc import Callable
from pathlib import Path

from node_pages import nodes_page

from mb_estimators import available_filters
from mb_estimators.command_api import filter_page, filters_overview
from mb_model.kind_api import schema_page
from mb_sensors import sensor_kinds
from mb_sensors.command_api import kinds_overview

FOLDER = Path(__file__).resolve().parents[1] / 'reference'


def kinds_page() -> str:
    """Return every kind of sensor, as one page."""
    return '\n'.join([
        '# Kinds of sensors', '',
        'Written from the files of the kinds; `ros2 run mb_sensors kinds` prints the same. Keys in '
        'brackets have defaults; the [mechanism file](mechanism_file.md#sensors) describes all.',
        '', *kinds_overview(list(sensor_kinds()))]) + '\n'


def settings_page() -> str:
    """Return every setting of every filter, as one page."""
    names = available_filters()
    lines = ['# Settings of filters', '',
             'Written from the classes that check them; `ros2 run mb_estimators filters <name>` '
             'prints the same. As parameters of the node they begin with `filter.`.', '',
             *filters_overview(names)]
    for name in names:
        lines += ['', *filter_page(name)]
    return '\n'.join(lines) + '\n'


PAGES: dict[str, Callable[[], str]] = {
    'mechanism_file': schema_page, 'mechanism_file_in_space': lambda: schema_page(3),
    'sensor_kinds': kinds_page, 'filter_settings': settings_page, 'nodes': nodes_page}


def write() -> None:
    """Write all pages."""
    for name, page in PAGES.items():
        (FOLDER / f'{name}.md').write_text(page(), encoding='utf-8')


if __name__ == '__main__':
    write()
