"""Bodies that bend in space in MuJoCo: chains of segments against closed forms, and against modes.
"""

from copy import deepcopy
from math import pi, sqrt

import mujoco
import numpy as np
import pytest

from mb_model import Mechanism
from mb_sensors import sensors_of
from mb_sensors.measurement import measure
from mb_simulation.prototypes import beam_chain, make_prototype

LENGTH, MASS, ABOUT_Y, ABOUT_Z, AXIAL, TWISTING = 2.0, 3.0, 100.0, 400.0, 0.02, 50.0
CANTILEVER = {
    'name': 'cantilever', 'dimension': 3, 'gravity': [0.0, 0.0, 0.0],
    'ground': {'A': [0.2, 0.1, 0.3]},
    'bodies': {'arm': {
        'points': {'A': [0, 0, 0], 'B': [LENGTH, 0, 0]}, 'mass': MASS,
        'flexible': {'bending_stiffness': {'about_y': ABOUT_Y, 'about_z': ABOUT_Z},
                     'axial_inertia': AXIAL, 'modes': 2,
                     'torsion': {'stiffness': TWISTING, 'modes': 2}}}},
    'joints': {'held': {'kind': 'weld', 'bodies': ['ground', 'arm.A'], 'at': 'A'}}}
# A motor with its rotor turns a beam that carries a box beside its axis.
ROBOT = {
    'name': 'flexible_robot', 'dimension': 3, 'gravity': [0.0, 0.0, -9.81],
    'ground': {'A': [0.0, 0.0, 0.0]},
    'bodies': {
        'rotor': {'points': {'A': [0, 0, 0]}, 'mass': 1.0, 'centre_of_gravity': [0, 0, 0],
                  'inertia': [0.2, 0.2, 0.2]},
        'arm': {'points': {'A': [0, 0, 0], 'B': [1, 0, 0]}, 'mass': 0.4,
                'flexible': {'bending_stiffness': {'about_y': 300.0, 'about_z': 450.0},
                             'axial_inertia': 1e-3, 'damping_ratio': 0.02,
                             'table': {'x': [0.0, 0.25, 0.5, 0.75, 1.0], 'deflections': [
                                 [3 * x ** 2 - x ** 3 for x in (0.0, 0.25, 0.5, 0.75, 1.0)]]},
                             'torsion': {'stiffness': 20.0, 'shapes': 'loaded'}}},
        'box': {'points': {'B': [0, 0, 0]}, 'mass': 1.0, 'centre_of_gravity': [0.0, 0.05, 0.0],
                'inertia': [0.004, 0.004, 0.005]}},
    'joints': {'motor': {'kind': 'revolute', 'bodies': ['ground', 'rotor'], 'at': 'A',
                         'axis': [0, 0, 1]},
               'clamp': {'kind': 'weld', 'bodies': ['rotor', 'arm.A'], 'at': 'A'},
               'end': {'kind': 'weld', 'bodies': ['arm.B', 'box'], 'at': 'B'}},
    'coordinates': {'turn': {'kind': 'angle', 'joint': 'motor'}},
    'forces': {'hold': {'kind': 'spring_damper', 'coordinate': 'turn', 'stiffness': 200.0,
                        'damping': 2.0}},
    'independent': ['turn'], 'start': {'turn': 0.02, 'arm.mode1.z': -0.003, 'arm.twist1': 0.02},
    'start_velocity': {'turn': 0.1},
    'sensors': {
        'gauge': {'kind': 'strain_gauge', 'body': 'arm', 'at': [0.1, 0.0, 0.015], 'sigma': 1e-6},
        'gyro': {'kind': 'gyroscope', 'body': 'arm.B', 'sigma': 1e-3}}}


def chain(monkeypatch, raw, pieces):
    """Return the prototype of a machine whose beams have so many pieces."""
    monkeypatch.setattr(beam_chain, 'PIECES', pieces)
    return make_prototype('mujoco', Mechanism(raw, 'own.yaml'), 1e-3, 1e-3)


def springs(prototype):
    """Return the inverse mass matrix and the stiffnesses of the joints of its chain."""
    model, data = prototype.model, prototype.data
    inverse = np.empty((model.nv, model.nv))
    mujoco.mj_solveM(model, data, inverse, np.eye(model.nv))
    return inverse, model.jnt_stiffness.ravel()[:model.nv]


