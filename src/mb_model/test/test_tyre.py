"""Tyres: their curve by complex step and closed form, and cars that corner."""

from by_differences import by_state, slope
import numpy as np
import pytest

from mb_model import MechanismError, energy_balance, load_mechanism, simulate
from mb_model.forces.kinds.tyre import curve
from mb_model.mechanism import Mechanism

STIFFNESS, LARGEST = 8e4, 4.3e3
MASS, FRONT, REAR, INERTIA = 982.0, 1.33, 1.07, 1605.0
CAR = {
    'name': 'car', 'gravity': [0.0, 0.0],
    'points': {'C': {'start': [0.0, 0.0]}, 'F': {'start': [FRONT, 0.0]}},
    'bodies': {'car': {'points': {'C': [0.0, 0.0], 'F': [FRONT, 0.0]}, 'mass': MASS,
                       'centre_of_gravity': [0.0, 0.0], 'inertia': INERTIA}},
    'coordinates': {'heading': {'kind': 'angle', 'body': 'car'}},
    'independent': ['C.x', 'C.y', 'heading'],
    'forces': {
        'front': {'kind': 'tyre', 'body': 'car', 'at': 'F', 'cornering_stiffness': 7e4},
        'rear': {'kind': 'tyre', 'body': 'car', 'at': [-REAR, 0.0], 'cornering_stiffness': 1.2e5}},
}


def fiala(stiffness, largest, s):
    """Return the force at s > 0 of a tyre that does not slide, for complex arguments."""
    return (stiffness * s - stiffness ** 2 * s ** 2 / (3.0 * largest)
            + stiffness ** 3 * s ** 3 / (27.0 * largest ** 2))


