"""A motion that would show what recordings leave open: excitation design."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import qr

from mb_estimators.fitting.equations import FitRecording, Recordings
from mb_estimators.fitting.fit import Fit
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.fitted_number import FittedNumber, fitted_numbers
from mb_estimators.fitting.samples import DynamicsSamples
from mb_model import Mechanism, MechanismError, Settings, setting
from mb_model.arrays import FloatArray
from mb_sensors import NANOSECONDS, RecordedMotion

_SHARES = 1.0, 0.7, 0.5, 0.35, 0.25         # of the reach, where forces are too large
_WAVES = 5                                  # of each degree of freedom


@dataclass(frozen=True)
class MotionSettings(Settings):
    """Within what a suggested motion stays."""

    duration: float = setting(10.0, unit='s', above=0.0, help='It begins and ends at rest')
    reach: float = setting(
        0.5, unit='rad or m', above=0.0,
        help='To either side of the start, of what has no limits in the file')
    highest_rate: float = setting(1.0, unit='Hz', above=0.0, help='Of its fastest wave')
    largest_force: float = setting(
        0.0, unit='N m or N', at_least=0.0, help='Of each drive; 0: any')
    tries: int = setting(40, at_least=1, at_most=10_000, help='Motions of which the best is taken')
    seed: int = setting(0, at_least=0, help='Of these motions')


@dataclass(frozen=True)
class Suggestion:
    """A motion, and what would be known after it.

    t (k) [s]; z, zd, zdd (k, g); force (k, d) of what `rows` names, by the fitted numbers; numbers:
    FittedNumbers after it, their values as now.
    """

    t: FloatArray
    z: FloatArray
    zd: FloatArray
    zdd: FloatArray
    rows: tuple[str, ...]
    force: FloatArray
    numbers: tuple[FittedNumber, ...]


def suggest_motion(fit: Fit, drives: Sequence[str] = (), settings: FitSettings | None = None,
                   within: MotionSettings | None = None) -> Suggestion:
    """Return the Suggestion of most information beside what a Fit has: D-optimal among tries.

    drives, settings: of the fit.  Waves of five rates in each degree of freedom, that begin and end
    at rest at the start of the file (Swevers et al. 1997).  Raises FitError where the mechanism can
    make none of them.
    """
    settings, within = settings or FitSettings(), within or MotionSettings()
    drives = list(drives or fit.mechanism.drives)
    instants = replace(settings, averaging_time=0.5 * settings.averaging_time)    # each for itself
    problem, solution = fit.problem, fit.solution
    unknowns, x = problem.unknowns, solution.x
    now = np.concatenate([problem.belief(x), solution.known.triangle])
    best: tuple[float, RecordedMotion, FloatArray, FloatArray, tuple[str, ...]] | None = None
    for motion in _motions(fit.mechanism, within, settings.averaging_time):
        samples = DynamicsSamples(motion, np.zeros((len(motion), len(drives))))
        recordings = Recordings(unknowns, [FitRecording(samples)], drives, instants)
        try:
            equations = recordings.at(x)
        except MechanismError:
            continue
        force = equations.force - equations.residual
        if within.largest_force and np.abs(force).max() > within.largest_force:
            continue
        weighed = equations.weighed(solution.weights)
        more = weighed.scaled(weighed.slopes @ unknowns.slopes(x)) / np.sqrt(
            solution.known.inflation)
        triangle = qr(np.concatenate([now, more]), mode='r')[0][:len(x)]
        worth = float(np.sum(np.log(np.abs(np.diagonal(triangle)))))
        if best is None or worth > best[0]:
            best = worth, motion, force, more, recordings.rows
    if best is None:
        raise FitError('no motion within these limits: less reach, slower waves or larger forces')
    _, motion, force, more, rows = best
    return Suggestion(
        (motion.stamps - motion.stamps[0]) / NANOSECONDS, motion.z, motion.zd, motion.zdd, rows,
        force, fitted_numbers(unknowns, x, problem.belief(x),
                              np.concatenate([solution.known.triangle, more])))


def _motions(mechanism: Mechanism, within: MotionSettings,
             step: float) -> Iterator[RecordedMotion]:
    """Yield motions that are tried, each with less reach after it where forces may be too large."""
    random, g = np.random.default_rng(within.seed), mechanism.g
    t = np.arange(0.0, within.duration, step)
    stamps = np.round(NANOSECONDS * t).astype(np.int64)
    low, high = _limits(mechanism, within.reach)
    turn = 2.0 * np.pi / within.duration
    fastest = max(int(within.highest_rate * within.duration), 1)
    envelope = [np.sin(0.5 * turn * t) ** 2, 0.5 * turn * np.sin(turn * t),
                0.5 * turn ** 2 * np.cos(turn * t)]
    for _ in range(within.tries):
        rates = turn * random.integers(1, fastest + 1, (_WAVES, g))
        phases, sizes = random.uniform(0.0, 2.0 * np.pi, (_WAVES, g)), random.dirichlet(
            np.ones(_WAVES), g).T
        middle = random.uniform(-0.5, 0.5, g)
        wave = rates * t[:, np.newaxis, np.newaxis] + phases
        waves = [np.sum(sizes * np.sin(wave), axis=1) + middle,
                 np.sum(sizes * rates * np.cos(wave), axis=1),
                 -np.sum(sizes * rates ** 2 * np.sin(wave), axis=1)]
        waves = [0.667 * one for one in waves]          # with the middle within -1 and 1
        e, ed, edd = (one[:, np.newaxis] for one in envelope)
        unit = (e * waves[0], ed * waves[0] + e * waves[1],
                edd * waves[0] + 2.0 * ed * waves[1] + e * waves[2])
        span = np.where(unit[0] > 0.0, high - mechanism.z0, mechanism.z0 - low).min(axis=0)
        for share in _SHARES if within.largest_force else _SHARES[:1]:
            z, zd, zdd = (share * span * one for one in unit)
            yield RecordedMotion(stamps, mechanism.z0 + z, zd, zdd)


def _limits(mechanism: Mechanism, reach: float) -> tuple[FloatArray, FloatArray]:
    """Return the lowest and highest position of each degree of freedom (g)."""
    low, high = mechanism.z0 - reach, mechanism.z0 + reach
    for k, name in enumerate(mechanism.independent):
        one = mechanism.described.coordinates.get(name)
        if one is not None and np.isfinite([one.lower, one.upper]).all():
            low[k], high[k] = one.lower, one.upper
    return low, high
