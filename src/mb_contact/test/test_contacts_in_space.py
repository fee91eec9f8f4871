"""Contacts of machines in space: in frames that turn with bodies, errors of models, isolation."""

from contacts_in_space import draw_clamping, draw_touch
import numpy as np
import pytest
from spatial_machines import ROLLING

from mb_contact import ContactDetector, ContactError, DetectionSettings
from mb_contact.detection.contact import Contact, Force
from mb_contact.isolation.hypothesis import IsolationSettings
from mb_contact.isolation.isolation import ContactIsolation, Isolation
from mb_contact.isolation.surfaces import shaped_bodies
from mb_contact.payload.estimator import PayloadEstimator
from mb_model import Mechanism, MechanismError, load_mechanism, make_stepper
from mb_model.kernel_api import centre_references, new_chart_changes

ARM, DELTA, STEWART = (load_mechanism(name) for name in ('six_axis_arm', 'delta', 'stewart'))
MS = 1_000_000
METRIC = np.array([0.5, 0.5, 0.3, 0.1, 0.1, 0.1])       # N m, of torques on the arm's joints
SETTLED = IsolationSettings(lag=0.0, settling=0.0, unforeseen=0.0)


def turning_platform(outside, rows, pieces=4):
    """Return stamps, z, zd, zdd, torques, q of the platform, which turns fast, one a row.

    outside (6) [N, N m]: on it, moments in its frame; its orientation counts from where it is.
    """
    stepper, changes = make_stepper(STEWART, 'matrix_r', 'rk4'), new_chart_changes(STEWART.model)
    stepper.zd[:] = 0.2, 0.3, 0.1, 2.0, -3.0, 1.0
    stepper.refresh()
    states = []
    for _ in range(rows):
        for _ in range(pieces):
            stepper.forces[:] = outside
            stepper.step(1e-3 / pieces)
            centre_references(STEWART.model, stepper.work, changes)
        stepper.refresh()
        states.append([array.copy() for array in (stepper.z, stepper.zd, stepper.zdd, stepper.q)])
    z, zd, zdd, q = (np.array(part) for part in zip(*states, strict=True))
    return MS * np.arange(1, rows + 1), z, zd, zdd, np.zeros((rows, 6)), q


@pytest.mark.parametrize('method', ['direct', 'momentum_observer'])
def test_forces_on_a_body_that_turns_are_moments_in_its_frame(method):
    """A momentum without Euler's half of w x L would be some 10 N m off."""
    outside = np.array([300.0, -200.0, 500.0, 50.0, -30.0, 80.0])
    stamps, z, zd, zdd, torques, q = turning_platform(outside, 40)
    detector = ContactDetector(STEWART, settings=DetectionSettings(
        method=method, direct_threshold=(1e4,), momentum_threshold=(1e4,), gain=(1e6,)))
    track = detector.run(stamps, z, zd, zdd, None, torques, q)
    assert not any(track.reason[1:])
    np.testing.assert_allclose(track.force[method][2:], np.tile(outside, (38, 1)), atol=1.2)


def test_a_body_that_turns_is_not_judged_without_all_coordinates():
    stamps, z, zd, zdd, torques, q = turning_platform(np.zeros(6), 3)
    detector = ContactDetector(STEWART, settings=DetectionSettings(
        direct_threshold=(1.0,), momentum_threshold=(1.0,)))
    for positions in (None, q + 1e-3):      # unknown, and one that counts from elsewhere
        track = detector.run(stamps, z, zd, zdd, None, torques, positions)
        assert not track.detected.any()
        assert all('orientations' in reason for reason in track.reason)


DOOR = """
name: door
dimension: 3
bodies:
  leaf: {points: {H: [0, 0, 0], E: [0.8, 0, 0]}, mass: 20.0, centre_of_gravity: [0.4, 0, 0],
         inertia: [5.0, 6.0, 1.1]}
joints: {hinge: {kind: revolute, bodies: [ground, leaf], at: [[0, 0, 0], H], axis: [0, 0, 1]}}
coordinates: {turn: {kind: orientation, body: leaf}}
independent: [turn.z]
drives: [turn.z]
start: {turn.z: 0.1}
"""


def test_an_orientation_that_is_free_in_part_is_refused(tmp_path):
    file = tmp_path / 'door.yaml'
    file.write_text(DOOR)
    with pytest.raises(ContactError, match='an orientation is a degree of freedom in part'):
        ContactDetector(load_mechanism(file))


@pytest.mark.parametrize(('made', 'what'), [
    (lambda one: ContactDetector(one, ['swing']), 'forces from outside'),
    (Isolation, 'isolation of contacts'),
    (lambda one: PayloadEstimator(one, ['bob']), 'estimation of masses')])
def test_bodies_that_roll_are_refused(made, what):
    with pytest.raises(MechanismError, match=f'{what}: not for mechanisms with bodies that roll'):
        made(Mechanism(ROLLING['rolling_disc'], 'rolling.yaml'))


