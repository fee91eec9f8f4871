"""List the filters that are installed, or what one of them can be told."""

import argparse
import sys

from rich.console import Console
from rich.markdown import Markdown

from mb_estimators.filter import FilterError
from mb_estimators.plugins import available_filters, filter_class
from mb_model.commands.exits import told


def overview(names):
    """Return lines of Markdown: the named filters, one a row."""
    return ['| filter | what |', '| --- | --- |'] + [
        f'| `{name}` | {_what(name)} |' for name in names]


def settings_table(name):
    """Return lines of Markdown: what a filter is and every setting of it.

    Raises FilterError for an unknown filter.
    """
    settings = filter_class(name).Settings
    defaults = settings.defaults()
    return [f'## {name}', '', _first_line(settings), '',
            '| setting | default | unit | range | |', '| --- | --- | --- | --- | --- |'] + [
        f'| `{key}` | {_shown(defaults.get(key, "required"))} | {described.unit} '
        f'| {described.expectation()} | {described.help} |'
        for key, _, described in settings.describe()]


def _what(name):
    """Return a filter's line about itself, or why it cannot be loaded."""
    try:
        return _first_line(filter_class(name).Settings)
    except FilterError as error:
        return str(error)


def _first_line(settings):
    return (settings.__doc__ or '').partition('\n')[0]


def _shown(value):
    """Return a default as it stands in a YAML file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f'[{", ".join(_shown(item) for item in value)}]'
    return f'{value:g}' if isinstance(value, float) else str(value)


def main(arguments=None):
    """Print what the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(prog='ros2 run mb_estimators filters', description=__doc__)
    parser.add_argument('names', nargs='*', metavar='filter', help='name of a filter')
    parser.add_argument('--markdown', action='store_true',
                        help='print Markdown, for documentation; without names, of all filters')
    return told(_list, parser, arguments)


def _list(given):
    page = [] if given.names else overview(available_filters())
    for name in given.names or (available_filters() if given.markdown else ()):
        page += [*([''] if page else []), *settings_table(name)]
    if given.markdown:
        yield from page
        return
    console = Console(width=None if sys.stdout.isatty() else 120)
    with console.capture() as captured:
        console.print(Markdown('\n'.join(page)))
    yield captured.get().rstrip('\n')


if __name__ == '__main__':
    sys.exit(main())
