"""The report of a run with contacts: was every one detected, none invented, the body named?"""

from collections.abc import Sequence

import numpy as np

from mb_contact import BODY_LIMITS, QUASI_STATIC, TRANSIENT
from mb_evaluation.report_kinds.contact_figures import contact_figures
from mb_evaluation.report_kinds.contact_panels import (
    WORDS,
    acceleration_panels,
    contact_panel,
    force_panels,
)
from mb_evaluation.reports.report import (
    Drawn,
    Figures,
    Picture,
    ReportKind,
    Row,
    Section,
    Table,
    Tile,
    number_text,
)
from mb_evaluation.reports.run_figures import (
    ended_line,
    lost_tile,
    message_objections,
    silent_objections,
    slow_remarks,
)
from mb_evaluation.run_log.contact_log import ContactLog

SHORT = {'momentum_observer': 'observer'}
LIMITS = ('region of the body', 'quasi-static [N]', 'clamped, held or unclear within it',
          'transient [N]', 'hits within it')
STANDARD = (
    'The largest force of each contact beside the permissible forces of ISO/TS 15066:2016, Table '
    'A.2, which is part of ISO 10218-2:2025 now. These values were not checked against a copy of '
    'the standard: do that before you rely on them. A contact that is clamped, held for more than '
    '0.5 s, or unclear is compared with the quasi-static limit, the lower one; a hit, after which '
    'one can give way, with the transient one. Consult the standard: it limits pressures as well, '
    'which are not judged here, and which limit applies depends on the application. Pylons are no '
    'people: these are stiffer.')
NO_SAFETY_FUNCTION = (
    'neither this detection nor this report is a safety function: let neither protect people')
AROUND = 0.25       # shown around a contact when its row is clicked [s]
MOST = 6            # contacts in detail in the picture


def objections(figures: Figures) -> list[str]:
    """Return objections to a run, in words; empty if it passed.

    Contacts above the thresholds are judged; others may be detected or not.
    """
    texts = silent_objections(figures)
    judged = [one for one in figures['contacts'] if one['level'] == 'above']
    texts += [f'the contact at {one["begin"]:.2f} s ({" and ".join(one["bodies"])}, '
              f'{one["force"]:.0f} N) was not detected'
              for one in judged if not one['detected']]
    texts += [f'a contact was detected at {time:.2f} s, and there was none'
              for time in figures['false_alarms']]
    return texts + _naming_objections(judged, figures['bounds']) + message_objections(figures)


def _naming_objections(judged: list[Figures], bounds: dict[str, float]):
    """Return objections to the names of contacts."""
    texts, named = [], [one['naming'] for one in judged if 'naming' in one]
    certain = [one for one in named if one != 'ambiguous']
    wrong, ambiguous = certain.count('wrong'), len(named) - len(certain)
    if len(certain) - wrong < bounds['named'] * len(certain):
        texts.append(f'{wrong} of {len(certain)} contacts were put on a wrong body')
    if ambiguous > bounds['ambiguous'] * len(named):
        texts.append(f'of {ambiguous} of {len(named)} contacts the body is ambiguous')
    return texts


def _tables(figures: Figures):
    """Return the tables of contacts, and of limits beside them."""
    spans = [(max(0.0, one['begin'] - AROUND), min(figures['duration'], one['end'] + AROUND))
             for one in figures['contacts']]
    headings = ('at [s]', 'touched', 'kind', 'force [N]', 'limit', 'detected',
                *(f'{SHORT.get(name, name)} [ms]' for name in figures['contact_free']),
                'named', 'point [mm]')
    return [Table(headings, [contact_rows(figures)], words=(1,), whole=(1,), zooms=spans),
            Table(LIMITS, [limit_rows(figures)], heading='Against the limits of ISO/TS 15066',
                  notes=[STANDARD])]


def contact_rows(figures: Figures) -> Sequence[Row]:
    """Return a row of texts for each contact: times count from the first force."""
    methods = list(figures['contact_free'])
    return [(f'{one["begin"]:.2f}', ', '.join(one['bodies']), one['kind'],
             _force(one['force']), one['limit'], _detected(one),
             *(number_text(one['methods'][name]['after'], '.0f') for name in methods),
             _named(one), _millimetres(one.get('point_error')))
            for one in figures['contacts']]


def limit_rows(figures: Figures) -> Sequence[Row]:
    """Return rows of a table: regions of the body, both limits, contacts of this run within."""
    return [(limit.region, *_within(figures, limit, QUASI_STATIC),
             *_within(figures, limit, TRANSIENT)) for limit in BODY_LIMITS]


def _within(figures: Figures, limit, kind: str):
    """Return a limit of a kind, and how many of its contacts are within."""
    forces = [one['force'] for one in figures['contacts'] if one['limit'] == kind]
    within = sum(force <= limit.of(kind) for force in forces)
    return (number_text(limit.of(kind) or None, '.0f'),
            f'{within} of {len(forces)}' if forces else 'none there')


