"""Mechanisms with sensors of every kind that read coordinates other than degrees of freedom."""

from mb_model import load_mechanism


def _gyroscope(body):
    return {'kind': 'gyroscope', 'body': body, 'sigma': 5e-3}


def _angle(body):
    return {'kind': 'angle_encoder', 'body': body, 'sigma': 2e-3}


def _between(*bodies):
    return {'kind': 'relative_angle_encoder', 'bodies': list(bodies), 'sigma': 2e-3}


def _position(point):
    return {'kind': 'position', 'point': point, 'sigma': 1e-3}


def _accelerometer(body):
    return {'kind': 'accelerometer', 'body': body, 'at': [0.4, 0.1], 'orientation': 0.3,
            'axes': ['x', 'y'], 'sigma': 1.0}


def _distance(*points):
    return {'kind': 'distance', 'points': list(points), 'sigma': 1e-3}


def _length(coordinate):
    return {'kind': 'linear_encoder', 'coordinate': coordinate, 'sigma': 1e-3}


_MOUNTED = {
    'four_bar': {
        'position': _position('P2'), 'distance': _distance('A', 'P2'),
        'gyroscope': _gyroscope('coupler'), 'accelerometer': _accelerometer('coupler'),
        'angle': _angle('rocker'), 'between': _between('coupler', 'rocker')},
    'five_bar': {
        'position': _position('P2'), 'distance': _distance('P1', 'P3'),
        'gyroscope': _gyroscope('right_coupler'), 'accelerometer': _accelerometer('left_coupler'),
        'between': _between('left_coupler', 'right_coupler')},
    'slider_crank': {
        'length': _length('s'), 'position': _position('P3'), 'gyroscope': _gyroscope('rod'),
        'accelerometer': _accelerometer('rod'), 'between': _between('crank', 'rod')},
    'inverted_slider_crank': {
        'length': _length('s'), 'angle': _angle('rocker'), 'position': _position('P2'),
        'distance': _distance('A', 'P2'), 'gyroscope': _gyroscope('rocker')},
    'double_pendulum': {
        'position': _position('P2'), 'distance': _distance('A', 'P2'),
        'accelerometer': _accelerometer('lower'), 'between': _between('upper', 'lower')}}
_MOVING = {'four_bar': [2.0], 'five_bar': [2.0, -1.0], 'slider_crank': [3.0],
           'inverted_slider_crank': [2.0], 'double_pendulum': [1.0, -2.0]}
NAMES = tuple(_MOUNTED)


def mounted(name):
    """Return a mechanism on its way, with one sensor of each kind that suits it, by kind."""
    mechanism = load_mechanism(name)
    return mechanism.replace(
        sensors=_MOUNTED[name],
        start_velocity=dict(zip(mechanism.independent, _MOVING[name], strict=True)),
        start={'theta1': 0.3, 'theta2': -0.8} if name == 'double_pendulum' else mechanism_start(
            mechanism))


def mechanism_start(mechanism):
    """Return a start a little beside the file's, which may be a special position."""
    return dict(zip(mechanism.independent, (mechanism.z0 + 0.15).tolist(), strict=True))


def sensors_on(mechanism):
    """Return the names of the sensors that `mounted` has added."""
    return list(_MOUNTED[mechanism.name])
