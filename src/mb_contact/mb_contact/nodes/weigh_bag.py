"""Weigh unknown masses from a bag, as the payload estimator would, and write them into a bag.

The bag has estimates of the motion (estimator/state), and what drives the machine: pressures that
an estimator gives (estimator/hydraulics), or readings of pressure sensors (--pressures), or of
motors (--torque-sensors).  With --tool the scales of a tool weigh instead, as tool_scales does, by
readings of pressure sensors and of the tool's stop.  Of several bags the last one that has a topic
counts: readings, and what `estimate_bag` made of them.  The same messages and parameters give the
same masses as live.
"""

import sys

from mb_contact.nodes.bag_output import bag_parameters, bag_parser, open_bags, require_new, written
from mb_contact.nodes.bag_scales import PayloadScales, ToolScales
from mb_estimators.command_api import run_command
from mb_model import SettingError
from mb_model.command_api import FAILURE

_EXAMPLE = """
examples, of a recorded run, of a machine without valves, of a robot by what its motors read, and of
an excavator's bucket:
  ros2 run mb_contact weigh_bag results/latest/bag --output weighed
  ros2 run mb_contact weigh_bag my_bag again --mechanism my.yaml --masses load \\
      --pressures pressure1 pressure2
  ros2 run mb_contact weigh_bag my_bag again --mechanism arm.yaml --masses load \\
      --torque-sensors motors
  ros2 run mb_contact weigh_bag results/latest/bag --tool
"""
_MOST_PROBLEMS = 10     # that are printed


def main(arguments=None):
    """Run the command; return the exit code."""
    failures = []
    code = run_command(lambda given: _weigh(given, failures), _parser(), arguments)
    return code or (FAILURE if failures else 0)


def _parser():
    parser = bag_parser('weigh_bag', __doc__, _EXAMPLE, f'{PayloadScales.node}, with --tool '
                        f'{ToolScales.node}')
    parser.add_argument('--tool', action='store_true', help='weigh the tool of a machine at its '
                        f'stop, as {ToolScales.node} does; other names of links, sensors and the '
                        'stop by --config or --set')
    parser.add_argument('--masses', nargs='+', metavar='NAME', help='unknown masses: names in the '
                        '`parameters` of the mechanism, or paths such as bodies.load.mass')
    parser.add_argument('--pressures', nargs='+', metavar='NAME', help='pressure sensors, or '
                        'groups of them, one of each volume (default: pressures that the '
                        'estimator gives; of a tool, sensors of the excavator)')
    parser.add_argument('--torque-sensors', nargs='+', metavar='NAME', help='motor_torque sensors, '
                        'or groups of them, one on each drive')
    return parser


def _weigh(given, failures):
    """Yield lines of text about the masses; append to `failures` why there are none."""
    require_new(given)
    kind = ToolScales if given.tool else PayloadScales
    for option in PayloadScales.options:
        if option not in kind.options and getattr(given, option):
            raise SettingError(f'--{option.replace("_", "-")}: not with --tool, which weighs what '
                               'is in the tool by pressures')
    given.name = given.name or kind.node
    parameters = bag_parameters(given, ('mechanism', *kind.options), *kind.settings)
    scales, problems, lines = kind(parameters), {}, []

    def report(words):
        problems[words] = problems.get(words, 0) + 1

    with open_bags(given.bags, 'HydraulicState', report=lines.append,
                   stamps=parameters.values.get('stamps')) as bags, \
            written(given, kind.kinds) as write:
        for arrival, number, message in bags.inputs(scales.topics):
            for found in scales.take(number, message, report):
                write(arrival, found)
    yield from lines
    for words, count in list(problems.items())[:_MOST_PROBLEMS]:
        yield f'{count} messages left out: {words}'
    yield from scales.lines(failures)
    if given.output:
        yield f'wrote {given.output}'


if __name__ == '__main__':
    sys.exit(main())
