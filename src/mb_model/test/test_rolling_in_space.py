"""Bodies that roll on a plane in space: closed forms, an integration of their own, derivatives."""

from by_differences import by_state, jacobian, slope
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from spatial_machines import ROLLING

from mb_model import MechanismError, energy_balance, make_stepper, simulate
from mb_model.assembly.rolling import slip_jacobian
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import Mechanism
from mb_model.space.rotation import rotation

MASS, RADIUS, ACROSS, ALONG, G = 2.0, 0.3, 0.05, 0.085, 9.81      # inertias across and along a
UP = np.array([0.0, 0.0, 1.0])


def body(kind, inertia, turn=(0.0, 0.0, 0.0), gravity=(0.0, 0.0, -G), **contact):
    """Return a lone body that rolls on the plane z = 0, its centre over the origin."""
    return Mechanism({
        'name': 'roller', 'dimension': 3, 'gravity': list(gravity),
        'bodies': {'roller': {'mass': MASS, 'centre_of_gravity': [0.0, 0.0, 0.0],
                              'inertia': inertia, 'pose': {'at': [0.0, 0.0, 0.28],
                                                           'turn': list(turn)}}},
        'joints': {'contact': {'kind': kind, 'bodies': ['ground', 'roller'], 'radius': RADIUS,
                               'at': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]} | contact},
        'coordinates': {'at': {'kind': 'position', 'body': 'roller'},
                        'turn': {'kind': 'orientation', 'body': 'roller'}},
        'independent': ['at.x', 'at.y', 'turn.x', 'turn.y', 'turn.z']}, 'roller.yaml')


def disc(turn=(0.0, 0.0, 0.0)):
    """Return a disc whose axis is y in its frame."""
    return body('rolling_disc', [ACROSS, ALONG, ACROSS], turn, axes=[UP.tolist(), [0.0, 1.0, 0.0]])


def poses(run):
    """Return positions (k, 3) and rotation matrices (k, 3, 3) of the body along a run."""
    motions = [run.mechanism.body_motion('roller', q) for q in run.q]
    return (np.array([motion.position for motion in motions]),
            np.array([motion.rotation for motion in motions]))


def rolled(mechanism, zd0, duration, dt=1e-3):
    return simulate(mechanism, duration, dt, 'matrix_r', 'rk4', zd0=zd0, estimate_error=False)


def steady(lean, distance):
    """Return (disc, zd, turning rate) of a steady circle of the centre at a distance.

    The disc leans inwards.  With the axis a and the steepest direction up in the disc, d, Euler's
    equation across both is W^2 cos (A sin + (C / r + m r) distance) = m g r sin.
    """
    sine, cosine = np.sin(lean), np.cos(lean)
    rate = np.sqrt(MASS * G * RADIUS * sine / (
        cosine * (ACROSS * sine + (ALONG / RADIUS + MASS * RADIUS) * distance)))
    # a = y turned about x: it rises by the lean, the top of the disc leans to -y; the centre of
    # the circle is there
    spin = -rate * distance / RADIUS
    turn = (spin * np.array([0.0, 1.0, 0.0]) + rate * cosine * np.array([0.0, 0.0, 1.0]))
    return disc((lean, 0.0, 0.0)), np.r_[-rate * distance, 0.0, turn], rate


@pytest.mark.parametrize(('lean', 'distance'), [(0.3, 1.0), (0.7, 0.4), (0.1, 3.0)])
def test_a_disc_rolls_in_a_steady_circle(lean, distance):
    mechanism, zd, rate = steady(lean, distance)
    run = rolled(mechanism, zd, 1.0)
    places, turns = poses(run)
    centre = np.array([0.0, -distance, RADIUS * np.cos(lean)])
    angle = rate * run.t
    expected = centre + distance * np.stack([-np.sin(angle), np.cos(angle), 0.0 * angle], axis=1)
    np.testing.assert_allclose(places, expected, atol=1e-7)
    np.testing.assert_allclose(turns[:, 2, 1], np.sin(lean), atol=1e-7)
    found = mechanism.reactions(mechanism.z0, zd).joints['contact']
    push = found.axes @ found.force
    np.testing.assert_allclose(push, [0.0, -MASS * rate ** 2 * distance, MASS * G], atol=1e-9)
    assert found.determined


