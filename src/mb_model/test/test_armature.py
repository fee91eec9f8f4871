"""Armature, the inertia of rotors behind gears: closed forms, rotors as bodies, MuJoCo."""

import copy

import mujoco
import numpy as np
import pytest

from mb_model import MechanismError, load_mechanism, make_stepper
from mb_model.integration.registry import FORMULATIONS
from mb_model.mechanism import Mechanism
from mb_model.regressor import Regressor

# Machines with a rotor on a coordinate that moves with others, and that coordinate.
ROTORS = {
    'four_bar': {'kind': 'relative_angle', 'bodies': ['crank', 'coupler']},
    'five_bar': {'kind': 'relative_angle', 'bodies': ['left_coupler', 'right_coupler']},
    'slider_crank': {'kind': 'slider', 'point': 'P2', 'along': ['A', 'E']},
    'spatial_four_bar': {'kind': 'angle', 'joint': 'hinge3'},
    'delta': {'kind': 'angle', 'joint': 'drive2'},
    'six_axis_arm': {'kind': 'angle', 'joint': 'elbow'}}


def with_rotor(name, armature=5.0, storage=None):
    """Return a machine of ROTORS with one more coordinate, `geared`, that has an armature."""
    raw = copy.deepcopy(dict(load_mechanism(name).raw))
    raw['coordinates']['geared'] = ROTORS[name] | {'armature': armature}
    return Mechanism(raw, name, storage)


FINGER = {
    'name': 'finger', 'dimension': 3, 'gravity': [0, 0, -9.81],
    'bodies': {'proximal': {'mass': 0.02, 'centre_of_gravity': [0.02, 0, 0],
                            'inertia': [1e-6, 4e-6, 4e-6], 'pose': {}}},
    'joints': {'knuckle': {'kind': 'revolute', 'bodies': ['ground', 'proximal'],
                           'at': [[0, 0, 0], [0, 0, 0]], 'axis': [0, 1, 0]}},
    'coordinates': {'q': {'kind': 'angle', 'joint': 'knuckle', 'armature': 0.004}},
    'independent': ['q']}


def finger_with_rotor():
    """Return the finger with a body of no mass tied to it in place of the armature."""
    raw = copy.deepcopy(FINGER)
    del raw['coordinates']['q']['armature']
    raw['bodies']['rotor'] = {'mass': 0.0, 'centre_of_gravity': [0, 0, 0],
                              'inertia': [0.002, 0.004, 0.002], 'pose': {}}
    raw['joints']['bearing'] = raw['joints']['knuckle'] | {'bodies': ['ground', 'rotor']}
    raw['coordinates']['r'] = {'kind': 'angle', 'joint': 'bearing'}
    raw['constraints'] = {'tie': {'kind': 'linear', 'terms': {'q': 1.0, 'r': -1.0}}}
    return Mechanism(raw, 'rotor')


def test_a_finger_in_space_by_its_closed_form_and_by_a_rotor_as_a_body():
    finger, q = Mechanism(FINGER, 'finger'), [0.3]
    fast = finger.forward_dynamics(q, [2.0], [0.05])
    expected = (0.05 + 0.02 * 9.81 * 0.02 * np.cos(q[0])) / (4e-6 + 0.02 * 0.02 ** 2 + 0.004)
    np.testing.assert_allclose(fast, expected, rtol=1e-12)
    np.testing.assert_allclose(fast, finger_with_rotor().forward_dynamics(q, [2.0], [0.05]),
                               rtol=1e-9)
    assert finger.energy(q, [2.0])[0] == pytest.approx(0.5 * (4e-6 + 8e-6 + 0.004) * 4.0)


def test_a_pendulum_in_the_plane_by_its_closed_form():
    raw = copy.deepcopy(dict(load_mechanism('pendulum').raw))
    (name, angle), rod = raw['coordinates'].popitem(), next(iter(raw['bodies'].values()))
    raw |= {'coordinates': {name: angle | {'armature': 0.02}}, 'gravity': [0.0, -9.81]}
    about = rod['mass'] * rod['length'] ** 2 / 3.0 + 0.02
    torque = -0.5 * rod['length'] * rod['mass'] * 9.81 * np.cos(0.4)
    np.testing.assert_allclose(Mechanism(raw, 'geared').forward_dynamics([0.4], [1.0]),
                               torque / about, rtol=1e-10)


def expected_accelerations(geared, z, zd, armature):
    """Return zdd by what a machine without the rotor needs, and the rotor by its kinematics."""
    plain = with_rotor(geared.name, 0.0)
    space = plain.operational_space(z, zd)
    k = plain.coordinates.index('geared')
    row, still = space.R[k], np.zeros(plain.g)
    rest = plain.acceleration(space.q, space.qd, still)[k]
    return -np.linalg.solve(space.mass + armature * np.outer(row, row),
                            space.needed(np.array(zd), still) + armature * row * rest)


