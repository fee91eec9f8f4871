"""Every kind of joint in space: the bodies obey it, and Newton's and Euler's equations hold."""

from by_differences import by_state
import numpy as np
import pytest
from spatial_machines import FORCES, JOINTS, ROLLING, STRUT, on_joint

from mb_model.forces.kinds.load import Load
from mb_model.mechanism import Mechanism
from mb_model.mechanism_file.description import MechanismError
from mb_model.registry.joints import JOINTS as KINDS
from mb_model.space.forces.wrench import Wrench

TESTED = [kind for kind in JOINTS if kind != 'weld']


@pytest.fixture(scope='module', params=TESTED)
def mechanism(request):
    return Mechanism(on_joint(request.param) | {'forces': FORCES}, f'{request.param}.yaml')


def state(mechanism, rng, size=0.03):
    """Return z, zd (g) near the start."""
    return (mechanism.z0 + size * rng.normal(size=mechanism.g), rng.normal(size=mechanism.g))


def motion(mechanism, z, zd, near=None):
    """Return q, qd, qdd (n) under the forces of the model."""
    q = mechanism.assemble(z, near)
    qd = mechanism.velocity(q, zd)
    return q, qd, mechanism.acceleration(q, qd, mechanism.forward_dynamics(z, zd, near=near))


def open_parts(mechanism, q):
    """Return what a joint's kind must keep at 0, by the poses of its bodies alone."""
    joint = mechanism.joints['tested']
    first, second = (mechanism.body_motion(body, q) for body in joint.bodies)
    frame, other = (motion.rotation @ axes for motion, axes in zip(
        (first, second), joint.frames, strict=True))
    way = second.position_of(joint.offsets[1]) - first.position_of(joint.offsets[0])
    local, turn = frame.T @ way, frame.T @ other
    parallel = [turn[0, 2], turn[1, 2]]
    length = joint.numbers.get('length', 0.0)
    return {
        'revolute': [*local, *parallel], 'prismatic': [*local[:2], *(turn - np.eye(3)).ravel()],
        'cylindrical': [*local[:2], *parallel],
        'screw': [*local[:2], *parallel, np.angle(np.exp(1j * (
            np.arctan2(turn[1, 0], turn[0, 0])
            - 2.0 * np.pi * local[2] / joint.numbers.get('pitch', 1.0))))],
        'universal': [*local, frame[:, 2] @ other[:, 2]], 'planar': [local[2], *parallel],
        'in_line': local[:2], 'spherical': local, 'distance': [np.linalg.norm(way) - length],
        'revolute_spherical': [np.linalg.norm(way) - length, local[2]]}[joint.kind]


def test_every_kind_is_tested():
    of_files = {name for name, kind in KINDS.items() if not kind.inner}
    assert {*JOINTS, *ROLLING} == of_files        # see also test_rolling_in_space


def test_bodies_obey_the_joint(mechanism, rng):
    for _ in range(5):
        q = mechanism.assemble(state(mechanism, rng)[0])
        np.testing.assert_allclose(open_parts(mechanism, q), 0.0, atol=1e-10)
        for body in mechanism.bodies:
            turn = mechanism.body_motion(body, q).rotation
            np.testing.assert_allclose(turn.T @ turn, np.eye(3), atol=1e-10)


def test_newton_and_euler_hold(mechanism, rng):
    """Forces that the joint can transmit explain what every body does."""
    for _ in range(3):
        reactions = mechanism.reactions(*state(mechanism, rng))
        assert reactions.residual < 1e-9
        assert all(joint.determined for joint in reactions.joints.values())


def test_rates_are_those_of_places(mechanism, rng):
    z, zd = state(mechanism, rng)
    q, qd, qdd = motion(mechanism, z, zd)
    zdd = mechanism.forward_dynamics(z, zd)
    h = 1e-4

    def at(t):
        return mechanism.assemble(z + t * zd + 0.5 * t * t * zdd, q)

    for body in mechanism.bodies:
        now = mechanism.body_motion(body, q, qd, qdd)
        before, after = (mechanism.body_motion(body, at(t)) for t in (-h, h))
        place = [0.3, -0.2, 0.1]
        speed = (after.position_of(place) - before.position_of(place)) / (2.0 * h)
        arm = now.position_of(place) - now.position
        np.testing.assert_allclose(speed, now.velocity + np.cross(now.angular_velocity, arm),
                                   atol=1e-6)
        push = (after.position_of(place) - 2.0 * now.position_of(place)
                + before.position_of(place)) / h ** 2
        np.testing.assert_allclose(push, now.acceleration_of(place), atol=1e-5)


