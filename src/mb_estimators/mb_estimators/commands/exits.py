"""Exit codes of commands around filters."""

import sys

from mb_estimators.filter import DivergenceError, NotConvergedError
from mb_model.commands import exits


def told(command, parser, arguments, failed='the filter has diverged'):
    """Run a command as mb_model's `told` does; a divergence is reported in one line, too.

    failed: printed before the text of a DivergenceError.
    """
    try:
        return exits.told(command, parser, arguments)
    except NotConvergedError as error:
        print(error, file=sys.stderr)
        return exits.FAILURE
    except DivergenceError as error:
        print(f'{failed}: {error}', file=sys.stderr)
        return exits.FAILURE
