"""The layouts of filters: blocks, names and units of their states, and sizes of the records."""

from dataclasses import replace

from filter_traits import COORDINATES
import numpy as np
import pytest

from mb_estimators import available_filters, make_filter
from mb_estimators.factor_graph.nodes import dependent_node, independent_node, motion_node
from mb_estimators.filter.layout import Block, Layout
from mb_model import load_mechanism
from mb_sensors import sensors_of

DT = 0.005
BIAS_SIGMA = 0.02
MOTION = [('position', 2), ('velocity', 2)]
FORCE = [*MOTION, ('acceleration', 2)]
BIAS = [('bias', 2)]                    # of five_bar's coupler_gyros
RATED = [('coordinate', 8), ('coordinate velocity', 8)]
ADDED = {           # to the blocks of z and zd, and biases
    'adaptive_error_ekf_fe': [*FORCE, *BIAS],
    'adekf': [*MOTION, *BIAS, ('parameter', 2)],
    'augmented_ekf': [*MOTION, *BIAS, ('parameter', 1)],
    'chaos_ekf': [*MOTION, *BIAS, ('parameter', 1)],
    'cekf_penalty': [*RATED, *BIAS],
    'diekf_pm': [*RATED, *BIAS],
    'dual_ukf_error_ekf_fe': [*FORCE, *BIAS],
    'error_ekf_fe': [*FORCE, *BIAS],
    'fixed_lag_smoother': [*FORCE, *BIAS],
    'iterated_ekf': [*FORCE, *BIAS],
    'kinematic_kf': [*FORCE, *BIAS],
    'moving_horizon': [*FORCE, *BIAS],
    'platform_ekf': [*FORCE, *BIAS],
    'pulse_ekf': [*FORCE, *BIAS],
    'sckf': [*RATED, *BIAS],
    'shaping_error_ekf_fe': [*FORCE, *BIAS, ('coloured noise', 2)],
}
FIVE_BAR = load_mechanism('five_bar')


def biased(mechanism, names):
    """Return Sensors whose biases are to be estimated."""
    return [sensor.with_settings(replace(sensor.settings, bias_sigma=BIAS_SIGMA))
            for sensor in sensors_of(mechanism, names)]


def blocks(filter_):
    return [(block.name, len(block)) for block in filter_.layout.blocks]


def assert_consistent(filter_):
    """Names, units, record and covariance have the size of the layout."""
    layout, record = filter_.layout, filter_._filters[0]
    assert record['states'] == layout.size == len(layout.names) == len(set(layout.names))
    assert len(layout.units) == len(layout.variances) == layout.size
    assert filter_.state_covariance.shape == (layout.size, layout.size)
    assert record['motion'] == layout['bias'].start
    assert record['motion'] + record['biases'] == layout.size - layout.count('parameter')
    places = [layout[block.name] for block in layout.blocks]
    np.testing.assert_array_equal(np.concatenate([np.arange(layout.size)[p] for p in places]),
                                  np.arange(layout.size))


@pytest.mark.parametrize('name', available_filters(FIVE_BAR))
def test_the_layout_has_the_sizes_of_the_state(name):
    filter_ = make_filter(name, FIVE_BAR, biased(FIVE_BAR, ['coupler_gyros']), DT)
    assert blocks(filter_) == ADDED.get(name, [*MOTION, *BIAS])
    assert_consistent(filter_)
    layout, start = filter_.layout, filter_.state_covariance
    deviations = np.sqrt(start.diagonal())
    np.testing.assert_allclose(deviations[layout['bias']], BIAS_SIGMA)
    if name not in COORDINATES:        # spread by the constraints
        np.testing.assert_array_equal(start, np.diag(layout.variances))
    channels = [f'bias of {channel}' for channel in filter_.estimate.biases]
    assert list(layout.names[layout['bias']]) == channels
    assert set(layout.units[layout['bias']]) == {'rad/s'}
    if name not in COORDINATES:
        assert layout.names[:4] == (
            *FIVE_BAR.independent, *(f'{z} velocity' for z in FIVE_BAR.independent))
        assert layout.units[:4] == ('rad', 'rad', 'rad/s', 'rad/s')


@pytest.mark.parametrize('name', COORDINATES)
def test_as_published_all_coordinates_start_with_the_variances_of_the_layout(name):
    filter_ = make_filter(name, FIVE_BAR, biased(FIVE_BAR, ['coupler_gyros']), DT,
                          as_published=True)
    np.testing.assert_allclose(filter_.state_covariance, np.diag(filter_.layout.variances),
                               rtol=1e-15)