@pytest.mark.parametrize('pieces', [4, 8, 16])
def test_a_chain_vibrates_as_a_cantilever_does(monkeypatch, pieces):
    """cos b cosh b = -1 in both planes, quarters of a sine in torsion: up to shares of 1 / N^2."""
    inverse, stiffness = springs(chain(monkeypatch, CANTILEVER, pieces))
    found = np.sqrt(np.sort(np.linalg.eigvals(inverse * stiffness).real))
    bending = np.square([1.87510407, 4.69409113])
    units = [sqrt(one / (MASS * LENGTH ** 3)) for one in (ABOUT_Y, ABOUT_Z)]
    twisting = pi * sqrt(TWISTING / (LENGTH * AXIAL)) * np.array([0.5, 1.5])
    for size, known in zip((1.0, 1.0, 1.2), (
            bending * units[0], bending * units[1], twisting), strict=True):
        errors = [np.abs(found / one - 1.0).min() for one in known]
        assert errors[0] < 0.3 * size / pieces ** 2, errors
        assert errors[1] < 2.5 * size / pieces ** 2, errors


@pytest.mark.parametrize('pieces', [4, 8, 16])
@pytest.mark.parametrize('end', ['A', 'B'])
def test_its_tip_hangs_and_twists_as_in_books(monkeypatch, pieces, end):
    """F L^3 / 3EI + w L^4 / 8EI, F L^2 / 2EI + w L^3 / 6EI, T L / GJ; held at either end."""
    raw, other = deepcopy(CANTILEVER), {'A': 'B', 'B': 'A'}[end]
    raw['gravity'] = [0.0, 2e-5, -3e-5]
    raw['joints']['held'] = {'kind': 'weld', 'bodies': ['ground', f'arm.{end}'], 'at': [
        [0.2, 0.1, 0.3], [0, 0, 0]]}
    raw['joints']['end'] = {'kind': 'weld', 'bodies': [f'arm.{other}', 'tip'], 'at': [
        [0, 0, 0], [0, 0, 0]]}
    raw['bodies']['tip'] = {'mass': 2.0, 'centre_of_gravity': [0, 0.3, 0], 'inertia': [1, 1, 1]}
    prototype = chain(monkeypatch, raw, pieces)
    model, data = prototype.model, prototype.data
    _, stiffness = springs(prototype)
    data.qpos[:] = (data.qfrc_passive - data.qfrc_bias) / stiffness
    mujoco.mj_kinematics(model, data)
    sign = 1.0 if end == 'A' else -1.0
    sag = (2.0 / 3.0 + MASS / 8.0) * LENGTH ** 3
    near = 0.4 / pieces ** 2
    place = data.body('tip').xpos - [0.2 + sign * LENGTH, 0.1, 0.3]
    np.testing.assert_allclose(place[1:], [2e-5 * sag / ABOUT_Z, -3e-5 * sag / ABOUT_Y], rtol=near)
    turn = data.body('tip').xmat.reshape(3, 3)
    slope = (2.0 / 2.0 + MASS / 6.0) * LENGTH ** 2
    np.testing.assert_allclose(
        [turn[1, 0], turn[2, 0], turn[2, 1]],
        [sign * 2e-5 * slope / ABOUT_Z, -sign * 3e-5 * slope / ABOUT_Y,
         -2.0 * 3e-5 * 0.3 * LENGTH / TWISTING], rtol=near)


def test_a_chain_starts_as_bent_as_its_beam():
    bent = Mechanism(CANTILEVER, 'own.yaml').replace(
        start={'arm.mode1.y': 0.02, 'arm.mode2.z': -0.004, 'arm.twist1': 0.05},
        start_velocity={'arm.mode1.y': 0.3, 'arm.twist2': 0.2})
    state = make_prototype('mujoco', bent, 1e-3, 1e-3).state
    np.testing.assert_allclose(state.z, bent.z0, atol=4e-4)
    np.testing.assert_allclose(state.zd, bent.zd0, atol=5e-3)
    np.testing.assert_allclose(state.q, bent.q0, atol=1e-3)


