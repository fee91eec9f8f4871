"""Problem of inverse dynamics: the graph of a desired motion, and when its forces are there.

All factors of a time step are one, see forward_steps.  Nodes: see dependent_node, with forces.
Source: Blanco-Claraco et al. 2021, Fig. 4 and Sec. 7.2.
"""

from typing import Any

import gtsam
import numpy as np

from mb_estimators.factor_graph.batch import ROUNDING, Iterate, Problem
from mb_estimators.factor_graph.factor import factor, law
from mb_estimators.factor_graph.factors.constraints import positions, velocities
from mb_estimators.factor_graph.factors.dynamics import dependent_dynamics
from mb_estimators.factor_graph.factors.linear import desired, equality, even_change, trapezoidal
from mb_estimators.factor_graph.nodes import dependent_node
from mb_estimators.filter import DivergenceError
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_model.command_api import with_progress
from mb_model.jit import entry, kernel
from mb_model.kernel_api import set_time

_NEAR = 5           # instants that the derivatives at one are taken from


def inverse_start(mechanism: Mechanism, desired: FloatArray, dt: float, progress: bool = False):
    """Return the nodes (k, 3n + g) of a desired motion, and the forces present in it (g).

    desired (k, g): z at instants dt [s] apart; nodes: q on the branch of the mechanism file, qd,
    qdd, and forces by inverse dynamics.  Present: what moves the mechanism plus what holds it, at
    most, signs left out.  Raises MechanismError.
    """
    nodes, present = [], np.zeros(mechanism.g)
    rates, rest = derivatives(desired, dt), np.zeros(mechanism.g)
    near = mechanism.assemble(desired[0])
    for k in with_progress(len(desired), mechanism.name, progress):
        t, z, zd, zdd = k * dt, desired[k], rates[0][k], rates[1][k]
        near = q = mechanism.assemble(z, near, t)
        qd = mechanism.velocity(q, zd, t)
        held = mechanism.inverse_dynamics(z, zd, rest, near=q, t=t)
        forces = mechanism.inverse_dynamics(z, zd, zdd, near=q, t=t)
        nodes.append(np.concatenate([q, qd, mechanism.acceleration(q, qd, zdd, t), forces]))
        present = np.maximum(present, np.abs(held) + np.abs(forces - held))
    return np.array(nodes), present