@pytest.mark.parametrize('s', [1e-3, 0.05, 0.12, -0.03, -0.15])
def test_fialas_curve_and_its_derivatives_by_complex_step(s):
    force, *derivatives = curve(STIFFNESS, LARGEST, s)
    sign, h = np.sign(s), 1e-30
    assert force == pytest.approx(sign * fiala(STIFFNESS, LARGEST, abs(s)), rel=1e-12)
    steps = np.diag([1j * h, 1j * h, 1j * h])
    by_c, by_l, by_s = (fiala(STIFFNESS + a, LARGEST + b, abs(s) + c).imag / h
                        for a, b, c in steps)
    np.testing.assert_allclose(derivatives, [by_s, sign * by_c, sign * by_l],
                               rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize('s', [0.17, 2.0, -0.5])
def test_a_tyre_that_slides_has_its_largest_force(s):
    assert curve(STIFFNESS, LARGEST, s) == (LARGEST * np.sign(s), 0.0, 0.0, np.sign(s))


def test_a_linear_tyre_is_linear_in_the_slip_angle():
    assert curve(STIFFNESS, 0.0, np.tan(0.1))[0] == pytest.approx(0.1 * STIFFNESS, rel=1e-12)


@pytest.mark.parametrize('turned', [0.0, 2.0])
def test_the_lateral_motion_is_that_of_the_single_track_model(turned):
    """Riekert and Schunck 1940, of any heading: lateral and yaw acceleration of a moving car."""
    car, speed, lateral, rate = Mechanism(CAR, 'car.yaml'), 30.0, 0.6, 0.2
    turn = np.array([[np.cos(turned), -np.sin(turned)], [np.sin(turned), np.cos(turned)]])
    zdd = car.forward_dynamics([3.0, 4.0, turned], [*(turn @ [speed, lateral]), rate])
    front = -7e4 * np.arctan((lateral + FRONT * rate) / np.hypot(speed, 0.5))
    rear = -1.2e5 * np.arctan((lateral - REAR * rate) / np.hypot(speed, 0.5))
    np.testing.assert_allclose(turn.T @ zdd[:2], [0.0, (front + rear) / MASS], atol=1e-9)
    assert zdd[2] == pytest.approx((FRONT * front - REAR * rear) / INERTIA, rel=1e-9)


def test_linearisation_and_parameters_are_those_of_differences():
    """Of Fiala's tyres off the line of their body, at speed: their curve has a kink at rest."""
    car = Mechanism(CAR, 'car.yaml').replace(forces={
        'front': {'largest_force': 4e3}, 'rear': {'largest_force': 6e3, 'at': [-REAR, 0.4]}})
    z, zd = np.array([3.0, 4.0, 0.7]), np.array([20.0, 19.0, 0.3])
    for found, expected in zip(car.linearise(z, zd), by_state(car, z, zd, 1e-5), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-5)
    for key, step in (('cornering_stiffness', 1.0), ('largest_force', 1.0),
                      ('standstill_speed', 1e-3), ('at.x', 1e-5), ('at.y', 1e-5)):
        name = f'forces.rear.{key}'
        value = car.parameter_records([name])['value'][0]
        axis = {'at.x': 0, 'at.y': 1}.get(key)

        def moved(by, key=key, axis=axis, value=value):
            if axis is None:
                return car.replace(forces={'rear': {key: value + by}})
            at = [-REAR, 0.4]
            at[axis] += by
            return car.replace(forces={'rear': {'at': at}})

        exact = car.parameter_jacobian(z, zd, [name])[:, 0]
        expected = slope(lambda by: moved(by).forward_dynamics(z, zd), step, order=2)
        np.testing.assert_allclose(exact, expected, rtol=1e-5, atol=1e-8)


def test_tyres_lose_what_the_motion_loses():
    car = Mechanism(CAR, 'car.yaml').replace(
        start_velocity={'C.x': 20.0, 'C.y': 1.0, 'heading': 0.5},
        forces={'front': {'largest_force': 4e3}})
    balance = energy_balance(simulate(car, 1.0, 1e-3))
    assert balance.dissipated[-1] > 100.0
    np.testing.assert_allclose(balance.drift, 0.0, atol=1e-3 * balance.dissipated[-1])


@pytest.mark.parametrize(('change', 'message'), [
    ({'body': 'bus'}, "forces.front.body: 'bus': unknown body"),
    ({'cornering_stiffness': 0.0}, 'forces.front.cornering_stiffness: 0.0 must be > 0'),
    ({'at': 'X'}, "forces.front.at: 'X': unknown point of car")])
def test_wrong_tyres_are_reported(change, message):
    with pytest.raises(MechanismError) as caught:
        Mechanism(CAR, 'car.yaml').replace(forces={'front': change})
    assert message in str(caught.value)


LENGTHS = {'front': 0.4, 'rear': 0.6}
RELAXED = CAR | {'forces': {name: tyre | {'relaxation_length': LENGTHS[name]}
                            for name, tyre in CAR['forces'].items()}}


def relaxed(**changes):
    """Return the car with a carcass in its tyres."""
    return Mechanism(RELAXED, 'car.yaml').replace(**changes)


def test_the_slip_follows_along_the_relaxation_length():
    """A step of sideslip of a heavy car: F = C alpha (1 - exp(-x / sigma))."""
    speed, lateral, length = 20.0, 0.5, 0.4
    car = relaxed(bodies={'car': {'mass': 1e9, 'inertia': 1e9}},
                  start_velocity={'C.x': speed, 'C.y': lateral, 'heading': 0.0})
    run = simulate(car, 0.1, 1e-3, 'matrix_r', 'rk4', estimate_error=False)
    deflection = run.zd[:, car.independent.index('front.carcass')]
    pace = np.hypot(speed, 0.5)
    steady = -length * lateral / pace
    np.testing.assert_allclose(deflection, steady * (1.0 - np.exp(-pace * run.t / length)),
                               atol=1e-7)
    force = car.forward_dynamics(run.z[-1], run.zd[-1])[1] * 1e9
    slips = run.zd[-1][[car.independent.index(f'{name}.carcass') for name in ('front', 'rear')]]
    assert force == pytest.approx(7e4 * np.arctan(slips[0] / 0.4) + 1.2e5 * np.arctan(
        slips[1] / 0.6), rel=1e-6)


def test_a_short_relaxation_length_is_none():
    motion = {'C.x': 25.0, 'C.y': 0.8, 'heading': 0.3}
    rigid = simulate(Mechanism(CAR, 'car.yaml').replace(start_velocity=motion), 1.0, 1e-3)
    differences = []
    for length in (0.02, 0.01):
        car = relaxed(start_velocity=motion, forces={
            name: {'relaxation_length': length} for name in ('front', 'rear')})
        run = simulate(car, 1.0, 1e-3)
        differences.append(np.abs(run.zd[-1][:3] - rigid.zd[-1]).max())
    assert differences[1] < 0.03
    assert differences[1] < 0.6 * differences[0]


def test_derivatives_of_tyres_with_a_carcass():
    car = relaxed(forces={'front': {'largest_force': 4e3},
                          'rear': {'largest_force': 6e3, 'at': [-REAR, 0.4]}})
    z = np.array([3.0, 4.0, 0.7, 0.1, -0.2])
    zd = np.array([20.0, 19.0, 0.3, -0.02, 0.01])
    for found, expected in zip(car.linearise(z, zd), by_state(car, z, zd, 1e-5), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-5)
    for key, step in (('cornering_stiffness', 1.0), ('largest_force', 1.0),
                      ('standstill_speed', 1e-3), ('relaxation_length', 1e-5)):
        name = f'forces.rear.{key}'
        value = car.parameter_records([name])['value'][0]
        exact = car.parameter_jacobian(z, zd, [name])[:, 0]
        expected = slope(lambda by, key=key, value=value: car.replace(
            forces={'rear': {key: value + by}}).forward_dynamics(z, zd), step, order=2)
        np.testing.assert_allclose(exact, expected, rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize('formulation', ['matrix_r', 'index3_al', 'lagrange'])
def test_tyres_with_a_carcass_keep_the_balance_of_energy(formulation):
    car = relaxed(start_velocity={'C.x': 20.0, 'C.y': 1.0, 'heading': 0.5},
                  forces={'front': {'largest_force': 4e3}})
    run = simulate(car, 1.0, 1e-3, formulation, estimate_error=False)
    balance = energy_balance(run)
    assert balance.dissipated[-1] > 100.0
    np.testing.assert_allclose(balance.drift, 0.0, atol=2e-3 * balance.dissipated[-1])
    # No pin holds it: what its tyres do explains its motion.
    pins = car.reactions(run.z[-1], run.zd[-1]).forces['car']
    np.testing.assert_allclose(list(pins.values()), 0.0, atol=1e-8)


DOUBLE, SINGLE = load_mechanism('double_track_car'), load_mechanism('racing_car')
MASS, FRONT, REAR, TRACK = 982.0, 1.33, 1.07, 1.35
DOUBLE_INERTIA = MASS / 12.0 * (1.7 ** 2 + 4.09 ** 2)
AXLES = {'front': (7.83e4, 4368.0), 'rear': (1.353e5, 5882.0)}


def fiala_until_it_slides(stiffness, largest, s):
    """Return the force of a tyre at the tangent s of its slip angle (Pacejka 2012, Sec. 3.2)."""
    slides = 3.0 * largest / stiffness
    if abs(s) >= slides:
        return largest * np.sign(s)
    return largest * np.sign(s) * (1.0 - (1.0 - abs(s) / slides) ** 3)


@pytest.mark.parametrize('speeds', [(30.0, 0.6, 0.2), (20.0, -1.5, -0.5), (8.0, 0.5, 1.1)])
@pytest.mark.parametrize('angles', [(0.0, 0.0), (0.05, 0.06), (-0.03, -0.11)])
def test_its_motion_is_that_of_four_wheels(speeds, angles):
    """Forces of all wheels at their own places, turned by their own angles."""
    u, w, r = speeds
    zdd = DOUBLE.forward_dynamics([0.0, 0.0, 0.0, *angles], [u, w, r, 0.0, 0.0])
    force, moment = np.zeros(2), 0.0
    for x, axle in ((FRONT, 'front'), (-REAR, 'rear')):
        for side, angle in zip((1.0, -1.0), angles if x > 0.0 else (0.0, 0.0), strict=True):
            y = 0.5 * side * TRACK
            along, across = (np.array([np.cos(angle), np.sin(angle)]),
                             np.array([-np.sin(angle), np.cos(angle)]))
            speed = np.array([u - r * y, w + r * x])
            stiffness, largest = AXLES[axle]
            slip = -(across @ speed) / np.hypot(along @ speed, 0.5)
            pushed = across * fiala_until_it_slides(0.5 * stiffness, 0.5 * largest, slip)
            force += pushed
            moment += x * pushed[1] - y * pushed[0]
    np.testing.assert_allclose(zdd[:2], force / MASS, atol=2e-4 * np.abs(force).max() / MASS)
    # The wheels' own inertia of 1 kg m^2 each turns with the car.
    assert zdd[2] == pytest.approx(moment / DOUBLE_INERTIA, rel=2e-3, abs=1e-3)


def test_with_wheels_in_line_it_is_nearly_the_single_track():
    """Straight ahead both sides have the slip of the axle's middle."""
    z, zd = [0.0, 0.0, 0.0, 0.04], [30.0, 0.5, 0.05, 0.0]
    double = DOUBLE.forward_dynamics([*z, 0.04], [*zd, 0.0])
    np.testing.assert_allclose(double[:3], SINGLE.forward_dynamics(z, zd)[:3], rtol=0.02, atol=0.02)
