"""Flexible bodies in space against closed forms, quadrature, beams in the plane, differences."""

from copy import deepcopy
from math import pi, sqrt

from by_differences import slope
from flexible_machines import PENDULUM, ROBOT, bent_state, frequencies
import numpy as np
import pytest

from mb_model import MechanismError
from mb_model.mechanism import Mechanism

LENGTH, MASS, ABOUT_Y, ABOUT_Z, AXIAL, TWISTING = 2.0, 3.0, 100.0, 400.0, 0.02, 50.0
# b of frequencies b^2 sqrt(EI / (m L^3)): Blevins 1979, Table 8-1.
PINNED_FREE = np.array([3.92660231, 7.06858275])
CLAMPED_FREE = np.array([1.87510407, 4.69409113])
UNIT_Y, UNIT_Z = (sqrt(stiffness / (MASS * LENGTH ** 3)) for stiffness in (ABOUT_Y, ABOUT_Z))
UNIT_TWIST = pi * sqrt(TWISTING / (LENGTH * AXIAL))
CANTILEVER = {
    'name': 'cantilever', 'dimension': 3, 'gravity': [0.0, 0.0, 0.0],
    'ground': {'A': [0.2, 0.1, 0.3]},
    'bodies': {'arm': {
        'points': {'A': [0, 0, 0], 'B': [LENGTH, 0, 0]}, 'mass': MASS,
        'flexible': {'bending_stiffness': {'about_y': ABOUT_Y, 'about_z': ABOUT_Z},
                     'axial_inertia': AXIAL, 'modes': 2,
                     'torsion': {'stiffness': TWISTING, 'modes': 2}}}},
    'joints': {'held': {'kind': 'weld', 'bodies': ['ground', 'arm.A'], 'at': 'A'}}}


def beam(raw=CANTILEVER, **flexible):
    """Return a mechanism with other keys of its beam."""
    raw = deepcopy(raw)
    raw['bodies']['arm']['flexible'] |= flexible
    raw['bodies']['arm']['flexible'] = {key: value for key, value in raw['bodies']['arm'][
        'flexible'].items() if value is not None}
    return Mechanism(raw, 'own.yaml')


@pytest.mark.parametrize('modes', [1, 2, 3])
def test_a_cantilever_has_its_frequencies(modes):
    """In both planes and of torsion, a quarter of a sine."""
    found = frequencies(beam(modes=modes, torsion={'stiffness': TWISTING, 'modes': modes}))
    bending = np.square([1.87510407, 4.69409113, 7.85475744][:modes])
    twisting = UNIT_TWIST * (np.arange(modes) + 0.5)
    np.testing.assert_allclose(
        found, np.sort(np.r_[bending * UNIT_Y, bending * UNIT_Z, twisting]), rtol=1e-7)


@pytest.mark.parametrize('modes', [1, 2])
def test_a_beam_on_a_ball_has_its_frequencies(modes):
    """Pinned and free in both planes; free to twist at both ends."""
    raw = deepcopy(CANTILEVER)
    raw['joints']['held']['kind'] = 'spherical'
    raw['coordinates'] = {'turn': {'kind': 'orientation', 'body': 'arm.A'}}
    mechanism = beam(raw, shapes='free', modes=modes, torsion={
        'stiffness': TWISTING, 'shapes': 'free', 'modes': modes})
    assert mechanism.independent[-3 * modes:] == mechanism.modes
    bending = np.square(PINNED_FREE[:modes])
    np.testing.assert_allclose(frequencies(mechanism), np.sort(np.r_[
        bending * UNIT_Y, bending * UNIT_Z, UNIT_TWIST * np.arange(1, modes + 1)]), rtol=1e-7)


def test_a_plane_that_is_left_out_does_not_bend():
    found = frequencies(beam(bending_stiffness={'about_y': ABOUT_Y}, torsion=None))
    np.testing.assert_allclose(found, np.square(CLAMPED_FREE) * UNIT_Y, rtol=1e-7)