@pytest.mark.parametrize('share', [0.4, 2.0 / 3.0])
def test_a_ball_rolls_down_a_slope(share):
    """A whole ball by 5/7 g sin, a hollow one by 3/5; the plane gives what the weight exceeds."""
    inertia, slope = share * MASS * RADIUS ** 2, 0.3
    ball = body('rolling_ball', 3 * [inertia], axis=UP.tolist(),
                gravity=(G * np.sin(slope), 0.0, -G * np.cos(slope)))
    down = G * np.sin(slope) / (1.0 + share)
    zdd = ball.forward_dynamics(ball.z0, ball.zd0)
    np.testing.assert_allclose(zdd, [down, 0.0, 0.0, down / RADIUS, 0.0], atol=1e-12)
    found = ball.reactions(ball.z0, ball.zd0).joints['contact']
    np.testing.assert_allclose(found.axes @ found.force, [
        -MASS * share * down, 0.0, MASS * G * np.cos(slope)], atol=1e-12)
    spinning = np.array([0.0, 0.6, -2.0, 0.0, 5.0])      # across, and about the normal
    run = rolled(ball, spinning, 1.0, 5e-3)
    np.testing.assert_allclose(poses(run)[0][-1], [0.5 * down, 0.6, RADIUS], atol=1e-9)


def newton_euler(t, state):
    """Return the rates of (place, turn matrix, angular velocity) of the disc, in global axes.

    The contact is at rest, v = -w x p, so with F = m (v' - g) Euler's equation about the centre is
    J w' + m p x (w' x p) = -w x J w - m p x (w x p' + g).
    """
    turn, spin = state[3:12].reshape(3, 3), state[12:]
    axis = turn[:, 1]
    rate = np.cross(spin, axis)
    lean, leaning = axis[2], rate[2]
    cosine = np.sqrt(1.0 - lean ** 2)
    arm = RADIUS * (lean * axis - UP) / cosine
    moving = RADIUS * (leaning * axis + lean * rate) / cosine + arm * lean * leaning / cosine ** 2
    inertia = turn @ np.diag([ACROSS, ALONG, ACROSS]) @ turn.T
    cross = np.cross(np.eye(3), arm)                   # cross @ v is arm x v
    left = inertia + MASS * cross @ cross.T
    right = -np.cross(spin, inertia @ spin) - MASS * np.cross(
        arm, np.cross(spin, moving) - G * UP)
    return np.r_[-np.cross(spin, arm), np.cross(spin, turn.T).T.ravel(),
                 np.linalg.solve(left, right)]


def test_a_disc_wobbles_as_newton_and_euler_say():
    """Tilting to and fro, through many turns; its own integration by scipy."""
    mechanism = disc((0.2, 0.0, 0.0))
    turn = rotation((0.2, 0.0, 0.0))
    spin = np.array([0.5, 7.0, 1.0])                   # in its frame
    arm = RADIUS * (turn[2, 1] * turn[:, 1] - UP) / np.sqrt(1.0 - turn[2, 1] ** 2)
    speed = -np.cross(turn @ spin, arm)
    run = rolled(mechanism, np.r_[speed[:2], spin], 4.0, 5e-4)
    start = np.r_[0.0, 0.0, RADIUS * np.cos(0.2), turn.ravel(), turn @ spin]
    found = solve_ivp(newton_euler, (0.0, 4.0), start, 'DOP853', run.t, rtol=1e-11, atol=1e-12).y
    places, turns = poses(run)
    np.testing.assert_allclose(places, found[:3].T, atol=2e-7)
    np.testing.assert_allclose(turns.reshape(-1, 9), found[3:12].T, atol=2e-6)
    assert np.ptp(turns[:, 2, 1]) > 0.1


@pytest.mark.parametrize('kind', ROLLING)
def test_nothing_slips_and_energy_stays(kind):
    """A wheel that is out of balance, with a pendulum at its hub, on a plane that leans."""
    mechanism = Mechanism(ROLLING[kind], 'rolling.yaml').replace(forces={'rub': None})
    run = simulate(mechanism, 1.0, 1e-3, 'matrix_r', 'rk4', estimate_error=False)
    slips = [slip_jacobian(mechanism, q) @ qd for q, qd in zip(run.q, run.qd, strict=True)]
    np.testing.assert_allclose(slips, 0.0, atol=1e-7)
    balance = energy_balance(run)
    assert np.ptp(balance.kinetic) > 1.0
    np.testing.assert_allclose(balance.drift, 0.0, atol=1e-5)
    stepper = make_stepper(mechanism, 'matrix_r')
    for _ in range(200):
        stepper.step(1e-3)
    assert stepper.reactions().residual < 1e-9


