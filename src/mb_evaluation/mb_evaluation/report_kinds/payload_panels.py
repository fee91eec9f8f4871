"""Panels of a run with a payload: masses, the work cycle, motion and pressures, a detail."""

import numpy as np

from mb_evaluation.accuracy.errors import QUANTITIES
from mb_evaluation.panels.panel import REACH, TRUE, Band, Curve, Panel, moment, region
from mb_evaluation.reports.report import Figures
from mb_evaluation.run_log.payload_log import SETTLING_TIME, PayloadLog
from mb_evaluation.run_log.samples import Samples

MEGA = 1e-6
DETAIL = 1.2        # length of the detail [s]


def mass_panel(run: PayloadLog, figures: Figures, k: int) -> Panel:
    """Return the Panel of mass number k of a PayloadLog."""
    name, stamps = run.layout.masses[k], run.masses.stamps
    time = run.seconds(stamps)
    mass, raw, deviation, updating = (column[:, min(k, column.shape[1] - 1)]
                                      for column in run.masses.columns())
    truth = run.true_masses.held(stamps)[0][:, k]
    reach = REACH * deviation
    marks = [region(begin, end, 'good/0.10', 'updating' if first else '')
             for first, begin, end in _updating(time, updating > 0.0)]
    if run.first_motion is not None:
        marks.append(moment(run.seconds(run.first_motion) + SETTLING_TIME, 'faint',
                            'judged from here', 'dot'))
    curves = (Curve('of each instant', time, raw, 'model/0.55', 0.8),
              Curve(x=time, y=truth, **TRUE),
              Band('95 %', time, mass - reach, mass + reach),
              Curve('estimate', time, mass, 'observer', 2.2, reach=reach))
    judged = figures['masses'].get(name, {})
    note = (f'largest error {judged["error_largest"]:.2g} kg of {judged["truth"]:g} kg'
            if 'error_largest' in judged else '')
    return Panel(f'{name}: mass', 'kg', curves, tuple(marks), _mass_range(truth), wide=True,
                 note=note)


def _mass_range(truth: np.ndarray):
    """Return the least and greatest mass to show, for true masses (k) [kg]; None for none."""
    if not len(truth):
        return None
    reach = max(0.25 * np.nanmax(np.abs(truth), initial=1.0), 5.0)
    return np.nanmin(truth) - reach, np.nanmax(truth) + reach


def _updating(time: np.ndarray, updating: np.ndarray):
    """Yield (whether it is the first, begin, end) of the times at which masses were updated."""
    edges = np.flatnonzero(np.diff(updating.astype(int), prepend=0, append=0))
    for number, (begin, end) in enumerate(edges.reshape(-1, 2)):
        yield number == 0, time[begin], time[min(end, len(time) - 1)]


def valve_panels(run: PayloadLog) -> list[Panel]:
    """Return the Panels of commands and spools."""
    commands, spools, estimates = run.commands, run.true_oil, run.oil
    return [Panel(f'{name} valve', 'of full opening', (
        Curve(x=run.seconds(spools.stamps), y=spools.columns()[1][:, k],
              **TRUE | {'name': 'spool (truth)'}),
        Curve('command', run.seconds(commands.stamps), commands.columns()[0][:, k], 'model',
              held=True),
        Curve('observer', run.seconds(estimates.stamps), estimates.columns()[1][:, k],
              'observer'))) for k, name in enumerate(run.layout.valves)]


def motion_panels(run: PayloadLog) -> list[Panel]:
    """Return the Panels of all degrees of freedom: positions, velocities, accelerations."""
    layout = run.layout
    g = len(layout.independent)
    return [_observed(run, (run.truth, run.estimate), quantity, k, quantity * g + k,
                      (f'{layout.independent[k]}: {name}', layout.units[k] + per_time,
                       1.0), None if quantity else run.measured.get(layout.independent[k]))
            for quantity, (name, per_time) in enumerate(QUANTITIES.items()) for k in range(g)]


def pressure_panels(run: PayloadLog) -> list[Panel]:
    """Return the Panels of the pressures of all volumes."""
    g = len(run.layout.independent)
    return [_observed(run, (run.true_oil, run.oil), 0, k, 3 * g + k,
                      (f'{name}: pressure', 'MPa', MEGA), run.measured.get(name))
            for k, name in enumerate(run.layout.volumes)]


def _observed(run: PayloadLog, streams: tuple[Samples, Samples], column: int, k: int, row: int,
              labels: tuple[str, str, float], sensor: str | None):
    """Return the Panel of number k of an array: truth, readings, estimate, interval.

    streams: Samples of truth and estimate; column: of the array in them; row: of the covariance;
    labels: title, unit, and the factor to the unit; sensor: that measures it, or None.
    """
    (title, unit, factor), (truth, estimate) = labels, streams
    stamps = np.intersect1d(estimate.stamps, run.oil.stamps)
    middle = estimate.columns(stamps)[column][:, k] * factor
    reach = REACH * run.oil.columns(stamps)[2][:, row] * factor
    time = run.seconds(stamps)
    curves: list[Curve | Band] = [
        Curve(x=run.seconds(truth.stamps), y=truth.columns()[column][:, k] * factor, **TRUE)]
    if sensor in run.readings:
        samples = run.readings[sensor]
        curves.append(Curve(sensor, run.seconds(samples.stamps),
                            samples.columns()[0][:, 0] * factor, 'model/0.7', 3.5, dots=True))
    curves += [Band('95 %', time, middle - reach, middle + reach),
               Curve('observer', time, middle, 'observer', reach=reach)]
    settled = middle[len(middle) // 50:]
    margin = 0.15 * np.ptp(settled) + 1e-9 if settled.size else 0.0
    shown = (settled.min() - margin, settled.max() + margin) if settled.size else None
    return Panel(title, unit, tuple(curves), reach=shown)


def liveliest(run: PayloadLog) -> tuple[float, float]:
    """Return begin and end of the liveliest moment after the first motion [s]."""
    time, zdd = run.seconds(run.truth.stamps), run.truth.columns()[2]
    if run.first_motion is None or not len(time):
        return 0.0, min(DETAIL, run.duration)
    lively = np.abs(zdd).max(axis=1)
    lively[time < 0.4 * run.duration] = 0.0
    begin = time[lively.argmax()] - 0.3 * DETAIL
    begin = float(np.clip(begin, 0.0, max(0.0, run.duration - DETAIL)))
    return begin, begin + DETAIL
