"""Commands that list what is installed, or tell all about what is named; settings as Markdown."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from rich.markdown import Markdown

from mb_model.commands.exits import run_command
from mb_model.commands.terminal import laid_out
from mb_model.settings import Settings

_WIDTH = 120        # where there is no terminal


def list_plugins(prog: str, description: str | None, what: str, names: Sequence[str],
                 overview: Callable[[Sequence[str]], list[str]], page: Callable[[str], list[str]],
                 arguments: Sequence[str] | None) -> int:
    """Print what the command line asks for; return the exit code.

    what: one of them is called; names: of all of them; overview(names) and page(name) return lines
    of Markdown: all, a row each, and one in full.
    """
    parser = argparse.ArgumentParser(prog=prog, description=description)
    parser.add_argument('names', nargs='*', metavar=what, help=f'name of a {what}')
    parser.add_argument('--markdown', action='store_true', help='print Markdown, for '
                        f'documentation; without names, of all {what}s')

    def pages(given):
        lines = [] if given.names else overview(names)
        for name in given.names or (names if given.markdown else ()):
            lines += [*([''] if lines else []), *page(name)]
        text = '\n'.join(lines)
        yield text if given.markdown else laid_out(Markdown(text), _WIDTH)

    return run_command(pages, parser, arguments)


def settings_table(settings: type[Settings], prefix: str = '') -> list[str]:
    """Return lines of Markdown: every setting of a Settings class; prefix: of their names."""
    defaults = settings.defaults()
    return ['| setting | default | unit | range | |', '| --- | --- | --- | --- | --- |'] + [
        f'| `{prefix}{key}` | {_shown(defaults.get(key, "required"))} | {described.unit} '
        f'| {described.expectation()} | {described.help} |'
        for key, _, described in settings.describe()]


def first_line(described: type[Any]) -> str:
    """Return what a class says of itself in a line."""
    return (described.__doc__ or '').partition('\n')[0]


def _shown(value):
    """Return a default as it stands in a YAML file."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f'[{", ".join(_shown(item) for item in value)}]'
    return f'{value:g}' if isinstance(value, float) else str(value)
