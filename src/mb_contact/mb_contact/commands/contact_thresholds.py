"""Find thresholds of the contact detector from bags of motions without contacts.

The motion is of an estimator (--states), or of encoders alone (--sensors), with what drives did
meanwhile: published efforts (--torques), or what motors read (--torque-sensors).  Of several bags
the largest forces count.
"""

import argparse
from collections.abc import Iterator, Sequence
import sys

from rich.table import Table

from mb_contact.detection.contact import DetectionSettings
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.messages import STATE
from mb_contact.detection.recorded import Recorded, Source, read_bag
from mb_contact.detection.thresholds import (
    NAMES,
    LargestOfBags,
    recorded_thresholds,
    thresholds_text,
)
from mb_contact.detection.torques import PUBLISHED
from mb_estimators import READINGS, ReadInputs
from mb_estimators.command_api import add_torques_are, run_command
from mb_model import Mechanism, load_mechanism
from mb_model.command_api import (
    POSITIVE,
    add_force_argument,
    assigned,
    laid_out,
    require_file,
    require_owned,
    table,
    working,
)
from mb_model.file_api import write_whole
from mb_sensors.command_api import add_mechanism_argument, add_motion_arguments, mechanism_of

_EXAMPLE = """
examples, from a bag with estimator/state and prototype/drive_torques, and from two bags of a real
robot with readings of encoders and measured torques alone:
  ros2 run mb_contact contact_thresholds results/latest/bag --set gain=[100.0]
  ros2 run mb_contact contact_thresholds one/bag other/bag --mechanism my.yaml --sensors encoders \\
      --torques known_forces
  ros2 run mb_contact contact_detector --ros-args --params-file thresholds.yaml
"""
_UNKNOWN = (1.0,)    # thresholds until they are found, for any number of degrees of freedom
FEWEST = 0.7        # states for each instant with torques; fewer are a part of the estimates


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return run_command(_find, _parser(), arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='ros2 run mb_contact contact_thresholds', description=__doc__, epilog=_EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('bags', metavar='BAG', nargs='+', help='folder of a bag')
    add_mechanism_argument(parser)
    add_motion_arguments(parser, required=False, states=STATE)
    parser.add_argument('--knot-spacing', type=POSITIVE, default=Source.knot_spacing, metavar='S',
                        help='of the spline through the readings of --sensors [s] (%(default)s)')
    parser.add_argument('--drives', nargs='+', metavar='NAME',
                        help='coordinates that drives act on (default: drives in the mechanism)')
    parser.add_argument('--method', default='both', metavar='NAME',
                        help='direct, momentum_observer or both (%(default)s)')
    parser.add_argument('--factor', type=POSITIVE, default=2.0, metavar='NUMBER',
                        help='of thresholds over the largest force (%(default)s)')
    parser.add_argument('--torque-sensors', nargs='+', default=(), metavar='NAME',
                        help='motor_torque sensors, or groups of them, whose readings are the '
                             'torques of the drives; default: efforts on --torques')
    parser.add_argument('--torques', default=PUBLISHED, metavar='TOPIC',
                        help='of the efforts of the drives (%(default)s)')
    add_torques_are(parser)
    parser.add_argument('--encoders', nargs='+', default=(), metavar='NAME',
                        help='encoders, or groups of them, from which pose and velocity are; '
                             'default: of the estimate')
    parser.add_argument('--set', action='append', default=[], dest='settings',
                        metavar='NAME=VALUE', help='other settings of the detector: ' + ', '.join(
                            name for name, _, _ in DetectionSettings.describe()
                            if not name.endswith('threshold')))
    parser.add_argument('--output', default='thresholds.yaml', metavar='FILE',
                        help='of parameters of the contact detector (%(default)s)')
    add_force_argument(parser)
    return parser


def _find(given: argparse.Namespace) -> Iterator[str]:
    """Yield lines of text about the thresholds."""
    if not given.factor > 0.0:
        raise ValueError(f'--factor {given.factor}: must be > 0')
    require_file('--output', given.output)
    given.mechanism = mechanism_of(given.mechanism, given.bags[0])
    mechanism = load_mechanism(given.mechanism)
    chosen = {'method': given.method} | assigned(given.settings, '--set')
    settings = DetectionSettings.from_mapping(
        dict.fromkeys(NAMES.values(), _UNKNOWN) | chosen)
    chosen = {name: getattr(settings, name) for name in chosen}
    detector = ContactDetector(mechanism, given.drives, settings)
    source = Source(given.states, given.sensors or (), given.knot_spacing, given.encoders,
                    given.torques, given.torque_sensors, given.torques_are or '')
    with working('judging'):
        recorded = [read_bag(mechanism, detector.drives, bag, source) for bag in given.bags]
        largest = recorded_thresholds(detector, recorded, given.factor)
    yield laid_out(_table(mechanism, largest, given.factor, len(given.bags) > 1))
    disowned = require_owned([reason for one in recorded for reason in _objections(one)],
                             given.force)
    comments = [f'{given.factor:g} times the largest forces in {one.folder}, '
                f'{_duration(one) - settings.settling_time:.6g} s' for one in recorded]
    if source.sensors:
        comments.append('The motion is a spline through readings: an estimator that lags behind '
                        'the motion has larger forces.')
    write_whole(given.output, thresholds_text(
        given.mechanism, chosen | _same_inputs(given, recorded[0]),
        {method: given.factor * force for method, force in largest.force.items()},
        [*comments, *disowned]))
    yield from disowned
    yield f'parameters     {given.output}'


def _duration(recorded: Recorded) -> float:
    """Return from the first to the last state [s]."""
    stamps = [state.stamp for state in recorded.states]
    return 1e-9 * (max(stamps) - min(stamps))


def _same_inputs(given: argparse.Namespace, recorded: Recorded) -> dict[str, str | list[str]]:
    """Return parameters of a detector that has the inputs for which thresholds are."""
    same = {name: list(value) for name, value in (
        ('drives', given.drives), ('torque_sensors', given.torque_sensors),
        ('encoders', given.encoders)) if value}
    if given.torques_are or (recorded.inputs is ReadInputs and not given.torque_sensors):
        return same | {'torques_are': given.torques_are or READINGS}
    return same


def _objections(recorded: Recorded) -> list[str]:
    """Return why the forces of a bag give no thresholds, in words."""
    reasons = []
    if recorded.contacts:
        reasons.append(f'{recorded.contacts} messages of prototype/contacts say that something '
                       'touched: these are no thresholds of a motion without contacts')
    if recorded.share < FEWEST:
        reasons.append(f'only {recorded.share:.2g} states for each instant with torques: a '
                       'detector in the process of its estimator judges all estimates, for which '
                       'these are no thresholds; record all of them (publish_rate: 0 of the '
                       'estimator, estimate_rate:=0 of launch files)')
    return reasons


def _table(mechanism: Mechanism, largest: LargestOfBags, factor: float, several: bool) -> Table:
    """Return the largest forces, when they were, of several bags in which, and the thresholds."""
    names = [f'{name} [{"N" if mechanism.unit(name) == "m" else "N m"}]'
             for name in mechanism.independent]
    return table(('method', 'degree of freedom', 'largest force', 'at [s]', 'threshold',
                  *(['bag'] if several else [])), [
        [(method, name, f'{size:.4g}', f'{at:.3f}', f'{factor * size:.4g}',
          *([folder] if several else []))
         for name, size, (folder, at) in zip(names, force, largest.at[method], strict=True)]
        for method, force in largest.force.items()], 'forces without a contact', words=(0, 1, 5))


if __name__ == '__main__':
    sys.exit(main())
