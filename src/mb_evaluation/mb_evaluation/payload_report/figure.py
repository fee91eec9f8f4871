"""The picture of a run with a payload: the mass above, then motion and pressures with a detail."""

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
import numpy as np

from mb_evaluation.panels.looks import BAND, MODEL, OBSERVER, TRUTH, clean, legend_above
from mb_evaluation.payload_report.figures import QUANTITIES, REACH
from mb_evaluation.payload_report.table import title_of, verdict_text

DETAIL = 1.2        # length of the detail [s]
UPDATING = '#2a9d5c'
MEASURED = {'linestyle': '', 'marker': '.', 'markersize': 3.0, 'color': MODEL, 'alpha': 0.7}
TRUE = {'color': TRUTH, 'linewidth': 3.0, 'alpha': 0.35, 'label': 'prototype (truth)'}
ESTIMATED = {'color': OBSERVER, 'linewidth': 1.2, 'label': 'observer'}
MEGA = 1e-6


def draw_report(run, report, path, measured):
    """Write the picture of a PayloadLog; path ends in .png, .pdf or .svg.

    measured: name of the sensor that measures a degree of freedom or a volume, by the name of that.
    """
    layout = run.layout
    rows = 1 + 3 * len(layout.independent) + len(layout.volumes)
    figure = Figure(figsize=(15.0, 5.0 + 2.1 * rows), layout='constrained')
    FigureCanvasAgg(figure)
    figure.get_layout_engine().set(w_pad=0.08, h_pad=0.08)
    figure.suptitle(f'{title_of(report)}\n', fontsize=16, fontweight='bold', x=0.012, ha='left')
    figure.text(0.014, 1.0 - 0.45 / figure.get_figheight(), verdict_text(report).plain[:150],
                fontsize=10, va='top', color=UPDATING if 'PASSED' in verdict_text(report).plain
                else MODEL)
    above, below = figure.subfigures(2, 1, height_ratios=(4.2, 2.1 * rows))
    masses = above.subplots(1, len(layout.masses), squeeze=False)[0]
    for k, axes in enumerate(masses):
        _draw_mass(axes, run, report, k)
    panels = below.subplots(rows, 2, width_ratios=(2.4, 1.0), sharex='col')
    for axes, draw in zip(panels, _rows(run, measured), strict=True):
        for one in axes:
            draw(one)
        legend_above(axes[0], columns=4)
        axes[1].set_title('', loc='left')
        axes[1].set_ylabel('')
        _show_detail(axes, run)
    panels[-1, 0].set_xlabel('simulated time [s]')
    panels[-1, 1].set_xlabel('detail [s]')
    for axes in (*masses, *panels.ravel()):
        clean(axes)
    for axes in (*masses, panels[0, 0]):
        axes.set_xlim(0.0, run.duration)
    panels[0, 1].set_xlim(*_detail(run))
    figure.savefig(path, dpi=120, facecolor='white')


def _rows(run, measured):
    """Yield a function that draws a panel, for each row."""
    layout = run.layout
    g, v = len(layout.independent), len(layout.volumes)
    yield lambda axes: _draw_valves(axes, run)
    for quantity, name in enumerate(QUANTITIES):
        for k in range(g):
            unit = layout.units[k] + ('', '/s', '/s²')[quantity]
            sensor = measured.get(layout.independent[k]) if not quantity else None
            yield _band(run, (run.truth, run.estimate), quantity, k, quantity * g + k,
                        (f'{layout.independent[k]}: {name}', unit, 1.0), sensor)
    for k in range(v):
        yield _band(run, (run.true_oil, run.oil), 0, k, 3 * g + k,
                    (f'{layout.volumes[k]}: pressure', 'MPa', MEGA),
                    measured.get(layout.volumes[k]))


