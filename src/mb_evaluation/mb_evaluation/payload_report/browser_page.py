"""The page of a run with a payload for the browser: masses, work cycle, motion and pressures."""

import numpy as np

from mb_evaluation.pages.complaints import complaint_parts
from mb_evaluation.pages.page import Page, Section, beside, lines, table
from mb_evaluation.payload_report.page import MADE_WITH
from mb_evaluation.payload_report.panels import (
    mass_panel,
    motion_panels,
    pressure_panels,
    valve_panels,
)
from mb_evaluation.payload_report.table import (
    HEADINGS,
    caption_lines,
    mass_rows,
    observer_rows,
    title_of,
    verdict_text,
)
from mb_evaluation.payload_report.verdict import objections
from mb_evaluation.reports.markdown import made_with


def payload_page(run, report, measured):
    """Return the Page of a PayloadLog.

    measured: name of the sensor of a degree of freedom or a volume, by its name.
    """
    masses = [mass_panel(run, report, k) for k in range(len(run.layout.masses))]
    return Page(
        title=title_of(report), verdict=verdict_text(report).plain, passed=not objections(report),
        tiles=_tiles(report), report=report, duration=run.duration,
        made_with=made_with(report, MADE_WITH),
        parts=[Section('', masses),
               beside(table(HEADINGS, [*mass_rows(report), *observer_rows(report)]),
                      lines(caption_lines(report))), Section('Work cycle', valve_panels(run)),
               Section('Motion', motion_panels(run, measured)),
               Section('Pressures', pressure_panels(run, measured)), *complaint_parts(report)])


def _tiles(report):
    """Return the most important figures."""
    tiles = [(f'{name} [kg]', f'{one["estimate"]:.4g} ± {one["deviation"]:.2g}',
              f'truth {one["truth"]:g}, error up to {one.get("error_largest", np.nan):.2g}')
             for name, one in report['masses'].items()]
    factor, share = report['real_time_factor'], report['updating']['share']
    return [*tiles, ('updating', '-' if share is None else f'{share:.0%}', 'of the time'),
            ('messages lost', str(report['messages_lost']),
             f'{report["readings"]["used"]} readings used'),
            ('real-time factor', '-' if factor is None else f'{factor:.2f}',
             f'{report["duration"]:g} s simulated')]