def read(sensor, state, more):
    """Return what a Sensor reads; more: how many numbers are fixed."""
    whole = [np.r_[one, np.zeros(more)] for one in (state.q, state.qd, state.qdd)]
    reading = np.empty(len(sensor.channels))
    measure(sensor.records, *whole, reading)
    return reading


def test_segments_and_modes_move_alike():
    machine, runs = Mechanism(ROBOT, 'robot.yaml'), []
    gauge, gyro = (sensors_of(machine, name)[0] for name in ('gauge', 'gyro'))
    more = int(machine.model['n_total'][0]) - machine.n
    for engine in ('mujoco', 'multibody'):
        prototype, states = make_prototype(engine, machine, 5e-3, 5e-4), []
        for _ in range(100):
            prototype.advance()
            states.append(prototype.state)
        runs.append((*(np.array([getattr(state, name) for state in states])
                       for name in ('z', 'zd', 'q')),
                     *(np.array([read(one, state, more) for state in states])
                       for one in (gauge, gyro))))
    for found, known, share in zip(*runs, (0.05, 0.1, 0.02, 0.05, 0.1), strict=True):
        np.testing.assert_allclose(found, known, atol=share * np.abs(known).max())
    for k in range(machine.g):
        size = max(np.abs(runs[1][0][:, k]).max(), 2e-3)        # mode1.y is as small as mode 2
        np.testing.assert_allclose(runs[0][0][:, k], runs[1][0][:, k], atol=0.06 * size)


def test_rates_and_accelerations_are_those_of_places():
    prototype, states = make_prototype('mujoco', Mechanism(ROBOT, 'robot.yaml'), 2e-4, 5e-4), []
    for _ in range(100):
        prototype.advance()
        states.append(prototype.state)
    q, qd, qdd = (np.array([getattr(state, name) for state in states])
                  for name in ('q', 'qd', 'qdd'))
    np.testing.assert_allclose((q[2:] - q[:-2]) / 4e-4, qd[1:-1], atol=1e-2 * np.abs(qd).max())
    np.testing.assert_allclose((qd[2:] - qd[:-2]) / 4e-4, qdd[1:-1], atol=2e-2 * np.abs(qdd).max())


def test_stiffness_changes_while_it_runs():
    machine = Mechanism(ROBOT, 'robot.yaml').replace(
        parameters={'stiff': 300.0},
        bodies={'arm': {'flexible': {'bending_stiffness': {'about_y': 'stiff'}}}})
    prototype = make_prototype('mujoco', machine, 5e-3, 5e-4)
    prototype.advance()
    before = prototype.state
    prototype.set_parameters({'stiff': 200.0})
    np.testing.assert_allclose(prototype.state.z, before.z, atol=1e-12)
    assert abs(prototype.state.zdd[2] - before.zdd[2]) > 1.0


def test_a_beam_that_floats_turns_on():
    """Without a joint: on its first segment, which floats."""
    raw = deepcopy(CANTILEVER)
    del raw['joints'], raw['ground']
    raw['bodies']['arm']['flexible']['shapes'] = 'free'
    raw['coordinates'] = {'at': {'kind': 'position', 'body': 'arm.A'},
                          'turn': {'kind': 'orientation', 'body': 'arm.A'}}
    raw['bodies']['arm']['pose'] = {'at': [0, 0, 0], 'turn': [0, 0, 0]}
    raw['independent'] = ['at.x', 'at.y', 'at.z', 'turn.x', 'turn.y', 'turn.z']
    raw['start_velocity'] = {'at.x': 1.0, 'turn.x': 2.0}
    mechanism = Mechanism(raw, 'own.yaml')
    prototype = make_prototype('mujoco', mechanism, 1e-2, 1e-3)
    for _ in range(20):
        prototype.advance()
    motion = mechanism.body_motion('arm.A', prototype.state.q, prototype.state.qd)
    np.testing.assert_allclose(motion.velocity, [1.0, 0.0, 0.0], atol=1e-6)
    np.testing.assert_allclose(motion.angular_velocity, [2.0, 0.0, 0.0], atol=1e-6)
    assert sum(prototype.energy) == pytest.approx(0.5 * MASS + 0.5 * AXIAL * 4.0, rel=1e-3)
