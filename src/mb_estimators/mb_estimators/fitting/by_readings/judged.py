"""How consistent innovations are with fitted noises, on readings that the fit has not seen."""

from dataclasses import dataclass

import numpy as np

from mb_estimators.consistency.normalized import NORMAL_95, chi_square_interval
from mb_estimators.consistency.sensor_consistency import assess
from mb_estimators.filter.sensor_channels import SensorChannels
from mb_estimators.fitting.by_readings.problem import ReadingProblem
from mb_estimators.fitting.by_readings.scoring import most_likely
from mb_estimators.fitting.by_readings.solution import Solution
from mb_model.arrays import FloatArray, IntArray

_LEVEL = 0.99           # of all judgements together, that white innovations pass


@dataclass(frozen=True)
class SensorJudged:
    """The innovations of a sensor in the deviations that the filter expects.

    square: mean of their squares, in expected (low, high) with 95 % if the model is right; of held
    out ones this takes in how well noises are known; coverage: share within the 95 % interval;
    correlation: of neighbours, 0 of white ones; count.
    """

    name: str
    square: float
    expected: tuple[float, float]
    coverage: float
    correlation: float
    count: int


@dataclass(frozen=True)
class Judged:
    """By sensor, and for pictures.

    sensors: of all readings by noises fitted to all; held_out: of the end of each recording by a
    fit of the rest, empty where nothing is held out; t, recording (k), normalized (k, c): all
    innovations in deviations; held (k): which are held out; notes: sentences.
    """

    sensors: tuple[SensorJudged, ...]
    held_out: tuple[SensorJudged, ...]
    t: FloatArray
    recording: IntArray
    normalized: FloatArray
    held: IntArray
    notes: tuple[str, ...]


def judged(problem: ReadingProblem, solution: Solution, held_out: float) -> Judged:
    """Return the Judged of a Solution; held_out: share at the end of each recording."""
    scored, slices = solution.scored, SensorChannels(problem.sensors).slices
    early = [(np.arange(len(one.stamps)) < (1.0 - held_out) * len(one.stamps)).astype(np.int64)
             for one in problem.recordings]
    whole = _normalized(scored.likelihood.innovations)
    held = np.concatenate(early) == 0
    out: tuple[SensorJudged, ...] = ()
    if held.any():
        rest = most_likely(solution.system, scored.noises, early, scored.logarithms)
        late = _normalized(rest.likelihood.innovations)[held]
        rates = np.concatenate(rest.likelihood.rates)[held]
        out = tuple(_of_sensor(name, late[:, own], _doubt(late[:, own], rates[:, own],
                                                          rest.covariance))
                    for name, own in slices.items())
    notes = []
    for name, channels in slices.items():
        own = whole[:, channels]
        verdict = assess(name, own[np.isfinite(own).all(axis=1)],
                         1.0 - (1.0 - _LEVEL) / len(slices)).verdict
        if verdict:
            notes.append(f'{verdict}: noises alone do not describe it')
    return Judged(
        tuple(_of_sensor(name, whole[:, channels]) for name, channels in slices.items()), out,
        np.concatenate([one.t for one in problem.recordings]),
        np.repeat(np.arange(len(early)), [len(one) for one in early]), whole, held, tuple(notes))


def _normalized(innovations: tuple[FloatArray, ...]) -> FloatArray:
    """Return innovations (k, c) of all recordings in their deviations."""
    return np.concatenate([nu / np.sqrt(s) for nu, s in innovations])


def _doubt(values: FloatArray, rates: FloatArray, covariance: FloatArray) -> float:
    """Return the variance of a mean square of values (k, c) because noises are not known.

    rates (k, c, p): of the logarithm of the variance of each, by logarithms of noises, which have a
    covariance.
    """
    seen = np.isfinite(values)
    mean = rates[seen].mean(axis=0) if seen.any() else np.zeros(rates.shape[2])
    return float(mean @ covariance @ mean)


def _of_sensor(name: str, values: FloatArray, doubt: float = 0.0) -> SensorJudged:
    """Return the SensorJudged of normalized innovations (k, channels); doubt: see _doubt."""
    seen = values[np.isfinite(values)]
    count = len(seen)
    if not count:
        return SensorJudged(name, np.nan, (0.0, np.inf), np.nan, np.nan, 0)
    freedom = 1.0 / (1.0 / count + 0.5 * doubt)     # of a chi-square whose mean varies as much
    low, high = chi_square_interval(freedom)
    rows = values[np.isfinite(values).all(axis=1)]
    return SensorJudged(
        name, float(np.mean(seen ** 2)), (float(low) / freedom, float(high) / freedom),
        float(np.mean(np.abs(seen) <= NORMAL_95)),
        float(np.sum(rows[1:] * rows[:-1]) / max(np.sum(rows ** 2), 1e-300)), count)
