"""A motion as a chain of steps: its nodes, the factors between them, and what they mean."""

from functools import partial
from typing import Any

import gtsam
import numpy as np

from mb_estimators.factor_graph.batch import ROUNDING, Iterate, Problem
from mb_estimators.factor_graph.factor import certain, factor, law
from mb_estimators.factor_graph.forward_steps import STEPS
from mb_estimators.filter import DivergenceError
from mb_estimators.filter.layout import Layout
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_LEFT = 1e-8        # change of accelerations, and of positions, as a share of the present ones


class ForwardProblem(Problem):
    """The graph of a Chain.

    The length of a full step is its largest change of an acceleration over the largest
    acceleration, or of a position over its size.
    """

    def __init__(self, graph: gtsam.NonlinearFactorGraph, mechanism: Mechanism, node: Layout,
                 dt: float):
        """Set up; node: layout of the nodes; dt: time between them [s]."""
        super().__init__(graph)
        self._mechanism, self._node, self._dt = mechanism, node, dt

    def length(self, at: Iterate):
        """See Problem."""
        return max(values.max() for values in self._changes(at)) / _LEFT

    def remaining(self, at: Iterate):
        """See Problem."""
        change = np.maximum(*self._changes(at))
        k, i = np.unravel_index(change.argmax(), change.shape)
        key = sorted(at.values.keys())[k]
        return (f'another step would change the motion of {self._mechanism.coordinates[i]} by '
                f'{100.0 * change[k, i]:.2g} % at t = {key * self._dt:g} s')

    def _changes(self, at: Iterate):
        """Return the changes of accelerations and positions (k, n), as shares."""
        size = self._mechanism.model['scale'][0, :self._mechanism.n]
        keys = sorted(at.values.keys())
        values, steps = (np.array([vectors(key) for key in keys])
                         for vectors in (at.values.atVector, at.step.at))
        qdd = self._node['coordinate acceleration']
        present = np.abs(values[:, qdd] / size).max() + ROUNDING / (_LEFT * self._dt ** 2)
        return (np.abs(steps[:, qdd] / size) / present,
                np.abs(steps[:, self._node['coordinate']] / size))


_COORDINATES = ('coordinate', 'coordinate velocity', 'coordinate acceleration')
_MOTION = ('position', 'velocity', 'acceleration')
_MISSED = 1e-6      # largest error of a constraint that a solution may leave [m, m/s, ...]
_OFF = 1e-3         # error of the dynamics that it may leave, of the largest acceleration


class Chain:
    """Nodes at 0, dt, 2 dt ... behind the start of a mechanism."""

    def __init__(self, mechanism: Mechanism, dt: float, settings: Any):
        """Set up; settings: ForwardSettings."""
        self._kind = STEPS[settings.coordinates]
        self._node = self._kind.node(mechanism)
        self._mechanism, self._dt = mechanism, dt
        self._explicit = settings.integration == 'euler'
        self._models, self._works = mechanism.model, mechanism.workspace()
        self._deviations = self._kind.deviations(mechanism, settings)
        self._noise = law(self._deviations)
        self._known = gtsam.noiseModel.Isotropic.Sigma(
            self._node.size, certain(self._deviations))

    def start(self):
        """Return the node of the start of the mechanism."""
        mechanism = self._mechanism
        z, zd = mechanism.z0, mechanism.zd0
        q = mechanism.assemble(z)
        qd = mechanism.velocity(q, zd)
        zdd = mechanism.forward_dynamics(z, zd)
        values = dict(zip((*_MOTION, *_COORDINATES), (
            z, zd, zdd, q, qd, mechanism.acceleration(q, qd, zdd)), strict=True))
        vector = np.empty(self._node.size)
        for name, part in self._node.parts(vector).items():
            part[:] = values[name]
        return vector

    def after(self, vector: FloatArray):
        """Return a first guess of the node behind another: accelerations stay."""
        h, vector = self._dt, vector.copy()
        parts = self._node.parts(vector)
        for names in (_COORDINATES, _MOTION):
            if names[0] in parts:
                x, rate, second = (parts[name] for name in names)
                x += h * rate + 0.5 * h * h * second
                rate += h * second
        return vector

    def step(self, key: int):
        """Return the factor of the step to the node of a key from the one before."""
        return factor(self._noise, (key - 1, key), partial(self._error, key),
                      2 * (self._node.size,))

    def known(self, key: int, vector: FloatArray):
        """Return the factor of a node that is known."""
        return gtsam.PriorFactorVector(key, vector, self._known)

    def marginal(self, key: int, before, step, a: FloatArray, b: FloatArray):
        """Return the factor of all that a node says of the next one, of a key.

        before: the factor of what is known of the node; step: of the step between both; a, b: where
        they are.  Rows of an orthogonal decomposition that the first node has no part in.
        """
        size, values = self._node.size, gtsam.Values()
        values.insert(key - 1, a)
        values.insert(key, b)
        graph = gtsam.NonlinearFactorGraph()
        graph.add(before)
        graph.add(step)
        rows = np.column_stack(graph.linearize(values).jacobian())
        left = np.linalg.qr(rows, 'r')[size:2 * size]
        of_next = gtsam.Values()
        of_next.insert(key, b)
        return gtsam.LinearContainerFactor(gtsam.JacobianFactor(
            key, left[:, size:2 * size], left[:, -1], gtsam.noiseModel.Unit.Create(len(left))),
            of_next)

    def problem(self, first, nodes, factors):
        """Return ForwardProblem and Values of nodes from a key on."""
        graph, values = gtsam.NonlinearFactorGraph(), gtsam.Values()
        for key, vector in enumerate(nodes, first):
            values.insert(key, vector)
        for one in factors:
            graph.add(one)
        return ForwardProblem(graph, self._mechanism, self._node, self._dt), values

    def instant(self, vector: FloatArray):
        """Return a node as name -> array, of mb_model.simulation.run.STATE."""
        mechanism = self._mechanism
        motion = dict(zip(('q', 'qd', 'qdd'),
                         (vector[self._node[name]] for name in _COORDINATES), strict=True))
        independent = mechanism.indices(mechanism.independent)
        return motion | {name: motion[of][independent] for name, of in
                        (('z', 'q'), ('zd', 'qd'), ('zdd', 'qdd'))}

    def require_motion(self, a: FloatArray, b: FloatArray, key: int):
        """Raise DivergenceError unless the step from a to b, the node of a key, is a solution."""
        e = np.zeros(len(self._deviations))
        jacobians = [np.zeros((len(e), self._node.size)) for _ in range(2)]
        solved = self._error(key, a, b, e, *jacobians)
        if not solved or not np.abs(e[self._deviations == 0.0]).max() < _MISSED:
            raise DivergenceError(f'no motion found at t = {key * self._dt:g} s')
        rows, span = self._kind.dynamics(self._mechanism), self._node[self._kind.accelerations]
        off, present = np.abs(e[rows]).max(), np.abs(np.concatenate([a[span], b[span]])).max()
        if not off <= _OFF * present + ROUNDING / self._dt ** 2:
            raise DivergenceError(
                f'the motion found does not obey the dynamics: accelerations of up to {present:.3g}'
                f' are off by {off:.3g} at t = {key * self._dt:g} s; a shorter dt or a smaller '
                'dynamics_variance brings them nearer')

    def _error(self, key: int, a: FloatArray, b: FloatArray, e: FloatArray, J_a: FloatArray,
               J_b: FloatArray):
        return self._kind.evaluate(self._models, self._works, a, b, key * self._dt, self._dt,
                                   self._explicit, e, J_a, J_b)
