"""Find thresholds of the contact detector from a bag of a motion without contacts."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
import sys

from rich.table import Table

from mb_contact.detection.contact import DetectionSettings
from mb_contact.detection.detector import ContactDetector
from mb_contact.detection.thresholds import (
    NAMES,
    Largest,
    read_bag,
    recorded_thresholds,
    thresholds_text,
)
from mb_estimators.command_api import add_torques_are, run_command
from mb_model import Mechanism, load_mechanism
from mb_model.command_api import (
    add_force_argument,
    assigned,
    laid_out,
    require_folder,
    require_owned,
    table,
    working,
)
from mb_model.file_api import write_whole
from mb_sensors.command_api import add_mechanism_argument, mechanism_of

_EXAMPLE = """
example, from a bag with estimator/state and prototype/drive_torques:
  ros2 run mb_contact contact_thresholds results/latest/bag --set gain=[100.0]
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
    parser.add_argument('bag', metavar='BAG', help='folder of a bag')
    add_mechanism_argument(parser)
    parser.add_argument('--method', default='both', metavar='NAME',
                        help='direct, momentum_observer or both (%(default)s)')
    parser.add_argument('--factor', type=float, default=2.0, metavar='NUMBER',
                        help='of thresholds over the largest force (%(default)s)')
    parser.add_argument('--torque-sensors', nargs='+', default=(), metavar='NAME',
                        help='motor_torque sensors, or groups of them, whose readings are the '
                             'torques of the drives; default: efforts on prototype/drive_torques')
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
    require_folder('--output', given.output)
    given.mechanism = mechanism_of(given.mechanism, given.bag)
    mechanism = load_mechanism(given.mechanism)
    chosen = {'method': given.method} | assigned(given.settings, '--set')
    settings = DetectionSettings.from_mapping(
        dict.fromkeys(NAMES.values(), _UNKNOWN) | chosen)
    chosen = {name: getattr(settings, name) for name in chosen}
    detector = ContactDetector(mechanism, settings=settings)
    with working('judging'):
        recorded = read_bag(mechanism, detector.drives, given.bag, given.torque_sensors,
                            given.torques_are or '', given.encoders)
        first, largest = recorded_thresholds(detector, recorded, given.factor)
    if given.torque_sensors:        # thresholds are for the same torques
        chosen['torque_sensors'] = list(given.torque_sensors)
    if given.encoders:
        chosen['encoders'] = list(given.encoders)
    if given.torques_are:
        chosen['torques_are'] = given.torques_are
    yield laid_out(_table(mechanism, largest, given.factor, first))
    disowned = require_owned(_objections(recorded.contacts, recorded.share), given.force)
    stamps = [state.stamp for state in recorded.states]
    comments = [f'{given.factor:g} times the largest forces in {given.bag}, '
                f'{1e-9 * (max(stamps) - min(stamps)) - settings.settling_time:.6g} s', *disowned]
    write_whole(given.output, thresholds_text(
        given.mechanism, chosen,
        {method: given.factor * forces.force for method, forces in largest.items()}, comments))
    yield from disowned
    yield f'parameters     {given.output}'


def _objections(contacts: int, share: float) -> list[str]:
    """Return why the forces of a bag give no thresholds, in words.

    contacts: messages that report one; share: states for each instant with torques.
    """
    reasons = []
    if contacts:
        reasons.append(f'{contacts} messages of prototype/contacts say that something touched: '
                       'these are no thresholds of a motion without contacts')
    if share < FEWEST:
        reasons.append(f'only {share:.2g} states for each instant with torques: a detector in the '
                       'process of its estimator judges all estimates, for which these are no '
                       'thresholds; record all of them (publish_rate: 0 of the estimator, '
                       'estimate_rate:=0 of launch files)')
    return reasons


def _table(mechanism: Mechanism, largest: Mapping[str, Largest], factor: float,
           first: int) -> Table:
    """Return the largest forces, when they were, and the thresholds."""
    names = [f'{name} [{"N" if mechanism.unit(name) == "m" else "N m"}]'
             for name in mechanism.independent]
    return table(('method', 'degree of freedom', 'largest force', 'at [s]', 'threshold'), [
        [(method, name, f'{force:.4g}', f'{1e-9 * (stamp - first):.3f}', f'{factor * force:.4g}')
         for name, force, stamp in zip(names, one.force, one.stamps, strict=True)]
        for method, one in largest.items()], 'forces without a contact', words=(0, 1))


if __name__ == '__main__':
    sys.exit(main())
