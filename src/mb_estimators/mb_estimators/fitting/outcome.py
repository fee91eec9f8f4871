"""What becomes of a fit: tables for a terminal, and comments of a mechanism file."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from rich.table import Table

from mb_estimators.filters.parameters import KNOWN_FORCES
from mb_estimators.fitting.drive_part import ASYMMETRY, GAIN, GROWTH, LOSS, OFFSET
from mb_estimators.fitting.fit import Fit
from mb_estimators.fitting.fitted_number import FittedNumber
from mb_estimators.fitting.quality import Quality
from mb_estimators.fitting.reading_part import LASH, ZEROS
from mb_estimators.fitting.suggestion import Suggestion
from mb_model.command_api import table

SUMS = ('known as product or sum', 'value [SI]', '1 sigma [SI]')
NUMBERS = ('number', 'value [SI]', '1 sigma [SI]', 'in the file', 'known by')
QUALITY = ('degree of freedom', 'residual', 'of the force', 'alike', 'in 95 %')
_BETTER = 0.667         # of the deviation now
_HOMES = dict.fromkeys((GAIN, OFFSET), 'scale and offset of its column, see import_recording')
_SETTINGS = {ASYMMETRY: ('force_asymmetries', 0.0), GROWTH: ('force_growths', 0.0),
             LOSS: ('force_losses', 0.0), LASH: ('gear_lashes', 0.0)}     # of pulse_ekf, at first


def sum_rows(fit: Fit) -> list[tuple[str, ...]]:
    """Return the rows of SUMS: what is known, and is no number of the machine by itself."""
    single = {number.path.removeprefix('bodies.') for number in fit.numbers}
    return [(one.text, f'{one.of(fit.unknown_values()):.5g}', f'{one.deviation:.2g}')
            for one in (*fit.sums, *fit.closer) if one.others or one.name not in single]


def number_rows(numbers: Iterable[FittedNumber]) -> list[tuple[str, ...]]:
    """Return the rows of NUMBERS; one that the file decides has no deviation."""
    return [(one.path, f'{one.value:.5g}', f'{one.deviation:.2g}' if one.is_known else '-',
             f'{one.believed:.4g}', known_by(one)) for one in numbers]


def quality_rows(fitted: Quality, held_out: Quality | None) -> list[tuple[str, ...]]:
    """Return the rows of QUALITY: of what was fitted, then of what was held out."""
    return [(f'{name}{label}', f'{quality.residual[k]:.3g}', f'{100.0 * quality.relative[k]:.3g} %',
             f'{quality.correlation[k]:.2f}', f'{100.0 * quality.coverage[k]:.3g} %')
            for label, quality in (('', fitted), (', held out', held_out)) if quality
            for k, name in enumerate(quality.names)]


def fit_tables(fit: Fit) -> Iterator[Table]:
    """Yield the tables: numbers, sums of them, residuals."""
    yield table(NUMBERS, [number_rows(fit.numbers)], 'numbers of the machine', words=(0, 4))
    if rows := sum_rows(fit):
        yield table(SUMS, [rows], 'what the recordings know of numbers together')
    yield table(QUALITY, [quality_rows(fit.quality, fit.held_out)],
                f'residuals, {len(fit.quality.t)} samples', (
        'alike: correlation of neighbouring residuals, 0 of white ones',))


def suggestion_table(fit: Fit, suggestion: Suggestion) -> Table:
    """Return what a suggested motion would show: numbers of which it says half as much again."""
    rows = [(now.path, f'{now.deviation:.2g}', f'{then.deviation:.2g}', known_by(then))
            for now, then in zip(fit.numbers, suggestion.numbers, strict=True)
            if then.deviation < _BETTER * now.deviation]
    return table(('number', '1 sigma now [SI]', 'with this motion [SI]', 'known by'), [rows],
                 'what the motion would show', words=(0, 3))


def motion_text(suggestion: Suggestion, names: Sequence[str]) -> str:
    """Return a Suggestion as CSV: time, degrees of freedom by name, their rates, forces."""
    heads = ['t', *names, *(f'{name}_rate' for name in names),
             *(f'force_{name}' for name in suggestion.rows)]
    rows = np.column_stack([suggestion.t, suggestion.z, suggestion.zd, suggestion.force])
    return '\n'.join([','.join(heads), *(','.join(f'{value:.9g}' for value in row)
                                          for row in rows)]) + '\n'


def fit_comments(fit: Fit) -> tuple[str, ...]:
    """Return lines for a mechanism file of a Fit: what it knows of numbers together."""
    return tuple(f'known: {one.text} = {one.of(fit.unknown_values()):.6g}, '
                 f'1 sigma {one.deviation:.2g}' for one in (*fit.sums, *fit.closer))


def drive_lines(fit: Fit) -> list[str]:
    """Return sentences about numbers of drives and encoders, which no mechanism file has."""
    lines = [f'{one.path.removeprefix(KNOWN_FORCES)} of the recorded force: {one.value:.6g}, '
             f'1 sigma {one.deviation:.2g} '
             f'({_HOMES.get(one.path.rpartition(".")[2], "setting of pulse_ekf")})'
             for one in fit.numbers if one.path.startswith(KNOWN_FORCES)]
    zeros = [one.value for one in fit.numbers if one.path.startswith(ZEROS)]
    if zeros:
        lines.append(f'zeros of encoders differ by {np.ptp(zeros):.3g} between bags and encoders: '
                     'an offset of a column takes one out, bias_sigma lets an estimator find it')
    return lines


def transmission_settings(fit: Fit, drives: Sequence[str]) -> dict[str, Any]:
    """Return what transmissions lose as settings of pulse_ekf, nothing where none of it is fitted.

    drives: as the degrees of freedom, in their order; of others nothing is returned.
    """
    values = fit.values
    if tuple(drives) != fit.mechanism.independent or not any(
            path.startswith(KNOWN_FORCES) and path.rpartition('.')[2] in _SETTINGS
            for path in values):
        return {}
    return {name: [float(f'{values.get(f"{KNOWN_FORCES}{drive}.{kind}", first):.6g}')
                   for drive in drives]
            for kind, (name, first) in ({GAIN: ('force_gains', 1.0)} | _SETTINGS).items()}


def known_by(number: FittedNumber) -> str:
    """Return in a word what decides a number."""
    return 'recordings' if number.is_known else 'file'
