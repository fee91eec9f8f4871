"""Find the forces behind a desired motion by a factor graph; save, plot and animate both."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from mb_estimators.commands.options import changed_mechanism, graph_parser, run_command
from mb_estimators.factor_graph.inverse import InverseSettings, inverse
from mb_model import title
from mb_model.command_api import assigned, check_outputs, write_outputs
from mb_model.file_api import ExpressionError
from mb_model.kernel_api import jet, motion_program


def desired_motion(mechanism, expressions, t):
    """Return z (k, g) at the times t (k) [s].

    expressions: degree of freedom -> number or expression over t, with the parameters of the
    mechanism file.  Raises ValueError.
    """
    freedom = ', '.join(mechanism.independent)
    for name in expressions:
        if name not in mechanism.independent:
            raise ValueError(f'--motion {name}: must be a degree of freedom: {freedom}')
    for name in mechanism.independent:
        if name not in expressions:
            raise ValueError(f'--motion: {name} is missing, one is needed for each of {freedom}')
    return np.column_stack([_values(name, expressions[name], mechanism, t)
                            for name in mechanism.independent])


def _values(name, expression, mechanism, t):
    try:
        program = motion_program(expression, dict(mechanism.described.parameters))
    except ExpressionError as error:
        raise ValueError(f'--motion {name}={expression}: {error}') from None
    values = np.array([jet(program, time)[0] for time in t])
    if not np.isfinite(values).all():
        first = t[np.flatnonzero(~np.isfinite(values))[0]]
        raise ValueError(f'--motion {name}={expression}: has no value at t = {first:g} s')
    return values


_OPEN = 0.05        # share of the forces from which on they are doubted


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_inverse, _parser(), arguments, 'no solution')


def _parser() -> ArgumentParser:
    parser = graph_parser('inverse', __doc__, InverseSettings, "four_bar_fg "
                          "--motion 'theta=1.2 * (1 - cos(2 * t))' --forces torque.csv", 10.0, 5e-3)
    parser.add_argument('--motion', action='append', default=[], metavar='NAME=EXPRESSION',
                        help='a degree of freedom over the time t [s], in the words of mechanism '
                        'files; once for each')
    parser.add_argument('--forces', metavar='FILE.csv', help='write the forces at the instants')
    return parser


def _inverse(given: Namespace) -> Iterator[str]:
    """Yield lines of text about the progress."""
    check_outputs(given, 'forces')
    mechanism = changed_mechanism(given)
    if not 2.0 * given.dt <= given.duration < np.inf:
        raise ValueError(f'--duration {given.duration}: must be at least two steps of {given.dt} s')
    t = given.dt * np.arange(round(given.duration / given.dt) + 1)
    desired = desired_motion(mechanism, assigned(given.motion, '--motion'), t)
    begin = perf_counter()
    solution = inverse(mechanism, desired, given.dt, progress=True,
                       **assigned(given.settings, '--setting'))
    wall = perf_counter() - begin
    yield title(solution.run)
    yield f'speed          {t[-1]:g} s in {wall:.3g} s, {solution.iterations} iterations'
    for k, name in enumerate(mechanism.independent):
        unit, forces = mechanism.unit(name), solution.forces[:, k]
        yield (f'{name:14} {forces.min():.6g} to {forces.max():.6g} '
               f'{"N m" if unit == "rad" else "N"}, following error '
               f'{np.abs(solution.following_error[:, k]).max():.2g} {unit}, missing by inverse '
               f'dynamics {np.abs(solution.missing[:, k]).max():.2g} at most')
    if solution.open > _OPEN:
        yield (f'warning        the forces are open by {100.0 * solution.open:.2g} % of the '
               'largest: a shorter --dt or a smoother motion decides them')
    if given.forces is not None:
        np.savetxt(given.forces, np.column_stack([t, solution.forces]), delimiter=',', comments='',
                   fmt='%.12g', header=','.join(('t', *mechanism.independent)))
        yield f'forces         {given.forces}'
    yield from write_outputs(solution.run, given)
