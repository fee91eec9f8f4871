"""List the devices that drivers can read, or what a driver can be told about one of them."""

import argparse
import sys

from mb_model.commands.exits import told
from mb_model.commands.settings_page import first_line, printed, settings_table
from mb_sensors.acquisition.settings import AcquisitionSettings
from mb_sensors.sources import available_sources, source_class


def overview(names):
    """Return lines of Markdown: the named sources, one a row, and what all have in common."""
    rows = [f'| `{name}` | {first_line(sys.modules[source_class(name).__module__])} '
            f'| {", ".join(source_class(name).kinds)} |' for name in names]
    return ['| source | what | kinds of sensors |', '| --- | --- | --- |', *rows, '',
            'All of them:', '', *settings_table(AcquisitionSettings, 'acquisition.')]


def source_page(name):
    """Return lines of Markdown: what a source is and every setting of it and its sensors.

    Raises SensorError for an unknown source.
    """
    source = source_class(name)
    return [f'## {name}', '', first_line(sys.modules[source.__module__]), '',
            *settings_table(source.Settings, f'{name}.'), '', 'Each sensor:', '',
            *settings_table(source.SensorSettings, f'<sensor>.{name}.')]


def main(arguments=None):
    """Print what the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(prog='ros2 run mb_sensors sources', description=__doc__)
    parser.add_argument('names', nargs='*', metavar='source', help='name of a source')
    parser.add_argument('--markdown', action='store_true',
                        help='print Markdown, for documentation; without names, of all sources')
    return told(_list, parser, arguments)


def _list(given):
    page = [] if given.names else overview(available_sources())
    for name in given.names or (available_sources() if given.markdown else ()):
        page += [*([''] if page else []), *source_page(name)]
    yield printed(page, given.markdown)


if __name__ == '__main__':
    sys.exit(main())
