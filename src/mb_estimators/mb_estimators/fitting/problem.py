"""Unknowns, recordings and beliefs together: the fit as a problem, and what its solution says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.linalg import qr, solve_triangular

from mb_estimators.fitting.equations import Recordings
from mb_estimators.fitting.error_sizes import error_sizes
from mb_estimators.fitting.far_off import far_samples
from mb_estimators.fitting.fit_settings import FitError, FitSettings
from mb_estimators.fitting.fitted_number import FittedNumber, fitted_numbers
from mb_estimators.fitting.known_sums import Knowledge, knowledge
from mb_estimators.fitting.load_notes import load_notes
from mb_estimators.fitting.most_likely import Quadratic, most_likely
from mb_estimators.fitting.path_part import coulomb_of
from mb_estimators.fitting.quality import Quality, quality_of
from mb_estimators.fitting.samples import is_transition
from mb_estimators.fitting.scaled_equations import Equations
from mb_estimators.fitting.unknowns import Unknowns
from mb_model import MechanismError
from mb_model.arrays import FloatArray

_PASSES = 30            # over the recordings
_CONVERGED = 1e-2       # of the last change, against its deviation
_PATIENT = 8            # passes, after each of which twice as much is enough
_WEIGHINGS = 3          # of the degrees of freedom by their residuals
_ROBUST = 12            # where large residuals count less
_FEWEST = 10            # equations for each unknown
_HALVINGS = 12
_NO_MORE = 1.001        # times the cost before: what is not linear, and motions that moved
_RANK = 1e-10           # of equations that are scaled by what is believed
_ALIKE = 1.5            # what a common factor changes, against the residual: nothing
_FORCED = 0.1           # larger residuals than of least squares: numbers are held from there


@dataclass(frozen=True)
class Solution:
    """Unknowns x (p), the Equations about them there, weighed by weights (2, g), their Knowledge.
    """

    x: FloatArray
    equations: Equations
    weights: FloatArray
    known: Knowledge


class Problem:
    """The fit of unknowns to recordings."""

    def __init__(self, unknowns: Unknowns, recordings: Recordings, settings: FitSettings,
                 priors: Mapping[str, float], begin: FloatArray) -> None:
        """Set up with priors: path -> deviation before, a share of the value.  Raises FitError.

        begin: unknowns (p) from which the solution is looked for.
        """
        self._begin = begin
        self.unknowns, self._recordings, self._settings = unknowns, recordings, settings
        self._first = recordings.at(unknowns.start)
        rows = self._first.residual.size
        if rows < _FEWEST * len(unknowns):
            raise FitError(f'{rows} samples of forces: at least {_FEWEST * len(unknowns)} are '
                           f'needed for {len(unknowns)} numbers')
        self._believed = unknowns.features(unknowns.start)
        self._precision = self._spread(priors) ** -2.0
        self._size = self._reach()
        at_first = solve_triangular(self.belief(unknowns.start), np.eye(len(unknowns)))
        self._before = np.linalg.norm(at_first, axis=1)     # deviations of the unknowns (p)

    def solve(self, part: float = 1.0) -> Solution:
        """Return the Solution by the first part of each recording (a share).

        Raises FitError, MechanismError, NotConvergedError.
        """
        unknowns, x, exact = self.unknowns, self._begin, False
        whole = self._first if np.array_equal(x, unknowns.start) else self._recordings.at(x)
        for number in range(_PASSES):
            to, weights, known = self._best(x, self._part(whole, part))
            there = self._doubted(
                whole.moved(unknowns.features(to) - unknowns.features(x)).weighed(weights))
            whole = whole.doubted(there.doubt)
            linear = self._recordings.is_linear(x, to)
            change = known.combinations @ (to - x)
            enough = _CONVERGED * 2.0 ** max(number - _PATIENT, 0)
            small = np.all(np.abs(change) <= enough * np.sqrt(np.diagonal(known.covariance)))
            if (linear and (exact or number > 1)) or (small and number > 0):
                return Solution(to, there, weights, known)
            exact = not self._recordings.correct_motion(
                there.weighed(np.maximum(weights, 1.0))) and number > 0
            x, whole = self._reached(x, to, whole, weights, part)
        raise FitError('the fit does not converge: the recordings hardly determine these numbers, '
                       'or they are far from the values of the file')

    @property
    def recordings(self) -> Recordings:
        """The recordings, at the unknowns that were last tried."""
        return self._recordings

    def quality(self, solution: Solution) -> Quality:
        """Return the Quality of the fit of all."""
        return quality_of(solution.equations, self._recordings.rows)

    def held_out(self, solution: Solution) -> Quality | None:
        """Return the Quality at the end of each recording of a fit to the rest, None without one.
        """
        share = 1.0 - self._settings.held_out
        if share == 1.0:
            return None
        if self._recordings.is_linear(self.unknowns.start, solution.x):
            x, weights, _ = self._best(solution.x, self._part(solution.equations, share))
            equations = solution.equations.weighed(weights).moved(
                self.unknowns.features(x) - self.unknowns.features(solution.x))
        else:
            fitted = self.solve(share)
            equations = self._recordings.at(fitted.x).weighed(fitted.weights)
        return quality_of(equations[self._ends(equations, share)], self._recordings.rows)

    def numbers(self, solution: Solution) -> tuple[FittedNumber, ...]:
        """Return the FittedNumbers."""
        return fitted_numbers(self.unknowns, solution.x, self.belief(solution.x),
                              solution.known.triangle)

    def notes(self, solution: Solution) -> Iterator[str]:
        """Yield sentences about what the recordings leave open."""
        unknowns, equations = self.unknowns, solution.equations
        if any(path.endswith('.gain') for path in unknowns.drives.paths):
            changed = np.sqrt(np.mean(equations.scaled(
                equations.slopes @ unknowns.features(solution.x)) ** 2))
            left = np.sqrt(np.mean(equations.scaled(equations.residual) ** 2))
            if changed < _ALIKE * left:
                yield ('gains, masses and friction are known up to a common factor, which the file '
                       'decides: know one of them, such as a weighed load (--known), or a mass '
                       '(--prior)')
        larger = np.sqrt(np.mean((equations.residual / equations.deviations) ** 2, axis=0)) - 1.0
        for name, share in zip(self._recordings.rows, larger, strict=True):
            if share > _FORCED:
                yield (f'{name}: residuals are {100.0 * share:.3g} % larger than without what is '
                       'possible and believed: the model lacks something, or forces or signs of '
                       'this drive are wrong')
        yield from far_samples(equations, self._recordings.rows, self._settings.outliers)
        yield from load_notes(unknowns, self._recordings, equations)
        if not solution.known.sums:
            yield 'nothing is determined: the numbers are as in the file'

    def _best(self, x: FloatArray, equations: Equations,
              ) -> tuple[FloatArray, FloatArray, Knowledge]:
        """Return most likely unknowns by linear equations at x, their weights, what is known.

        Weights and knowledge are by the residuals of least squares, without any belief.
        """
        unknowns, at = self.unknowns, self.unknowns.features(x)
        weights, size = np.ones((2, equations.residual.shape[1])), self._size
        for _ in range(_WEIGHINGS if not self._settings.outliers else _ROBUST):
            weighed = equations.weighed(weights)
            triangle = _reduced(weighed.scaled(weighed.slopes), weighed.scaled(weighed.residual))
            change = size * np.linalg.lstsq(triangle[:, :-1] * size, triangle[:, -1],
                                            rcond=_RANK)[0]
            left = equations.moved(change)
            weights = error_sizes(left, len(unknowns), self._settings.outliers)
            left = self._doubted(left.weighed(weights))
            equations = equations.doubted(left.doubt)
        weighed = equations.weighed(weights)
        slopes, right = weighed.scaled(weighed.slopes), weighed.scaled(weighed.residual)
        known = knowledge(unknowns.names, slopes @ unknowns.slopes(x), left.scaled(left.residual),
                          left.blocks, self._before)
        scale = np.sqrt(known.inflation)
        triangle = _reduced(slopes, right + slopes @ at) / scale
        data = Quadratic(triangle[:, :-1], triangle[:, -1], self._believed, self._precision)
        return most_likely(unknowns, data, x), weights, known

    def _reached(self, x: FloatArray, to: FloatArray, whole: Equations, weights: FloatArray,
                 part: float) -> tuple[FloatArray, Equations]:
        """Return unknowns from x towards others where the cost is less, and Equations there."""
        before = self._cost(x, self._part(whole, part).weighed(weights))
        for _ in range(_HALVINGS):
            try:
                there = self._recordings.at(to).doubted(whole.doubt)
                if self._cost(to, self._part(there, part).weighed(weights)) <= _NO_MORE * before:
                    return to, there
            except MechanismError:
                pass
            to = 0.5 * (x + to)
        return x, whole

    def _cost(self, x: FloatArray, equations: Equations) -> float:
        features = self.unknowns.features(x)
        away = features - self._believed
        return (0.5 * float(np.sum(equations.scaled(equations.residual) ** 2)
                            + away @ (self._precision * away)) + self.unknowns.prior(x)[0])

    def belief(self, x: FloatArray) -> FloatArray:
        """Return the triangle (p, p) whose square is the Hessian of what is believed."""
        single = np.sqrt(self._precision)[:, np.newaxis] * self.unknowns.slopes(x)
        return qr(np.concatenate([single, self.unknowns.prior(x)[2]]), mode='r')[0][:len(x)]

    def _spread(self, priors: Mapping[str, float]) -> FloatArray:
        """Return what is believed of single features: standard deviations (f), inf: nothing.

        Of a number that is no mass property of a body, at first: so much as explains all forces.
        """
        unknowns, equations = self.unknowns, self._first
        paths = [path for part in unknowns.parts for path in part.feature_paths]
        if missing := sorted(set(priors) - set(paths)):
            raise FitError(f'--prior {", ".join(missing)}: not free, or no mass or single number; '
                           f'expected some of {", ".join(path for path in paths if path)}')
        force = np.sqrt(np.mean(equations.scaled(equations.force) ** 2))
        size = np.sqrt(np.mean(equations.scaled(equations.slopes) ** 2, axis=0))
        share = self._settings.prior_deviation * np.abs(self._believed)
        alone = np.where(size > 0.0, force / np.maximum(size, 1e-300), 0.0)
        spread = np.maximum(alone, share)
        order = [is_transition(path) for path in paths]     # is all that is believed
        spread[order] = self._settings.prior_deviation * np.maximum(
            np.abs(self._believed), np.abs(unknowns.features(self._begin)))[order]
        spread[spread == 0.0] = 1.0
        readings = unknowns.of_readings
        spread[readings] = np.minimum(spread[readings], unknowns.readings.spread)
        for k, path in enumerate(paths):    # what hardly acts is not more than what does all
            if (below := coulomb_of(path)) and below in paths:
                spread[k] = min(spread[k], spread[paths.index(below)])
        spread[np.repeat([part.is_body for part in unknowns.parts],
                         [len(part.feature_paths) for part in unknowns.parts])] = np.inf
        for path, deviation in priors.items():
            k = paths.index(path)
            spread[k] = deviation * (abs(self._believed[k]) or 1.0)
        return spread

    def _doubted(self, equations: Equations) -> Equations:
        """Return weighed equations whose residuals count as the settings say."""
        return equations.doubted(equations.doubts(self._settings.outliers))

    def _reach(self) -> FloatArray:
        """Return sizes of features, by which columns are compared (f)."""
        size = np.sqrt(np.mean(self._first.scaled(self._first.slopes) ** 2, axis=0))
        return 1.0 / np.where(size > 0.0, size, 1.0)

    def _part(self, equations: Equations, share: float) -> Equations:
        return equations if share == 1.0 else equations[~self._ends(equations, share)]

    @staticmethod
    def _ends(equations: Equations, share: float) -> FloatArray:
        """Return which windows (w) are beyond a share of their recordings."""
        last = np.array([equations.t[equations.recording == number].max()
                         for number in range(int(equations.recording.max()) + 1)])
        return equations.t > share * last[equations.recording]


def _reduced(slopes: FloatArray, right: FloatArray) -> FloatArray:
    """Return equations (f + 1, f + 1) with the least squares of slopes (k, f) and right (k)."""
    return qr(np.column_stack([slopes, right]), mode='r')[0][:slopes.shape[1] + 1]
