"""Graphs that users compose of factors of a mechanism."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import gtsam
import numpy as np
from numpy.typing import ArrayLike

from mb_estimators.factor_graph.batch import ITERATIONS, solve
from mb_estimators.factor_graph.composed_problem import ComposedProblem
from mb_estimators.factor_graph.covariances import Covariances
from mb_estimators.factor_graph.factor import factor
from mb_estimators.factor_graph.factors.linear import equality, euler, prior, trapezoidal
from mb_estimators.factor_graph.forward import require_graph
from mb_estimators.factor_graph.laws import Laws, Rows
from mb_estimators.factor_graph.nodes import dependent_node, independent_node
from mb_estimators.factor_graph.observation import Observation
from mb_estimators.filter import FilterError
from mb_model import Mechanism
from mb_model.arrays import FloatArray
from mb_sensors import Sensor, sensors_of

PARTS = {'z': 'position', 'zd': 'velocity', 'zdd': 'acceleration', 'q': 'coordinate',
         'qd': 'coordinate velocity', 'qdd': 'coordinate acceleration', 'forces': 'force'}
_NODES = {'dependent': dependent_node, 'independent': independent_node}
_CERTAIN = 1e-7          # deviation of laws that must hold, in their unit; less drowns in rounding
_SAME = 1e-6             # difference of two steps that are one, as a share


class FactorGraph:
    """A graph over nodes with numbers as keys; each has q, qd, qdd (n), and forces on z (g).

    In independent coordinates nodes begin with z, zd, zdd (g): rules of integration and dynamics
    are of these, and positions, velocities and accelerations tie q, qd and qdd to them.
    A method that is named for a factor adds it, with a standard deviation for all of its rows or
    each; 0: the law must hold.  Source: Blanco-Claraco et al. 2021, Secs. 5 and 6.
    """

    def __init__(self, mechanism: Mechanism, forces: bool = False,
                 coordinates: str = 'dependent') -> None:
        """Begin without nodes; forces: on degrees of freedom, whether they are variables.

        coordinates: dependent or independent.  Raises FilterError for mechanisms that graphs do not
        support.
        """
        mechanism = require_graph(mechanism)
        if coordinates not in _NODES:
            raise FilterError(f'coordinates: {coordinates} must be one of {", ".join(_NODES)}')
        self._mechanism, self._node = mechanism, _NODES[coordinates](mechanism, forces)
        blocks = {block.name for block in self._node.blocks}
        self._spans = {part: self._node[block] for part, block in PARTS.items() if block in blocks}
        self._laws = Laws(mechanism, self._node)
        self._graph, self._values = gtsam.NonlinearFactorGraph(), gtsam.Values()
        self._times: dict[int, float | None] = {}
        self._covariances: Covariances | None = None

    def add_node(self, key: int, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
                 forces: ArrayLike | None = None, t: float | None = None) -> None:
        """Add a node, guessed to be there.

        t: its time [s], needed where coordinates are prescribed over time.  Raises FilterError.
        """
        if self._values.exists(key):
            raise FilterError(f'node {key}: is in the graph already')
        self._require_time(key, t)
        vector = np.zeros(self._node.size)
        for name, values in (('q', q), ('qd', qd), ('qdd', qdd), ('forces', forces)):
            if values is not None:
                span = self._span(name)
                values = np.asarray(values, float)
                if values.shape != (span.stop - span.start,) or not np.isfinite(values).all():
                    raise FilterError(f'node {key}: {name} must be {span.stop - span.start} '
                                      'finite numbers')
                vector[span] = values
        if 'z' in self._spans:
            free = self._mechanism.indices(self._mechanism.independent)
            for name, of in (('z', 'q'), ('zd', 'qd'), ('zdd', 'qdd')):
                vector[self._spans[name]] = vector[self._spans[of]][free]
        self._values.insert(key, vector)
        self._times[key] = t

    def add_start(self, key: int, t: float | None = None) -> None:
        """Add a node that is guessed to be at the start of the mechanism; t: see add_node."""
        self._require_time(key, t)
        mechanism, now = self._mechanism, t or 0.0
        q = mechanism.assemble(mechanism.z0, t=now)
        qd = mechanism.velocity(q, mechanism.zd0, now)
        zdd = mechanism.forward_dynamics(mechanism.z0, mechanism.zd0, t=now)
        self.add_node(key, q, qd, mechanism.acceleration(q, qd, zdd, now), t=t)

    def _require_time(self, key: int, t: float | None) -> None:
        prescribed = self._mechanism.described.prescribed
        if (t is None and prescribed) or not np.isfinite(t or 0.0):
            raise FilterError(f'node {key}: t: {t} must be a finite time [s]'
                              f'{", for " if prescribed else ""}{", ".join(prescribed)}')

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

    def reading(self, key: int, sensor: str | Sensor, value: ArrayLike,
                deviation: ArrayLike | None = None) -> None:
        """A sensor of the mechanism has read a value (channels) at a node: Eq. (17), f_obs.

        value: in the sensor's unit; deviation: if not the one that the mechanism file gives it.
        Raises FilterError, SensorError.
        """
        chosen = sensors_of(self._mechanism, sensor)
        if len(chosen) != 1:
            raise FilterError(f'reading: {sensor}: has {len(chosen)} sensors, expected one of them')
        row = Observation(self._mechanism, chosen[0], value,
                          (self._spans['q'], self._spans['qd'], self._spans['qdd']))
        noise = np.sqrt(chosen[0].settings.variance)
        if deviation is None and not noise > 0.0:
            raise FilterError(f'reading: {chosen[0].name}: has no sigma: give a deviation')
        self._add((key,), row.rows, noise if deviation is None else deviation, row.error)

    def trapezoidal(self, before: int, after: int, dt: float, deviation: ArrayLike) -> None:
        """Positions and velocities follow their rates over dt [s] by the trapezoidal rule (23).

        Rows: 2n of q and qd, in independent coordinates 2g of z and zd.
        """
        self._integrate(trapezoidal, before, after, dt, deviation)

    def euler(self, before: int, after: int, dt: float, deviation: ArrayLike) -> None:
        """The same by Euler's rule, Eq. (22)."""
        self._integrate(euler, before, after, dt, deviation)

    def _integrate(self, rule: Callable[..., None], before: int, after: int, dt: float,
                   deviation: ArrayLike) -> None:
        begin, end = self._times.get(before), self._times.get(after)
        if begin is not None and end is not None and not (
                abs(end - begin - dt) <= _SAME * abs(dt)):
            raise FilterError(f'dt: {dt} must be the time from node {before} to node {after}, '
                              f'{end - begin:.9g} s')
        rows = self._laws.integration(rule, dt)
        self._add((before, after), rows.count, deviation, rows.error)

    def positions(self, key: int, deviation: ArrayLike = 0.0) -> None:
        """The mechanism closes (m rows): Eq. (24); in independent coordinates (n) Eq. (30)."""
        self._law(self._laws.positions, key, deviation)

    def velocities(self, key: int, deviation: ArrayLike = 0.0) -> None:
        """Velocities keep the mechanism closed (m rows): Eq. (25); independent (n): Eq. (31)."""
        self._law(self._laws.velocities, key, deviation)

    def accelerations(self, key: int, deviation: ArrayLike = 0.0) -> None:
        """Accelerations keep the mechanism closed (m rows); independent (n): Eq. (32)."""
        self._law(self._laws.accelerations, key, deviation)

    def dynamics(self, key: int, deviation: ArrayLike) -> None:
        """Accelerations are what model and forces of the node make of positions and velocities.

        Rows: n of qdd, Eqs. (26), (28); in independent coordinates g of zdd, Eqs. (27), (29).
        """
        self._law(self._laws.dynamics, key, deviation)

    def _law(self, law: Callable[[float], Rows], key: int, deviation: ArrayLike) -> None:
        rows = law(self._times.get(key) or 0.0)
        self._add((key,), rows.count, deviation, rows.error)

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

        def of_vectors(*arguments):
            vectors, e, jacobians = (arguments[:len(keys)], arguments[len(keys)],
                                     arguments[len(keys) + 1:])
            for jacobian in jacobians:
                jacobian.fill(0.0)
            nodes = [{name: vector[span] for name, span in self._spans.items()}
                     for vector in vectors]
            by = [{name: jacobian[:, span] for name, span in self._spans.items()}
                  for jacobian in jacobians]
            return error(*nodes, e, *by) is not False

        self._add(tuple(keys), rows, deviation, of_vectors, size)

    def solve(self, iterations: int = ITERATIONS) -> dict[int, dict[str, FloatArray]]:
        """Return the most likely nodes: key -> part, of PARTS, -> its values.

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
        return {name: vector[span].copy() for name, span in self._spans.items()}

    def _span(self, part):
        if part not in self._spans:
            raise FilterError(f'{part}: is no part of a node, expected one of '
                              f'{", ".join(self._spans)}')
        return self._spans[part]

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