@pytest.mark.parametrize('method', ['direct', 'momentum_observer'])
@pytest.mark.parametrize(('body', 'force', 'torque'), [
    (0.05, 0.0, 0.0), (0.0, 0.2, 0.0), (0.05, 0.2, 0.3)])
def test_errors_of_forces_are_as_large_as_estimated(method, body, force, torque):
    """Over delta robots whose bodies and dampers differ from the file."""
    random, draws, rows = np.random.default_rng(4), 40, 80
    detector = ContactDetector(DELTA, settings=DetectionSettings(
        method=method, direct_threshold=(1e4,), momentum_threshold=(1e4,), gain=(80.0,),
        body_uncertainty=body, force_uncertainty=force, torque_deviation=torque))
    scores = []
    for _ in range(draws):
        masses = {name: {'mass': described.mass * (1.0 + body * random.normal())}
                  for name, described in DELTA.bodies.items()}
        springs = {f'hold{k}': {key: DELTA.parameters[key] * share
                                for key in ('stiffness', 'damping')}
                   for k, share in zip((1, 2, 3), 1.0 + force * random.normal(size=3),
                                       strict=True)}
        stamps, *motion, torques, q = moving(
            DELTA.replace(bodies=masses, forces=springs) if body + force > 0.0 else DELTA, rows,
            random.uniform(-2.0, 2.0, 3))
        detector.reset()
        track = detector.run(stamps, *motion, np.tile(1e-12 * np.eye(9), (rows, 1, 1)),
                             torques + torque * random.normal(size=torques.shape), q)
        estimated = track.force[method][-1]
        covariance = track.covariance[method][-1] + 0.02 ** 2 * np.eye(3)     # of discrete steps
        scores.append(estimated @ np.linalg.solve(covariance, estimated))
    assert np.mean(scores) == pytest.approx(3.0, abs=3.0 * np.sqrt(6.0 / draws))


def moving(machine, rows, torques):
    """Return stamps, z, zd, zdd, torques, q of a machine under constant torques, one a row."""
    stepper, states = make_stepper(machine, 'matrix_r', 'rk4'), []
    for name, torque in zip(machine.drives, torques, strict=True):
        stepper.coordinate_forces[machine.coordinates.index(name)] = torque
    for _ in range(rows):
        stepper.step(1e-3)
        states.append([array.copy() for array in (stepper.z, stepper.zd, stepper.zdd, stepper.q)])
    z, zd, zdd, q = (np.array(part) for part in zip(*states, strict=True))
    return MS * np.arange(1, rows + 1), z, zd, zdd, np.tile(torques, (rows, 1)), q


@pytest.fixture(scope='module')
def judged():
    """Return drawn contacts of the arm, and the hypotheses of a noisy force of each."""
    rng, isolation, drawn, found = np.random.default_rng(1), Isolation(ARM, SETTLED), [], []
    for _ in range(300):
        if rng.uniform() < 0.25:
            contact = draw_clamping(ARM, rng, ('upper_arm', 'forearm'), 'elbow', 0.5, 0.5)
        else:
            contact = draw_touch(ARM, rng, shaped_bodies(ARM), rng.uniform(0.0, 0.4), 0.5, 0.5)
        deviation = METRIC * np.hypot(1.0, 0.02 * contact.size)
        isolation.reset()
        isolation.update(1, contact.zd, contact.force + deviation * rng.normal(size=6),
                         np.diag(deviation ** 2))
        drawn.append(contact)
        found.append(isolation.hypotheses(contact.z, contact.q))
    return drawn, found


@pytest.mark.whole
def test_long_links_of_an_arm_and_what_they_clamp_are_named(judged):
    """What touches a wrist, whose axes go through its joints, is named by friction alone.

    So is a push on the forearm near it.
    """
    named = {}
    for contact, (best, *_) in zip(*judged, strict=True):
        named.setdefault(contact.bodies, []).append(best.bodies == contact.bodies)
    for bodies, least in ((('upper_arm',), 0.75), (('forearm',), 0.65),
                          (('upper_arm', 'forearm'), 0.75), (('wrist1',), 0.75),
                          (('wrist2',), 0.75), (('wrist3',), 0.75)):
        assert np.mean(named[bodies]) > least
    assert np.mean([right for rows in named.values() for right in rows]) > 0.85


def test_probabilities_come_true(judged):
    claimed = np.array([h.probability for row in judged[1] for h in row])
    true = np.array([h.bodies == contact.bodies
                     for contact, row in zip(*judged, strict=True) for h in row])
    assert all(sum(h.probability for h in row) == pytest.approx(1.0, abs=0.01) for row in judged[1])
    for low, high in ((0.0, 0.1), (0.1, 0.4), (0.4, 0.7), (0.7, 1.0)):
        chosen = (claimed > low) & (claimed <= high)
        assert np.mean(true[chosen]) == pytest.approx(np.mean(claimed[chosen]), abs=0.12)