@pytest.mark.parametrize('kind', ROLLING)
@pytest.mark.parametrize('integrator', ['trapezoidal', 'exponential', 'rk2'])
def test_integrators_agree(kind, integrator):
    mechanism = Mechanism(ROLLING[kind], 'rolling.yaml')
    run = simulate(mechanism, 0.4, 1e-3, 'matrix_r', integrator, estimate_error=False)
    reference = simulate(mechanism, 0.4, 1e-3, 'matrix_r', 'rk4', estimate_error=False)
    place = [mechanism.coordinates.index(f'at.{axis}') for axis in 'xyz']
    np.testing.assert_allclose(run.q[:, place], reference.q[:, place], atol=2e-5)


def test_slip_fades():
    """A start that slips is one of a query alone: its slip has the rate -decay slip."""
    mechanism = Mechanism(ROLLING['rolling_disc'], 'rolling.yaml')
    zd = mechanism.zd0 + np.array([0.1, -0.2, 0.3, 0.1, 0.2, 0.0])
    q = mechanism.q0
    qd = mechanism.velocity(q, zd)
    qdd = mechanism.acceleration(q, qd, mechanism.forward_dynamics(mechanism.z0, zd))

    def slip(t):
        """Along a motion with these rates and accelerations; q leaves the constraints by t^3."""
        return slip_jacobian(mechanism, q + t * qd + 0.5 * t * t * qdd) @ (qd + t * qdd)

    np.testing.assert_allclose(slope(slip, 1e-5, order=2), -7.0 * slip(0.0), atol=1e-7)
    assert np.abs(slip(0.0)).max() > 0.05


@pytest.mark.parametrize('slips', [0.0, 0.1])
@pytest.mark.parametrize('kind', ROLLING)
def test_derivatives_are_those_of_differences(kind, slips, rng):
    mechanism = Mechanism(ROLLING[kind], 'rolling.yaml')
    g, z, zd = mechanism.g, mechanism.z0, mechanism.zd0 + slips * rng.normal(size=mechanism.g)
    force = rng.normal(size=g)
    for found, expected in zip(mechanism.linearise(z, zd, force),
                               by_state(mechanism, z, zd, 1e-5, force), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-6)
    by_force = mechanism.force_jacobian(z, zd)[:, mechanism.indices(mechanism.independent)]
    np.testing.assert_allclose(by_force, jacobian(
        lambda d: mechanism.forward_dynamics(z, zd, force + d), g, 1e-5), rtol=1e-7, atol=1e-8)


PARAMETERS = ('bodies.wheel.mass', 'bodies.wheel.centre_of_gravity.y', 'bodies.bob.inertia.1',
              'gravity.x', 'forces.rub.viscous')


@pytest.mark.parametrize('kind', ROLLING)
@pytest.mark.parametrize('name', PARAMETERS)
def test_parameters_are_those_of_differences(kind, name):
    raw = ROLLING[kind]
    mechanism, (*keys, last) = Mechanism(raw, 'rolling.yaml'), name.split('.')
    exact = mechanism.parameter_jacobian(mechanism.z0, mechanism.zd0, [name])[:, 0]
    at = 'xyz'.find(last) if last in 'xyz' else last

    def moved(h):
        here = raw
        for key in keys:
            here = here[key]
        value = list(here) if isinstance(here, list) else h + here[last]
        if isinstance(value, list):
            value[int(at)] += h
        change = value if isinstance(value, list) else {last: value}
        for key in reversed(keys):
            change = {key: change}
        other = mechanism.replace(**change)
        return other.forward_dynamics(mechanism.z0, mechanism.zd0)

    np.testing.assert_allclose(exact, slope(moved, 1e-6, order=2), rtol=1e-5, atol=1e-6)