def test_the_tip_sags_and_twists_as_in_books():
    """F L^3 / (3 EI), F L^2 / (2 EI), T L / (GJ): the static shape is among the shapes."""
    x = np.linspace(0.0, 1.0, 5)
    raw = deepcopy(CANTILEVER)
    raw['bodies']['tip'] = {'mass': 1.0, 'centre_of_gravity': [0, 0, 0], 'inertia': [1, 1, 1],
                            'points': {'B': [0, 0, 0]}}
    raw['joints']['end'] = {'kind': 'weld', 'bodies': ['arm.B', 'tip'], 'at': 'B'}
    raw['forces'] = {'push': {'kind': 'wrench', 'body': 'tip', 'at': 'B',
                              'force': [0.0, 2e-6, 3e-6], 'moment': [4e-6, 0.0, 0.0]}}
    mechanism = beam(raw, table={'x': x.tolist(), 'deflections': [(3 * x ** 2 - x ** 3).tolist()]},
                     modes=None, torsion={'stiffness': TWISTING, 'shapes': 'loaded'})
    A, _ = mechanism.linearise(mechanism.z0, mechanism.zd0)
    z = mechanism.z0 - np.linalg.solve(A, mechanism.forward_dynamics(mechanism.z0, mechanism.zd0))
    tip = mechanism.body_motion('tip', mechanism.assemble(z))
    place = tip.position_of([0, 0, 0]) - [2.2, 0.1, 0.3]
    np.testing.assert_allclose(place[1:], np.array([2e-6 / ABOUT_Z, 3e-6 / ABOUT_Y]) * 8.0 / 3.0,
                               rtol=1e-6)
    turns = [4e-6 * 2.0 / TWISTING, -3e-6 * 2.0 / ABOUT_Y, 2e-6 * 2.0 / ABOUT_Z]
    np.testing.assert_allclose(
        [tip.rotation[2, 1], tip.rotation[0, 2], tip.rotation[1, 0]], turns, rtol=1e-6)


@pytest.mark.parametrize('shapes', ['pinned', 'clamped'])
@pytest.mark.parametrize('modes', [1, 3])
def test_in_a_plane_it_is_the_beam_of_the_plane(modes, shapes):
    """With any rates; bent, they differ in the third order, as the plane counts q / c."""
    raw = deepcopy(PENDULUM)
    raw['bodies']['arm']['flexible'] |= {'modes': modes, 'shapes': shapes}
    flat = Mechanism(raw, 'flat')
    solid = Mechanism({
        'name': 'solid', 'dimension': 3, 'gravity': [1.0, -9.0, 0.0],
        'ground': {'A': [0.2, 0.1, 0.0]},
        'bodies': {'arm': {'points': {'A': [0, 0, 0], 'B': [2, 0, 0]}, 'mass': 3.0, 'flexible': {
            'bending_stiffness': {'about_z': 100.0}, 'axial_inertia': 0.01, 'modes': modes,
            'shapes': shapes}}},
        'joints': {'pin': {'kind': 'revolute', 'bodies': ['ground', 'arm.A'], 'at': 'A',
                           'axis': [0, 0, 1]}},
        'coordinates': {'theta': {'kind': 'angle', 'joint': 'pin'}},
        'independent': ['theta']}, 'solid')
    rng, slopes = np.random.default_rng(modes), flat.bodies['arm'].beam.slope(0.0)
    order = [list(solid.independent).index(name) for name in (
        'theta', *(f'arm.mode{k + 1}.y' for k in range(modes)))]
    # The angle of the hinge is the first section's, in the plane the chord's.
    to_solid = np.eye(1 + modes)
    to_solid[0, 1:] = slopes
    z, zd = np.r_[0.7, np.zeros(modes)], rng.normal(size=1 + modes)

    def of_solid(z, zd):
        found = solid.forward_dynamics(*(vector[np.argsort(order)] for vector in (
            to_solid @ z, to_solid @ zd)))
        return np.linalg.solve(to_solid, found[order])

    np.testing.assert_allclose(of_solid(z, zd), flat.forward_dynamics(z, zd), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize('seed', range(2))
def test_kinetic_energy_is_that_of_the_sections(seed):
    """Of the places of sections by quadrature, which is exact of a cubic; about axes nearly."""
    node, weight = np.polynomial.legendre.leggauss(4)
    x = np.linspace(0.0, 1.0, 4)
    raw = deepcopy(CANTILEVER) | {'coordinates': {'turn': {
        'kind': 'orientation', 'body': 'arm.A'}}}
    raw['joints']['held']['kind'] = 'spherical'
    raw['bodies']['arm']['points'] |= {
        f'P{k}': [0.5 * LENGTH * (1.0 + at), 0.0, 0.0] for k, at in enumerate(node.tolist())}
    mechanism = beam(raw, modes=None, table={'x': x.tolist(), 'deflections': [
        (x ** 3 - 2.0 * x ** 2).tolist()]}, torsion={'stiffness': 1.0, 'shapes': 'loaded'})
    z, zd, _ = bent_state(mechanism, seed)
    z[3:] *= 0.1
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, zd)
    sections = [mechanism.body_motion(f'arm.P{k}', q, qd) for k in range(4)]
    along = sum(0.5 * 0.5 * MASS * share * np.sum(section.velocity ** 2)
                for share, section in zip(weight, sections, strict=True))
    about = sum(0.5 * 0.5 * AXIAL * share * (section.rotation[:, 0] @ section.angular_velocity) ** 2
                for share, section in zip(weight, sections, strict=True))
    assert about > 1e-3
    assert mechanism.energy(z, zd)[0] == pytest.approx(along + about, abs=0.02 * about, rel=1e-9)


