"""How commands around filters end."""

import sys

from mb_estimators.filter import DivergenceError
from mb_model.commands import exits


def told(command, parser, arguments):
    """Run a command as mb_model's `told` does; a filter that diverges is told in one line, too."""
    try:
        return exits.told(command, parser, arguments)
    except DivergenceError as error:
        print(f'the filter has diverged: {error}', file=sys.stderr)
        return exits.FAILURE