def test_rates_that_the_file_does_not_name_follow():
    mechanism = Mechanism(ROLLING['rolling_disc'], 'rolling.yaml')
    rates = dict(zip(mechanism.independent, mechanism.zd0, strict=True))
    assert [rates[name] for name in ('turn.x', 'turn.y', 'turn.z', 'swing')] == [
        0.3, 4.0, 0.7, 1.5]
    slip = slip_jacobian(mechanism, mechanism.q0) @ mechanism.velocity(mechanism.q0, mechanism.zd0)
    np.testing.assert_allclose(slip, 0.0, atol=1e-12)
    assert abs(rates['at.x']) > 0.5


@pytest.mark.parametrize('formulation', [
    name for name, kind in FORMULATIONS.items() if not kind.rolls])
def test_formulations_that_do_not_roll_refuse(formulation):
    with pytest.raises(ValueError, match=rf'formulation: {formulation}: not for mechanisms with '
                                         r'bodies that roll, such as rolling\.yaml, expected one '
                                         'of matrix_r'):
        make_stepper(Mechanism(ROLLING['rolling_disc'], 'rolling.yaml'), formulation)


ASKED = {
    'inverse_dynamics': lambda one: one.inverse_dynamics(one.z0, one.zd0, one.zd0),
    'operational_space': lambda one: one.operational_space(one.z0, one.zd0),
    'joints.contact.at.1.z as a parameter': lambda one: one.replace(
        bodies={'wheel': {'variable_places': True}, 'bob': {'variable_places': True}},
        joints={'contact': {'at': [[0.1, 0.2, 0.05], [0.0, 0.03, 0.0]]}}).parameter_jacobian(
            one.z0, one.zd0, ['joints.contact.at.1.z'])}


@pytest.mark.parametrize('what', ASKED)
def test_what_knows_no_constraints_of_velocities_refuses(what):
    with pytest.raises(MechanismError, match=rf'rolling\.yaml: {what}: not for mechanisms with '
                                             r'bodies that roll, here on joints\.contact'):
        ASKED[what](Mechanism(ROLLING['rolling_disc'], 'rolling.yaml'))


def test_starts_that_slip_are_refused():
    mechanism = Mechanism(ROLLING['rolling_ball'], 'rolling.yaml')
    with pytest.raises(MechanismError, match=r'zd: joints\.contact slips at 0\.\d+ m/s'):
        make_stepper(mechanism, 'matrix_r').reset(zd=mechanism.zd0 + 0.2 * np.eye(6)[0])
    with pytest.raises(MechanismError, match=r'start_velocity: joints\.contact slips at'):
        mechanism.replace(start_velocity={'at.x': 3.0, 'at.y': 2.0})


@pytest.mark.parametrize(('change', 'message'), [
    ({'joints': {'contact': {'radius': 0.0}}}, 'joints.contact.radius: 0.0 must be > 0'),
    ({'joints': {'contact': {'slip_decay': -1.0}}}, 'joints.contact.slip_decay: -1.0 must be >= 0'),
    ({'joints': {'contact': {'bodies': ['bob', 'wheel'], 'at': ['hub', 'hub']}}},
     'joints.contact.bodies: bob must be ground'),
    ({'joints': {'contact': {'axes': [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]}}},
     'joints.contact.axes: [0.0, 0.0, 0.0] is no direction'),
    ({'bodies': {'wheel': {'pose': None}}}, 'bodies.wheel.pose: missing')])
def test_wrong_contacts_are_reported(change, message):
    with pytest.raises(MechanismError) as caught:
        Mechanism(ROLLING['rolling_disc'], 'rolling.yaml').replace(**change)
    assert message in str(caught.value)


