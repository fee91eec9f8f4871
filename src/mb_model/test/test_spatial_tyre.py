"""Tyres in space: load, slips and camber by closed forms, exact derivatives, energy."""

from by_differences import by_state, slope
import numpy as np
import pytest

from mb_model import MechanismError, make_stepper, simulate
from mb_model.forces.kinds.tyre import curve
from mb_model.mechanism import Mechanism

RADIUS, STIFFNESS, CORNERING, SLIP, FRICTION, STANDSTILL = 0.3, 2e5, 5e4, 4e4, 0.9, 0.5
MASS, DEFLECTION = 40.0, 0.02
LOAD = STIFFNESS * DEFLECTION
TYRE = {'kind': 'tyre', 'body': 'wheel', 'radius': RADIUS, 'stiffness': STIFFNESS,
        'cornering_stiffness': CORNERING, 'slip_stiffness': SLIP, 'friction': FRICTION}
# Free in space, its axis its own y.
WHEEL = {
    'name': 'wheel', 'dimension': 3, 'gravity': [0.0, 0.0, 0.0],
    'bodies': {'wheel': {'mass': MASS, 'centre_of_gravity': [0.0, 0.0, 0.0],
                         'inertia': [0.7, 1.3, 0.7],
                         'pose': {'at': [0.0, 0.0, RADIUS - DEFLECTION]}}},
    'coordinates': {'at': {'kind': 'position', 'body': 'wheel'},
                    'turn': {'kind': 'orientation', 'body': 'wheel'}},
    'independent': ['at.x', 'at.y', 'at.z', 'turn.x', 'turn.y', 'turn.z'],
    'forces': {'tyre': TYRE}}


def force_and_moment(tyre, velocity, spin, turn=None, lift=0.0):
    """Return force and moment about the centre in global axes, by what the wheel does.

    turn: rotation vector of the wheel; spin: in the wheel's frame.
    """
    raw = WHEEL | {'forces': {'tyre': TYRE | tyre}}
    pose = {'at': [0.0, 0.0, RADIUS - DEFLECTION + lift]} | ({'turn': turn} if turn else {})
    raw['bodies'] = {'wheel': raw['bodies']['wheel'] | {'pose': pose}}
    wheel = Mechanism(raw, 'wheel.yaml')
    q = wheel.q0
    qd = wheel.velocity(q, [*velocity, *spin])
    qdd = wheel.acceleration(q, qd, wheel.forward_dynamics(wheel.z0, [*velocity, *spin]))
    motion = wheel.body_motion('wheel', q, qd, qdd)
    inertia = motion.rotation @ wheel.bodies['wheel'].inertia @ motion.rotation.T
    w = motion.angular_velocity
    return (MASS * motion.acceleration,
            inertia @ motion.angular_acceleration + np.cross(w, inertia @ w))


def test_it_carries_by_its_stiffness_and_damping():
    force, moment = force_and_moment({'damping': 300.0}, [0.0, 0.0, -0.4], [0.0, 0.0, 0.0])
    np.testing.assert_allclose(force, [0.0, 0.0, LOAD + 0.4 * 300.0], atol=1e-8)
    np.testing.assert_allclose(moment, 0.0, atol=1e-8)


@pytest.mark.parametrize(('velocity', 'lift'), [([0.0, 0.0, 0.0], 0.05), ([0.0, 0.0, 20.0], 0.0)])
def test_it_pulls_never(velocity, lift):
    force, moment = force_and_moment({'damping': 300.0}, velocity, [0.0, 0.0, 0.0], lift=lift)
    np.testing.assert_allclose([*force, *moment], 0.0, atol=1e-8)


@pytest.mark.parametrize('lateral', [0.1, -1.0, 3.0])
@pytest.mark.parametrize('linear', [True, False])
def test_a_wheel_that_rolls_freely_is_the_tyre_in_the_plane(lateral, linear):
    speed, loaded = 15.0, RADIUS - DEFLECTION
    tyre = {'friction': 1e6} if linear else {}
    raw = TYRE | tyre
    if linear:
        raw.pop('friction')
    force, _ = force_and_moment(tyre, [speed, lateral, 0.0], [0.0, speed / loaded, 0.0])
    slip = -lateral / np.hypot(speed, STANDSTILL)
    expected = CORNERING * slip if linear else curve(CORNERING, FRICTION * LOAD, slip)[0]
    np.testing.assert_allclose(force[:2], [0.0, expected], rtol=1e-4 if linear else 1e-9,
                               atol=1e-7)


