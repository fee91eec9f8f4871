"""Which states of a mechanism does a set of sensors determine, and which sensor would help?

Simulates the mechanism from its start and sums the information of every reading on the state
there: the observability Gramian, by exact derivatives and, to check, by simulations from other
starts.
"""

import argparse
import sys

from mb_estimators.observability import observability
from mb_estimators.observability.table import added_table, advice, states_table, summary
from mb_model import StepError, load_mechanism
from mb_model.command_api import changes_of, laid_out, run_command
from mb_sensors import sensors_of

_DURATION, _FEWEST = 10.0, 20       # of the motion [s], of its steps
_DT = 0.005                         # the longest step [s]


def main(arguments=None):
    """Run the command; return the exit code."""
    return run_command(_study, _parser(), arguments)


def _parser():
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_estimators observability', description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog='Example: ros2 run mb_estimators observability --mechanism four_bar '
        '--sensors crank_gyro --forces')
    parser.add_argument('--mechanism', required=True,
                        help='name of a mechanism or path of its file')
    parser.add_argument('--sensors', required=True, nargs='+', metavar='NAME',
                        help='sensors or sensor groups of the mechanism')
    parser.add_argument('--duration', type=float,
                        help=f'[s] ({_DURATION:g}, halved as often as the motion needs to go on)')
    parser.add_argument('--dt', type=float,
                        help=f'step [s] ({_DT:g}, or the time between readings of the fastest '
                        'sensor of the mechanism, if that is shorter)')
    parser.add_argument('--forces', action='store_true',
                        help='ask for a constant unknown force on each degree of freedom too')
    parser.add_argument('--parameters', nargs='+', default=[], metavar='PATH',
                        help='ask for numbers of the file too: bodies.crank.mass, gravity.y, or '
                        'the names of its `parameters`')
    parser.add_argument('--known-to', type=float, default=0.1, metavar='SHARE',
                        help='a state is observable if readings determine it to this share of its '
                        'size: a radian, the size of the mechanism, these in a second, a force '
                        'that gives such an acceleration, the value of a parameter, the bias_sigma '
                        'of a sensor (%(default)s)')
    parser.add_argument('--set', action='append', default=[], metavar='KEY=VALUE', dest='changes',
                        help='change an entry of the mechanism file, such as '
                        'start.theta=pi/2 or sensors.crank_gyro.bias_sigma=0.01; repeatable')
    return parser


def _study(given):
    """Yield the results, as text."""
    mechanism = load_mechanism(given.mechanism)
    if given.changes:
        mechanism = mechanism.replace(**changes_of(given.changes))
    names = [name for text in given.sensors for name in text.strip('[ ]').split(',')]
    names = [name.strip() for name in names if name.strip()]
    if given.dt is None:
        given.dt = _step(mechanism)
    found, problem = _found(given, mechanism, names)
    if problem:
        yield f'The free motion cannot go on for {_DURATION:g} s: {problem}'
    title = f'{mechanism.name}: {", ".join(names)}, {found.t[-1]:g} s of free motion'
    yield laid_out(states_table(found, title))
    yield from summary(found)
    if found.added:
        yield laid_out(added_table(found))
        yield advice(found)


def _step(mechanism):
    """Return the longest step at which the readings of every sensor of a mechanism come [s]."""
    rates = [sensor.rate for sensor in sensors_of(mechanism, list(mechanism.sensors))]
    return min([_DT, *(1.0 / rate for rate in rates)])


def _found(given, mechanism, names):
    """Return the Observability, and why its motion is shorter than the usual one, or None."""
    duration, problem = _DURATION if given.duration is None else given.duration, None
    while True:
        try:
            return observability(mechanism, names, duration, given.dt, forces=given.forces,
                                 parameters=given.parameters, known_to=given.known_to), problem
        except StepError as error:
            if given.duration is not None or duration < 2 * _FEWEST * given.dt:
                raise
            problem = problem or error
            duration *= 0.5


if __name__ == '__main__':
    sys.exit(main())