@pytest.mark.parametrize('formulation', FORMULATIONS)
@pytest.mark.parametrize('name', ROTORS)
def test_every_formulation_moves_the_rotor(name, formulation):
    geared = with_rotor(name)
    z, zd = geared.z0 + 0.02 * np.arange(1, geared.g + 1), np.linspace(0.4, 0.7, geared.g)
    stepper = make_stepper(geared, formulation)
    stepper.reset(z, zd)
    expected = expected_accelerations(geared, z, zd, 5.0)
    size = abs(expected).max()
    np.testing.assert_allclose(stepper.zdd, expected, rtol=1e-5, atol=1e-6 * size)
    assert abs(expected - expected_accelerations(geared, z, zd, 0.0)).max() > 5e-4 * size
    held = abs(geared.inverse_dynamics(z, zd, 0.0 * zd, formulation=formulation)).max()
    np.testing.assert_allclose(geared.inverse_dynamics(z, zd, expected, formulation=formulation),
                               0.0, atol=5e-5 * held)


@pytest.mark.parametrize('formulation', FORMULATIONS)
@pytest.mark.parametrize('name', ['four_bar', 'spatial_four_bar', 'six_axis_arm'])
def test_energy_stays(name, formulation):
    geared = with_rotor(name)
    stepper = make_stepper(geared, formulation)
    before = sum(geared.energy(stepper.z, stepper.zd))
    for _ in range(100):
        stepper.step(5e-4)
    kinetic, potential = geared.energy(stepper.z, stepper.zd, near=stepper.q)
    assert kinetic + potential == pytest.approx(before, abs=1e-4 * kinetic)


def test_a_chain_in_space_agrees_with_mujoco():
    """The rotor of the elbow is seen by the angle between the links alone, as MuJoCo has it."""
    model = mujoco.MjModel.from_xml_string("""
<mujoco><option gravity="0 0 -9.81"/><compiler angle="radian"/><worldbody>
<body><joint name="a" type="hinge" axis="0 1 0" armature="0.03"/>
<inertial mass="1.3" pos="0.21 0 0.013" fullinertia="0.001 0.02 0.021 0 0 0"/>
<body pos="0.4 0 0"><joint name="b" type="hinge" axis="0 0.6 0.8" armature="0.01"/>
<inertial mass="0.7" pos="0.17 0.02 0" fullinertia="0.001 0.01 0.0105 0 0 0"/>
<body pos="0.3 0 0"><joint name="c" type="slide" axis="1 0 0" armature="0.4"/>
<inertial mass="0.2" pos="0 0 0" fullinertia="0.001 0.001 0.001 0 0 0"/>
</body></body></body></worldbody></mujoco>""")
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = [0.4, 0.3, 0.1], [1.0, -2.0, 0.5]
    mujoco.mj_forward(model, data)
    hinge = {'kind': 'revolute', 'at': [[0, 0, 0], [0, 0, 0]], 'axis': [0, 1, 0]}
    arm = Mechanism({
        'name': 'arm', 'dimension': 3, 'gravity': [0, 0, -9.81],
        'bodies': {
            'upper': {'mass': 1.3, 'centre_of_gravity': [0.21, 0, 0.013],
                      'inertia': [0.001, 0.02, 0.021]},
            'fore': {'mass': 0.7, 'centre_of_gravity': [0.17, 0.02, 0],
                     'inertia': [0.001, 0.01, 0.0105]},
            'tip': {'mass': 0.2, 'centre_of_gravity': [0, 0, 0], 'inertia': [0.001] * 3}},
        'joints': {'a': hinge | {'bodies': ['ground', 'upper']},
                   'b': hinge | {'bodies': ['upper', 'fore'], 'axis': [0, 0.6, 0.8],
                                 'at': [[0.4, 0, 0], [0, 0, 0]]},
                   'c': {'kind': 'prismatic', 'bodies': ['fore', 'tip'], 'axis': [1, 0, 0],
                         'at': [[0.3, 0, 0], [0, 0, 0]]}},
        'coordinates': {'a': {'kind': 'angle', 'joint': 'a', 'armature': 0.03},
                        'b': {'kind': 'angle', 'joint': 'b', 'armature': 0.01},
                        'c': {'kind': 'slider', 'joint': 'c', 'armature': 0.4}},
        'independent': ['a', 'b', 'c']}, 'arm')
    np.testing.assert_allclose(arm.forward_dynamics(data.qpos, data.qvel), data.qacc, rtol=1e-9)
    reactions = arm.reactions(data.qpos, data.qvel)
    assert reactions.residual < 1e-9