def _band(run, streams, column, k, place, labels, sensor):
    """Return a function that draws number k of an array: truth, readings, estimate, interval.

    streams: Samples of truth and estimate; column: of the array in them; place: in the covariance;
    labels: title, unit, and the factor to that.
    """
    (title, unit, factor), (truth, estimate) = labels, streams

    def draw(axes):
        axes.plot(_time(run, truth.stamps), truth.columns()[column][:, k] * factor, **TRUE)
        if sensor in run.readings:
            samples = run.readings[sensor]
            axes.plot(_time(run, samples.stamps), samples.columns()[0][:, 0] * factor,
                      label=sensor, zorder=1.5, **MEASURED)
        values = estimate.columns()[column][:, k] * factor
        axes.plot(_time(run, estimate.stamps), values, **ESTIMATED)
        common, middle, reach = observed(run, estimate, column, k, place)
        middle, reach = middle * factor, reach * factor
        axes.fill_between(_time(run, common), middle - reach, middle + reach, color=BAND,
                          alpha=0.55, linewidth=0, label='95 %')
        axes.set_title(title, loc='left')
        axes.set_ylabel(unit)
        settled = middle[len(middle) // 50:]
        if settled.size and np.isfinite(settled).all():
            span = np.ptp(settled)
            axes.set_ylim(settled.min() - 0.15 * span - 1e-9, settled.max() + 0.15 * span + 1e-9)
    return draw


def observed(run, estimate, column, k, place):
    """Return stamps (n) [ns], estimates (n) and half of their 95 % intervals (n).

    estimate: Samples; column, k: of the array in them and of the number in that; place: in the
    covariance.
    """
    common = np.intersect1d(estimate.stamps, run.oil.stamps)
    return (common, estimate.columns(common)[column][:, k],
            REACH * run.oil.columns(common)[2][:, place])


def _draw_valves(axes, run):
    """Commands and spools."""
    for k, name in enumerate(run.layout.valves):
        axes.step(_time(run, run.commands.stamps), run.commands.columns()[0][:, k], where='post',
                  color=MODEL, linewidth=1.2, label=f'{name}: command')
        axes.plot(_time(run, run.true_oil.stamps), run.true_oil.columns()[1][:, k],
                  **{**TRUE, 'label': 'spool (truth)'})
        axes.plot(_time(run, run.oil.stamps), run.oil.columns()[1][:, k], **ESTIMATED)
    axes.set_title('work cycle', loc='left')
    axes.set_ylabel('of full opening')


def _draw_mass(axes, run, report, k):
    """Raw and filtered mass with its interval, the truth, and when it was updated."""
    name, stamps = run.layout.masses[k], run.masses.stamps
    axes.set_title(f'{name}: mass', loc='left', fontweight='bold')
    axes.set_ylabel('kg')
    if not len(stamps):
        return
    time = _time(run, stamps)
    mass, raw, deviation, updating = (column[:, min(k, column.shape[1] - 1)]
                                      for column in run.masses.columns())
    truth = run.true_masses.held(stamps)[0][:, k]
    axes.fill_between(time, 0.0, 1.0, where=updating > 0.0, transform=axes.get_xaxis_transform(),
                      color=UPDATING, alpha=0.10, linewidth=0, label='updating')
    axes.plot(time, raw, color=MODEL, linewidth=0.5, alpha=0.55, label='of each instant')
    axes.plot(time, truth, **TRUE)
    axes.fill_between(time, mass - REACH * deviation, mass + REACH * deviation, color=BAND,
                      alpha=0.6, linewidth=0, label='95 %')
    axes.plot(time, mass, color=OBSERVER, linewidth=2.0, label='estimate')
    if run.first_motion is not None:
        axes.axvline((run.first_motion - run.start) * 1e-9 + 5.0, color=TRUTH, linewidth=0.8,
                     linestyle=':', label='judged from here')
    axes.set_ylim(*mass_range(truth))
    figures = report['masses'].get(name, {})
    if 'error_largest' in figures:
        axes.text(0.995, 0.04, f'largest error {figures["error_largest"]:.2g} kg of '
                  f'{figures["truth"]:g} kg', transform=axes.transAxes, ha='right', va='bottom',
                  fontsize=13, fontweight='bold', color=OBSERVER)
    legend_above(axes, columns=6)


def mass_range(truth):
    """Return the least and greatest mass to show, for true masses (k) [kg]."""
    reach = max(0.25 * np.nanmax(np.abs(truth), initial=1.0), 5.0)
    return np.nanmin(truth) - reach, np.nanmax(truth) + reach


def _show_detail(axes, run):
    """Fit the detail's range to what is in it, and mark it in the whole."""
    whole, detail = axes
    begin, end = _detail(run)
    whole.axvspan(begin, end, color='0.93', zorder=-2)
    lines = [np.array(line.get_data(), float) for line in detail.get_lines()]
    inside = [y[(t >= begin) & (t <= end)] for t, y in lines]
    values = np.concatenate([*inside, np.zeros(0)])
    values = values[np.isfinite(values)]
    if values.size:
        margin = 0.12 * np.ptp(values) + 1e-9
        detail.set_ylim(values.min() - margin, values.max() + margin)


def _detail(run):
    """Return begin and end of the liveliest moment after the first motion [s]."""
    time, zdd = _time(run, run.truth.stamps), run.truth.columns()[2]
    if run.first_motion is None or not len(time):
        return 0.0, min(DETAIL, run.duration)
    lively = np.abs(zdd).max(axis=1)
    lively[time < 0.4 * run.duration] = 0.0
    begin = time[lively.argmax()] - 0.3 * DETAIL
    begin = float(np.clip(begin, 0.0, max(0.0, run.duration - DETAIL)))
    return begin, begin + DETAIL


def _time(run, stamps):
    """Return stamps [ns] as seconds after the start."""
    return (stamps - run.start) * 1e-9
