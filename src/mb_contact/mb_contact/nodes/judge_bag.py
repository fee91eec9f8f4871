"""Judge from a bag whether something touched a machine, as the contact detector would.

The bag has estimates of the motion (estimator/state), and torques of the drives: those commanded
(prototype/drive_torques), or what motors read (--torque-sensors).  Of several bags the last one
that has a topic counts: readings, and what `estimate_bag` made of them.  The same messages and
parameters give the same contacts as live.
"""

from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
import sys
from typing import Any

import numpy as np
from rich.table import Table

from mb_contact.commands.contact_thresholds import FEWEST
from mb_contact.detection.contact import DetectionSettings
from mb_contact.isolation.hypothesis import IsolationSettings
from mb_contact.nodes.bag_command import bag_parser, main_of
from mb_contact.nodes.contact_detector import ContactNodeSettings
from mb_contact.nodes.contact_reports import ContactReports
from mb_estimators.command_api import add_torques_are
from mb_interfaces.msg import ContactEstimate
from mb_model import load_mechanism
from mb_model.command_api import laid_out, table
from mb_model.file_api import GivenParameters
from mb_ros.stamps import nanoseconds

_EXAMPLE = """
examples, of a recorded run, and of a robot by what its motors read:
  ros2 run mb_contact judge_bag results/latest/bag --output judged
  ros2 run mb_contact judge_bag my_bag again --mechanism arm.yaml --torque-sensors motors \\
      --config thresholds.yaml
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return the exit code."""
    return main_of(lambda given: ContactJudge, _parser(), arguments)


def _parser() -> ArgumentParser:
    parser = bag_parser('judge_bag', __doc__, _EXAMPLE, ContactJudge.node)
    parser.add_argument('--torque-sensors', nargs='+', metavar='NAME', help='motor_torque sensors, '
                        'or groups of them, one on each drive (default: torques of '
                        'prototype/drive_torques)')
    add_torques_are(parser)
    parser.add_argument('--encoders', nargs='+', metavar='NAME', help='encoders, or groups of '
                        'them, from which pose and velocity are (default: of the estimate)')
    return parser


class ContactJudge:
    """Judges as contact_detector does, an engine of `bag_command`."""

    node, options = 'contact_detector', ('torque_sensors', 'torques_are', 'encoders')
    settings = ContactNodeSettings, DetectionSettings, ('isolation.', IsolationSettings)
    kinds = {'contact': ContactEstimate}
    parts, problem = ('BodyContact', 'ContactHypothesis', 'ExternalForce'), 'times'

    def __init__(self, parameters: GivenParameters, report: Callable[[str], object]) -> None:
        """Set up by GivenParameters; report(words): of problems.  Raises ValueError."""
        settings = parameters.settings_of(ContactNodeSettings)
        self._reports = ContactReports(
            load_mechanism(settings.mechanism), settings,
            parameters.settings_of(DetectionSettings),
            parameters.settings_of(IsolationSettings, 'isolation.'), report, lambda words: None)
        self.topics, self._taken = self._reports.topics, Counter()
        self._contacts, self._reasons, self._judged = [], Counter(), 0

    def take(self, number: int, message: Any) -> Iterator[ContactEstimate]:
        """Yield what the node would publish after a message of an input, by its number."""
        self._taken[number] += 1
        for estimate in self._reports.of_message(number, message):
            self._judged += bool(estimate.forces)
            self._reasons.update([estimate.reason] if estimate.reason else [])
            _add(self._contacts, estimate)
            yield estimate

    def lines(self, failures: list[str]) -> Iterator[str]:
        """Yield lines of text about the contacts; append to `failures` why nothing was judged."""
        reports, stream = self._reports, self._reports.stream
        if self._contacts:
            yield laid_out(_table(self._contacts))
        yield (f'{len(self._contacts)} contacts; {self._judged} messages judged, '
               f'{self._reasons.total()} not by all methods, {stream.without_torques} states '
               f'without torques, {reports.rejected} messages rejected, {stream.jumped} whose '
               'stamp jumps')
        for reason, count in self._reasons.most_common(1):
            yield f'most often not judged ({count} times): {reason}'
        states, torques = self._taken[0], self._taken[1]
        if states < FEWEST * torques:
            yield (f'only {states / torques:.2g} states for each message of torques: a detector '
                   'in the process of its estimator judges all estimates; record all of them '
                   '(estimate_rate:=0 of launch files), or let `estimate_bag` make them')
        if not self._judged:
            failures.append('nothing')
            yield 'nothing judged: expected states with torques of the same time on ' + (
                ' and '.join(name for name, _ in self.topics))


def _add(contacts: list[list[ContactEstimate]], estimate: ContactEstimate) -> None:
    """Add a ContactEstimate to the contact that it belongs to, a list of them."""
    if not estimate.detected:
        return
    if not contacts or nanoseconds(contacts[-1][0].since) != nanoseconds(estimate.since):
        contacts.append([])
    contacts[-1].append(estimate)


def _table(contacts: Sequence[Sequence[ContactEstimate]]) -> Table:
    """Return the contacts, a row each."""
    return table(
        ('begin [s]', 'end [s]', 'method', 'body', 'probability', 'largest force [N]',
         'largest on each degree of freedom'), [[_row(one) for one in contacts]], words=(2, 3))


def _row(contact: Sequence[ContactEstimate]) -> tuple[str, ...]:
    """Return the cells of the messages of one contact; the body is what was named most surely."""
    first, last = contact[0], contact[-1]
    named = max((one.hypotheses[0] for one in contact if one.hypotheses),
                key=lambda hypothesis: hypothesis.probability, default=None)
    touches = [np.linalg.norm([touch.force.x, touch.force.y, touch.force.z])
               for one in contact for hypothesis in one.hypotheses[:1]
               for touch in hypothesis.contacts]
    largest = np.max([np.abs(force.force) for one in contact for force in one.forces], axis=0,
                     initial=0.0) if any(one.forces for one in contact) else []
    return (f'{1e-9 * nanoseconds(first.since):.3f}',
            f'{1e-9 * nanoseconds(last.header.stamp):.3f}', first.method,
            named.name if named else '', f'{named.probability:.2f}' if named else '',
            f'{max(touches):.4g}' if touches else '',
            ', '.join(f'{name} {value:.3g}' for name, value in zip(
                first.independent, largest, strict=False)))


if __name__ == '__main__':
    sys.exit(main())
