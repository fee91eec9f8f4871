"""Weigh unknown masses from a bag, as the payload estimator would, and write them into a bag.

The bag has estimates of the motion (estimator/state), and what drives the machine: pressures that
an estimator gives (estimator/hydraulics), or readings of pressure sensors (--pressures), or of
motors (--torque-sensors).  Of several bags the last one that has a topic counts: readings, and what
`estimate_bag` made of them.  The same messages and parameters give the same masses as live.
"""

import sys

from mb_contact.bags import open_bags
from mb_contact.nodes.bag_output import bag_parameters, bag_parser, require_new, written
from mb_contact.nodes.payload_estimator import PayloadNodeSettings, payload_message
from mb_contact.payload import PayloadSettings
from mb_contact.payload.loads import loads_of
from mb_contact.payload.motion import HYDRAULICS
from mb_contact.payload.payload_stream import PayloadStream
from mb_estimators.command_api import run_command
from mb_interfaces.msg import PayloadEstimate
from mb_model import load_mechanism
from mb_model.command_api import FAILURE, laid_out, table

_EXAMPLE = """
examples, of a recorded run, of a machine without valves, and of a robot by what its motors read:
  ros2 run mb_contact weigh_bag results/latest/bag --output weighed
  ros2 run mb_contact weigh_bag my_bag again --mechanism my.yaml --masses load \\
      --pressures pressure1 pressure2
  ros2 run mb_contact weigh_bag my_bag again --mechanism arm.yaml --masses load \\
      --torque-sensors motors
"""
_MOST_PROBLEMS = 10     # that are printed


def main(arguments=None):
    """Run the command; return the exit code."""
    failures = []
    code = run_command(lambda given: _weigh(given, failures), _parser(), arguments)
    return code or (FAILURE if failures else 0)


def _parser():
    parser = bag_parser('weigh_bag', __doc__, _EXAMPLE, 'payload_estimator')
    parser.add_argument('--masses', nargs='+', metavar='NAME', help='unknown masses: names in the '
                        '`parameters` of the mechanism, or paths such as bodies.load.mass')
    parser.add_argument('--pressures', nargs='+', metavar='NAME', help='pressure sensors, or '
                        'groups of them, one of each volume (default: pressures that the '
                        'estimator gives)')
    parser.add_argument('--torque-sensors', nargs='+', metavar='NAME', help='motor_torque sensors, '
                        'or groups of them, one on each drive')
    return parser


def _weigh(given, failures):
    """Yield lines of text about the masses; append to `failures` why there are none."""
    require_new(given)
    parameters = bag_parameters(
        given, ('mechanism', 'masses', 'pressures', 'torque_sensors'),
        PayloadNodeSettings, PayloadSettings)
    settings = parameters.settings_of(PayloadNodeSettings)
    stream = PayloadStream(
        load_mechanism(settings.mechanism), settings.masses,
        parameters.settings_of(PayloadSettings), settings.pressures, settings.torque_sensors)
    problems, lines, all_weighed = {}, [], []

    def report(words):
        problems[words] = problems.get(words, 0) + 1

    with open_bags(given.bags, 'HydraulicState', report=lines.append,
                   stamps=parameters.values.get('stamps')) as bags, \
            written(given, 'payload', PayloadEstimate) as write:
        for arrival, number, message in bags.inputs(stream.topics):
            for weighed in stream.take(number, message, report):
                all_weighed.append(weighed)
                write(arrival, payload_message(stream.estimator.masses, weighed))
    yield from lines
    for words, count in list(problems.items())[:_MOST_PROBLEMS]:
        yield f'{count} messages left out: {words}'
    loads = loads_of(all_weighed)
    yield laid_out(_table(stream.estimator.masses, loads))
    yield (f'{len(all_weighed)} instants weighed, {stream.lost} without a partner, '
           f'{stream.rejected} messages rejected, {stream.jumped} whose stamp jumps')
    if not all_weighed:
        failures.append('nothing')
        yield _why_nothing(stream)
    elif not any(load.count for load in loads):
        failures.append('no mass')
        yield f'no mass: {loads[0].reason}'
    if given.output:
        yield f'wrote {given.output}'


def _why_nothing(stream):
    names = [name for name, _ in stream.topics]
    if HYDRAULICS in names:
        return f'nothing weighed: expected messages of the same stamps on {" and ".join(names)}'
    return (f'nothing weighed: expected messages on {", ".join(names)}, of sensors within '
            f'longest_gap ({stream.estimator.settings.longest_gap:g} s) around each state')


def _table(masses, loads):
    """Return the loads, a group of rows of each."""
    return table(
        ('load', 'from [s]', 'to [s]', 'mass [kg]', '+- 95 % [kg]', 'instants', 'begins',
         'reasons'),
        [[(name, f'{1e-9 * load.begin:.3f}', f'{1e-9 * load.end:.3f}', f'{load.mass[k]:.2f}',
           f'{1.96 * load.deviation[k]:.2f}', str(load.count), load.event, load.reasons)
          for k, name in enumerate(masses)] for load in loads],
        words=(0, 6, 7))


if __name__ == '__main__':
    sys.exit(main())
