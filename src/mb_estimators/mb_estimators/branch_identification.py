"""The branch on which a mechanism was assembled, from readings, by a graph for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mb_estimators.consistency.normalized import chi_square_tail
from mb_estimators.factor_graph.batch import MostLikely, solve
from mb_estimators.factor_graph.covariances import log_evidence
from mb_estimators.factor_graph.factor import SQUARE
from mb_estimators.factor_graph.whole import instant_names, motion_graph, pass_over
from mb_estimators.filter import DivergenceError, FilterError
from mb_estimators.filter.errors import in_full
from mb_estimators.filters.branch_filter import BranchSettings, branches
from mb_estimators.filters.shared_settings import WhiteNoiseSettings
from mb_estimators.filters.window_filters import FixedLagSmoother, FixedLagSmootherSettings
from mb_estimators.recording.recording import Recording
from mb_model import Mechanism, independent_orientations, setting
from mb_model.arrays import FloatArray
from mb_sensors import Sensor


@dataclass(frozen=True)
class BranchIdentificationSettings(BranchSettings, WhiteNoiseSettings):
    """How the branch is identified."""

    initial_variance: float = setting(
        7.6e-3, unit='rad^2', above=0.0, help='Of position and velocity at the start')
    certainty: float = setting(
        0.99, above=0.5, at_most=1.0,
        help='Probability from which on a branch counts as identified; else none does')
    least_fit: float = setting(
        1e-4, at_least=0.0, at_most=0.5,
        help='Chance of readings as far off as on the likeliest branch, below which none fits')
    iterations: int = setting(
        100, at_least=1, help='Of the optimiser, the most; a branch that needs more is not judged')

    @property
    def loss(self) -> str:
        """Robust losses are no densities, and have no evidence."""
        return SQUARE


@dataclass(frozen=True)
class LikelyBranches:
    """Branches (b) of a mechanism at its start, and how likely they are by readings.

    positions (b, n); probabilities (b): nan where one of them was not solved; log_evidences (b):
    of the readings; fits (b): chance of readings as far from the motion as these, nan as above;
    branch: which one it is, None if that is open; why: then the reason.
    """

    positions: FloatArray
    probabilities: FloatArray
    log_evidences: FloatArray
    fits: FloatArray
    branch: int | None
    why: str


def identify_branch(mechanism: Mechanism, sensors: Sequence[Sensor], recording: Recording,
                    dt: float, progress: bool = False, **settings: Any) -> LikelyBranches:
    """Return the LikelyBranches of a mechanism by the readings of a Recording.

    The discrete variable of a hybrid graph (Blanco-Claraco et al. 2021, Sec. 4), the start on one
    of its branches, all equally likely before: a graph for each, with its own linearisation, and
    its evidence.  mechanism: its start, at the first stamp, is known but for the branch; sensors,
    dt: longest step of the model [s]; progress: say on stderr how far it is; settings: of
    BranchIdentificationSettings.
    Raises FilterError, SettingError, MechanismError (all ValueError).
    """
    chosen = BranchIdentificationSettings.from_mapping(settings)
    mechanism = in_full(mechanism, 'a factor graph')
    mechanism.require_masses('a factor graph')
    if orientations := independent_orientations(mechanism):
        raise FilterError(f'{mechanism.name}: not with orientations ({", ".join(orientations)}): '
                          'the start would have to be known at the references of every graph; '
                          'branch_filter follows them')
    if not np.isfinite(recording.readings).any():
        raise FilterError('readings: there are none, and without them all branches are equally '
                          'likely')
    positions = branches(mechanism, chosen.tries, chosen.most)
    evidences, fits, failures = *(np.full(len(positions), np.nan) for _ in range(2)), {}
    for k, q in enumerate(positions):
        try:
            evidences[k], fits[k] = _judged(mechanism, sensors, recording, dt, q, chosen, progress)
        except DivergenceError as error:
            failures[k] = str(error)
    probabilities = np.full(len(positions), np.nan)
    if not failures:
        weights = np.exp(evidences - evidences.max())
        probabilities = weights / weights.sum()
    branch, why = _decision(probabilities, fits, failures, chosen)
    return LikelyBranches(np.array(positions), probabilities, evidences, fits, branch, why)


def _judged(mechanism, sensors, recording, dt, q, settings, progress):
    """Return the log evidence of a branch, and the chance of readings as far from its motion."""
    guess = FixedLagSmoother(mechanism, sensors, dt, FixedLagSmootherSettings(
        initial_variance=settings.initial_variance, gate=0.0))
    guess.start_near(q)
    whole, readings = pass_over(guess, recording, dt, progress)
    motion = motion_graph(guess, whole, readings, settings)
    problem = MostLikely(motion.graph, instant_names(whole.instants))
    solved = solve(problem, motion.values, settings.iterations).values
    count = int(np.isfinite(recording.readings).sum())
    return (log_evidence(motion, solved),
            chi_square_tail(count, 2.0 * motion.graph.error(solved)))


def _decision(probabilities, fits, failures, settings):
    """Return the branch that is decided on and '', or None and why it is not."""
    if failures:
        return None, '; '.join(f'branch {k} is not judged: {text}' for k, text in failures.items())
    k = int(np.argmax(probabilities))
    if fits[k] < settings.least_fit:
        return None, (f'no branch fits: readings as far from branch {k}, the likeliest, have a '
                      f'chance of {fits[k]:.2g}, below least_fit {settings.least_fit:g}')
    if probabilities[k] < settings.certainty:
        return None, (f'undecided: branch {k}, the likeliest, has {probabilities[k]:.4f}, expected '
                      f'at least certainty {settings.certainty:g}')
    return k, ''
