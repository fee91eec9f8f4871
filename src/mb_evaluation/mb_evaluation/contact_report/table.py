"""The tables of a finished run with contacts on the terminal."""

import numpy as np
from rich.text import Text

from mb_contact import BODY_LIMITS, QUASI_STATIC, TRANSIENT
from mb_evaluation.contact_report.verdict import objections
from mb_evaluation.reports.numbers import number_text
from mb_evaluation.reports.progress import ended_line
from mb_model.command_api import table

WORDS = {'direct': 'direct method', 'momentum_observer': 'momentum observer',
         'both': 'direct method or momentum observer'}
SHORT = {'momentum_observer': 'observer'}
LIMITS = ('region of the body', 'quasi-static [N]', 'clamped, held or unclear within it',
          'transient [N]', 'hits within it')
STANDARD = (
    'The largest force of each contact beside the permissible forces of ISO/TS 15066:2016, Table '
    'A.2. These values were not checked against a copy of the standard: do that before you rely on '
    'them. A contact that is clamped, held for more than 0.5 s, or unclear is compared with '
    'the quasi-static limit, the lower one; a hit, after which one can give way, with the '
    'transient one. Consult the standard: it limits pressures as well, which are not judged here, '
    'and which limit applies depends on the application. Pylons are no people: these are stiffer.')


def contact_table(report):
    """Return the table of contacts, with the most important figures below it."""
    return table(headings(report), [contact_rows(report)], title_of(report),
                 caption_lines(report), words=(1,), whole=(1,))


def title_of(report):
    """Return one line that describes the run."""
    return (f'{report["mechanism"]}: {len(report["contacts"])} contacts, '
            f'{report["estimator"]} and {WORDS.get(report["method"], report["method"])}')


def headings(report):
    """Return the headings of the columns of contact_rows."""
    return ('at [s]', 'touched', 'kind', 'force [N]', 'limit', 'detected',
            *(f'{SHORT.get(name, name)} [ms]' for name in _methods(report)), 'named', 'point [mm]')


def contact_rows(report):
    """Return a row of texts for each contact: times count from the first force."""
    return [(f'{one["begin"]:.2f}', ', '.join(one['bodies']), one['kind'],
             _force(one['force']), one['limit'], _detected(one),
             *(number_text(one['methods'][name]['after'], '.0f') for name in _methods(report)),
             _named(one), _millimetres(one.get('point_error')))
            for one in report['contacts']]


def limit_rows(report):
    """Return rows of a table: regions of the body, both limits, contacts of this run within."""
    return [(limit.region, *_within(report, limit, QUASI_STATIC),
             *_within(report, limit, TRANSIENT)) for limit in BODY_LIMITS]


def _within(report, limit, kind):
    """Return a limit of a kind, and how many of its contacts are within."""
    forces = [one['force'] for one in report['contacts'] if one['limit'] == kind]
    within = sum(force <= limit.of(kind) for force in forces)
    return (number_text(limit.of(kind) or None, '.0f'),
            f'{within} of {len(forces)}' if forces else 'none there')


def caption_lines(report):
    """Return lines on accelerations, forces without contact, speed and losses."""
    lines = [f'contacts detected {report["contacts_detected"]} · times count from the first force '
             'of a contact to the instant whose state showed it']
    if report['contacts']:
        lines.append('limit: of ISO/TS 15066, with which the report compares the force, '
                     'by values that were not checked against a copy of it')
    if any(one['level'] != 'above' for one in report['contacts']):
        lines.append('contacts about or below the thresholds are not judged: they may be '
                     'detected or not')
    if report['acceleration']:
        lines.append('estimated acceleration, nothing touching: ' + ', '.join(
            f'{name} NRMSE {number_text(one["nrmse"], ".4f")}, '
            f'SNR {number_text(one["snr"], ".0f")} dB'
            for name, one in report['acceleration'].items()))
    for method, one in report['contact_free'].items():
        lines.append(f'{WORDS.get(method, method)}, nothing touching: up to '
                     f'{_list(one["largest"])}, thresholds {_list(one["threshold"])} N, N m')
    latency = report['timing']['added_latency']
    lines.append(ended_line(report))
    if latency:
        lines.append(f'an instant is judged {1e3 * latency["median"]:.1f} ms after its truth '
                     f'(99 %: {1e3 * latency["p99"]:.1f} ms, longest '
                     f'{1e3 * latency["largest"]:.1f} ms)')
    return lines


def verdict_text(report):
    """Return the verdict, which ends with how soon contacts were detected, as coloured text."""
    found = objections(report)
    words = 'FAILED: ' + '; '.join(found) if found else (
        'PASSED: every contact above the thresholds was detected, none invented, nothing lost')
    return Text('; '.join([words, *_latency(report)]), f'bold {"red" if found else "green"}')


def _latency(report):
    """Return in words how soon contacts were detected, and judgements came; none without any."""
    after = [one['after'] for one in report['contacts'] if one['detected']]
    added = report['timing']['added_latency']
    words = []
    if after:
        words.append(f'detected {np.median(after):.0f} ms after the first force, '
                     f'{max(after):.0f} ms at most')
    if added:
        words.append(f'judgements came {1e3 * added["median"]:.1f} ms after the truth, '
                     f'{1e3 * added["p99"]:.1f} ms in 99 %')
    return words


def _methods(report):
    return list(report['contact_free'])


def _named(one):
    if 'naming' not in one:
        return '-'
    names = ' or '.join(f'{name} {chance:.0%}' for name, chance in one['may_be'].items())
    kind = {'right': '', 'wrong': ' (wrong)', 'ambiguous': ' (ambiguous)'}[one['naming']]
    if one['naming'] == 'wrong' and len(one['may_be']) > 1:
        kind = ' (ambiguous, all wrong)'
    return names + kind


def _detected(one):
    """Return whether a contact was detected, or why it need not be."""
    if one['detected']:
        return 'yes'
    return {'above': 'NO', 'about': 'no: about the threshold',
            'below': 'no: below the threshold'}[one['level']]


def _force(force):
    """Return a force in N, with a digit behind the point where it is small."""
    return f'{force:.1f}' if force < 10.0 else f'{force:.0f}'


def _millimetres(length):
    return number_text(length and 1e3 * length, '.0f')


def _list(values):
    return ', '.join(f'{value:.2g}' for value in values)