def test_the_hinge_of_a_geared_finger_carries_what_turns_its_rotor():
    """The drive turns its rotor: the joint has no moment about its axis."""
    finger = Mechanism(FINGER, 'finger')
    zdd = finger.forward_dynamics([0.3], [2.0], [0.5])
    reaction = finger.reactions([0.3], [2.0], [0.5]).joints['knuckle']
    assert 0.004 * zdd[0] > 0.4
    assert reaction.moment[2] == pytest.approx(0.0, abs=1e-12)


def test_reactions_in_the_plane_are_the_same_by_all_formulations():
    geared = with_rotor('four_bar')
    one, other = (geared.reactions(geared.z0, [1.0], formulation=name)
                  for name in ('matrix_r', 'semi_recursive'))
    for body, pins in one.forces.items():
        for point, force in pins.items():
            np.testing.assert_allclose(other.forces[body][point], force, atol=1e-6)


@pytest.mark.parametrize('name', ['four_bar', 'spatial_four_bar'])
def test_sparse_storage_moves_the_rotor_too(name):
    geared, sparse = with_rotor(name), with_rotor(name, storage='sparse')
    z, zd = geared.z0, np.full(geared.g, 1.5)
    expected = geared.forward_dynamics(z, zd)
    np.testing.assert_allclose(sparse.forward_dynamics(z, zd), expected, rtol=1e-8)
    np.testing.assert_allclose(sparse.inverse_dynamics(z, zd, expected), 0.0, atol=1e-5)
    stepper = make_stepper(sparse, 'index3_al')
    stepper.reset(z, zd)
    np.testing.assert_allclose(stepper.zdd, expected, rtol=1e-5)
    assert sparse.energy(z, zd)[0] == pytest.approx(geared.energy(z, zd)[0])


def test_semi_recursive_of_sparse_storage_refuses_it():
    with pytest.raises(MechanismError, match=r'geared\.armature: semi_recursive: not'):
        make_stepper(with_rotor('six_axis_arm', storage='sparse'), 'semi_recursive')


@pytest.mark.parametrize('name', ['five_bar', 'delta'])
def test_derivatives_by_armature_and_by_the_state(name):
    geared, step = with_rotor(name), 1e-4
    z, zd = geared.z0 + 0.02 * np.arange(1, geared.g + 1), np.full(geared.g, 1.5)

    def accelerations(armature, dz=0.0):
        return with_rotor(name, armature).forward_dynamics(z + dz, zd)
    exact = geared.parameter_jacobian(z, zd, ['coordinates.geared.armature'])[:, 0]
    central = (accelerations(5.0 + step) - accelerations(5.0 - step)) / (2 * step)
    np.testing.assert_allclose(exact, central, rtol=1e-6, atol=1e-6 * abs(central).max())
    along = np.eye(geared.g)[0] * step
    A, _ = geared.linearise(z, zd)
    central = (accelerations(5.0, along) - accelerations(5.0, -along)) / (2 * step)
    np.testing.assert_allclose(A[:, 0], central, rtol=1e-5, atol=1e-6 * abs(central).max())


def test_identification_moves_it_like_a_mass():
    """Inverse dynamics are linear in it: the regressor says what another armature needs."""
    geared = with_rotor('five_bar')
    regressor = Regressor(geared, ['coordinates.geared.armature'])
    motion = [np.array([values]) for values in (geared.z0, [1.0, -0.5], [3.0, 2.0])]
    needed = regressor.along(*motion)
    regressor.values = [6.5]
    np.testing.assert_allclose(regressor.along(*motion).force,
                               needed.force + 1.5 * needed.by_parameter[:, :, 0], rtol=1e-10)


def test_named_numbers_may_be_armatures():
    raw = copy.deepcopy(FINGER) | {'parameters': {'rotor': 4e-5, 'gear': 10}}
    raw['coordinates']['q']['armature'] = 'rotor * gear ** 2'
    finger = Mechanism(raw, 'finger')
    by_gear = finger.parameter_jacobian([0.3], [0.0], ['gear'])[0, 0]
    by_armature = finger.parameter_jacobian([0.3], [0.0], ['coordinates.q.armature'])[0, 0]
    assert by_gear == pytest.approx(by_armature * 2 * 4e-5 * 10)
    assert by_armature < -1.0


@pytest.mark.parametrize(('keys', 'message'), [
    ({'kind': 'angle', 'joint': 'knuckle', 'armature': -1.0},
     'coordinates.q.armature: -1.0 must be >= 0'),
    ({'kind': 'angle', 'joint': 'knuckle', 'armature': [1.0]}, 'coordinates.q.armature'),
    ({'kind': 'orientation', 'body': 'proximal', 'armature': 1.0}, 'armature: unknown key')])
def test_mistakes(keys, message):
    raw = copy.deepcopy(FINGER)
    raw['coordinates']['q'] = keys
    with pytest.raises(MechanismError, match=message):
        Mechanism(raw, 'finger')
