"""Simulate a mechanism; save, plot and animate its motion."""

import argparse
import sys
from time import perf_counter

from mb_model.commands.assignments import assignment, changes_of
from mb_model.commands.exits import told
from mb_model.commands.outputs import add_output_arguments, check_outputs, summary, write_outputs
from mb_model.formulations import FORMULATIONS
from mb_model.mechanism import load_mechanism
from mb_model.pictures.plotting import title
from mb_model.simulation.inputs import ForceTable
from mb_model.simulation.simulate import simulate
from mb_model.warm_up import warm_up_steps


def main(arguments=None):
    """Run the command; return the exit code."""
    return told(_simulate, _parser(), arguments)


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_model simulate', description=__doc__, epilog='Example: ros2 run mb_model '
        'simulate four_bar --duration 10 --set bodies.coupler.mass=9 --animate motion.html')
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--duration', type=float, default=5.0, help='[s] (%(default)s)')
    parser.add_argument('--dt', type=float, default=1e-3, help='step [s] (%(default)s)')
    parser.add_argument('--formulation', default='index3_al', metavar='NAME',
                        help=f'one of {", ".join(FORMULATIONS)} (%(default)s)')
    parser.add_argument('--integrator', metavar='NAME',
                        help='default: that of the formulation')
    parser.add_argument('--setting', action='append', default=[], metavar='NAME=VALUE',
                        dest='settings', help='of the formulation, such as penalty=1e9; repeatable')
    parser.add_argument('--set', action='append', default=[], metavar='KEY=VALUE', dest='changes',
                        help='change an entry of the mechanism file, such as '
                        'bodies.crank.mass=3, gravity=[0,-8.8] or start.theta=pi/2; repeatable')
    parser.add_argument('--force', action='append', default=[], metavar='NAME=VALUE', dest='forces',
                        help='constant force on a degree of freedom [N or N m]; repeatable')
    parser.add_argument('--force-table', metavar='FILE.csv',
                        help='forces over time: columns t and names of degrees of freedom')
    add_output_arguments(parser)
    return parser


def _simulate(given):
    """Yield lines of text about what is done."""
    check_outputs(given)
    mechanism = load_mechanism(given.mechanism)
    if given.changes:
        mechanism = mechanism.replace(**changes_of(given.changes))
    inputs = _inputs(given, mechanism)
    settings = dict(assignment(text, '--setting') for text in given.settings)
    warm_up_steps(given.formulation, given.integrator)
    begin = perf_counter()
    run = simulate(mechanism, given.duration, given.dt, given.formulation, given.integrator,
                   inputs=inputs, progress=True, **settings)
    wall = perf_counter() - begin
    yield title(run)
    rate, factor = (len(run.t) - 1) / wall, run.t[-1] / wall
    yield (f'speed          {run.t[-1]:g} s in {wall:.3g} s: {rate:.3g} steps/s, '
           f'{factor:.3g} x real time')
    yield from summary(run)
    yield from write_outputs(run, given)


def _inputs(given, mechanism):
    """Return the inputs of simulate."""
    if given.force_table is not None:
        if given.forces:
            raise ValueError('--force: not together with --force-table')
        return ForceTable.load(given.force_table, mechanism.independent)
    forces = dict(assignment(text, '--force') for text in given.forces)
    return {name: mechanism.number(value) for name, value in forces.items()} or None


if __name__ == '__main__':
    sys.exit(main())
