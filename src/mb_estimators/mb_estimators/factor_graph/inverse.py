"""Inverse dynamics by a factor graph: the forces behind a desired motion."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.factor_graph.batch import ITERATIONS, solve
from mb_estimators.factor_graph.forward import require_graph
from mb_estimators.factor_graph.inverse_problem import InverseProblem, inverse_start
from mb_estimators.filter import DivergenceError
from mb_model import Mechanism, Run, Settings, setting
from mb_model.arrays import FloatArray

_MISSED = 1e-6       # largest error of a constraint that a solution may leave [m]


@dataclass(frozen=True)
class InverseSettings(Settings):
    """How the forces behind a motion are found; the variances weigh the factors.

    Source: Blanco-Claraco et al. 2021, Table 2; the change of accelerations is ours.
    """

    following_variance: float = setting(
        1e-8, above=0.0, help='Of the distance from the desired motion')
    integration_variance: float = setting(
        1e-2, above=0.0, help='Of the trapezoidal rule')
    dynamics_variance: float = setting(
        1e-4, above=0.0, help='Of the equations of motion')
    equality_variance: float = setting(
        1e6, above=0.0, help='Of the change of coordinates in a step')
    change_variance: float = setting(
        1e-3, above=0.0, help='Of how unevenly accelerations change over two steps, times a step '
                              'squared: keeps them from swinging from instant to instant; smaller '
                              'ones smooth a motion that was measured')
    iterations: int = setting(
        ITERATIONS, at_least=1, help='Of the optimiser, the most; a motion that needs more is an '
                                     'error')


@dataclass(frozen=True)
class Inverse:
    """Forces behind a desired motion.

    forces (k, g): on the degrees of freedom at the instants run.t; missing (k, g): further forces
    that the motion needs by inverse dynamics in independent coordinates; following_error (k, g): of
    z; run: the motion, with forces held over each step, the means of both ends; iterations: of the
    optimiser; open: largest difference from the forces of inverse dynamics at each instant, with
    derivatives over five, as a share of the present forces: large for steps too long, or a motion
    that is not smooth.
    """

    run: Run
    forces: FloatArray
    missing: FloatArray
    following_error: FloatArray
    iterations: int
    open: float


def inverse(mechanism: Mechanism, desired: ArrayLike, dt: float, progress: bool = False,
            **settings: Any) -> Inverse:
    """Return the Inverse of a desired motion of the degrees of freedom, by a factor graph.

    desired (k, g): z at k >= 3 instants, dt [s] apart; settings: of InverseSettings; progress: show
    a bar, if there is a terminal.  The motion may be known at its instants alone: velocities and
    accelerations follow from it, so it must be smooth over three of them.
    Found are forces that another step would not change, by a millionth of those present, and that
    make the motion, to a thousandth.  Raises FilterError, SettingError, MechanismError (all
    ValueError), NotConvergedError where the optimiser does not get there in the iterations that it
    has, DivergenceError.
    """
    chosen = InverseSettings.from_mapping(settings)
    mechanism = require_graph(mechanism)
    desired = np.asarray(desired, dtype=np.float64)
    if desired.ndim != 2 or desired.shape[1] != mechanism.g or len(desired) < 3:
        raise ValueError(f'desired: shape {desired.shape} must be (k, {mechanism.g}), k >= 3')
    if not (np.isfinite(desired).all() and 0.0 < dt < np.inf):
        raise ValueError(f'desired must be finite and dt {dt} > 0')
    start, present = inverse_start(mechanism, desired, dt, progress)
    problem = InverseProblem(mechanism, desired, dt, chosen, present)
    solved = solve(problem, problem.values(start), chosen.iterations)
    nodes = problem.nodes(solved.values)
    run, forces = _run(mechanism, problem.node.parts(nodes), dt, chosen)
    differences = np.abs(forces - start[:, problem.node['force']]) / problem.present
    return Inverse(run, forces, problem.missing(nodes), run.z - desired, solved.iterations,
                   float(differences.max()))


def _run(mechanism, parts, dt, settings):
    """Return the Run of nodes, and their forces; raises DivergenceError if they are no motion.

    parts: blocks of the nodes, in the order of dependent_node, for all instants.
    """
    q, qd, qdd, forces = parts.values()
    error = max(mechanism.closing_error(row, k * dt) for k, row in enumerate(q))
    if not error < _MISSED:
        raise DivergenceError(f'no motion found: the mechanism stays open by {error:.2g}')
    independent = mechanism.indices(mechanism.independent)
    held = np.empty_like(forces)
    held[:-1] = 0.5 * (forces[:-1] + forces[1:])
    held[-1] = held[-2]
    run = Run(mechanism, dt * np.arange(len(q)), q[:, independent], qd[:, independent],
              qdd[:, independent], q, qd, qdd, held, formulation='factor graph, inverse',
              integrator='trapezoidal', settings=asdict(settings))
    return run, forces
