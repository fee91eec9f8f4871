"""Judge from a bag whether something touched a machine, as the contact detector would.

The bag has estimates of the motion (estimator/state), and torques of the drives: those commanded
(prototype/drive_torques), or what motors read (--torque-sensors).  Of several bags the last one
that has a topic counts: readings, and what `estimate_bag` made of them.  The same messages and
parameters give the same contacts as live.
"""

from collections import Counter
import sys

import numpy as np

from mb_contact.commands.contact_thresholds import FEWEST
from mb_contact.detection import DetectionSettings
from mb_contact.dynamics.recorded import add_torques_are
from mb_contact.isolation import IsolationSettings
from mb_contact.nodes.bag_output import bag_parameters, bag_parser, open_bags, require_new, written
from mb_contact.nodes.contact_detector import ContactNodeSettings
from mb_contact.nodes.contact_reports import ContactReports
from mb_estimators.command_api import run_command
from mb_interfaces.msg import ContactEstimate
from mb_model import load_mechanism
from mb_model.command_api import FAILURE, laid_out, table
from mb_ros.stamps import nanoseconds

_EXAMPLE = """
examples, of a recorded run, and of a robot by what its motors read:
  ros2 run mb_contact judge_bag results/latest/bag --output judged
  ros2 run mb_contact judge_bag my_bag again --mechanism arm.yaml --torque-sensors motors \\
      --config thresholds.yaml
"""
_PARTS = 'BodyContact', 'ContactHypothesis', 'ExternalForce'      # of a ContactEstimate
_MOST_PROBLEMS = 10     # that are printed
_NODE = 'contact_detector'


def main(arguments=None):
    """Run the command; return the exit code."""
    failures = []
    code = run_command(lambda given: _judge(given, failures), _parser(), arguments)
    return code or (FAILURE if failures else 0)


def _parser():
    parser = bag_parser('judge_bag', __doc__, _EXAMPLE, _NODE)
    parser.add_argument('--torque-sensors', nargs='+', metavar='NAME', help='motor_torque sensors, '
                        'or groups of them, one on each drive (default: torques of '
                        'prototype/drive_torques)')
    add_torques_are(parser)
    return parser


def _judge(given, failures):
    """Yield lines of text about the contacts; append to `failures` why nothing was judged."""
    require_new(given)
    given.name = given.name or _NODE
    parameters = bag_parameters(
        given, ('mechanism', 'torque_sensors', 'torques_are'), ContactNodeSettings,
        DetectionSettings, ('isolation.', IsolationSettings))
    settings, problems, damage = parameters.settings_of(ContactNodeSettings), Counter(), []
    reports = ContactReports(
        load_mechanism(settings.mechanism), settings, parameters.settings_of(DetectionSettings),
        parameters.settings_of(IsolationSettings, 'isolation.'),
        lambda words: problems.update([words]), lambda words: None)
    contacts, reasons, came, judged = [], Counter(), Counter(), 0
    with open_bags(given.bags, report=damage.append,
                   stamps=parameters.values.get('stamps')) as bags, \
            written(given, {'contact': ContactEstimate}, *_PARTS) as write:
        for arrival, number, message in bags.inputs(reports.topics):
            came[number] += 1
            for found in reports.of_message(number, message):
                judged += bool(found.forces)
                reasons.update([found.reason] if found.reason else [])
                _add(contacts, found)
                write(arrival, found)
    yield from damage
    for words, count in problems.most_common(_MOST_PROBLEMS):
        yield f'{count} times: {words}'
    if contacts:
        yield laid_out(_table(contacts))
    yield (f'{len(contacts)} contacts; {judged} messages judged, {reasons.total()} not by all '
           f'methods, {reports.stream.without_torques} states without torques, {reports.rejected} '
           f'messages rejected, {reports.stream.jumped} whose stamp jumps')
    for reason, count in reasons.most_common(1):
        yield f'most often not judged ({count} times): {reason}'
    if came[0] < FEWEST * came[1]:
        yield (f'only {came[0] / came[1]:.2g} states for each message of torques: a detector in '
               'the process of its estimator judges all estimates; record all of them '
               '(estimate_rate:=0 of launch files), or let `estimate_bag` make them')
    if not judged:
        failures.append('nothing')
        yield 'nothing judged: expected states with torques of the same time on ' + ' and '.join(
            name for name, _ in reports.topics)
    if given.output:
        yield f'wrote {given.output}'


def _add(contacts, found):
    """Add the ContactEstimate to the contact that it belongs to, a list of them."""
    if not found.detected:
        return
    if not contacts or nanoseconds(contacts[-1][0].since) != nanoseconds(found.since):
        contacts.append([])
    contacts[-1].append(found)


def _table(contacts):
    """Return the contacts, a row each."""
    return table(
        ('begin [s]', 'end [s]', 'method', 'body', 'probability', 'largest force [N]',
         'largest on each degree of freedom'), [[_row(one) for one in contacts]], words=(2, 3))


def _row(contact):
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
