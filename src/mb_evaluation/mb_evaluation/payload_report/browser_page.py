"""The page of a run with a payload for the browser: masses, work cycle, motion and pressures."""

import numpy as np

from mb_evaluation.pages.complaints import complaint_parts
from mb_evaluation.pages.page import Page, Section, beside, lines, table
from mb_evaluation.panels.curves import Band, Curve
from mb_evaluation.panels.panel import Panel
from mb_evaluation.payload_report.browser_mass import mass_panel
from mb_evaluation.payload_report.figure import MEGA, observed
from mb_evaluation.payload_report.figures import QUANTITIES
from mb_evaluation.payload_report.page import HEADINGS, MADE_WITH
from mb_evaluation.payload_report.table import (
    caption_lines,
    mass_rows,
    observer_rows,
    title_of,
    verdict_text,
)
from mb_evaluation.payload_report.verdict import objections
from mb_evaluation.reports.markdown import made_with

TRUE = {'name': 'prototype (truth)', 'colour': '--truth/0.35', 'width': 4.0}


def payload_page(run, report, measured):
    """Return the Page of a PayloadLog.

    measured: name of the sensor that measures a degree of freedom or a volume, by the name of that.
    """
    layout = run.layout
    g = len(layout.independent)
    motion = [
        _observed(run, (run.truth, run.estimate), quantity, k, quantity * g + k,
                  (f'{layout.independent[k]}: {name}', layout.units[k] + per_time, 1.0),
                  None if quantity else measured.get(layout.independent[k]))
        for quantity, (name, per_time) in enumerate(zip(QUANTITIES, ('', '/s', '/s²'),
                                                        strict=True)) for k in range(g)]
    oil = [_observed(run, (run.true_oil, run.oil), 0, k, 3 * g + k, (name, 'MPa', MEGA),
                     measured.get(name)) for k, name in enumerate(layout.volumes)]
    masses = [mass_panel(run, k, TRUE) for k in range(len(layout.masses))]
    return Page(
        title=title_of(report), verdict=verdict_text(report).plain, passed=not objections(report),
        tiles=_tiles(report), report=report, duration=run.duration,
        made_with=made_with(report, MADE_WITH),
        parts=[Section('', masses),
               beside(table(HEADINGS, [*mass_rows(report), *observer_rows(report)]),
                      lines(caption_lines(report))), Section('Work cycle', _valves(run)),
               Section('Motion', motion), Section('Pressures', oil), *complaint_parts(report)])


def _tiles(report):
    """Return what one asks first."""
    tiles = [(f'{name} [kg]', f'{one["estimate"]:.4g} ± {one["deviation"]:.2g}',
              f'truth {one["truth"]:g}, error up to {one.get("error_largest", np.nan):.2g}')
             for name, one in report['masses'].items()]
    factor, share = report['real_time_factor'], report['updating']['share']
    return [*tiles, ('updating', '-' if share is None else f'{share:.0%}', 'of the time'),
            ('messages lost', str(report['messages_lost']),
             f'{report["readings"]["used"]} readings used'),
            ('real-time factor', '-' if factor is None else f'{factor:.2f}',
             f'{report["duration"]:g} s simulated')]


def _observed(run, streams, column, k, place, labels, sensor):
    """Return the panel of number k of an array: truth, readings, estimate, interval.

    As figure.observed; labels: title, unit, and the factor to that; sensor: that measures it.
    """
    (title, unit, factor), (truth, estimate) = labels, streams
    stamps, middle, reach = observed(run, estimate, column, k, place)
    time, middle, reach = _time(run, stamps), middle * factor, reach * factor
    curves = [Curve(x=_time(run, truth.stamps), y=truth.columns()[column][:, k] * factor, **TRUE)]
    if sensor in run.readings:
        samples = run.readings[sensor]
        curves.append(Curve(sensor, _time(run, samples.stamps),
                            samples.columns()[0][:, 0] * factor, '--model/0.7', 3.5, dots=True))
    curves += [Band('95 %', time, middle - reach, middle + reach),
               Curve('observer', time, middle, '--observer', reach=reach)]
    settled = middle[len(middle) // 50:]
    margin = 0.15 * np.ptp(settled) + 1e-9 if settled.size else 0.0
    shown = (settled.min() - margin, settled.max() + margin) if settled.size else None
    return Panel(title, unit, tuple(curves), reach=shown)


def _valves(run):
    """Return the panels of commands and spools."""
    found = []
    for k, name in enumerate(run.layout.valves):
        commands = Curve('command', _time(run, run.commands.stamps),
                         run.commands.columns()[0][:, k], '--model', held=True)
        spool = Curve('spool (truth)', _time(run, run.true_oil.stamps),
                      run.true_oil.columns()[1][:, k], TRUE['colour'], TRUE['width'])
        observer = Curve('observer', _time(run, run.oil.stamps), run.oil.columns()[1][:, k],
                         '--observer')
        found.append(Panel(f'{name} valve', 'of full opening', (spool, commands, observer)))
    return found


def _time(run, stamps):
    """Return stamps [ns] as seconds after the start."""
    return (stamps - run.start) * 1e-9
