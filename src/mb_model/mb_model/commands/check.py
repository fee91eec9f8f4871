"""Look at a mechanism file: mistakes, degrees of freedom, singularities, masses, a picture."""

import argparse
import gc
from pathlib import Path
import sys

from mb_model.commands.exits import run_command

_MOST = 50      # mistakes that are printed


def main(argv=None):
    """Check the mechanism named on the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog='ros2 run mb_model check', description=__doc__)
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--picture', type=Path, metavar='FILE',
                        help='where to draw it (default: <name>.png here)')
    collects = gc.isenabled()
    gc.disable()        # next to nothing of what is imported and drawn is garbage
    try:
        return run_command(_check, parser, argv)
    finally:
        if collects:
            gc.enable()


def _check(given):
    # Imports are here: kernels take long to import, and a file with mistakes is not drawn.
    from mb_model.checking import look_through
    findings = look_through(given.mechanism)
    if findings.mistakes:
        raise ValueError('\n'.join(_listed(findings)))
    from mb_model.commands.mechanism_report import report
    mechanism = findings.mechanism
    yield from report(mechanism)
    yield from (f'import               {note}' for note in findings.notes)
    yield from (f'warning              {doubt}' for doubt in findings.doubts)
    from mb_model.pictures.animation import draw
    picture = given.picture or Path(f'{mechanism.name}.png')
    try:
        draw(mechanism, mechanism.q0, picture)
    except (OSError, ValueError) as error:
        raise ValueError(f'picture: {error}') from None
    yield f'picture              {picture}'


def _listed(findings):
    """Yield lines about mistakes, and what else is doubtful: it may be why."""
    yield from findings.mistakes[:_MOST]
    if len(findings.mistakes) > _MOST:
        yield f'and {len(findings.mistakes) - _MOST} more'
    yield from (f'import: {note}' for note in findings.notes)
    yield from (f'warning: {doubt}' for doubt in findings.doubts)


if __name__ == '__main__':
    sys.exit(main())