def derivatives(values, dt: float):
    """Return first and second derivatives (k, g) of values at k >= 3 instants, dt [s] apart.

    By the polynomial through the instant and its nearest four, at the ends to one side.
    """
    count = min(_NEAR, len(values))
    slopes = np.empty((2, *values.shape))
    for k in range(len(values)):
        first = min(max(k - count // 2, 0), len(values) - count)
        powers = np.vander(np.arange(first, first + count) - float(k), increasing=True)
        slopes[:, k] = np.linalg.inv(powers)[1:3] @ values[first:first + count]
    return slopes[0] / dt, 2.0 * slopes[1] / dt ** 2


def instant_deviations(mechanism: Mechanism, settings: Any):
    """Return the standard deviation of each row of `instant`; 0: must vanish."""
    n, m, g = mechanism.n, mechanism.m, mechanism.g
    return np.sqrt(np.repeat([settings.following_variance, 0.0, settings.dynamics_variance],
                             [g, 2 * m, n]))


def step_deviations(mechanism: Mechanism, settings: Any):
    """Return the standard deviation of each row of `step`; 0: must vanish."""
    n = mechanism.n
    variances = np.repeat([settings.equality_variance, settings.integration_variance], [n, 2 * n])
    return np.concatenate([np.sqrt(variances), instant_deviations(mechanism, settings)])


def change_deviations(mechanism: Mechanism, settings: Any):
    """Return the standard deviation of each row of `change`."""
    return np.full(mechanism.g, np.sqrt(settings.change_variance))


@kernel
def _instant(model, work, a, t, motion, e, J_a, row):
    n, m, g = model.n, model.m, model.g
    set_time(model, work, t)
    desired(model, a, 0, motion, e, J_a, row)
    positions(model, work, a, 0, e, J_a, row + g)
    velocities(model, work, a, 0, n, e, J_a, row + g + m)
    return dependent_dynamics(model, work, a, 0, n, 2 * n, 3 * n, e, J_a, row + g + 2 * m)


@entry
def instant(models, works, a, t, motion, e, J_a):
    """Write error and Jacobian of a node that is to be at z = motion (g) at t [s].

    Rows: desired z (g), positions (m), velocities (m), dynamics (n).
    Returns False where the dynamics have no solution.
    """
    return _instant(models[0], works[0], a, t, motion, e, J_a, 0)


@entry
def step(models, works, a, b, t, motion, h, e, J_a, J_b):
    """Write error and Jacobians of a step of h [s] from node a to node b at t [s], and of b alone.

    Rows: soft equality of q (n), trapezoidal rule of q (n) and of qd (n); then the rows of
    `instant` at b.
    """
    n = models[0].n
    equality(a, b, 0, n, e, J_a, J_b, 0)
    trapezoidal(a, b, 0, n, n, h, e, J_a, J_b, n)
    trapezoidal(a, b, n, 2 * n, n, h, e, J_a, J_b, 2 * n)
    return _instant(models[0], works[0], b, t, motion, e, J_b, 3 * n)


@entry
def change(models, a, b, c, h, e, J_a, J_b, J_c):
    """Write error and Jacobians of nodes h [s] apart: even change of accelerations (g rows)."""
    even_change(models[0], a, b, c, 2 * models[0].n, h, e, J_a, J_b, J_c, 0)
    return True


_LEFT = 1e-6             # change of forces that a solution may have left, of those present
_OFF = 1e-3              # forces that are missing, or too much, of those present


class InverseProblem(Problem):
    """A motion as one graph, of the nodes of dependent_node with forces.

    The length of a full step is its largest change of a force over the forces present (g), which
    are no less than the forces of accelerations within the rounding of positions.
    """

    def __init__(self, mechanism: Mechanism, desired: FloatArray, dt: float, settings: Any,
                 present: FloatArray):
        """Set up; see inverse; present (g): see inverse_start."""
        self._mechanism, self._desired, self._dt = mechanism, desired, dt
        self._models, self._works = mechanism.model, mechanism.workspace()
        self.node = dependent_node(mechanism, forces=True)
        self.present = np.maximum(present, self._least() / _LEFT)
        super().__init__(self._made(settings))

    def values(self, nodes):
        """Return Values of nodes (k, size)."""
        values = gtsam.Values()
        for k, vector in enumerate(nodes):
            values.insert(k, vector)
        return values

    def nodes(self, values):
        """Return the nodes (k, size) of Values."""
        return np.array([values.atVector(k) for k in range(len(self._desired))])

    def length(self, at: Iterate):
        """See Problem."""
        return (self._changes(at) / self.present).max() / _LEFT

    def remaining(self, at: Iterate):
        """See Problem."""
        return 'another step would change ' + self._largest(self._changes(at))

    def missing(self, nodes):
        """Return the forces that the motion of nodes needs beside theirs (k, g).

        By mb_model's inverse dynamics in independent coordinates.  Raises DivergenceError if
        they are large: then the nodes' forces do not make the motion.
        """
        mechanism = self._mechanism
        independent = mechanism.indices(mechanism.independent)
        q, qd, qdd, forces = self.node.parts(nodes).values()
        missing = np.array([
            mechanism.inverse_dynamics(*state, near=near, t=k * self._dt)
            for k, (*state, near) in enumerate(zip(
                *(x[:, independent] for x in (q, qd, qdd)), q, strict=True))]) - forces
        if not (np.abs(missing) / self.present).max() <= _OFF:
            raise DivergenceError('the forces found do not make the motion: missing is '
                                  f'{self._largest(np.abs(missing))}; a smaller '
                                  'dynamics_variance brings them nearer')
        return missing

    def _changes(self, at: Iterate):
        forces = self.node['force']
        return np.abs([at.step.at(k)[forces] for k in range(len(self._desired))])

    def _largest(self, values):
        """Return the largest of values (k, g), as shares of forces present, as text."""
        shares = values / self.present
        k, i = np.unravel_index(shares.argmax(), shares.shape)
        name = self._mechanism.independent[i]
        unit = 'N m' if self._mechanism.unit(name) == 'rad' else 'N'
        return (f'the force on {name} by {values[k, i]:.3g} {unit} at t = {k * self._dt:g} s '
                f'({100.0 * shares[k, i]:.2g} % of the largest)')

    def _least(self):
        """Return the forces (g) of accelerations within the rounding of positions."""
        mechanism, rest = self._mechanism, np.zeros(self._mechanism.g)
        z, q = self._desired[0], mechanism.assemble(self._desired[0])
        scale = mechanism.model['scale'][0, mechanism.model['independent'][0, :mechanism.g]]
        held = mechanism.inverse_dynamics(z, rest, rest, near=q)
        inertia = [mechanism.inverse_dynamics(z, rest, zdd, near=q) - held
                   for zdd in np.diag(scale)]
        return ROUNDING / self._dt ** 2 * np.abs(inertia).sum(axis=0)

    def _made(self, settings: Any):
        """Return the graph."""
        graph, size = gtsam.NonlinearFactorGraph(), self.node.size
        first, step, change = (law(deviations(self._mechanism, settings)) for deviations in (
            instant_deviations, step_deviations, change_deviations))
        graph.add(factor(first, (0,), self._instant, (size,)))
        for k in range(1, len(self._desired)):
            graph.add(factor(step, (k - 1, k), self._step_to(k), 2 * (size,)))
        for k in range(2, len(self._desired)):
            graph.add(factor(change, (k - 2, k - 1, k), self._change, 3 * (size,)))
        return graph

    def _instant(self, a: FloatArray, e: FloatArray, J_a: FloatArray):
        return instant(self._models, self._works, a, 0.0, self._desired[0], e, J_a)

    def _step_to(self, k: int):
        t, motion = k * self._dt, self._desired[k]

        def error(a, b, e, J_a, J_b):
            return step(self._models, self._works, a, b, t, motion, self._dt, e, J_a, J_b)
        return error

    def _change(self, a: FloatArray, b: FloatArray, c: FloatArray, e: FloatArray, J_a: FloatArray,
                J_b: FloatArray, J_c: FloatArray):
        return change(self._models, a, b, c, self._dt, e, J_a, J_b, J_c)
