"""Simulate a mechanism by a factor graph; save, plot and animate its motion."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from time import perf_counter

from mb_estimators.commands.options import changed_mechanism, graph_parser, run_command
from mb_estimators.factor_graph.forward import ForwardSettings, forward
from mb_model import title
from mb_model.command_api import assigned, check_outputs, summary, write_outputs


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_forward, _parser(), arguments, 'no solution')


def _parser() -> ArgumentParser:
    parser = graph_parser('forward', __doc__, ForwardSettings, 'four_bar_fg '
                          '--setting coordinates=independent --plot motion.png', 5.0, 1e-3)
    parser.add_argument('--as-in', default='', metavar='PAPER', help='whose settings the graph has '
                        'where no others are given, such as blanco2021')
    return parser


def _forward(given: Namespace) -> Iterator[str]:
    """Yield lines of text about the progress."""
    check_outputs(given)
    mechanism = changed_mechanism(given)
    begin = perf_counter()
    run = forward(mechanism, given.duration, given.dt, progress=True, as_in=given.as_in,
                  **assigned(given.settings, '--setting'))
    wall = perf_counter() - begin
    yield title(run)
    yield f'speed          {run.t[-1]:g} s in {wall:.3g} s'
    yield from summary(run)
    yield from write_outputs(run, given)
