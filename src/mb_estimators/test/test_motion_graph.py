"""Jacobians of the factors that estimate, by states and parameters, against central differences."""

import gtsam
import numpy as np
import pytest

from mb_estimators import make_filter
from mb_estimators.factor_graph.factor import LossSettings
from mb_estimators.factor_graph.motion_graph import MotionGraph
from mb_estimators.factor_graph.nodes import motion_node
from mb_estimators.filters.parameters import Parameters, ParameterSettings
from mb_estimators.records.parameter import AUGMENTED
from mb_model import independent_orientations, load_mechanism
from mb_model.jit import sizes_of
from mb_sensors.readings import true_values

H, T = 0.01, 0.3            # step, and time of the first node
DRIVEN = load_mechanism('five_bar').replace(
    independent=['theta1'], start={'theta2': None}, constraints={'drive': {
        'kind': 'prescribed', 'coordinate': 'theta2', 'motion': 'pi + 0.3 * sin(4 * t)'}})
PARAMETERS = {'four_bar': ('gravity.y', 'bodies.coupler.mass', 'bodies.crank.length'),
              'five_bar': ('gravity.x', 'bodies.left_coupler.mass'),
              'driven': ('gravity.x', 'bodies.left_coupler.mass', 'bodies.left_crank.length'),
              'stewart': ('gravity.x', 'bodies.platform.mass')}


class Case:
    """A graph around a mechanism with all of its sensors, one of them biased, at a random place."""

    def __init__(self, name, forces, parameters):
        mechanism = DRIVEN if name == 'driven' else load_mechanism(name)
        mechanism = mechanism.replace(sensors={next(iter(mechanism.sensors)): {'bias_sigma': 0.1}})
        filter_ = make_filter('fixed_lag_smoother', mechanism, list(mechanism.sensors), H,
                              parameters=parameters)
        chosen = Parameters(mechanism, ParameterSettings(parameters=parameters),
                            AUGMENTED, sizes_of(mechanism.model)) if parameters else None
        self.mechanism, self.node = mechanism, motion_node(mechanism, filter_.layout, forces)
        self.graph = MotionGraph(mechanism, filter_._channels, filter_._filters, self.node,
                                 LossSettings(), filter_._orientations, chosen)
        self.random = np.random.default_rng(7)
        self.near, self.values = [], gtsam.Values()
        for key in (0, 1):
            turned = 0.1 * key if independent_orientations(mechanism) else 0.0
            filter_.reset(mechanism.z0 + turned, mechanism.zd0)
            self.near.append(filter_._position())       # orientations count from where they are
            vector = 0.1 * self.random.normal(size=self.node.size)
            vector[:mechanism.g] += filter_._work['z'][:mechanism.g]
            self.values.insert(key, vector)
        self.near = np.array(self.near)
        self.keys = (0, 1)
        q, rest = mechanism.q0[np.newaxis], np.zeros((1, mechanism.n))
        self.readings = np.concatenate([true_values(mechanism, sensor, q, rest, rest)[0]
                                        for sensor in filter_.sensors])

    def step(self):
        g = self.mechanism.g
        weights = np.eye(g) + 0.1 * self.random.random((g, g))
        noises = (np.full(g, 1.0), np.full(g, 1.0), np.ones(1))
        return self.graph.step(self.keys, T, H, 0.3 * np.ones(g), self.near, weights, noises)

    def reading(self, ahead):
        found, = self.graph.readings((0,), T, self.readings, 0.3 * np.ones(self.mechanism.g),
                                     self.near[:1], ahead)
        return found

    def errors(self, factor, key, change):
        """Return the whitened error with a variable of a node changed."""
        moved = gtsam.Values(self.values)
        moved.update(key, self.values.atVector(key) + change)
        return -factor.linearize(moved).jacobian()[1]


CASES = [('four_bar', True, ()), ('four_bar', False, PARAMETERS['four_bar']),
         ('five_bar', True, PARAMETERS['five_bar']), ('five_bar', True, ()),
         ('four_bar', True, PARAMETERS['four_bar']),
         ('driven', True, ()), ('driven', False, PARAMETERS['driven']),
         ('stewart', True, ()), ('stewart', False, PARAMETERS['stewart'])]
KINDS = [(*case, kind) for case in CASES for kind in ('step', 'reading', 'late reading')
         if kind != 'late reading' or (case[1] and not case[2])]


@pytest.mark.parametrize(('name', 'forces', 'parameters', 'kind'), KINDS)
def test_jacobians(name, forces, parameters, kind):
    """Readings between nodes are of graphs with forces and without parameters alone."""
    case = Case(name, forces, parameters)
    factor = case.step() if kind == 'step' else case.reading(0.0 if kind == 'reading' else 0.004)
    found, _ = factor.linearize(case.values).jacobian()
    columns = []
    for key in case.keys if kind == 'step' else (0,):
        for unit in np.eye(len(case.values.atVector(key))):
            near, far = (case.errors(factor, key, d * unit) - case.errors(factor, key, -d * unit)
                         for d in (1e-4, 2e-4))
            columns.append((8.0 * near - far) / 12e-4)
    expected = np.stack(columns, axis=-1)
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7 * np.abs(expected).max())
