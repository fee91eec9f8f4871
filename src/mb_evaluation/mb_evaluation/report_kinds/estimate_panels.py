"""Panels of an estimate without a truth: motion, forces, oil and innovations with intervals."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from mb_evaluation.accuracy.innovations import Innovations
from mb_evaluation.panels.panel import TIME, TRUE, Band, Curve, Panel
from mb_evaluation.recordings.contents import ORIGIN
from mb_evaluation.recordings.estimate_log import EstimateLog
from mb_evaluation.recordings.quantity import (
    COMMAND,
    KNOWN,
    MOTION,
    PARAMETER,
    PRESSURE,
    SPOOL,
    UNKNOWN,
    Quantity,
)
from mb_evaluation.report_kinds.accuracy_panels import FIRST, innovation_panels
from mb_evaluation.reports.report import Section

TOGETHER = {UNKNOWN: KNOWN, SPOOL: COMMAND}     # kinds of estimates -> of inputs in their panels
INPUT = {'colour': 'model', 'dash': 'dash', 'width': 1.2}
SECTIONS = {'Motion': MOTION, 'Forces': (UNKNOWN, KNOWN), 'Oil': (PRESSURE, SPOOL, COMMAND),
            'Parameters of the model': (PARAMETER,)}
MOST = 12           # channels whose innovations have a panel each


@dataclass(frozen=True)
class _Fits:
    """The Innovations of an EstimateLog, as innovation_panels takes them."""

    innovations: dict[str, Innovations]
    start: int


def sections_of(log: EstimateLog) -> list[Section]:
    """Return the Sections of panels of an EstimateLog, some of them empty."""
    panels = panels_of(log)
    return [*(Section(heading, [panel for kind in kinds for panel in panels.get(kind, ())]
                      if kinds != MOTION else _in_turn(panels))
              for heading, kinds in SECTIONS.items()),
            Section('Innovations: what readings add to the estimate', fit_panels(log)),
            Section('Innovations of every channel', _channel_panels(log))]


def fit_panels(log: EstimateLog) -> list[Panel]:
    """Return the panels of normalized innovations, NIS and spectrum of an EstimateLog."""
    panels = innovation_panels(_Fits({one.sensor: one for one in log.innovations}, log.origin))
    return [replace(panel, since=ORIGIN) if panel.across == TIME else panel for panel in panels]


def panels_of(log: EstimateLog) -> dict[str, list[Panel]]:
    """Return the panels of what is estimated and of inputs, by the kind of quantity."""
    panels: dict[str, list[Panel]] = {}
    inputs = {(one.kind, one.name): one for one in log.inputs.quantities()}
    for one in log.estimates:
        given = inputs.pop((TOGETHER.get(one.kind, ''), one.name), None)
        panels.setdefault(one.kind, []).append(_panel(one, log, given))
    for one in inputs.values():
        panels.setdefault(one.kind, []).append(Panel(
            one.title, one.unit, (_input(one, log.origin),), since=ORIGIN))
    return panels


def _in_turn(panels: dict[str, list[Panel]]) -> list[Panel]:
    """Return position, velocity and acceleration of each degree of freedom in turn."""
    rows = zip(*(panels[kind] for kind in MOTION), strict=True) if panels else ()
    return [panel for row in rows for panel in row]


def _panel(one: Quantity, log: EstimateLog, given: Quantity | None) -> Panel:
    """Return the Panel of an estimated Quantity with its interval, its truth and its input."""
    t, half = one.seconds(log.origin), one.half
    curves = [*_truth(one, log)]
    if one.has_interval:
        curves.insert(0, Band('95 % claimed', t, one.values - half, one.values + half))
    if given is not None:
        curves.append(_input(given, log.origin))
    curves.append(Curve('estimate', t, one.values, 'observer', 1.8,
                        reach=half if one.has_interval else None))
    return Panel(one.title, one.unit or ('unit of the file' if one.kind == PARAMETER else ''),
                 tuple(curves), reach=_reach(t, curves), since=ORIGIN)


def _truth(one: Quantity, log: EstimateLog) -> Iterable[Curve]:
    """Yield the Curve of the truth of a motion or of an unknown force, where the bag has one."""
    for force in log.actual.quantities():
        if (one.kind, one.name) == (UNKNOWN, force.name):
            yield Curve(x=force.seconds(log.origin), y=force.values, **{**TRUE, 'name': 'truth'})
    if log.truth is not None and len(log.truth) and one.kind in MOTION:
        k = log.mechanism.independent.index(one.name)
        motion = log.truth.shown(log.track), log.truth.zd, log.truth.zdd
        yield Curve(x=log.truth.seconds(log.origin), y=motion[MOTION.index(one.kind)][:, k], **TRUE)


def _input(one: Quantity, origin: int) -> Curve:
    """Return the Curve of an input."""
    return Curve(one.kind, one.seconds(origin), one.values, held=one.kind == COMMAND, **INPUT)


def _reach(t: np.ndarray, curves: Sequence[Curve | Band]) -> tuple[float, float] | None:
    """Return which numbers are shown at first: all of the curves, and settled intervals."""
    late = t - t[0] >= min(FIRST, 0.5 * (t[-1] - t[0]))
    values = np.concatenate([
        *(one.y for one in curves if isinstance(one, Curve)),
        *(side[late] for one in curves if isinstance(one, Band) for side in (one.low, one.high))])
    values = values[np.isfinite(values)]
    if not values.size or np.ptp(values) == 0.0:
        return None
    margin = 0.06 * np.ptp(values)
    return float(values.min() - margin), float(values.max() + margin)


def _channel_panels(log: EstimateLog) -> list[Panel]:
    """Return a Panel for the innovation of each of the first channels, with what was expected."""
    panels = []
    for one in [one for one in log.readings.quantities() if one.has_interval][:MOST]:
        t = one.seconds(log.origin)
        panels.append(Panel(one.title, one.unit, (
            Band('95 % expected', t, -one.half, one.half),
            Curve('reading minus prediction', t, one.values, 'observer', 3.0, dots=True)),
            reach=_reach(t, [Band('', t, -one.half, one.half), Curve('', t, one.values, '')]),
            since=ORIGIN))
    return panels