def test_points_on_an_arm_and_their_covariances(judged):
    within, errors = [], []
    for contact, (best, *_) in zip(*judged, strict=True):
        if best.bodies == contact.bodies and contact.bodies[0] in ('forearm', 'wrist3'):
            error = best.touches[0].point - contact.point
            covariance = best.touches[0].point_covariance + 0.015 ** 2 * np.eye(3)     # the grid's
            within.append(error @ np.linalg.solve(covariance, error) < 7.81)
            errors.append(np.linalg.norm(error))
    assert np.mean(within) > 0.85
    assert np.median(errors) < 0.04


def test_legs_of_a_platform_are_distinguished():
    """Pushes across slender rods; what a force there does is from how their points move."""
    rng, isolation, named = np.random.default_rng(3), Isolation(STEWART, SETTLED), []
    q, h = STEWART.q0, 1e-6
    for leg in range(1, 7):
        name = f'rod{leg}'
        for distance in (0.25, 0.4):
            at = (-distance, 0.0, 0.0)
            here = STEWART.body_motion(name, q)
            slopes = np.array([(STEWART.body_motion(name, STEWART.assemble(
                STEWART.z0 + h * unit)).position_of(at) - here.position_of(at)) / h
                for unit in np.eye(6)])
            across = np.cross(here.rotation[:, 0], rng.normal(size=3))
            force = 80.0 * slopes @ across / np.linalg.norm(across)
            zd = -force * 1e-3 * [1.0, 1.0, 1.0, 10.0, 10.0, 10.0]
            isolation.reset()
            isolation.update(1, zd, force + rng.normal(size=6) * [1, 1, 1, 0.2, 0.2, 0.2],
                             np.diag([1.0, 1.0, 1.0, 0.04, 0.04, 0.04]))
            named.append(isolation.hypotheses(STEWART.z0, q)[0].name in (name, f'barrel{leg}'))
    assert np.mean(named) > 0.8


def test_parallel_rods_of_a_delta_robot_share_the_probability():
    """They turn alike, so a push on one is the same force as on the other."""
    isolation = Isolation(DELTA)
    isolation.update(1, np.array([-0.3, 0.1, 0.0]), np.array([20.0, -6.0, 5.0]), np.eye(3))
    found = {one.name: one.probability for one in isolation.hypotheses(DELTA.z0, DELTA.q0)}
    rods = [name for name in found if name.startswith('left')]
    assert rods
    for name in rods:
        assert found[name] == pytest.approx(found[name.replace('left', 'right')], rel=1e-6)


def test_friction_against_the_sliding_distinguishes_the_platform_of_a_delta_robot_from_its_rods():
    """Three numbers of a force fit all of them; how the platform slides fits few of its forces."""
    rng, isolation, named, claimed = np.random.default_rng(5), Isolation(DELTA, SETTLED), [], []
    for _ in range(60):
        contact = draw_touch(DELTA, rng, ('platform',), rng.uniform(0.0, 0.4), 0.05, 0.3)
        isolation.reset()
        isolation.update(1, contact.zd, contact.force + rng.normal(size=3), np.eye(3))
        best = isolation.hypotheses(contact.z, contact.q)[0]
        named.append(best.name == 'platform')
        claimed.append(best.probability)
    assert np.mean(named) > 0.7
    assert np.mean(claimed) < np.mean(named) + 0.1


def test_a_contact_of_a_body_that_turns_is_isolated_at_the_turned_point():
    """The same push on the platform, given in its frame, after it was turned about z by 0.3 rad."""
    turned = [0.0, 0.0, 0.0, 0.0, 0.0, 0.3]
    points = []
    for at in (STEWART.z0, STEWART.z0 + np.array(turned)):
        q = STEWART.assemble(at)
        motion = STEWART.body_motion('platform', q)
        spot = np.array([0.3, 0.1, 0.02])
        push = -motion.rotation[:, 2] * 60.0
        moment = np.cross(spot, motion.rotation.T @ push)
        centred = np.array(q)
        centred[STEWART.indices(['turn.x', 'turn.y', 'turn.z'])] = 0.0
        isolation = ContactIsolation(STEWART, SETTLED)
        force = Force('direct', np.r_[push, moment], np.diag([1.0] * 3 + [0.04] * 3), np.ones(6),
                      True)
        zd = np.r_[-0.3 * push / 60.0, 0.0, 0.0, 0.0]
        isolation.update(MS, zd, Contact(True, MS, 'direct', (force,), ''))
        best = isolation.hypotheses(np.r_[at[:3], 0.0, 0.0, 0.0], centred)[0]
        assert best.name == 'platform'
        points.append(motion.rotation.T @ (best.touches[0].point - motion.position))
        np.testing.assert_allclose(points[-1], spot, atol=0.06)
        np.testing.assert_allclose(best.touches[0].force, push, atol=15.0)
    np.testing.assert_allclose(points[0], points[1], atol=1e-3)
