"""What becomes of a fit to readings: tables, and sections of the page with a picture."""

from collections.abc import Iterator
from typing import Any

import matplotlib
from matplotlib.figure import Figure
import numpy as np
from rich.table import Table

from mb_estimators.consistency.normalized import NORMAL_95
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.fitting.by_readings.fit_readings import FittedNoise, ReadingFit
from mb_estimators.fitting.by_readings.judged import SensorJudged
from mb_estimators.fitting.outcome import known_by
from mb_estimators.fitting.page import html_table, picture
from mb_model.command_api import table

NOISES = ('noise', 'value [SI]', '95 % interval [SI]', 'in the file', 'known by')
NUMBERS = ('number', 'value [SI]', '1 sigma [SI]', '95 % interval [SI]', 'in the file', 'known by')
TOGETHER = ('known of several numbers', 'value', '1 sigma')
INNOVATIONS = ('innovations of', 'mean square', 'expected', 'in 95 %', 'alike', 'readings')
_MEANING = ('mean square: of innovations in the deviations that the filter expects; alike: '
            'correlation of neighbours, 0 of white ones')
_ROW, _WIDTH, _MOST = 1.4, 7.2, 4000
_DOTS, _HELD = '#1f5fa8', '#d1622b'


def noise_settings(fitted: ReadingFit) -> dict[str, Any]:
    """Return the densities of the plant as settings of error_ekf_ej."""
    psds = [float(f'{psd:.4g}') for psd in fitted.psds]
    if len(set(psds)) == 1:
        return {'acceleration_psd': psds[0]}
    return {'acceleration_psd': float(f'{np.mean(psds):.4g}'), 'coordinate_psds': psds}


def reading_tables(fitted: ReadingFit) -> Iterator[Table]:
    """Yield the tables: noises, numbers, what is known of several, innovations."""
    yield table(NOISES, [noise_rows(fitted)], 'noises', words=(0, 4))
    if fitted.numbers:
        yield table(NUMBERS, [list(_number_rows(fitted))], 'numbers of the machine', words=(0, 5))
    if fitted.together:
        yield table(TOGETHER, [_together_rows(fitted)], 'what readings know of numbers together')
    yield table(INNOVATIONS, [list(_judged_rows(fitted))], 'innovations', (_MEANING,))


def reading_sections(fitted: ReadingFit) -> tuple[tuple[str, str], ...]:
    """Return the (heading, HTML) of a fit to readings."""
    sections = [('Innovations', f'{picture(innovation_figure(fitted))}'
                 f'{html_table(INNOVATIONS, list(_judged_rows(fitted)))}<p>{_MEANING}</p>'),
                ('Noises', html_table(NOISES, noise_rows(fitted)))]
    if fitted.numbers:
        sections.append(('Numbers of the machine by readings',
                         html_table(NUMBERS, list(_number_rows(fitted)))))
    if fitted.together:
        sections.append(('Numbers together', html_table(TOGETHER, _together_rows(fitted))))
    return tuple(sections)


def noise_rows(fitted: ReadingFit) -> list[tuple[str, ...]]:
    """Return the rows of NOISES."""
    return [(one.name, f'{one.value:.4g}', _interval(one), f'{one.believed:.4g}',
             'readings' if one.is_known or one.is_bound else 'file') for one in fitted.noises]


def _interval(noise: FittedNoise) -> str:
    if not noise.is_known:
        return f'up to {noise.high:.4g}' if noise.is_bound else '-'
    return f'{noise.low:.4g} to {noise.high:.4g}'


def _number_rows(fitted: ReadingFit) -> Iterator[tuple[str, ...]]:
    """Yield the rows of NUMBERS; one that the file decides has no interval."""
    for one in fitted.numbers:
        low, high = fitted.intervals[one.path]
        yield (one.path, f'{one.value:.5g}', f'{one.deviation:.2g}' if one.is_known else '-',
               f'{low:.5g} to {high:.5g}' if one.is_known else '-', f'{one.believed:.4g}',
               known_by(one))


def _together_rows(fitted: ReadingFit) -> list[tuple[str, ...]]:
    """Return the rows of TOGETHER."""
    return [(one.text, f'{one.value:.4g}', f'{one.deviation:.2g}') for one in fitted.together]


def _judged_rows(fitted: ReadingFit) -> Iterator[tuple[str, ...]]:
    """Yield the rows of INNOVATIONS: of all readings, then of those held out."""
    for label, judged in (('', fitted.judged.sensors), (', held out', fitted.judged.held_out)):
        for one in judged:
            yield f'{one.name}{label}', *_cells(one)


def _cells(one: SensorJudged) -> tuple[str, ...]:
    low, high = one.expected
    return (f'{one.square:.3g}', f'{low:.2f} to {high:.2f}', f'{100.0 * one.coverage:.3g} %',
            f'{one.correlation:.2f}', str(one.count))


def innovation_figure(fitted: ReadingFit) -> Figure:
    """Return innovations in their deviations over time, a panel for each sensor."""
    judged = fitted.judged
    count = int(judged.recording.max()) + 1
    ends = [judged.t[judged.recording == k].max() for k in range(count)]
    t = judged.t + np.r_[0.0, np.cumsum(ends[:-1])][judged.recording]
    slices, some = SensorChannels(fitted.sensors).slices, slice(None, None, 1 + len(t) // _MOST)
    with matplotlib.rc_context({'font.size': 9.0, 'axes.linewidth': 0.7}):
        figure = Figure(figsize=(_WIDTH, _ROW * len(slices) + 0.4), layout='constrained')
        panels = figure.subplots(len(slices), 1, sharex=True, squeeze=False)[:, 0]
        for panel, (name, channels) in zip(panels, slices.items(), strict=True):
            panel.plot(t[some], judged.normalized[some, channels], '.', ms=2.0, color=_DOTS)
            panel.axhspan(-NORMAL_95, NORMAL_95, color=_DOTS, alpha=0.1, lw=0.0)
            for k in range(count):
                held = t[(judged.recording == k) & judged.held]
                if held.size:
                    panel.axvspan(held[0], held[-1], color=_HELD, alpha=0.12, lw=0.0)
            panel.set_ylabel(name)
            panel.spines[['top', 'right']].set_visible(False)
        panels[-1].set_xlabel('time [s]; blue band: 95 % of white innovations; orange: held out')
    return figure
