"""Numbers of a machine and noises of plant and sensors, the most likely ones by readings."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import numpy as np

from mb_estimators.consistency.normalized import NORMAL_95
from mb_estimators.filter import DivergenceError
from mb_estimators.filters.parameters import KNOWN_FORCES
from mb_estimators.fitting.by_readings.determined import determined
from mb_estimators.fitting.by_readings.frozen import likelihood
from mb_estimators.fitting.by_readings.judged import Judged, judged
from mb_estimators.fitting.by_readings.noises import Noises, said_of, with_noises
from mb_estimators.fitting.by_readings.oil_problem import OilProblem
from mb_estimators.fitting.by_readings.outliers import (
    farthest,
    gross_readings,
    innovation_sizes,
    left_out,
    outlying,
    taken_in,
    without,
)
from mb_estimators.fitting.by_readings.problem import ReadingProblem
from mb_estimators.fitting.by_readings.reading_settings import ReadingSettings
from mb_estimators.fitting.by_readings.solution import Solution
from mb_estimators.fitting.fit_settings import FitError
from mb_estimators.fitting.fitted_number import FittedNumber
from mb_estimators.fitting.oil_numbers import is_oil
from mb_estimators.fitting.oil_stiffness import KnownTogether, known_together
from mb_estimators.plugins import check_suits
from mb_estimators.recording.recording import Recording
from mb_model import Mechanism
from mb_model.arrays import BoolArray, FloatArray
from mb_model.file_api import merged, parameter_overrides
from mb_sensors import Sensor

_DOUBTED, _CHANGED = 10.0, 0.3  # see FittedNumber.is_known: what the file decides is so much less
_FITS = 10              # the most, each without the readings that the one before finds wild
_DOUBTS = 5             # passes that ask which of the gross readings are wild


@dataclass(frozen=True)
class FittedNoise:
    """A noise as a file has it, a density or a standard deviation, by its name.

    low, high: with 95 %; believed: at first; is_known: whether the readings say it, or the file;
    is_bound: whether they only say that it is smaller than `high`.
    """

    name: str
    value: float
    low: float
    high: float
    believed: float
    is_known: bool
    is_bound: bool = False


@dataclass(frozen=True)
class ReadingFit:
    """What readings say of a machine and its noises.

    numbers, intervals: path -> (low, high) with 95 %; together: what is known of several numbers,
    of the oil; noises; psds (g): densities of the plant;
    sensors: with the noises; overrides: of the mechanism file, mechanism: with them; judged: the
    innovations; notes: sentences for the reader; passes: of the filter; solution: of the fit.
    """

    numbers: tuple[FittedNumber, ...]
    intervals: dict[str, tuple[float, float]]
    together: tuple[KnownTogether, ...]
    noises: tuple[FittedNoise, ...]
    psds: tuple[float, ...]
    sensors: tuple[Sensor, ...]
    overrides: dict[str, Any]
    mechanism: Mechanism
    judged: Judged
    notes: tuple[str, ...]
    passes: int
    solution: Solution

    @property
    def values(self) -> dict[str, float]:
        """Fitted numbers and noises, by name."""
        return {one.path: one.value for one in self.numbers} | {
            one.name: one.value for one in self.noises}


def fit_readings(mechanism: Mechanism, sensors: Sequence[Sensor], recordings: Sequence[Recording],
                 dt: float, noises: Sequence[str] = ('*',),
                 numbers: Mapping[str, float] | None = None,
                 settings: ReadingSettings | None = None, held_out: float = 1.0 / 3.0
                 ) -> ReadingFit:
    """Return the ReadingFit of noises and numbers by the readings of Recordings.

    dt: longest step of the model [s]; noises: patterns of `<sensor>.sigma` and
    `<sensor>.bias_walk`; the density of the plant is always fitted.  numbers: path -> deviation
    before, a share of the file's value, in its unit where that is 0; held_out: share at the end of
    each recording by which the fit of the rest is judged.

    The filter error_ekf_ej, or augmented_ekf with numbers, goes along the recordings.  Its errors
    are a linear system, in which the likelihood of the innovations (Schweppe 1965), its derivatives
    by the noises, and what readings say of the numbers follow without the model (Astrom 1980;
    Segal and Weinstein 1989); the next pass goes along what was most likely.
    Raises FilterError, MechanismError (ValueError), DivergenceError.
    """
    settings = settings or ReadingSettings()
    kind = _problem_kind(numbers or {})
    check_suits(kind.filter_name if numbers else 'error_ekf_ej', mechanism)
    for recording in recordings:
        if not np.isfinite(recording.readings).any():
            raise FitError('no readings: expected some of '
                           f'{", ".join(sensor.name for sensor in sensors)}')
    first = kind.noises(mechanism, sensors, settings, noises)
    gross, passes = [gross_readings(one, sensors) for one in recordings], 0
    wild, is_doubted = gross, any(one.any() for one in gross)

    def problem_of(some: Sequence[Recording]) -> ReadingProblem:
        return kind(mechanism, sensors, some, dt, numbers or {}, settings.initial_variance)
    for fits in count(1):
        problem = problem_of(without(recordings, wild) if settings.outliers else recordings)
        solution, limits, notes = determined(problem, first, settings.passes)
        passes += solution.passes
        if not settings.outliers:
            notes += taken_in(solution.system, solution.scored, gross, sensors)
            break
        if is_doubted:
            is_doubted = False
            wild, gone = _wild_in(problem_of, recordings, solution, gross, settings.outliers)
            passes += gone
            if any((one != other).any() for one, other in zip(wild, gross, strict=True)):
                continue
        out = [*left_out(solution.system, wild, sensors, settings.outliers)]
        more = outlying(solution.system, solution.scored, settings.outliers)
        rest = any(one.any() for one in more)
        if not rest or fits >= _FITS:
            notes += out
            if rest:
                notes.append(f'after {fits} fits some readings are still more than '
                             f'{settings.outliers:g} deviations off, and count')
            break
        wild = [one | new for one, new in zip(wild, more, strict=True)]
    noted = _fitted_noises(problem, solution, limits, first)
    known, intervals = _fitted_numbers(problem, solution)
    if kind is OilProblem and not solution.settled:
        known = tuple(replace(one, is_known=False) for one in known)
    together = _together(problem, solution) if kind is OilProblem and solution.settled else ()
    values = solution.scored.values
    for name, limit in limits.items():
        if np.isfinite(limit):
            values = np.where(_is_of(first, name), np.exp(limit), values)
    fitted = with_noises(sensors, values, problem.biases, problem.densities)
    overrides = _overrides(problem, solution, fitted)
    verdict = judged(problem, solution, held_out)
    if not solution.settled:
        notes = [*notes, f'not settled after {solution.passes} passes of the filter']
    return ReadingFit(
        known, intervals, together, noted, tuple(values[:problem.densities].tolist()),
        tuple(fitted), overrides, mechanism.replace(**overrides), verdict,
        (*notes, *_open(known), *verdict.notes), passes, solution)


def _problem_kind(numbers: Iterable[str]) -> type[ReadingProblem]:
    """Return the kind of problem that numbers by path are of; raises FitError."""
    of_oil = [is_oil(path) for path in numbers]
    if any(of_oil) and not all(of_oil):
        raise FitError('numbers of the oil are found by an observer that knows no masses and no '
                       'forces: fit them, and the others, one after the other')
    return OilProblem if any(of_oil) else ReadingProblem


def _wild_in(problem_of: Callable[[Sequence[Recording]], ReadingProblem],
             recordings: Sequence[Recording], solution: Solution, gross: list[BoolArray],
             limit: float) -> tuple[list[BoolArray], int]:
    """Return which gross readings (k, c) of the recordings a solution without them finds wild.

    As one spoils the innovations after it, the largest of each run goes first.  Also, passes.
    """
    scored, wild, passes = solution.scored, [np.zeros_like(one) for one in gross], 0
    while True:
        passes += 1
        try:
            system = problem_of(without(recordings, wild)).system(solution.nominal)
        except DivergenceError:         # wild ones lead it astray
            return gross, passes
        sizes = innovation_sizes(likelihood(system, scored.values, scored.noises.ties,
                                            system.all_counted))
        more = [one & other for one, other in zip(gross, farthest(sizes, limit), strict=True)]
        if passes == _DOUBTS or not any(one.any() for one in more):
            return [one | doubted & (size > limit) for one, doubted, size in zip(
                wild, gross, sizes, strict=True)], passes
        wild = [one | new for one, new in zip(wild, more, strict=True)]


def _is_of(noises: Noises, name: str) -> FloatArray:
    """Return which of all values (n) a free noise is."""
    return noises.ties[:, noises.names.index(name) if name in noises.names else 0] == 1.0


def _fitted_noises(problem: ReadingProblem, solution: Solution, limits: Mapping[str, float],
                   first: Noises) -> tuple[FittedNoise, ...]:
    """Return the FittedNoises; limits: of what is not determined, see determined."""
    scored, fitted = solution.scored, []

    def said(name: str, logarithm: float) -> float:
        return said_of(name, logarithm, problem.sensors)
    for name, x, deviation in zip(scored.noises.names, scored.logarithms, scored.deviations,
                                  strict=True):
        low, value, high = (said(name, x + side * NORMAL_95 * deviation)
                            for side in (-1.0, 0.0, 1.0))
        believed = float(np.log(first.values[_is_of(first, name)][0]))
        fitted.append(FittedNoise(name, value, low, high, said(name, believed), True))
    for name, limit in limits.items():
        file = said(name, float(np.log(first.values[_is_of(first, name)][0])))
        value = said(name, limit) if np.isfinite(limit) else file
        high = value if np.isfinite(limit) else np.inf
        fitted.append(FittedNoise(name, value, 0.0, high, file, False, bool(np.isfinite(limit))))
    return tuple(fitted)


def _fitted_numbers(problem: ReadingProblem, solution: Solution
                    ) -> tuple[tuple[FittedNumber, ...], dict[str, tuple[float, float]]]:
    """Return the FittedNumbers, and intervals of them."""
    if not problem.names:
        return (), {}
    parameters = problem.parameters(solution.nominal.numbers)
    s = np.array([parameters.number_of(*pair) for pair in solution.numbers.items()])
    covariance, rates = solution.covariance, parameters.rates_at(parameters.values_of(s))
    before = np.diag(problem.believed_deviations(parameters) ** -2)
    own = np.sqrt(np.diagonal(covariance @ before @ covariance)) * rates
    both = np.sqrt(np.diagonal(covariance))
    low, high = (parameters.values_of(s + side * NORMAL_95 * both) for side in (-1.0, 1.0))
    fitted, both = [], both * np.abs(rates)
    for k, (name, value) in enumerate(solution.numbers.items()):
        said = np.sqrt(max(both[k] ** 2 - own[k] ** 2, 0.0))
        fitted.append(FittedNumber(
            name, value, float(both[k]), problem.file[name],
            bool(_DOUBTED * abs(own[k]) < max(_CHANGED * abs(value), said))))
    return tuple(fitted), {
        name: (float(min(ends)), float(max(ends)))
        for name, *ends in zip(solution.numbers, low, high, strict=True)}


def _together(problem: ReadingProblem, solution: Solution) -> tuple[KnownTogether, ...]:
    """Return what is known of several numbers of the oil."""
    parameters = problem.parameters(solution.nominal.numbers)
    s = np.array([parameters.number_of(*pair) for pair in solution.numbers.items()])
    return known_together(parameters, s, solution.covariance, problem.shares)


def _overrides(problem: ReadingProblem, solution: Solution,
               sensors: Sequence[Sensor]) -> dict[str, Any]:
    """Return the overrides of the mechanism file: numbers, and noises of sensors that changed."""
    own = {name: value for name, value in solution.numbers.items()
           if not name.startswith(KNOWN_FORCES)}
    overrides = parameter_overrides(problem.mechanism, own) if own else {}
    for before, after in zip(problem.sensors, sensors, strict=True):
        changed = {key: float(f'{getattr(after.settings, key):.6g}')
                   for key in ('sigma', 'bias_walk')
                   if not np.isclose(getattr(before.settings, key), getattr(after.settings, key))}
        if changed:
            overrides = merged(overrides, {'sensors': {after.name: changed}})
    return overrides


def _open(numbers: Sequence[FittedNumber]) -> list[str]:
    """Return a sentence about the numbers that the readings do not determine."""
    names = [one.path for one in numbers if not one.is_known]
    return [f'the readings do not determine {", ".join(names)}: the file decides what they leave '
            'open'] if names else []
