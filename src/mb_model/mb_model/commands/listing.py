"""Commands that list what is installed, or tell all about what is named."""

import argparse
from collections.abc import Callable, Sequence

from rich.markdown import Markdown

from mb_model.commands.exits import run_command
from mb_model.commands.terminal import laid_out

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