def test_derivatives(mechanism, rng):
    z, zd = state(mechanism, rng)
    near = mechanism.assemble(z)
    for found, expected in zip(mechanism.linearise(z, zd, near=near),
                               by_state(mechanism, z, zd, 1e-5, near=near), strict=True):
        np.testing.assert_allclose(found, expected, atol=2e-6, rtol=1e-6)


def test_inverse_dynamics_undoes_forward_dynamics(mechanism, rng):
    z, zd = state(mechanism, rng)
    forces = rng.normal(size=mechanism.g)
    zdd = mechanism.forward_dynamics(z, zd, forces)
    np.testing.assert_allclose(mechanism.inverse_dynamics(z, zd, zdd), forces, atol=1e-9)


@pytest.mark.parametrize('kind', TESTED)
def test_formulations_agree(kind, rng):
    mechanism = Mechanism(on_joint(kind, 'ground') | {'forces': FORCES}, 'grounded.yaml')
    z, zd = state(mechanism, rng)
    zdd = mechanism.forward_dynamics(z, zd)
    for formulation in ('matrix_r', 'lagrange', 'closed_form', 'coordinate_partitioning',
                        'penalty'):
        torque = mechanism.inverse_dynamics(z, zd, zdd, formulation=formulation)
        np.testing.assert_allclose(torque, 0.0, atol=1e-4 if formulation == 'penalty' else 1e-8)


def test_a_weld_makes_one_body(rng):
    """Its inertia is the one of both, by the parallel-axis theorem."""
    mechanism = Mechanism(on_joint('weld', more={'gravity': [0.0, 0.0, 0.0]}), 'weld.yaml')
    q = mechanism.q0
    axis = mechanism.joints['stand'].frames[0][:, 2]
    total = 0.0
    for name, body in mechanism.bodies.items():
        motion = mechanism.body_motion(name, q)
        arm = motion.position_of(body.centre_of_gravity) - [0.0, 0.0, 0.1]
        turned = motion.rotation @ body.inertia @ motion.rotation.T
        total += axis @ turned @ axis + body.mass * np.linalg.norm(np.cross(axis, arm)) ** 2
    assert mechanism.forward_dynamics(mechanism.z0, [0.0], [1.0])[0] == pytest.approx(1.0 / total)
    joint = mechanism.joints['tested']
    first, second = (mechanism.body_motion(body, q) for body in joint.bodies)
    np.testing.assert_allclose(first.position_of(joint.offsets[0]),
                               second.position_of(joint.offsets[1]), atol=1e-12)
    np.testing.assert_allclose(first.rotation.T @ second.rotation, joint.frames[0], atol=1e-12)


def test_slender_bodies_make_a_strut(rng):
    mechanism = Mechanism(STRUT, 'strut.yaml')
    assert mechanism.g == 1
    for lift in (0.2, 0.5, 0.8):
        q = mechanism.assemble([lift])
        link, barrel, rod = (mechanism.body_motion(name, q) for name in mechanism.bodies)
        way = rod.position_of([0.0, 0.0, 0.0]) - barrel.position_of([0.0, 0.0, 0.0])
        np.testing.assert_allclose(rod.position_of([0.0, 0.0, 0.0]),
                                   link.position_of([0.7, 0.02, 0.0]), atol=1e-10)
        np.testing.assert_allclose(np.cross(way, barrel.rotation[:, 0]), 0.0, atol=1e-10)
        assert q[mechanism.coordinates.index('stroke')] == pytest.approx(np.linalg.norm(way))
        reactions = mechanism.reactions([lift], [0.7])
        assert reactions.residual < 1e-9


