"""The page of a run with contacts for the browser: every contact, all forces and accelerations."""

import numpy as np

from mb_evaluation.contact_report.page import MADE_WITH
from mb_evaluation.contact_report.panels import (
    acceleration_panels,
    contact_panel,
    force_panels,
)
from mb_evaluation.contact_report.table import (
    LIMITS,
    STANDARD,
    caption_lines,
    contact_rows,
    headings,
    limit_rows,
    title_of,
    verdict_text,
)
from mb_evaluation.contact_report.verdict import objections
from mb_evaluation.pages.complaints import complaint_parts
from mb_evaluation.pages.page import Page, Section, beside, lines, table
from mb_evaluation.reports.markdown import made_with

AROUND = 0.25       # shown around a contact when its row is clicked [s]


def contact_page(run, report, found):
    """Return the Page of a ContactLog with its Episodes."""
    details = [contact_panel(run, episode, figures)
               for episode, figures in zip(found, report['contacts'], strict=True)]
    sections = [Section('Every contact, on the degree of freedom that it shows on best', details),
                Section('Forces from outside', force_panels(run, found)),
                Section('Accelerations', acceleration_panels(run, found))]
    spans = [(max(0.0, one['begin'] - AROUND), min(run.duration, one['end'] + AROUND))
             for one in report['contacts']]
    return Page(
        title=title_of(report), verdict=verdict_text(report).plain, passed=not objections(report),
        tiles=_tiles(report), report=report, duration=run.duration,
        made_with=made_with(report, MADE_WITH),
        parts=[beside(table(headings(report), contact_rows(report), zooms=spans),
                      lines(caption_lines(report))), *(one for one in sections if one.panels),
               beside(table(LIMITS, limit_rows(report), 'Against the limits of ISO/TS 15066'),
                      lines([STANDARD])),
               *complaint_parts(report)])


def _tiles(report):
    """Return the most important figures."""
    contacts = report['contacts']
    naming = [one['naming'] for one in contacts if 'naming' in one]
    judged = [one['detected'] for one in contacts if one['level'] == 'above']
    after = [one['after'] for one in contacts if 'after' in one]
    latency = report['timing']['added_latency']
    return [('contacts above the thresholds detected', f'{sum(judged)} of {len(judged)}',
             f'{len(report["false_alarms"])} false alarms'),
            ('detected after the first force [ms]', f'{np.median(after):.0f}' if after else '-',
             f'the slowest {max(after):.0f}' if after else ''),
            ('body named rightly', f'{naming.count("right")} of {len(naming)}',
             f'{naming.count("ambiguous")} ambiguous'),
            ('an instant is judged after [ms]',
             f'{1e3 * latency["median"]:.1f}' if latency else '-',
             f'99 %: {1e3 * latency["p99"]:.1f}' if latency else ''),
            ('messages lost', str(report['messages_lost']),
             f'{report["readings"]["used"]} readings used')]
