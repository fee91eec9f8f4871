"""Joints in space against MSC Adams, closed forms and balances of momentum.

adams_joints: excerpts of data/testing/joints of projectchrono/chrono, every 20th row.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from mb_model import Mechanism, make_stepper
from mb_model.file_api import AdamsError, Reaction, adams_model, reaction_on_i, read_adams, reported

DATA = Path(__file__).parent / 'adams_joints'
GRAVITY = 9.80665
BODY = """a body
PART/1, GROUND
PART/2, MASS = 2, CM = 21, IP = 0.04, 0.1, 0.12
MARKER/11, PART = 1, QP = 1, 2, 3{turned}
MARKER/21, PART = 2, QP = {centre}{turned}
MARKER/22, PART = 2, QP = 1, 2, 3{turned}
ACCGRAV/, KGRAV = -9.80665
{connected}
"""
OBLIQUE = ', REULER = 180D, 45D, 180D'          # z along y = z of the global axes


def rod_model():
    """Return the AdamsModel and reactions of RevSpherical_Case01, of which there is no .adm.

    A hinge about z in the origin, a massless rod, a ball joint in (2, 0, 0) of a body in (2, 2, 0).
    """
    model = adams_model('rod\nPART/1, GROUND\nPART/2, MASS = 1, CM = 21, IP = 0.1, 0.04, 0.1\n'
                        'MARKER/21, PART = 2, QP = 2, 2, 0\nACCGRAV/, KGRAV = -9.80665\n', 'rod')
    model.raw['joints']['rod'] = {
        'kind': 'revolute_spherical', 'bodies': ['ground', 'part2'],
        'at': [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]], 'axis': [0.0, 0.0, 1.0], 'length': 2.0}
    return model, {'_Body1': Reaction(('rod',), 'ground', (0.0, 0.0, 0.0)),
                   '_Body2': Reaction(('rod',), 'part2', (2.0, 0.0, 0.0))}


def moved(model, reactions, instants, step=2e-4):
    """Return quantity -> (k, 3 or 4) of the motion from its start, at instants (k)."""
    mechanism = Mechanism(model.raw, model.file)
    stepper, found = make_stepper(mechanism, 'lagrange', 'rk4'), []
    stepper.reset(None, model.start_velocity(mechanism))
    for t in instants:
        while stepper.t < t - 0.5 * step:
            stepper.step(step)
        found.append(reported(stepper, model.parts['part2'].centre, reactions))
    return {name: np.array([one[name] for one in found]) for name in found[0]}


def of_adams(name):
    """Return (instants (k), quantity -> (k, 3 or 4)) of an excerpt."""
    tables = {file.stem.partition('_ADAMS_')[2]: np.loadtxt(file, skiprows=3)
              for file in DATA.glob(f'{name}_ADAMS_*.txt')}
    return tables['Pos'][:, 0], {key: table[:, 1:] for key, table in tables.items()}


def gap(ours, expected):
    """Return the largest difference; of quaternions of the turns that they are."""
    if expected.shape[1] == 4:
        ours = ours * np.sign((ours * expected).sum(axis=1))[:, None]
    return np.abs(ours - expected).max()


def pendulum(instants, inertia, arm):
    """Return angle and rate (k) of a pendulum of 1 kg that starts level."""
    return solve_ivp(lambda t, x: [x[1], GRAVITY * arm * np.cos(x[0]) / inertia],
                     (0.0, instants[-1]), [0.0, 0.0], 'DOP853', rtol=1e-12, atol=1e-12,
                     t_eval=instants).y


@pytest.mark.parametrize('name', ['Revolute', 'Distance', 'Cylindrical', 'RevSpherical'])
def test_bodies_on_joints_move_as_in_adams(name):
    """Results have six digits: positions of the falling cylindrical joint end at -122.583 m."""
    instants, expected = of_adams(f'{name}_Case01')
    if name == 'RevSpherical':
        model, reactions = rod_model()
    else:
        model = read_adams(DATA / f'test_{name}_Case01.adm')
        reactions = {'': reaction_on_i(model.raw)}
    ours = moved(model, reactions, instants)
    assert set(expected) == set(ours)
    assert len(instants) == 26
    for quantity, values in expected.items():
        limit = 1e-2 * max(np.abs(values).max(), 1e-4)
        if quantity in ('Pos', 'Quat'):
            limit = 1e-4 + 0.5e-5 * np.abs(values).max()
        elif quantity in ('Vel', 'Avel'):
            limit = 1e-3
        assert gap(ours[quantity], values) <= limit, quantity


@pytest.mark.parametrize(('name', 'along', 'axis'), [
    ('Revolute', [1, 0, 0], [0, 1, 0]), ('Spherical', [1, 0, 0], [0, 1, 0]),
    ('Universal', [0, 1, 0], [-1, 0, 0])])
def test_bodies_that_swing_in_a_plane_are_pendulums(name, along, axis):
    """Adams is .8 mm off this closed form on the ball joint and the universal joint."""
    instants, expected = of_adams(f'{name}_Case01')
    model = read_adams(DATA / f'test_{name}_Case01.adm')
    ours = moved(model, {'': reaction_on_i(model.raw)}, instants)
    angle, rate = pendulum(instants, 4.1, 2.0)
    exact = 2.0 * (np.outer(np.cos(angle), along) - np.outer(np.sin(angle), [0, 0, 1]))
    turns = Rotation.from_rotvec(np.outer(angle, axis)) * Rotation.from_quat(
        np.roll(ours['Quat'][0], -1))
    np.testing.assert_allclose(ours['Pos'], exact, atol=1e-8)
    np.testing.assert_allclose(ours['Avel'], np.outer(rate, axis), atol=1e-8)
    assert gap(ours['Quat'], np.roll(turns.as_quat(), 1, axis=1)) < 1e-8
    off = np.abs(expected['Pos'] - exact).max()
    assert off < 1e-5 if name == 'Revolute' else 5e-4 < off < 1e-3
    for quantity in ('Acc', 'Aacc', 'Rforce'):
        assert gap(ours[quantity], expected[quantity]) < 1e-2 * np.abs(expected[quantity]).max()


def test_a_body_slides_and_turns_on_an_oblique_axis():
    """Torque is about the I marker, which stays: it balances the momentum about that place."""
    model = adams_model(BODY.format(turned=OBLIQUE, centre='3, 2, 3', connected=(
        'JOINT/1, CYLINDRICAL, I = 11, J = 22')), 'oblique')
    instants = np.linspace(0.0, 2.0, 9)
    ours = moved(model, {'': reaction_on_i(model.raw)}, instants)
    axis = np.array([0.0, 1.0, 1.0]) / np.sqrt(2.0)
    weight = np.array([0.0, 0.0, -GRAVITY])
    down = weight - axis * (axis @ weight)
    turn = np.cross([1.0, 0.0, 0.0], down / np.linalg.norm(down)) @ axis       # +1 or -1
    angle, _ = pendulum(instants, (2.0 * 4.0 + 0.12) / 2.0, 2.0 / np.sqrt(2.0))
    across = np.cross(axis, [1.0, 0.0, 0.0])
    place = (np.array([1.0, 2.0, 3.0]) + 2.0 * np.cos(angle)[:, None] * np.array([1.0, 0.0, 0.0])
             + 2.0 * turn * np.sin(angle)[:, None] * across
             + 0.5 * np.outer(instants ** 2, axis * (axis @ weight)))
    np.testing.assert_allclose(ours['Pos'], place, atol=1e-8)
    push = 2.0 * (ours['Acc'] - weight)                     # on the body
    np.testing.assert_allclose(ours['Rforce'], -push, atol=1e-9)
    arms = ours['Pos'] - np.array([1.0, 2.0, 3.0])
    for k, turned in enumerate(ours['Quat']):
        frame = Rotation.from_quat(np.roll(turned, -1)).as_matrix()
        inertia = frame @ np.diag([0.04, 0.1, 0.12]) @ frame.T
        spin = ours['Avel'][k]
        moment = np.cross(arms[k], push[k]) + inertia @ ours['Aacc'][k] + np.cross(
            spin, inertia @ spin)
        np.testing.assert_allclose(ours['Rtorque'][k], -moment, atol=1e-8)


def test_a_motion_drives_a_slide():
    """Up an incline of 45 degrees at 0.5 m/s, which halves the weight's part along each axis."""
    model = adams_model(BODY.format(turned=OBLIQUE, centre='1, 2, 3', connected=(
        'JOINT/7, TRANSLATIONAL, I = 22, J = 11\n'
        'MOTION/4, TRANSLATION, JOINT = 7, FUNCTION = 0.5 * TIME')).replace(
        'IP', 'VY = 0.35355339059327378, VZ = 0.35355339059327378, IP'), 'incline')
    ours = moved(model, {'P': Reaction(('joint7',), 'ground', (1.0, 2.0, 3.0)),
                         'A': Reaction(('motion4',), 'part2', (1.0, 2.0, 3.0))}, [0.0, 1.0])
    way = np.array([0.0, 0.5, 0.5]) / np.sqrt(2.0)
    np.testing.assert_allclose(ours['Pos'], [[1.0, 2.0, 3.0], np.array([1.0, 2.0, 3.0]) + way],
                               atol=1e-9)
    np.testing.assert_allclose(ours['Vel'], [way, way], atol=1e-9)
    np.testing.assert_allclose(ours['RforceA'], [[0.0, GRAVITY, GRAVITY]] * 2, atol=1e-8)
    np.testing.assert_allclose(ours['RforceP'], [[0.0, GRAVITY, -GRAVITY]] * 2, atol=1e-8)
    np.testing.assert_allclose(ours['RtorqueP'][1], np.cross(way, [0.0, GRAVITY, -GRAVITY]),
                               atol=1e-8)


