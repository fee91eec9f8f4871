"""Simulate a mechanism; save, plot and animate its motion."""

import argparse
import sys
from time import perf_counter
import warnings

from mb_model.commands.exits import run_command
from mb_model.commands.numbers import POSITIVE
from mb_model.commands.options import assignment, changes_of
from mb_model.commands.outputs import add_output_arguments, check_outputs, summary, write_outputs
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import load_mechanism
from mb_model.pictures.plotting import title
from mb_model.simulation.error_estimate import IntegrationWarning
from mb_model.simulation.inputs import ForceTable
from mb_model.simulation.simulate import simulate
from mb_model.stepping.formulation_stepper import usual_formulation
from mb_model.warm_up import warm_up_steps


def main(arguments=None):
    """Run the command; return the exit code."""
    return run_command(_simulate, _parser(), arguments)


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_model simulate', description=__doc__, epilog='Example: ros2 run mb_model '
        'simulate four_bar --duration 10 --set bodies.coupler.mass=9 --animate motion.html')
    parser.add_argument('mechanism', help='name of a mechanism or path of its file')
    parser.add_argument('--duration', type=POSITIVE, default=5.0, help='[s] (%(default)s)')
    parser.add_argument('--dt', type=POSITIVE, default=1e-3, help='step [s] (%(default)s)')
    parser.add_argument('--tolerance', type=POSITIVE, metavar='ERROR',
                        help='divide --dt into steps so short that no position is estimated to be '
                        'off by more: radians for angles, and for lengths in sizes of the '
                        'mechanism, its longest body')
    parser.add_argument('--formulation', metavar='NAME',
                        help=f'one of {", ".join(FORMULATIONS)} (index3_al); named for a mechanism '
                        'with hydraulics, it moves without its oil')
    parser.add_argument('--integrator', metavar='NAME',
                        help='default: the one of the formulation')
    parser.add_argument('--setting', action='append', default=[], metavar='NAME=VALUE',
                        dest='settings', help='of the formulation, such as penalty=1e9; repeatable')
    parser.add_argument('--set', action='append', default=[], metavar='KEY=VALUE', dest='changes',
                        help='change an entry of the mechanism file, such as '
                        'bodies.crank.mass=3, gravity=[0,-8.8] or start.theta=pi/2; repeatable')
    parser.add_argument('--force', action='append', default=[], metavar='NAME=VALUE', dest='forces',
                        help='constant force on a degree of freedom [N or N m]; repeatable')
    parser.add_argument('--force-table', metavar='FILE.csv',
                        help='forces over time: columns t and names of degrees of freedom')
    parser.add_argument('--work-cycle', metavar='FILE.csv',
                        help='commands to valves over time: columns t, names of valves, names of '
                        'parameters that change')
    add_output_arguments(parser)
    return parser


def _simulate(given):
    """Yield lines of text about what is done."""
    check_outputs(given)
    mechanism = load_mechanism(given.mechanism)
    if given.changes:
        mechanism = mechanism.replace(**changes_of(given.changes))
    inputs = _inputs(given, mechanism)
    with_oil = mechanism.circuit is not None and given.formulation is None
    if given.work_cycle is not None and not with_oil:
        raise ValueError('--work-cycle: only for a mechanism with hydraulics, and without '
                         '--formulation')
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', IntegrationWarning)      # it is in the summary
        begin, run = (_run_with_oil if with_oil else _run)(given, mechanism, inputs)
    wall = perf_counter() - begin
    yield title(run)
    rate, factor = (len(run.t) - 1) / wall, run.t[-1] / wall
    yield (f'speed          {run.t[-1]:g} s in {wall:.3g} s: {rate:.3g} steps/s, '
           f'{factor:.3g} x real time')
    yield from summary(run, given.tolerance)
    yield from write_outputs(run, given)


def _run(given, mechanism, inputs):
    """Return the time when the simulation began, and the Run."""
    settings = dict(assignment(text, '--setting') for text in given.settings)
    formulation = given.formulation or usual_formulation(mechanism)
    if formulation in FORMULATIONS:
        FORMULATIONS[formulation].Settings.from_mapping(settings)      # no options of simulate
    warm_up_steps(formulation, given.integrator)
    return perf_counter(), simulate(mechanism, given.duration, given.dt, formulation,
                                    given.integrator, inputs=inputs, progress=True,
                                    tolerance=given.tolerance, **settings)


def _run_with_oil(given, mechanism, inputs):
    """Return the time when the simulation began, and the Run with oil."""
    # Imported here: most mechanisms have no oil.
    from mb_model.hydraulics import WorkCycle, simulate_hydraulics
    if given.integrator or given.settings:
        raise ValueError('--integrator, --setting: belong to a --formulation, mechanism and oil '
                         'together have none')
    if given.tolerance is not None:
        raise ValueError('--tolerance: not with hydraulics; the summary says what the error is, '
                         'choose --dt')
    cycle = None if given.work_cycle is None else WorkCycle.load(given.work_cycle, mechanism)
    simulate_hydraulics(mechanism, given.dt, given.dt)      # loads what is compiled
    return perf_counter(), simulate_hydraulics(mechanism, given.duration, given.dt, cycle,
                                               inputs=inputs, progress=True)


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
