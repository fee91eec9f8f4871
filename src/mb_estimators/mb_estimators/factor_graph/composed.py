"""Graphs that users compose of factors of a mechanism."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gtsam
import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.factor_graph.batch import ITERATIONS, Iterate, Problem, solve
from mb_estimators.factor_graph.covariances import Covariances
from mb_estimators.factor_graph.factor import factor
from mb_estimators.factor_graph.factors.constraints import positions, velocities
from mb_estimators.factor_graph.factors.dynamics import dependent_dynamics
from mb_estimators.factor_graph.factors.linear import equality, euler, prior, trapezoidal
from mb_estimators.factor_graph.forward import require_graph
from mb_estimators.factor_graph.nodes import dependent_node
from mb_estimators.filter import DivergenceError, FilterError
from mb_estimators.filter.layout import Layout
from mb_model import Mechanism
from mb_model.arrays import FloatArray

_LEFT = 1e-8        # change of a part of all nodes, as a share of its largest number
_LEAST = 1e-9       # of which at least
_SMALL = 1e-12      # share of the largest singular value from which on nothing is determined


class ComposedProblem(Problem):
    """A graph of nodes of one Layout; its step is measured by the parts of the nodes."""

    def __init__(self, graph: gtsam.NonlinearFactorGraph, node: Layout) -> None:
        """Set up; node: the Layout."""
        super().__init__(graph)
        self._node = node

    def length(self, at: Iterate) -> float:
        """See Problem."""
        return max(change for change, _ in self._changes(at)) / _LEFT

    def remaining(self, at: Iterate) -> str:
        """See Problem."""
        change, text = max(self._changes(at))
        return f'another step would change {text} by {100.0 * change:.2g} % of the largest'

    def _changes(self, at):
        """Return the largest change of each block, as a share, and what it is of."""
        keys = sorted(at.values.keys())
        values = np.array([at.values.atVector(key) for key in keys])
        steps = np.abs([at.step.at(key) for key in keys])
        changes = []
        for block in self._node.blocks:
            span = self._node[block.name]
            if span.stop > span.start:
                k = steps[:, span].max(axis=1).argmax()
                changes.append((float(steps[k, span].max() / max(np.abs(values[:, span]).max(),
                                                                _LEAST / _LEFT)),
                              f'{block.name} of node {keys[k]}'))
        return changes

    def require_determined(self, values: gtsam.Values) -> None:
        """Raise DivergenceError where factors leave directions of the nodes open."""
        jacobian = self.graph.linearize(values).jacobian()[0]
        lengths = np.linalg.norm(jacobian, axis=0)
        strength = np.linalg.svd(jacobian / np.where(lengths > 0.0, lengths, 1.0),
                                 compute_uv=False)
        if jacobian.shape[0] < jacobian.shape[1] or not strength[-1] > _SMALL * strength[0] or not (
                lengths > 0.0).all():
            raise DivergenceError('the factors do not determine the nodes: more of them are needed')


PARTS = {'q': 'coordinate', 'qd': 'coordinate velocity', 'qdd': 'coordinate acceleration',
         'forces': 'force'}
_CERTAIN = 1e-7          # deviation of laws that must hold, in their unit; less drowns in rounding


class FactorGraph:
    """A graph over nodes with numbers as keys; each has q, qd, qdd (n), and forces on z (g).

    A method that is named for a factor adds it, with a standard deviation for all of its rows or
    each; 0: the law must hold.  Source: Blanco-Claraco et al. 2021, Sec. 6.
    """

    def __init__(self, mechanism: Mechanism, forces: bool = False) -> None:
        """Begin without nodes; forces: on degrees of freedom, whether they are variables.

        Raises FilterError for mechanisms that graphs do not support.
        """
        require_graph(mechanism)
        self._mechanism, self._node = mechanism, dependent_node(mechanism, forces)
        self._models, self._works = mechanism.model, mechanism.workspace()
        self._graph, self._values = gtsam.NonlinearFactorGraph(), gtsam.Values()
        self._with_forces = forces
        self._covariances: Covariances | None = None

    def add_node(self, key: int, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
                 forces: ArrayLike | None = None) -> None:
        """Add a node, guessed to be there.  Raises FilterError."""
        if self._values.exists(key):
            raise FilterError(f'node {key}: is in the graph already')
        vector = np.zeros(self._node.size)
        for name, values in (('q', q), ('qd', qd), ('qdd', qdd), ('forces', forces)):
            if values is not None:
                span = self._span(name)
                values = np.asarray(values, float)
                if values.shape != (span.stop - span.start,) or not np.isfinite(values).all():
                    raise FilterError(f'node {key}: {name} must be {span.stop - span.start} '
                                      'finite numbers')
                vector[span] = values
        self._values.insert(key, vector)

    def add_start(self, key: int) -> None:
        """Add a node that is guessed to be at the start of the mechanism."""
        mechanism = self._mechanism
        q = mechanism.assemble(mechanism.z0)
        qd = mechanism.velocity(q, mechanism.zd0)
        zdd = mechanism.forward_dynamics(mechanism.z0, mechanism.zd0)
        self.add_node(key, q, qd, mechanism.acceleration(q, qd, zdd))

    def prior(self, key: int, part: str, value: ArrayLike, deviation: ArrayLike) -> None:
        """`part` of a node, of PARTS, is near a value: Eq. (21)."""
        span = self._span(part)
        size = span.stop - span.start
        wanted = np.broadcast_to(np.asarray(value, float), (size,)).copy()
        self._add((key,), size, deviation, lambda a, e, J: _always(
            prior(a, span.start, wanted, size, e, J, 0)))

    def coordinate(self, key: int, name: str, value: float, deviation: float,
                   part: str = 'q') -> None:
        """A coordinate, by its name, or its velocity or acceleration, is near a value: Eq. (21)."""
        coordinates = list(self._mechanism.coordinates)
        if name not in coordinates:
            raise FilterError(f'coordinate: {name}: unknown, expected one of '
                              f'{", ".join(coordinates)}')
        index, wanted = self._span(part).start + coordinates.index(name), np.array([float(value)])
        self._add((key,), 1, deviation,
                  lambda a, e, J: _always(prior(a, index, wanted, 1, e, J, 0)))

    def trapezoidal(self, before: int, after: int, dt: float, deviation: ArrayLike) -> None:
        """q and qd follow qd and qdd over dt [s] by the trapezoidal rule (2n rows): Eq. (23)."""
        self._integrate(trapezoidal, before, after, dt, deviation)

    def euler(self, before: int, after: int, dt: float, deviation: ArrayLike) -> None:
        """q and qd follow qd and qdd over dt [s] by Euler's rule (2n rows): Eq. (22)."""
        self._integrate(euler, before, after, dt, deviation)

    def _integrate(self, rule, before, after, dt, deviation):
        n = self._mechanism.n

        def error(a, b, e, J_a, J_b):
            rule(a, b, 0, n, n, dt, e, J_a, J_b, 0)
            return _always(rule(a, b, n, 2 * n, n, dt, e, J_a, J_b, n))

        self._add((before, after), 2 * n, deviation, error)

    def positions(self, key: int, deviation: ArrayLike = 0.0) -> None:
        """The mechanism closes (m rows): Eq. (24)."""
        self._add((key,), self._mechanism.m, deviation, lambda a, e, J: _always(
            positions(self._models[0], self._works[0], a, 0, e, J, 0)))

    def velocities(self, key: int, deviation: ArrayLike = 0.0) -> None:
        """Velocities keep the mechanism closed (m rows): Eq. (25)."""
        n = self._mechanism.n
        self._add((key,), self._mechanism.m, deviation, lambda a, e, J: _always(
            velocities(self._models[0], self._works[0], a, 0, n, e, J, 0)))

    def dynamics(self, key: int, deviation: ArrayLike) -> None:
        """qdd is what model and forces of the node make of q and qd (n rows): Eqs. (26), (28)."""
        n = self._mechanism.n
        forces = 3 * n if self._with_forces else -1
        self._add((key,), n, deviation, lambda a, e, J: dependent_dynamics(
            self._models[0], self._works[0], a, 0, n, 2 * n, forces, e, J, 0))

    def equality(self, before: int, after: int, part: str, deviation: ArrayLike) -> None:
        """`part` of two nodes hardly differs, or walks randomly: f_eq, Sec. 5.2."""
        span = self._span(part)
        size = span.stop - span.start
        self._add((before, after), size, deviation, lambda a, b, e, J_a, J_b: _always(
            equality(a, b, span.start, size, e, J_a, J_b, 0)))

    def factor(self, keys: Sequence[int], rows: int, deviation: ArrayLike,
               error: Callable[..., Any]) -> None:
        """A factor of one's own between nodes.

        error(*nodes, e, *jacobians): nodes are mappings of PARTS to arrays; writes e (rows) and,
        for each node, a mapping of PARTS to Jacobians (rows, size), which are 0 before.  It may
        return False where it has no solution.
        """
        size = self._node.size
        spans = {name: self._node[block] for name, block in PARTS.items()
                  if block != 'force' or self._with_forces}

        def of_vectors(*arguments):
            vectors, e, jacobians = (arguments[:len(keys)], arguments[len(keys)],
                                     arguments[len(keys) + 1:])
            for jacobian in jacobians:
                jacobian.fill(0.0)
            nodes = [{name: vector[span] for name, span in spans.items()} for vector in vectors]
            by = [{name: jacobian[:, span] for name, span in spans.items()}
                  for jacobian in jacobians]
            return error(*nodes, e, *by) is not False

        self._add(tuple(keys), rows, deviation, of_vectors, size)

    def solve(self, iterations: int = ITERATIONS) -> dict[int, dict[str, FloatArray]]:
        """Return the most likely nodes: key -> q, qd, qdd (n) and, if variables, forces (g).

        They are where the next call, with more factors, begins.  Raises NotConvergedError,
        DivergenceError, FilterError for nodes that no factor touches.
        """
        factors = [self._graph.at(k) for k in range(self._graph.size())]
        touched = {key for one in factors for key in _keys(one)}
        for key in _keys(self._values):
            if key not in touched:
                raise FilterError(f'node {key}: no factor touches it')
        self._covariances = None
        self._values = solve(ComposedProblem(self._graph, self._node), self._values,
                             iterations).values
        return {key: self._parts(self._values.atVector(key)) for key in _keys(self._values)}

    def deviations(self, key: int) -> Mapping[str, FloatArray]:
        """Return the standard deviations of a node by all factors, as solve has its parts.

        Raises DivergenceError where they do not determine it.
        """
        return self._parts(np.sqrt(self.covariance(key).diagonal()))

    def covariance(self, key: int) -> FloatArray:
        """Return the marginal covariance of a node, its parts in the order of PARTS.

        It takes as long as a dense decomposition of the whole graph; once for all nodes.
        """
        if self._covariances is None:
            ComposedProblem(self._graph, self._node).require_determined(self._values)
            self._covariances = Covariances(self._graph, self._values)
        return self._covariances.of(key)

    def _parts(self, vector):
        return {name: vector[self._node[block]].copy() for name, block in PARTS.items()
                if block != 'force' or self._with_forces}

    def _span(self, part):
        if part not in PARTS or (part == 'forces' and not self._with_forces):
            known = [name for name in PARTS if name != 'forces' or self._with_forces]
            raise FilterError(f'{part}: is no part of a node, expected one of {", ".join(known)}')
        return self._node[PARTS[part]]

    def _add(self, keys, rows, deviation, error, size=None):
        for key in keys:
            if not self._values.exists(key):
                raise FilterError(f'node {key}: is not in the graph')
        given = np.broadcast_to(np.asarray(deviation, float), (rows,))
        if not (np.isfinite(given) & (given >= 0.0)).all():
            raise FilterError(f'deviation: {deviation} must be >= 0')
        self._covariances = None
        sigmas = np.where(given == 0.0, _CERTAIN, given)
        self._graph.add(factor(gtsam.noiseModel.Diagonal.Sigmas(sigmas), keys, error,
                               len(keys) * (size or self._node.size,)))


def _keys(one):
    """Return the keys of a factor or of Values."""
    return list(one.keys())


def _always(_):
    """Return that a factor always has a solution."""
    return True