def captions(figures: Figures) -> list[str]:
    """Return lines on safety, accelerations, forces without contact, speed and losses."""
    lines = [f'contacts detected {figures["contacts_detected"]} · times count from the first force '
             'of a contact to the instant whose state showed it', NO_SAFETY_FUNCTION]
    if figures['contacts']:
        lines.append('limit: of ISO/TS 15066, with which the report compares the force, '
                     'by values that were not checked against a copy of it')
    if any(one['level'] != 'above' for one in figures['contacts']):
        lines.append('contacts about or below the thresholds are not judged: they may be '
                     'detected or not')
    if figures['acceleration']:
        lines.append('estimated acceleration, nothing touching: ' + ', '.join(
            f'{name} NRMSE {number_text(one["nrmse"], ".4f")}, '
            f'SNR {number_text(one["snr"], ".0f")} dB'
            for name, one in figures['acceleration'].items()))
    for method, one in figures['contact_free'].items():
        lines.append(f'{WORDS.get(method, method)}, nothing touching: up to '
                     f'{_list(one["largest"])}, thresholds {_list(one["threshold"])} N, N m')
    latency = figures['timing']['added_latency']
    lines.append(ended_line(figures))
    if latency:
        lines.append(f'an instant is judged {1e3 * latency["median"]:.1f} ms after its truth '
                     f'(99 %: {1e3 * latency["p99"]:.1f} ms, longest '
                     f'{1e3 * latency["largest"]:.1f} ms)')
    return lines


def _ending(figures: Figures):
    """Return in words how soon contacts were detected, and judgements came; none without any."""
    after = [one['after'] for one in figures['contacts'] if one['detected']]
    added = figures['timing']['added_latency']
    words = []
    if after:
        words.append(f'detected {np.median(after):.0f} ms after the first force, '
                     f'{max(after):.0f} ms at most')
    if added:
        words.append(f'judgements came {1e3 * added["median"]:.1f} ms after the truth, '
                     f'{1e3 * added["p99"]:.1f} ms in 99 %')
    return words


def _named(one: Figures):
    if 'naming' not in one:
        return '-'
    names = ' or '.join(f'{name} {chance:.0%}' for name, chance in one['may_be'].items())
    kind = {'right': '', 'wrong': ' (wrong)', 'ambiguous': ' (ambiguous)'}[one['naming']]
    if one['naming'] == 'wrong' and len(one['may_be']) > 1:
        kind = ' (ambiguous, all wrong)'
    return names + kind


def _detected(one: Figures):
    """Return whether a contact was detected, or why it need not be."""
    if one['detected']:
        return 'yes'
    return {'above': 'NO', 'about': 'no: about the threshold',
            'below': 'no: below the threshold'}[one['level']]


def _force(force: float):
    """Return a force in N, with a digit behind the point where it is small."""
    return f'{force:.1f}' if force < 10.0 else f'{force:.0f}'


def _millimetres(length: float | None):
    return number_text(length and 1e3 * length, '.0f')


def _list(values: Sequence[float]):
    return ', '.join(f'{value:.2g}' for value in values)


def _tiles(figures: Figures):
    """Return the most important figures."""
    contacts = figures['contacts']
    naming = [one['naming'] for one in contacts if 'naming' in one]
    judged = [one['detected'] for one in contacts if one['level'] == 'above']
    after = [one['after'] for one in contacts if 'after' in one]
    latency = figures['timing']['added_latency']
    return [Tile('contacts above the thresholds detected', f'{sum(judged)} of {len(judged)}',
                 f'{len(figures["false_alarms"])} false alarms'),
            Tile('detected after the first force [ms]', f'{np.median(after):.0f}' if after else '-',
                 f'the slowest {max(after):.0f}' if after else ''),
            Tile('body named rightly', f'{naming.count("right")} of {len(naming)}',
                 f'{naming.count("ambiguous")} ambiguous'),
            Tile('an instant is judged after [ms]',
                 f'{1e3 * latency["median"]:.1f}' if latency else '-',
                 f'99 %: {1e3 * latency["p99"]:.1f}' if latency else ''), lost_tile(figures)]


def _drawn(run: ContactLog, figures: Figures):
    """Return the panels of every contact, of forces and of accelerations."""
    details = [contact_panel(run, episode, one)
               for episode, one in zip(run.episodes, figures['contacts'], strict=True)]
    forces, accelerations = force_panels(run), acceleration_panels(run)
    return Drawn(
        [Section('Every contact, on the degree of freedom that it shows on best', details),
         Section('Forces from outside', forces), Section('Accelerations', accelerations)],
        Picture([*forces, *accelerations], above=details[:MOST]))


REPORT = ReportKind(
    'contact', figures=contact_figures,
    title=lambda figures: (
        f'{figures["mechanism"]}: {len(figures["contacts"])} contacts, {figures["estimator"]} and '
        f'{WORDS.get(figures["method"], figures["method"])}'),
    passed=lambda _: 'every contact above the thresholds was detected, none invented, nothing lost',
    objections=objections, ending=_ending, tables=_tables, captions=captions,
    remarks=slow_remarks, tiles=_tiles, draw=_drawn,
    made_with=('prototype', 'estimator', 'method', 'torques', 'trajectory', 'collisions', 'seed',
               'truth_digest', 'created'))
