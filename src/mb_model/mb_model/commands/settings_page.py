"""Settings as Markdown, for terminals and documentation."""

import sys

from rich.console import Console
from rich.markdown import Markdown

_WIDTH = 120        # where there is no terminal


def settings_table(settings, prefix=''):
    """Return lines of Markdown: every setting of a Settings class; prefix: of their names."""
    defaults = settings.defaults()
    return ['| setting | default | unit | range | |', '| --- | --- | --- | --- | --- |'] + [
        f'| `{prefix}{key}` | {_shown(defaults.get(key, "required"))} | {described.unit} '
        f'| {described.expectation()} | {described.help} |'
        for key, _, described in settings.describe()]


def first_line(described):
    """Return what a class says of itself in a line."""
    return (described.__doc__ or '').partition('\n')[0]


def printed(page, as_markdown):
    """Return the text of lines of Markdown: as they are, or laid out for the terminal."""
    if as_markdown:
        return '\n'.join(page)
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    with console.capture() as captured:
        console.print(Markdown('\n'.join(page)))
    return captured.get().rstrip('\n')


def _shown(value):
    """Return a default as it stands in a YAML file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f'[{", ".join(_shown(item) for item in value)}]'
    return f'{value:g}' if isinstance(value, float) else str(value)