def cart():
    """Return two discs on an axle, a third body that hangs from it and drags behind as a ball."""
    wheel = {'mass': MASS, 'centre_of_gravity': [0.0, 0.0, 0.0],
             'inertia': [ACROSS, ALONG, ACROSS]}
    contact = {'kind': 'rolling_disc', 'radius': RADIUS,
               'axes': [UP.tolist(), [0.0, 1.0, 0.0]], 'at': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]}
    return Mechanism({
        'name': 'cart', 'dimension': 3,
        'bodies': {
            'frame': {'mass': 5.0, 'centre_of_gravity': [-0.1, 0.05, 0.0],
                      'inertia': [0.2, 0.3, 0.4], 'pose': {'at': [0.0, 0.0, RADIUS]}},
            'left': wheel, 'right': wheel,
            'castor': {'mass': 0.3, 'centre_of_gravity': [0.0, 0.0, 0.0],
                       'inertia': [3e-4, 3e-4, 3e-4]}},
        'joints': {
            'axle': {'kind': 'revolute', 'bodies': ['frame', 'left'], 'axis': [0.0, 1.0, 0.0],
                     'at': [[0.0, 0.4, 0.0], [0.0, 0.0, 0.0]]},
            'other': {'kind': 'revolute', 'bodies': ['frame', 'right'], 'axis': [0.0, 1.0, 0.0],
                      'at': [[0.0, -0.4, 0.0], [0.0, 0.0, 0.0]]},
            'fork': {'kind': 'spherical', 'bodies': ['frame', 'castor'],
                     'at': [[-0.6, 0.0, -0.25], [0.0, 0.0, 0.0]]},
            'one': contact | {'bodies': ['ground', 'left']},
            'two': contact | {'bodies': ['ground', 'right']},
            'three': {'kind': 'rolling_ball', 'bodies': ['ground', 'castor'], 'radius': 0.05,
                      'axis': UP.tolist(), 'at': contact['at']}},
        'coordinates': {'at': {'kind': 'position', 'body': 'frame'},
                        'turn': {'kind': 'orientation', 'body': 'frame'},
                        'left': {'kind': 'angle', 'joint': 'axle'},
                        'right': {'kind': 'angle', 'joint': 'other'},
                        'ball': {'kind': 'orientation', 'body': 'castor'}},
        'independent': ['at.x', 'at.y', 'turn.z', 'left', 'right', 'ball.x', 'ball.y', 'ball.z'],
        'start_velocity': {'left': 3.0, 'right': 5.0}}, 'cart.yaml')


def test_wheels_on_an_axle_steer_a_cart():
    """Both keep the axle from moving along itself: one of these slips follows from the other.

    The frame turns by the difference of the wheels over the track; its energy stays.
    """
    mechanism = cart()
    rates = dict(zip(mechanism.independent, mechanism.zd0, strict=True))
    assert rates['at.x'] == pytest.approx(4.0 * RADIUS, rel=1e-9)
    assert rates['turn.z'] == pytest.approx(2.0 * RADIUS / 0.8, rel=1e-9)
    run = simulate(mechanism, 1.0, 1e-3, 'matrix_r', 'rk4', estimate_error=False)
    slips = [slip_jacobian(mechanism, q) @ qd for q, qd in zip(run.q, run.qd, strict=True)]
    np.testing.assert_allclose(slips, 0.0, atol=1e-6)
    balance = energy_balance(run)
    np.testing.assert_allclose(balance.drift, 0.0, atol=1e-7)
    left, right = (run.q[:, mechanism.coordinates.index(name)] for name in ('left', 'right'))
    turns = [mechanism.body_motion('frame', q).rotation for q in run.q]
    heading = np.unwrap([np.arctan2(turn[1, 0], turn[0, 0]) for turn in turns])
    np.testing.assert_allclose(heading, RADIUS * (right - left) / 0.8, atol=1e-8)
    assert heading[-1] > 0.5
    found = mechanism.reactions(mechanism.z0, mechanism.zd0)
    assert found.residual < 1e-9
    assert not found.joints['one'].determined       # who holds the axle, rigid bodies do not say
    z, zd = mechanism.z0, mechanism.zd0
    by_z, by_zd = mechanism.linearise(z, zd)
    # Farther off, where zd slips, the slips of both wheels differ; rounding chooses which counts.
    for mine, expected in zip((by_z, by_zd), by_state(mechanism, z, zd, (1e-7, 1e-5)), strict=True):
        np.testing.assert_allclose(mine, expected, rtol=1e-6, atol=1e-5)


def test_a_start_at_which_slips_depend_by_chance_is_refused():
    """Both wheels are steered, and their axles are in line at the start alone."""
    steered = {'kind': 'universal', 'axis': None, 'axes': [UP.tolist(), [0.0, 1.0, 0.0]]}
    with pytest.raises(MechanismError, match='slips depend on each other at the start'):
        cart().replace(joints={'axle': steered, 'other': steered}, independent=None,
                       coordinates={'left': None, 'right': None}, start_velocity=None)


def test_bodies_that_roll_are_for_dense_matrices():
    with pytest.raises(MechanismError, match=r'joints\.contact: bodies that roll are for dense'):
        Mechanism(ROLLING['rolling_ball'], 'rolling.yaml', storage='sparse')
