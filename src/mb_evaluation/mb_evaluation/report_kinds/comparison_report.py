"""The report of a comparison of filters: errors, consistency and cost beside each other."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from mb_estimators import agreement
from mb_evaluation.accuracy.errors import QUANTITIES, RMSES, errors_against, lost_line
from mb_evaluation.accuracy.estimated import Estimated
from mb_evaluation.accuracy.innovations import figures_of_all
from mb_evaluation.accuracy.track import Track
from mb_evaluation.panels.panel import SERIES, Curve, Panel
from mb_evaluation.recordings.contents import ORIGIN, origin_line
from mb_evaluation.reports.report import (
    Drawn,
    Figures,
    Picture,
    ReportKind,
    Table,
    number_text,
)
from mb_evaluation.reports.run_figures import machine, quantiles
from mb_model import Mechanism

FORMAT = 2      # raised when a key changes its meaning
OTHERS = ('NEES', 'NIS', 'step [us]', 'used', 'rejected', 'missing')
WINDOW = 0.25           # of the moving mean [s]
MOST_COORDINATES = 4    # that have a row of panels
LOOKS = {'model': {'colour': 'model', 'width': 2.0, 'dash': 'dash'},
         'recorded': {'colour': 'observer/0.35', 'width': 5.3}}


def comparison_figures(settings: dict[str, Any], mechanism: Mechanism,
                       reference: tuple[str, Track] | None,
                       compared: Sequence[Estimated]) -> Figures:
    """Return the figures of a comparison.

    settings: of the comparison, copied to the top level; of them `origin` is the stamp [ns] from
    which times count, None: the first one of the reference; reference: (name, Track) that all
    others are compared with, None without one; compared: Estimated of every filter, and of
    recorded states.
    """
    name, track = reference or (None, None)
    origin = settings['origin']
    if origin is None and track is not None:
        origin = int(track.stamps[0])
    return {
        'format': FORMAT, 'kind': 'comparison', **settings, 'origin': origin, 'reference': name,
        'degrees_of_freedom': list(mechanism.independent),
        'units': [mechanism.unit(coordinate) for coordinate in mechanism.independent],
        'estimators': {one.name: _figures(one, track, settings['has_truth'])
                       for one in compared},
        'machine': machine(),
    }


def _figures(one: Estimated, reference: Track | None, is_truth: bool):
    """Return the figures of an Estimated; its covariance is judged only against the truth.

    What is the reference itself has no errors.
    """
    begin = one.track if reference is None else reference
    start = int(begin.stamps[0]) if len(begin) else 0
    figures = {'problem': one.problem, 'estimates': len(one.track),
               'lost': one.lost.figures(start), 'reservation': one.reservation}
    if len(one.track) and reference is not None and one.track is not reference:
        errors = errors_against(reference, one.track, start)
        figures |= errors.figures()
        if is_truth:
            figures |= {'nees': errors.nees(), 'coverage_95': errors.coverage()}
    if one.nis:
        mean, inside = agreement(one.nis, one.nis_sizes)
        figures |= {'nis': {'mean_per_channel': mean, 'inside_95': inside},
                    'sensors': figures_of_all(one.innovations, start)}
    if one.counts:
        figures |= {'readings': {**asdict(one.counts), 'missing': one.missing},
                    'step_time': quantiles(one.step_times), 'wall_time': one.wall_time}
    return figures


def _title(figures: Figures):
    """Return a title that says what was compared."""
    head = f'{figures["mechanism"]} with {", ".join(figures["sensors"])}'
    if not figures['reference']:
        return f'{head}: Nothing to compare with, no truth and no other estimate in the bag'
    what = 'RMSE against' if figures['has_truth'] else 'No truth in the bag; RMS difference from'
    return f'{head}: {what} {figures["reference"]}'


def _tables(figures: Figures):
    """Return the table with a group for each filter, and what their innovations say."""
    groups = [list(_rows_of(name, one, figures)) for name, one in figures['estimators'].items()]
    verdicts = [(name, sensor['verdict']) for name, one in figures['estimators'].items()
                for sensor in one.get('sensors', {}).values() if sensor['verdict']]
    return [Table(_headings(figures), groups, words=(0, 1) if figures['reference'] else (0,)),
            Table(('filter', 'verdict'), [verdicts], heading='What the innovations say')]


def _headings(figures: Figures):
    """Return the headings of the columns; 'unit': of each degree of freedom, beside it."""
    if not figures['reference']:
        return ('', *OTHERS[1:])
    units = set(figures['units'])
    unit = units.pop() if len(units) == 1 else 'unit'
    return ('', 'degree of freedom', *(f'{name} [{unit}{per}]' for name, _, per in RMSES),
            *OTHERS)


def _rows_of(name: str, one: Figures, figures: Figures):
    """Yield a row for each degree of freedom of a filter; a single one without a reference."""
    if not one['estimates']:
        yield [name, *['-'] * (len(_headings(figures)) - 1)]
        return
    if not figures['reference']:
        yield [name, *_others(one)[1:]]
        return
    units = zip(figures['degrees_of_freedom'], figures['units'], strict=True)
    for k, (coordinate, unit) in enumerate(units):
        others = _others(one) if k == 0 else [''] * len(OTHERS)
        yield [name if k == 0 else '', f'{coordinate} [{unit}]',
               *(number_text(one[key][k]) if key in one else '-'
                 for _, key, _ in RMSES), *others]


def _captions(figures: Figures):
    """Return what figures mean, and problems of filters, as lines."""
    lines = ['NEES, NIS: 1 if consistent' if figures['reference'] else 'NIS: 1 if consistent']
    lines += [] if figures['origin'] is None else [origin_line(figures['origin'])]
    for name, one in figures['estimators'].items():
        nothing = '' if one['estimates'] else 'no estimates'
        lines += [f'{name}: {what}' for what in (
            one['problem'] or nothing, lost_line(one['lost']), one['reservation']) if what]
    return lines


def _others(figures: Figures):
    """Return the figures that a filter has once: NEES, NIS, time of a step, readings."""
    nees, nis = figures.get('nees'), figures.get('nis')
    step, readings = figures.get('step_time'), figures.get('readings')
    return [number_text(nees and nees['mean_per_state'], '.2f'),
            number_text(nis and nis['mean_per_channel'], '.2f'),
            number_text(step and 1e6 * step['median'], '.0f'),
            *(str(readings[key]) if readings else '-' for key in ('used', 'rejected', 'missing'))]


def _drawn(run: tuple[tuple[str, Track] | None, Sequence[Estimated]], figures: Figures):
    """Return a row of panels for each degree of freedom; run: (reference, compared)."""
    reference, compared = run
    if reference is None:
        return Drawn([], None)
    truth = reference[1]
    looks, start = _looks(compared), int(truth.stamps[0])
    later = 1e-9 * (start - figures['origin'])      # times of errors count from the start
    errors = {one.name: errors_against(truth, one.track, start)
              for one in compared if len(one.track) > 1 and one.track is not truth}
    return Drawn([], Picture(grid=[[Panel(
        f'{name}: {quantity}', f'RMS over {WINDOW:g} s [{unit}{per}]', tuple(
            _curve(of.time + later, getattr(of, quantity)[:, k], {'name': one, **looks[one]})
            for one, of in errors.items()), log=True, since=ORIGIN)
        for quantity, per in QUANTITIES.items()]
        for k, (name, unit) in enumerate(zip(
            figures['degrees_of_freedom'][:MOST_COORDINATES], figures['units'], strict=False))]))


def _curve(time: np.ndarray, values: np.ndarray, look: dict[str, Any]):
    """Return the Curve of a moving RMS; zeros cannot be shown on an axis of powers."""
    mean = moving_rms(time, values, WINDOW)
    return Curve(x=time, y=np.where(mean > 0.0, mean, np.nan), **look)


def moving_rms(time: np.ndarray, values: np.ndarray, window: float) -> np.ndarray:
    """Return the root mean square of values (k) over a window [s] around each time (k) [s]."""
    left = np.searchsorted(time, time - 0.5 * window)
    right = np.searchsorted(time, time + 0.5 * window, side='right')
    sums = np.concatenate([[0.0], np.cumsum(np.square(values))])
    return np.sqrt((sums[right] - sums[left]) / (right - left))


def _looks(compared: Sequence[Estimated]):
    """Return the look of each curve; two of one colour differ in style."""
    filters = [one.name for one in compared if one.name not in LOOKS]
    return LOOKS | {name: {'colour': f'series{k % SERIES}', 'width': 1.7,
                           'dash': ('solid', 'dot')[k // SERIES % 2]}
                    for k, name in enumerate(filters)}


REPORT = ReportKind(
    'comparison', title=_title, tables=_tables, captions=_captions, draw=_drawn,
    introduction=lambda figures: [f'Bag `{figures["bag"]}`.'])
