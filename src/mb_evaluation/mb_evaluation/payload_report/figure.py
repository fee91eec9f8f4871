"""The picture of a run with a payload: the mass above, then motion and pressures with a detail."""

import numpy as np

from mb_evaluation.panels.curves import Band
from mb_evaluation.panels.matplotlib_backend import draw, label_across, new_figure, set_heading
from mb_evaluation.payload_report.panels import (
    mass_panel,
    motion_panels,
    pressure_panels,
    valve_panels,
)
from mb_evaluation.payload_report.table import title_of, verdict_text
from mb_evaluation.payload_report.verdict import objections

DETAIL = 1.2        # length of the detail [s]


def draw_report(run, report, path, measured):
    """Write the picture of a PayloadLog; path ends in .png, .pdf or .svg.

    measured: name of the sensor of a degree of freedom or a volume, by its name.
    """
    masses = [mass_panel(run, report, k) for k in range(len(run.layout.masses))]
    shown = [*valve_panels(run), *motion_panels(run, measured), *pressure_panels(run, measured)]
    height = 2.1 * len(shown)
    figure = new_figure(15.0, 5.0 + height)
    set_heading(figure, title_of(report), verdict_text(report).plain, not objections(report))
    above, below = figure.subfigures(2, 1, height_ratios=(4.2, height))
    for axes, panel in zip(above.subplots(1, len(masses), squeeze=False)[0], masses, strict=True):
        draw(axes, panel, columns=6)
        axes.set_xlim(0.0, run.duration)
    places = below.subplots(len(shown), 2, width_ratios=(2.4, 1.0), sharex='col', squeeze=False)
    begin, end = _detail(run)
    for (whole, detail), panel in zip(places, shown, strict=True):
        draw(whole, panel)
        whole.axvspan(begin, end, color='0.93', zorder=-2)
        draw(detail, panel, '')
        detail.set_ylabel('')
        detail.set_title('', loc='left')
        _fit(detail, panel, begin, end)
    label_across(places[-1, 0], shown[-1])
    places[-1, 1].set_xlabel('detail [s]')
    places[0, 0].set_xlim(0.0, run.duration)
    places[0, 1].set_xlim(begin, end)
    figure.savefig(path, dpi=120, facecolor='white')


def _fit(axes, panel, begin, end):
    """Fit the axes to the curves of a panel from begin to end [s]."""
    inside = [one.y[(one.x >= begin) & (one.x <= end)] for one in panel.curves
              if not isinstance(one, Band)]
    values = np.concatenate(inside)
    values = values[np.isfinite(values)]
    if values.size:
        margin = 0.12 * np.ptp(values) + 1e-9
        axes.set_ylim(values.min() - margin, values.max() + margin)


def _detail(run):
    """Return begin and end of the liveliest moment after the first motion [s]."""
    time, zdd = run.seconds(run.truth.stamps), run.truth.columns()[2]
    if run.first_motion is None or not len(time):
        return 0.0, min(DETAIL, run.duration)
    lively = np.abs(zdd).max(axis=1)
    lively[time < 0.4 * run.duration] = 0.0
    begin = time[lively.argmax()] - 0.3 * DETAIL
    begin = float(np.clip(begin, 0.0, max(0.0, run.duration - DETAIL)))
    return begin, begin + DETAIL
