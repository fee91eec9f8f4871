"""Weigh unknown masses from a bag, as the payload estimator would, and write them into a bag.

The bag has estimates of the motion (estimator/state), and what drives the machine: pressures that
an estimator gives (estimator/hydraulics), or readings of pressure sensors (--pressures), or of
motors (--torque-sensors).  With --tool the scales of a tool weigh instead, as tool_scales does, by
readings of pressure sensors and of the tool's stop.  Of several bags the last one that has a topic
counts: readings, and what `estimate_bag` made of them.  The same messages and parameters give the
same masses as live.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
import sys

from mb_contact.nodes.bag_command import bag_parser, main_of
from mb_contact.nodes.bag_scales import PayloadScales, ToolScales
from mb_model import SettingError

_EXAMPLE = """
examples, of a recorded run, of a machine without valves, of a robot by what its motors read, and of
an excavator's bucket:
  ros2 run mb_contact weigh_bag results/latest/bag --output weighed
  ros2 run mb_contact weigh_bag my_bag again --mechanism my.yaml --masses load \\
      --pressures pressure1 pressure2
  ros2 run mb_contact weigh_bag my_bag again --mechanism arm.yaml --masses load \\
      --torque-sensors motors
  ros2 run mb_contact weigh_bag results/latest/bag --tool
  ros2 run mb_contact weigh_bag my_bag again --mechanism arm.yaml --torque-sensors motors \
      --unknown-centre load
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return main_of(_engine, _parser(), arguments)


def _parser() -> ArgumentParser:
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
    parser.add_argument('--unknown-centre', metavar='BODY', help='the load is this body, and its '
                        'centre of gravity is unknown, too: its mass and centre by the whole bag, '
                        'or what of them the motion determines')
    return parser


def _engine(given: Namespace) -> type[PayloadScales] | type[ToolScales]:
    """Return the class of what weighs by the options of the command.  Raises SettingError."""
    if not given.tool:
        return PayloadScales
    for option in PayloadScales.options:
        if option not in ToolScales.options and getattr(given, option):
            raise SettingError(f'--{option.replace("_", "-")}: not with --tool, which weighs what '
                               'is in the tool by pressures')
    return ToolScales


if __name__ == '__main__':
    sys.exit(main())