@pytest.mark.parametrize('seed', range(2))
def test_joints_carry_what_the_motion_needs(seed):
    """The motor's joint carries the rate of momentum of beam and box, by differences, and g."""
    mechanism = Mechanism(ROBOT, 'robot')
    z, zd, _ = bent_state(mechanism, seed)
    found = mechanism.reactions(z, zd)
    assert found.residual < 1e-8
    assert all(joint.determined for joint in found.joints.values())
    motor = found.joints['motor']
    still = mechanism.replace(gravity=[0.0, 0.0, 0.0])
    zdd = mechanism.forward_dynamics(z, zd)

    def momentum(h):
        moved, rate = z + h * zd + 0.5 * h * h * zdd, zd + h * zdd
        q = still.assemble(moved)
        qd = still.velocity(q, rate)
        box = still.body_motion('box', q, qd)
        arm = np.cross(box.angular_velocity, box.rotation @ [0.05, 0.1, 0.02])
        return 0.4 * (box.velocity + arm) + momentum_of_arm(still, q, qd)

    rate = slope(momentum, 1e-4)
    force = motor.axes @ motor.force
    np.testing.assert_allclose(force, rate - 2.4 * mechanism.gravity, rtol=1e-6, atol=1e-5)


def momentum_of_arm(mechanism, q, qd):
    """Return the momentum of the arm (3), of the mean of its shape."""
    ends = [mechanism.body_motion(f'arm.{name}', q, qd).velocity for name in 'AB']
    shape = mechanism.bodies['arm'].beam.shape
    x, weight = np.polynomial.legendre.leggauss(20)
    mean = 0.5 * weight @ np.array([shape.deflection(0.5 * (1.0 + at))[0] for at in x])
    place = list(mechanism.coordinates).index('arm.shape1.x')
    return 2.0 * (0.5 * (ends[0] + ends[1]) + mean * qd[place:place + 3] / shape.sizes[0])


@pytest.mark.parametrize(('body', 'message'), [
    ({'flexible': {'bending_stiffness': {'about_y': None, 'about_z': None}}},
     'bending_stiffness: must have about_y, about_z or both'),
    ({'flexible': {'bending_stiffness': {'about_y': -1.0}}}, 'about_y: -1.0 must be > 0'),
    ({'flexible': {'axial_inertia': None}}, 'bodies.arm.flexible.axial_inertia: missing'),
    ({'flexible': {'modes': 1.5}}, r'bodies.arm.flexible.modes: 1.5 must be a whole number'),
    ({'flexible': {'shapes': 'bent'}}, "flexible.shapes: 'bent' must be pinned, free or clamped"),
    ({'flexible': {'torsion': {'modes': 1.5}}}, 'torsion.modes: 1.5 must be a whole number'),
    ({'flexible': {'torsion': {'shapes': 'bent'}}}, "'bent' must be clamped, free or loaded"),
    ({'flexible': {'torsion': {'stiffness': 0.0}}}, 'torsion.stiffness: 0.0 must be > 0'),
    ({'flexible': {'size': 2}}, 'flexible.size: unknown key, expected one of bending_stiffness'),
    ({'inertia': [1.0, 1.0, 1.0]}, 'bodies.arm.inertia: not of a flexible body'),
    ({'slender': True}, 'bodies.arm.slender: not of a flexible body'),
    ({'shapes': [{'kind': 'sphere', 'radius': 0.1}]}, 'bodies.arm.shapes: not of a flexible body'),
    ({'mass': 0.0}, 'bodies.arm.flexible: mass: 0 must be > 0 of a beam'),
    ({'points': {'A': [0.1, 0.0, 0.0]}}, r'points.A: the first point must be at \[0, 0, 0\]'),
    ({'points': {'B': [1.0, 0.1, 0.0]}}, r'points.B: \[1.0, 0.1, 0.0\] must be \[x, 0, 0\]'),
    ({'points': {'C': [1.2, 0.0, 0.0]}}, r'points.C: .* must be \[x, 0, 0\] with x from 0 to 1'),
    ({'points': {'B': None}}, 'points: a flexible body has two points at least'),
])
def test_wrong_entries_are_reported(body, message):
    with pytest.raises(MechanismError, match=message):
        Mechanism(ROBOT, 'own.yaml').replace(bodies={'arm': body})


def test_joints_hold_sections():
    with pytest.raises(MechanismError, match=r"'arm': .*, expected one of ground, arm.A, arm.B"):
        Mechanism(ROBOT, 'own.yaml').replace(joints={'motor': {'bodies': ['ground', 'arm']}})