def test_a_spring_pulls_at_its_markers():
    """7 m apart, 2 m at rest, 30 N/m; its end goes away at 1 m/s against 4 N s/m: 154 N."""
    model = adams_model(BODY.format(turned='', centre='1, 2, 10', connected=(
        'SFORCE/1, TRANSLATIONAL, I = 11, J = 21\n'
        ', FUNCTION = - 30.0*(dm(11,21)-2.0)\n, - 4.0*vr(11,21)\n, + 0.0')).replace(
        'IP', 'VZ = 1, IP'), 'spring')
    start = {name: values[0] for name, values in moved(
        model, {'': reaction_on_i(model.raw)}, [0.0]).items()}
    np.testing.assert_allclose(start['Rforce'], [0.0, 0.0, 154.0], atol=1e-9)
    np.testing.assert_allclose(start['Acc'], [0.0, 0.0, -GRAVITY - 77.0], atol=1e-9)
    assert np.abs(start['Rtorque']).max() < 1e-9


def test_a_spring_in_a_hinge_turns_both_parts():
    """Wound by -0.2 rad against 50 N m/rad, unwinding at 3 rad/s against 2 N m s/rad."""
    model = adams_model(BODY.format(turned='', centre='1, 2, 3', connected=(
        'JOINT/1, REVOLUTE, I = 22, J = 11\n'
        'SFORCE/1, ROTATIONAL, I = 22, J = 11\n'
        ', FUNCTION = -50 * (AZ(22, 11) - 12D) - 2 * WZ(22, 11, 11)')).replace(
        '12D', '0.2').replace('IP', 'WZ = 3, IP'), 'hinge')
    start = {name: values[0] for name, values in moved(
        model, {'': reaction_on_i(model.raw)}, [0.0]).items()}
    np.testing.assert_allclose(start['Rtorque'], [0.0, 0.0, 10.0 - 6.0], atol=1e-9)
    np.testing.assert_allclose(start['Aacc'], [0.0, 0.0, 4.0 / 0.12], atol=1e-9)
    np.testing.assert_allclose(start['Rforce'], [0.0, 0.0, 2.0 * GRAVITY], atol=1e-9)


def test_initial_velocities_are_along_global_axes_and_those_of_the_cm_marker():
    text = BODY.format(turned=OBLIQUE, centre='1, 2, 3', connected='')
    ours = moved(adams_model(text.replace('IP', 'VX = 4, WZ = 3, WX = -1, IP'), 'free'), {}, [0.0])
    np.testing.assert_allclose(ours['Vel'][0], [4.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(ours['Avel'][0], np.array([-1.0, 3.0 / np.sqrt(2.0),
                                                          3.0 / np.sqrt(2.0)]), atol=1e-12)
    hinged = adams_model(text.replace('IP', 'VX = 4, IP') + 'JOINT/1, SPHERICAL, I = 11, J = 22',
                         'hinged')
    with pytest.raises(AdamsError, match=r'joints do not allow the initial velocities.* 4 off'):
        hinged.start_velocity(Mechanism(hinged.raw, hinged.file))
