"""Wheels that roll without slip, against closed forms: on a slope, in a bowl, over a hill."""

import numpy as np
import pytest

from mb_model import MechanismError, simulate
from mb_model.mechanism import Mechanism

MASS, RADIUS, INERTIA, SLOPE = 2.0, 0.3, 0.07, 0.4
ALONG = np.array([np.cos(SLOPE), np.sin(SLOPE)])
WHEEL = {
    'name': 'wheel', 'gravity': [0.0, -9.81],
    'points': {'A': {'fixed': [0.0, 0.0]}, 'B': {'fixed': (2.0 * ALONG).tolist()},
               'C': {'start': [0.0, 0.0]}, 'D': {'start': [RADIUS, 0.0]}},
    'bodies': {'wheel': {'points': {'C': [0.0, 0.0], 'D': [RADIUS, 0.0]}, 'mass': MASS,
                         'centre_of_gravity': [0.0, 0.0], 'inertia': INERTIA}},
    'coordinates': {'s': {'kind': 'slider', 'point': 'C', 'along': ['A', 'B']},
                    'theta': {'kind': 'angle', 'body': 'wheel'}},
    'constraints': {'roll': {'kind': 'rolling', 'place': 's', 'turn': 'theta', 'radius': RADIUS,
                             'at': 0.5}},
    'independent': ['theta']}
TRACK = 1.2


def at_point(mechanism, v, name):
    """Return x and y of a point in an array over coordinates."""
    k = mechanism.point_index(name)
    return v[k:k + 2]


def on_circle(radius):
    """Return a wheel around a circle about A, outside or (radius < 0) inside."""
    away = TRACK + radius
    return Mechanism(WHEEL | {
        'points': {'A': {'fixed': [0.0, 0.0]}, 'C': {'start': [0.0, -away]},
                   'D': {'start': [RADIUS, -away]}},
        'coordinates': {'psi': {'kind': 'line_angle', 'points': ['A', 'C']},
                        'theta': WHEEL['coordinates']['theta']},
        'constraints': {'roll': {'kind': 'rolling', 'place': 'psi', 'turn': 'theta',
                                 'radius': radius, 'track_radius': TRACK, 'at': -np.pi / 2}}},
        'circle.yaml')


def test_a_wheel_rolls_down_a_slope():
    wheel = Mechanism(WHEEL, 'wheel.yaml')
    assert wheel.g == 1
    q = wheel.assemble([-2.0])
    np.testing.assert_allclose(at_point(wheel, q, 'C'), (0.5 + 2.0 * RADIUS) * ALONG, atol=1e-12)
    zdd = wheel.forward_dynamics([-2.0], [3.0])
    down = 9.81 * np.sin(SLOPE) / (1.0 + INERTIA / (MASS * RADIUS ** 2))
    assert zdd[0] == pytest.approx(down / RADIUS, rel=1e-12)
    # The road pushes along by what the acceleration of the wheel lacks of its weight's part.
    push = wheel.reactions([-2.0], [3.0]).multipliers['constraints.roll'][0]
    assert abs(push) == pytest.approx(MASS * (9.81 * np.sin(SLOPE) - down), rel=1e-9)


