"""Look at a saved run or the bag of a simulation: summary, plot, animation."""

import argparse
from pathlib import Path
import sys

from mb_model.commands.exits import run_command
from mb_model.commands.outputs import add_output_arguments, check_outputs, summary, write_outputs
from mb_model.mechanism_file.file import mechanism_names
from mb_model.pictures.plotting import title
from mb_model.simulation.run import Run


def main(arguments=None):
    """Run the command; return the exit code."""
    parser = argparse.ArgumentParser(prog='ros2 run mb_model show', description=__doc__)
    parser.add_argument('run', help='FILE.npz or the folder of a bag')
    parser.add_argument('--topic', help='of the states, if a bag has several')
    add_output_arguments(parser)
    return run_command(_show, parser, arguments)


def _show(given):
    """Yield lines of text about what is done."""
    check_outputs(given)
    path = Path(given.run)
    if path.suffix in ('.yaml', '.yml') or (not path.exists() and given.run in mechanism_names()):
        raise ValueError(f'{given.run}: a mechanism, no run: `ros2 run mb_model simulate` makes '
                         'runs of it, `ros2 run mb_model check` looks at the mechanism')
    run = Run.load(given.run, given.topic)
    yield title(run)
    yield from summary(run)
    yield from write_outputs(run, given)


if __name__ == '__main__':
    sys.exit(main())
