"""The page of a run with contacts for the browser: every contact, all forces and accelerations."""

import numpy as np

from mb_evaluation.contact_report.browser_contact import contact_panel
from mb_evaluation.contact_report.episodes import true_forces
from mb_evaluation.contact_report.figure import force_unit
from mb_evaluation.contact_report.page import MADE_WITH
from mb_evaluation.contact_report.table import (
    LIMITS,
    STANDARD,
    WORDS,
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
from mb_evaluation.panels.curves import Curve
from mb_evaluation.panels.panel import Panel, between, region
from mb_evaluation.reports.markdown import made_with

COLOURS = {'direct': '--observer', 'momentum_observer': '--model'}
TRUE = {'name': 'truth', 'colour': '--truth/0.35', 'width': 4.0}
AROUND = 0.25       # shown around a contact when its row is clicked [s]


def contact_page(run, found, report):
    """Return the Page of a ContactLog with its Episodes."""
    details = [contact_panel(run, episode, told, COLOURS, TRUE)
               for episode, told in zip(found, report['contacts'], strict=True)]
    marks = tuple(region(run.seconds(episode.begin), run.seconds(episode.end), '--good/0.2')
                  for episode in found)
    forces = true_forces(run, found)
    dofs = range(len(run.layout.independent))
    sections = [Section('Every contact, on the degree of freedom that it shows on best', details),
                Section('Forces from outside', [_force(run, k, forces, marks) for k in dofs]),
                Section('Accelerations', [_acceleration(run, k, marks) for k in dofs])]
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
    """Return what one asks first."""
    contacts = report['contacts']
    naming = [one['naming'] for one in contacts if 'naming' in one]
    judged = [one['detected'] for one in contacts if one['level'] == 'above']
    after = [one['after'] for one in contacts if 'after' in one]
    latency = report['timing']['added_latency']
    return [('contacts above the thresholds told', f'{sum(judged)} of {len(judged)}',
             f'{len(report["false_alarms"])} false alarms'),
            ('told after the first force [ms]', f'{np.median(after):.0f}' if after else '-',
             f'the slowest {max(after):.0f}' if after else ''),
            ('body named rightly', f'{naming.count("right")} of {len(naming)}',
             f'{naming.count("ambiguous")} ambiguous'),
            ('an instant is judged after [ms]',
             f'{1e3 * latency["median"]:.1f}' if latency else '-',
             f'99 %: {1e3 * latency["p99"]:.1f}' if latency else ''),
            ('messages lost', str(report['messages_lost']),
             f'{report["readings"]["used"]} readings used')]


def _force(run, k, total, marks):
    """The force on a degree of freedom over the whole run, with the range of the thresholds."""
    stamps, forces = total
    curves, largest = [Curve(x=_time(run, stamps), y=forces[:, k], **TRUE)], 0.0
    for method, samples in run.forces.items():
        force, threshold = samples.columns()
        colour = COLOURS.get(method, '--good')
        curves.append(Curve(WORDS.get(method, method), _time(run, samples.stamps), force[:, k],
                            colour, 1.2))
        bound = float(threshold[-1, k])
        marks = (*marks, between(-bound, bound, f'{colour}/0.08'))
        largest = max(largest, 4.0 * bound)
    return Panel(f'{run.layout.independent[k]}: force from outside',
                 force_unit(run.layout.units[k]), tuple(curves), marks,
                 (-largest, largest) if largest else None,
                 note='contacts and range of the thresholds shaded')


def _acceleration(run, k, marks):
    """The acceleration of a degree of freedom over the whole run."""
    values = run.estimate.columns()[2][:, k]
    curves = (Curve(x=_time(run, run.truth.stamps), y=run.truth.columns()[2][:, k], **TRUE),
              Curve('estimate', _time(run, run.estimate.stamps), values, '--observer', 1.2))
    reach = tuple(1.3 * np.quantile(values, (0.001, 0.999))) if values.size else None
    return Panel(f'{run.layout.independent[k]}: acceleration', f'{run.layout.units[k]}/s²',
                 curves, marks, reach)


def _time(run, stamps):
    """Return stamps [ns] as seconds after the start."""
    return (stamps - run.start) * 1e-9