@pytest.mark.parametrize('radius', [RADIUS, -RADIUS])
def test_a_wheel_rolls_around_a_circle(radius):
    """(m + I / r^2) (R + r)^2 psi'' = -m g (R + r) cos psi, its material at the track at rest."""
    wheel, away = on_circle(radius), TRACK + radius
    for theta, rate in ((0.0, 2.0), (1.5, -1.0), (-2.0, 0.5)):
        q = wheel.assemble([theta])
        psi = -np.pi / 2 + radius * theta / away
        outwards = np.array([np.cos(psi), np.sin(psi)])
        np.testing.assert_allclose(at_point(wheel, q, 'C'), away * outwards, atol=1e-10)
        qd = wheel.velocity(q, [rate])
        speed = at_point(wheel, qd, 'C')
        contact = -radius * outwards         # from the centre
        np.testing.assert_allclose(speed + rate * np.array([-contact[1], contact[0]]), 0.0,
                                   atol=1e-10)
        zdd = wheel.forward_dynamics([theta], [rate])
        turning = -MASS * 9.81 * away * np.cos(psi) / ((MASS + INERTIA / radius ** 2) * away ** 2)
        assert zdd[0] == pytest.approx(turning * away / radius, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize('formulation', ['matrix_r', 'index3_al', 'lagrange', 'penalty'])
def test_it_rolls_in_every_formulation(formulation):
    """In a bowl, there and back; exact derivatives are as by differences."""
    bowl = on_circle(-RADIUS)
    run = simulate(bowl, 1.0, 1e-3, formulation, z0=[2.0], estimate_error=False)
    reference = simulate(bowl, 1.0, 1e-3, 'matrix_r', 'rk4', z0=[2.0], estimate_error=False)
    assert np.ptp(run.z) > 3.0
    np.testing.assert_allclose(run.z, reference.z, atol=2e-3)
    by_z, by_zd = bowl.linearise([1.0], [2.0])
    h = 1e-5
    sides = [bowl.forward_dynamics([1.0 + s * h], [2.0])[0] for s in (1, -1)]
    assert by_z[0, 0] == pytest.approx((sides[0] - sides[1]) / (2 * h), rel=1e-6)
    assert by_zd[0, 0] == pytest.approx(0.0, abs=1e-9)


def test_a_wheel_on_a_rail_in_space():
    """A slideway and a hinge: the wheel accelerates by its weight down the rail and its inertia."""
    wheel = Mechanism({
        'name': 'rail', 'dimension': 3, 'gravity': [9.81 * np.sin(SLOPE), 0.0, -9.0],
        'bodies': {
            'fork': {'mass': 1.0, 'centre_of_gravity': [0.0, 0.0, 0.0], 'inertia': [1.0, 1.0, 1.0],
                     'points': {'O': [0.0, 0.0, 0.0]}},
            'wheel': {'mass': MASS, 'centre_of_gravity': [0.0, 0.0, 0.0],
                      'inertia': [0.1, INERTIA, 0.1], 'points': {'O': [0.0, 0.0, 0.0]}}},
        'joints': {
            'rail': {'kind': 'prismatic', 'bodies': ['ground', 'fork'], 'axis': [1.0, 0.0, 0.0],
                     'at': [[0.0, 0.0, 0.0], 'O']},
            'axle': {'kind': 'revolute', 'bodies': ['fork', 'wheel'], 'at': 'O',
                     'axis': [0.0, 1.0, 0.0]}},
        'coordinates': {'s': {'kind': 'slider', 'joint': 'rail'},
                        'theta': {'kind': 'angle', 'joint': 'axle'}},
        'constraints': {'roll': {'kind': 'rolling', 'place': 's', 'turn': 'theta',
                                 'radius': -RADIUS}},
        'independent': ['s']}, 'rail.yaml')
    total = MASS + 1.0
    assert wheel.forward_dynamics([0.2], [1.0])[0] == pytest.approx(
        total * 9.81 * np.sin(SLOPE) / (total + INERTIA / RADIUS ** 2), rel=1e-12)


@pytest.mark.parametrize(('change', 'message'), [
    ({'radius': 0.0}, 'constraints.roll.radius: 0 must not be 0'),
    ({'radius': -2.0, 'track_radius': 1.0}, 'a wheel inside of a track is smaller than it'),
    ({'place': 'theta', 'turn': 's'},
     'constraints.roll.place: theta must be a coordinate of kind slider'),
    ({'track_radius': 1.0}, 'constraints.roll.place: s must be a coordinate of kind line_angle'),
    ({'turn': 'C.x'}, 'constraints.roll.turn: C.x must be an angle'),
    ({'turn': 'phi'}, "'phi': unknown coordinate")])
def test_wrong_wheels_are_reported(change, message):
    with pytest.raises(MechanismError) as caught:
        Mechanism(WHEEL, 'wheel.yaml').replace(constraints={'roll': change})
    assert message in str(caught.value)


def test_rolling_is_refused_where_it_is_unknown():
    with pytest.raises(MechanismError, match='semi_recursive'):
        simulate(Mechanism(WHEEL, 'wheel.yaml'), 0.1, 1e-3, 'semi_recursive')