NUMBERS = ['bodies.body.mass', 'bodies.body.centre_of_gravity.x', 'bodies.body.inertia.1',
           'bodies.body.inertia.4', 'bodies.base.mass', 'gravity.z', 'forces.strut.stiffness',
           'forces.strut.damping', 'forces.rub.coulomb', 'forces.push.force.y', 'forces.jet.at.x',
           'forces.jet.moment.z', 'forces.rubber.stiffness.4', 'forces.rubber.damping.1']


def test_derivatives_by_parameters(mechanism, rng):
    z, zd = state(mechanism, rng)
    near = mechanism.assemble(z)
    exact = mechanism.parameter_jacobian(z, zd, NUMBERS, near=near)
    for column, name in enumerate(NUMBERS):
        found = []
        for sign in (1, -1):
            changed = mechanism.replace(**changes(mechanism.raw, name.split('.'), sign * 1e-5))
            found.append(changed.forward_dynamics(z, zd, near=near))
        np.testing.assert_allclose(exact[:, column], (found[0] - found[1]) / 2e-5, atol=1e-6,
                                   rtol=1e-6, err_msg=name)


def changes(raw, keys, change):
    """Return overrides that add a change to the number at keys."""
    key, *rest = keys
    if isinstance(raw, list):
        place = 'xyz'.index(key) if key in 'xyz' else int(key)
        return [value + (change if k == place else 0.0) for k, value in enumerate(raw)]
    return {key: changes(raw[key], rest, change) if rest else raw[key] + change}


def test_a_shaped_body_keeps_its_shape(rng):
    """Its inertia grows with its mass."""
    mechanism = Mechanism(STRUT, 'strut.yaml')
    exact = mechanism.parameter_jacobian([0.4], [0.3], ['bodies.link.mass', 'bodies.rod.mass'])[0]
    for k, name in enumerate(('link', 'rod')):
        found = [mechanism.replace(bodies={name: {'mass': mechanism.bodies[name].mass + change}})
                 .forward_dynamics([0.4], [0.3])[0] for change in (1e-5, -1e-5)]
        assert exact[k] == pytest.approx((found[0] - found[1]) / 2e-5, rel=1e-6)


def test_loads_act_as_contact_jacobians_say(mechanism, rng):
    z, zd = state(mechanism, rng)
    q = mechanism.assemble(z)
    qd = mechanism.velocity(q, zd)
    place, force, moment = [0.2, -0.1, 0.3], [1.0, -2.0, 3.0], [0.4, 0.5, -0.6]
    whole = mechanism.contact_jacobian(q, 'body', place)
    motion = mechanism.body_motion('body', q, qd)
    arm = motion.position_of(place) - motion.position
    np.testing.assert_allclose(whole @ qd, [
        *(motion.velocity + np.cross(motion.angular_velocity, arm)), *motion.angular_velocity],
        atol=1e-9)
    reduced = mechanism.contact_jacobian(q, 'body', place, reduced=True)
    load = Wrench('body', place, force, moment)
    np.testing.assert_allclose(
        mechanism.forward_dynamics(z, zd, loads=[load]),
        mechanism.forward_dynamics(z, zd, reduced.T @ [*force, *moment]), atol=1e-9)
    assert mechanism.reactions(z, zd, loads=[load]).residual < 1e-9


@pytest.mark.parametrize(('load', 'text'), [
    (Wrench('leg'), "'leg': unknown body"), (Wrench('body', 'tip'), "'tip': unknown point of body"),
    (Wrench('body', (0.0, 1.0)), 'must be 3 finite numbers'),
    (Wrench('body', force=(1.0,)), 'must be 9 finite numbers')])
def test_wrong_loads_are_refused(mechanism, load, text):
    with pytest.raises(MechanismError, match=text):
        mechanism.forward_dynamics(mechanism.z0, mechanism.zd0, loads=[load])


def test_loads_of_the_plane_are_refused(mechanism):
    with pytest.raises(MechanismError, match=r'loads\[0\]: Load must be a Wrench'):
        mechanism.forward_dynamics(mechanism.z0, mechanism.zd0, loads=[Load('body')])


def test_operational_space_is_the_dynamics(mechanism, rng):
    z, zd = state(mechanism, rng)
    space = mechanism.operational_space(z, zd)
    zdd = mechanism.forward_dynamics(z, zd)
    np.testing.assert_allclose(space.needed(zd, zdd), 0.0, atol=1e-8)