def test_a_linear_one_has_the_slip_angle():
    raw = {key: value for key, value in TYRE.items() if key != 'friction'}
    wheel = Mechanism(WHEEL | {'forces': {'tyre': raw}}, 'wheel.yaml')
    speed = 15.0
    zdd = wheel.forward_dynamics(wheel.z0, [speed, -3.0, 0.0, 0.0, 12.0 / 0.28, 0.0])
    size = np.hypot(speed, STANDSTILL)
    np.testing.assert_allclose(MASS * zdd[:2], [-SLIP * 3.0 / size, CORNERING * np.arctan(
        3.0 / size)], rtol=1e-9)


def test_both_slips_share_the_friction():
    speed, spin = 20.0, 30.0
    force, moment = force_and_moment({}, [speed, 6.0, 0.0], [0.0, spin, 0.0])
    slide = np.array([speed - spin * (RADIUS - DEFLECTION), 6.0])
    pull = -np.array([SLIP, CORNERING]) * slide
    np.testing.assert_allclose(force[:2], FRICTION * LOAD * pull / np.linalg.norm(pull), rtol=1e-9)
    np.testing.assert_allclose(moment, np.cross([0.0, 0.0, DEFLECTION - RADIUS], force), rtol=1e-9,
                               atol=1e-7)