def test_jerk_is_a_block():
    filter_ = make_filter('kinematic_kf', FIVE_BAR, ['coupler_gyros'], DT,
                          acceleration_model='jerk')
    assert blocks(filter_) == [*FORCE, ('jerk', 2), ('bias', 0)]
    assert_consistent(filter_)


def test_noise_of_sensors_is_a_state():
    filter_ = make_filter('shaping_error_ekf_fe', FIVE_BAR, ['coupler_gyros'], DT,
                          coloured_sensors=('right_coupler_gyro',))
    assert blocks(filter_)[-1] == ('coloured noise', 3)
    assert filter_.layout.names[-1] == 'noise of right_coupler_gyro'
    assert filter_.layout.units[-3:] == ('rad/s^2', 'rad/s^2', 'rad/s')
    assert_consistent(filter_)
    _, gyro = filter_.sensors
    np.testing.assert_allclose(filter_.layout.variances[-1], 0.95 * gyro.settings.variance)


def test_oil_comes_before_biases():
    crane = load_mechanism('crane')
    filter_ = make_filter('hydraulic_kinematic_ekf', crane,
                          biased(crane, ['cylinder_encoder', 'pressure1']), DT,
                          initial_pressure_variance=4e12)
    v, u = len(crane.circuit.volumes), len(crane.circuit.valves)
    assert blocks(filter_) == [('position', crane.g), ('velocity', crane.g),
                               ('acceleration', crane.g), ('pressure', v), ('spool', u),
                               ('bias', 2)]
    assert_consistent(filter_)
    layout = filter_.layout
    assert layout.units[layout['pressure']] == ('MPa',) * v
    np.testing.assert_array_equal(filter_.state_covariance, np.diag(layout.variances))
    np.testing.assert_array_equal(layout.variances[layout['pressure']], 4.0)


@pytest.mark.parametrize('name', ['four_bar', 'three_rrr'])
def test_nodes_of_graphs_have_their_blocks_where_kernels_expect_them(name):
    mechanism = load_mechanism(name)
    n, g = mechanism.n, mechanism.g
    layout = make_filter('error_ekf', mechanism, biased(mechanism, list(mechanism.sensors)[:1]),
                         DT).layout
    b = layout.count('bias')
    coordinates = ['coordinate', 'coordinate velocity', 'coordinate acceleration']
    motion = ['position', 'velocity', 'acceleration']
    for node, expected in (
            (dependent_node(mechanism), dict.fromkeys(coordinates, n)),
            (dependent_node(mechanism, forces=True), dict.fromkeys(coordinates, n) | {'force': g}),
            (independent_node(mechanism),
             dict.fromkeys(motion, g) | dict.fromkeys(coordinates, n)),
            (motion_node(mechanism, layout), dict.fromkeys([*motion[:2], 'force'], g) | {
                'bias': b}),
            (motion_node(mechanism, layout, forces=False), dict.fromkeys(motion[:2], g) | {
                'bias': b})):
        assert [(block.name, len(block)) for block in node.blocks] == list(expected.items())
        assert len(set(node.names)) == node.size == sum(expected.values())
    np.testing.assert_array_equal(motion_node(mechanism, layout, forces=False).variances,
                                  layout.variances)


def test_parts_are_views():
    layout, values = Layout([Block('a', ('x',), ('m',), np.ones(1)),
                             Block('b', ('y', 'z'), ('m', 'm'), np.ones(2))]), np.arange(6.0)
    parts = layout.parts(values.reshape(2, 3))
    parts['b'][:] = -1.0
    np.testing.assert_array_equal(values, [0.0, -1.0, -1.0, 3.0, -1.0, -1.0])


def test_a_layout_knows_where_its_blocks_are():
    layout = Layout([Block('a', ('x', 'y'), ('m', 'rad'), np.array([1.0, 2.0])),
                     Block('b', (), (), np.empty(0)), Block('c', ('z',), ('s',), np.array([3.0]))])
    assert (layout['a'], layout['b'], layout['c']) == (slice(0, 2), slice(2, 2), slice(2, 3))
    assert layout['none'] == slice(3, 3)
    assert layout.count('a', 'c') == len(layout) == 3
    assert layout.names == ('x', 'y', 'z')
    assert layout.units == ('m', 'rad', 's')
    np.testing.assert_array_equal(layout.variances, [1.0, 2.0, 3.0])


def test_wrong_blocks_are_refused():
    with pytest.raises(ValueError, match='a: 2 names, 1 units, 2 variances: must be equally many'):
        Block('a', ('x', 'y'), ('m',), np.ones(2))
    with pytest.raises(ValueError, match='a, a: must be different'):
        Layout(2 * [Block('a', ('x',), ('m',), np.ones(1))])
