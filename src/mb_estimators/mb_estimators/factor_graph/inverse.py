"""Inverse dynamics by a factor graph: the forces behind a desired motion."""

from dataclasses import asdict, dataclass

import gtsam
import numpy as np

from mb_estimators.factor_graph import inverse_step
from mb_estimators.factor_graph.batch import solve
from mb_estimators.factor_graph.factor import factor
from mb_estimators.factor_graph.forward import require_graph
from mb_estimators.filter import DivergenceError
from mb_model.settings import Settings, setting
from mb_model.simulation.progress import with_progress
from mb_model.simulation.run import Run

_HARD = 1.0          # weight of a violated constraint in the error that the optimiser compares
_MISSED = 1e-6       # largest error of a constraint that a solution may leave [m, m/s, ...]
_ACCURACY = {'tolerance': 1e-6, 'damping': 1e-10}    # each stage begins near its solution


@dataclass(frozen=True)
class InverseSettings(Settings):
    """How the forces behind a motion are found; the variances weigh the factors.

    Source: Blanco-Claraco et al. 2021, Table 2.
    """

    following_variance: float = setting(
        1e-8, above=0.0, help='Of the distance from the desired motion')
    integration_variance: float = setting(
        1e-2, above=0.0, help='Of the trapezoidal rule')
    dynamics_variance: float = setting(
        1e-4, above=0.0, help='Of the equations of motion')
    equality_variance: float = setting(
        1e6, above=0.0, help='Of the change of coordinates and of accelerations in a step: keeps '
                             'the branch, and accelerations from swinging to and fro')
    iterations: int = setting(30, at_least=1, help='Of the optimiser in each stage, the most')


@dataclass(frozen=True)
class Inverse:
    """Forces behind a desired motion.

    forces (k, g): on the degrees of freedom at the instants run.t; following_error (k, g): of z;
    run: the motion, with forces that are held over each step, the means of those at its ends.
    """

    run: Run
    forces: np.ndarray
    following_error: np.ndarray


def inverse(mechanism, desired, dt, progress=False, **settings):
    """Return the Inverse of a desired motion of the degrees of freedom, by a factor graph.

    desired (k, g): z at k >= 3 instants, dt [s] apart; settings: of InverseSettings; progress: show
    a bar, if there is a terminal.  The motion may be known at its instants alone: velocities and
    accelerations follow from it, so it must be smooth over three of them.
    Raises FilterError, SettingError (both ValueError), DivergenceError.
    """
    chosen = InverseSettings.from_mapping(settings)
    require_graph(mechanism)
    desired = np.asarray(desired, dtype=np.float64)
    if desired.ndim != 2 or desired.shape[1] != mechanism.g or len(desired) < 3:
        raise ValueError(f'desired: shape {desired.shape} must be (k, {mechanism.g}), k >= 3')
    if not (np.isfinite(desired).all() and 0.0 < dt < np.inf):
        raise ValueError(f'desired must be finite and dt {dt} > 0')
    motion = _Motion(mechanism, desired, dt, chosen)
    for stage in with_progress(len(inverse_step.STAGES), mechanism.name, progress):
        motion.solve(inverse_step.STAGES[stage])
    return motion.found()


def _positions(mechanism, desired):
    """Yield the position (n) at each row of desired, on the branch of the mechanism file."""
    near = mechanism.assemble(desired[0])
    for z in desired:
        near = mechanism.assemble(z, near)
        yield near


class _Motion:
    """A motion as one graph, solved in stages."""

    def __init__(self, mechanism, desired, dt, settings):
        self._mechanism, self._desired, self._dt = mechanism, desired, dt
        self._settings = settings
        self._models, self._works = mechanism.model, mechanism.new_work()
        self._nodes = np.array(list(_positions(mechanism, desired)))

    def solve(self, stage):
        """Solve the graph of a stage, from the solution of the last."""
        size = inverse_step.size(self._mechanism, stage)
        start = np.zeros((len(self._nodes), size))
        start[:, :self._nodes.shape[1]] = self._nodes
        values = gtsam.Values()
        for k, vector in enumerate(start):
            values.insert(k, vector)
        values = solve(self._graph(stage, size), values, self._settings.iterations, **_ACCURACY)
        self._nodes = np.array([values.atVector(k) for k in range(len(start))])

    def _graph(self, stage, size):
        graph = gtsam.NonlinearFactorGraph()
        noises = [gtsam.noiseModel.Constrained.MixedSigmas(
            _HARD, deviations(self._mechanism, self._settings, stage)) for deviations in
            (inverse_step.instant_deviations, inverse_step.step_deviations)]
        graph.add(self._first(noises[0], stage, size))
        for k in range(1, len(self._desired)):
            graph.add(self._step(noises[1], k, stage, size))
        return graph

    def _first(self, noise, stage, size):
        motion = self._desired[0]

        def error(a, e, J_a):
            return inverse_step.instant(self._models, self._works, a, motion, stage, e, J_a)

        return factor(noise, (0,), error, (size,))

    def _step(self, noise, k, stage, size):
        motion = self._desired[k]

        def error(a, b, e, J_a, J_b):
            return inverse_step.step(
                self._models, self._works, a, b, motion, stage, self._dt, e, J_a, J_b)

        return factor(noise, (k - 1, k), error, (size, size))

    def found(self):
        """Return the Inverse; raises DivergenceError if the nodes are no motion."""
        mechanism, n = self._mechanism, self._mechanism.n
        q, qd, qdd, forces = np.split(self._nodes, [n, 2 * n, 3 * n], axis=1)
        error = max(mechanism.closing_error(row) for row in q)
        if not error < _MISSED:
            raise DivergenceError(f'no motion found: the mechanism stays open by {error:.2g}')
        independent = [mechanism.coordinates.index(name) for name in mechanism.independent]
        held = np.empty_like(forces)
        held[:-1] = 0.5 * (forces[:-1] + forces[1:])
        held[-1] = held[-2]
        run = Run(mechanism, self._dt * np.arange(len(q)), q[:, independent], qd[:, independent],
                  qdd[:, independent], q, qd, qdd, held, formulation='factor graph, inverse',
                  integrator='trapezoidal', settings=asdict(self._settings))
        return Inverse(run, forces, run.z - self._desired)