def test_camber_moves_the_contact():
    angle = 0.3
    force, moment = force_and_moment({}, [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [angle, 0.0, 0.0])
    height = RADIUS - DEFLECTION
    loaded = height / np.cos(angle)
    carried = STIFFNESS * (RADIUS - loaded) / np.cos(angle)
    np.testing.assert_allclose(force, [0.0, 0.0, carried], rtol=1e-9, atol=1e-8)
    np.testing.assert_allclose(moment, [carried * loaded * np.sin(angle), 0.0, 0.0], rtol=1e-9,
                               atol=1e-7)


STATE = (np.array([0.5, -0.2, 0.272, 0.11, 0.2, -0.14]), np.array([4.0, 0.6, -0.2, 0.3, 15.0, 0.8]))
NUMBERS = ('radius', 'stiffness', 'damping', 'cornering_stiffness', 'slip_stiffness', 'friction',
           'standstill_speed', 'road_height')


def require_parameters(wheel, z, zd, near, keys, least):
    """Assert that derivatives by numbers of the tyre are as by differences."""
    names = [f'forces.tyre.{key}' for key in keys]
    exact = wheel.parameter_jacobian(z, zd, names, near=near)
    for column, (key, name) in enumerate(zip(keys, names, strict=True)):
        value = wheel.parameter_records([name])['value'][0]
        expected = slope(lambda by, key=key, value=value: wheel.replace(forces={'tyre': {
            key: value + by}}).forward_dynamics(z, zd, near=near), 1e-4 * max(abs(value), 0.1))
        np.testing.assert_allclose(exact[:, column], expected, rtol=1e-6, err_msg=key,
                                   atol=1e-7 * max(np.abs(expected).max(), least))


@pytest.mark.parametrize('change', [
    {'damping': 300.0}, {'damping': 300.0, 'friction': 0.05},
    {'damping': 100.0, 'road_normal': [0.05, -0.1, 1.0], 'road_height': 0.04}])
def test_derivatives(change):
    """Of a tyre that sticks, one that slides, one on a slope."""
    wheel = Mechanism(WHEEL | {'forces': {'tyre': TYRE | change}}, 'wheel.yaml')
    z, zd = STATE
    near = wheel.assemble(z)
    assert wheel.forward_dynamics(z, zd, near=near)[2] > 10.0      # it touches the road
    for found, expected in zip(
            wheel.linearise(z, zd, near=near),
            by_state(wheel, z, zd, (1e-4, 1e-3), order=4, near=near), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-7, atol=1e-7 * np.abs(found).max())
    require_parameters(wheel, z, zd, near, NUMBERS, 1e-3)


@pytest.mark.parametrize('formulation', ['matrix_r', 'index3_al'])
def test_energy_is_stored_or_lost(formulation):
    """Of a wheel that is dropped, spins, slides and leans."""
    wheel = Mechanism(WHEEL, 'wheel.yaml').replace(
        gravity=[0.0, 0.0, -9.81], forces={'tyre': {'damping': 200.0}},
        bodies={'wheel': {'pose': {'at': [0.0, 0.0, RADIUS + 0.02], 'turn': [0.1, 0.0, 0.0]}}},
        start_velocity={'at.x': 3.0, 'at.y': 0.4, 'turn.y': 20.0})
    run = simulate(wheel, 0.5, 2e-4, formulation,
                   'rk4' if formulation == 'matrix_r' else 'trapezoidal', estimate_error=False)
    energy = run.energy()
    assert energy.dissipated[-1] > 50.0
    assert np.abs(energy.drift).max() < 2e-3 * energy.dissipated[-1]
    assert wheel.reactions(run.z[-1], run.zd[-1], near=run.q[-1]).residual < 1e-9


LENGTH = 0.4
RELAXED = {'friction': 0.9, 'relaxation_length': LENGTH}
# On a planar joint above a flat road, with the tyres of a car in the plane.
SLIDING = {
    'name': 'car', 'dimension': 3, 'gravity': [0.0, 0.0, 0.0], 'bodies': {
        'car': {'mass': 900.0, 'centre_of_gravity': [0.0, 0.0, 0.0],
                'inertia': [300.0, 1200.0, 1500.0]}},
    'joints': {'road': {'kind': 'planar', 'bodies': ['ground', 'car'],
                        'at': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axis': [0.0, 0.0, 1.0]}},
    'coordinates': {'heading': {'kind': 'angle', 'joint': 'road'},
                    'at': {'kind': 'position', 'body': 'car'}},
    'independent': ['at.x', 'at.y', 'heading'],
    'forces': {name: {'kind': 'tyre', 'body': 'car', 'at': [x, 0.0, RADIUS - DEFLECTION],
                      'radius': RADIUS, 'stiffness': STIFFNESS, 'cornering_stiffness': CORNERING,
                      'relaxation_length': length}
               for name, x, length in (('front', 1.3, 0.4), ('rear', -1.1, 0.6))}}
IN_THE_PLANE = {
    'name': 'car', 'gravity': [0.0, 0.0],
    'points': {'C': {'start': [0.0, 0.0]}, 'F': {'start': [1.3, 0.0]}},
    'bodies': {'car': {'points': {'C': [0.0, 0.0], 'F': [1.3, 0.0]}, 'mass': 900.0,
                       'centre_of_gravity': [0.0, 0.0], 'inertia': 1500.0}},
    'coordinates': {'heading': {'kind': 'angle', 'body': 'car'}},
    'independent': ['C.x', 'C.y', 'heading'],
    'forces': {name: {'kind': 'tyre', 'body': 'car', 'at': [x, 0.0],
                      'cornering_stiffness': CORNERING, 'relaxation_length': length}
               for name, x, length in (('front', 1.3, 0.4), ('rear', -1.1, 0.6))}}


def test_the_slip_follows_along_the_relaxation_length():
    """A heavy wheel that rolls straight, from a step of sideslip on: F = C_y (1 - exp(-x / sigma)).
    """
    speed, lateral, loaded = 20.0, 0.5, RADIUS - DEFLECTION
    tyre = {key: value for key, value in TYRE.items() if key != 'friction'} | {
        'relaxation_length': LENGTH, 'slip_stiffness': 0.0}
    heavy = WHEEL['bodies']['wheel'] | {'mass': 1e9, 'inertia': [1e9, 1e9, 1e9]}
    wheel = Mechanism(WHEEL | {'bodies': {'wheel': heavy}, 'forces': {'tyre': tyre},
                               'start_velocity': {'at.x': speed, 'at.y': lateral,
                                                  'turn.y': speed / loaded}}, 'wheel.yaml')
    assert wheel.force_states == ('tyre.carcass',)
    run = simulate(wheel, 0.1, 1e-3, 'matrix_r', 'rk4', estimate_error=False)
    pace = np.hypot(speed, STANDSTILL)
    expected = -LENGTH * lateral / pace * (1.0 - np.exp(-pace * run.t / LENGTH))
    np.testing.assert_allclose(run.zd[:, -1], expected, atol=1e-7)
    zdd = wheel.forward_dynamics(run.z[-1], run.zd[-1], near=run.q[-1])
    assert 1e9 * zdd[1] == pytest.approx(CORNERING * np.arctan(expected[-1] / LENGTH), rel=1e-5)


def test_on_a_flat_road_it_is_the_tyre_in_the_plane():
    velocity = {'heading': 0.3}
    space = Mechanism(SLIDING, 'car.yaml').replace(
        start_velocity=velocity | {'at.x': 20.0, 'at.y': 0.8})
    plane = Mechanism(IN_THE_PLANE, 'car.yaml').replace(
        start_velocity=velocity | {'C.x': 20.0, 'C.y': 0.8})
    assert space.g == plane.g == 5
    runs = [simulate(one, 0.5, 1e-3, 'matrix_r', estimate_error=False) for one in (space, plane)]
    for name in ('z', 'zd', 'zdd'):
        mine, expected = (getattr(run, name) for run in runs)
        np.testing.assert_allclose(mine, expected, rtol=0.0, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize('change', [{'damping': 300.0}, {'damping': 300.0, 'friction': 0.05},
                                    {'damping': 300.0, 'radius': 0.2}])
def test_derivatives_with_a_carcass(change):
    """Of a tyre that sticks, one that slides, one in the air."""
    wheel = Mechanism(WHEEL | {'forces': {'tyre': TYRE | RELAXED | change}}, 'wheel.yaml')
    z, zd = np.r_[STATE[0], 0.1], np.r_[STATE[1], -0.03]
    near = wheel.assemble(z)
    for found, expected in zip(wheel.linearise(z, zd, near=near),
                               by_state(wheel, z, zd, 1e-4, order=4, near=near), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-7,
                                   atol=1e-7 * max(np.abs(found).max(), 1.0))
    require_parameters(wheel, z, zd, near, (*NUMBERS, 'relaxation_length'), 1e-2)


@pytest.mark.parametrize('formulation', ['matrix_r', 'index3_al'])
def test_a_carcass_keeps_the_balance_of_energy(formulation):
    wheel = Mechanism(WHEEL, 'wheel.yaml').replace(
        gravity=[0.0, 0.0, -9.81], forces={'tyre': {'damping': 200.0} | RELAXED},
        bodies={'wheel': {'pose': {'at': [0.0, 0.0, RADIUS + 0.02], 'turn': [0.1, 0.0, 0.0]}}},
        start_velocity={'at.x': 3.0, 'at.y': 0.4, 'turn.y': 20.0})
    run = simulate(wheel, 0.5, 2e-4, formulation,
                   'rk4' if formulation == 'matrix_r' else 'trapezoidal', estimate_error=False)
    energy = run.energy()
    assert energy.dissipated[-1] > 40.0
    assert np.abs(energy.drift).max() < 2e-3 * energy.dissipated[-1]
    assert wheel.reactions(run.z[-1], run.zd[-1], near=run.q[-1]).residual < 1e-9


def test_a_tree_of_joints_refuses_a_carcass():
    with pytest.raises(MechanismError, match=r'semi_recursive: not with states of forces: '
                                             r'tyre\.carcass'):
        make_stepper(Mechanism(WHEEL | {'forces': {'tyre': TYRE | RELAXED}}, 'wheel.yaml'),
                     'semi_recursive')


@pytest.mark.parametrize(('change', 'message'), [
    ({'relaxation_length': 0.0}, 'forces.tyre.relaxation_length: 0.0 must be > 0'),
    ({'body': 'bus'}, "forces.tyre.body: 'bus': unknown body"),
    ({'radius': 0.0}, 'forces.tyre.radius: 0.0 must be > 0'),
    ({'stiffness': -1.0}, 'forces.tyre.stiffness: -1.0 must be > 0'),
    ({'axis': [0.0, 0.0, 0.0]}, 'forces.tyre.axis: [0.0, 0.0, 0.0] is no direction'),
    ({'at': 'X'}, "forces.tyre.at: 'X': unknown point of wheel")])
def test_wrong_tyres_are_reported(change, message):
    with pytest.raises(MechanismError) as caught:
        Mechanism(WHEEL, 'wheel.yaml').replace(forces={'tyre': change})
    assert message in str(caught.value)
