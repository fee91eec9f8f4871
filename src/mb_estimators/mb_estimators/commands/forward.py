"""Simulate a mechanism by a factor graph; save, plot and animate its motion."""

import argparse
import sys
from time import perf_counter

from mb_estimators.commands.options import (
    add_graph_arguments,
    changed_mechanism,
    run_command,
    settings_text,
)
from mb_estimators.factor_graph.forward import ForwardSettings, forward
from mb_model import title
from mb_model.command_api import (
    add_output_arguments,
    assigned,
    check_outputs,
    summary,
    write_outputs,
)


def main(arguments=None):
    """Run the command; return the exit code."""
    return run_command(_forward, _parser(), arguments, 'no solution')


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_estimators forward', description=__doc__,
        epilog=f'{settings_text(ForwardSettings)}\n\nexample:\n'
               '  ros2 run mb_estimators forward four_bar_fg '
               '--setting coordinates=independent --plot motion.png',
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--duration', type=float, default=5.0, help='[s] (%(default)s)')
    parser.add_argument('--dt', type=float, default=1e-3, help='step [s] (%(default)s)')
    add_graph_arguments(parser)
    add_output_arguments(parser)
    return parser


def _forward(given):
    """Yield lines of text about the progress."""
    check_outputs(given)
    mechanism = changed_mechanism(given)
    begin = perf_counter()
    run = forward(mechanism, given.duration, given.dt, progress=True,
                  **assigned(given.settings, '--setting'))
    wall = perf_counter() - begin
    yield title(run)
    yield f'speed          {run.t[-1]:g} s in {wall:.3g} s'
    yield from summary(run)
    yield from write_outputs(run, given)


if __name__ == '__main__':
    sys.exit(main())
