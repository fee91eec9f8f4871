"""Errors of orientations that are carried over to another reference, against plain rotations."""

from by_differences import jacobian
import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from spatial_machines import TORQUE_FREE

from mb_model import Mechanism, MechanismError, motion_difference, orientation_indices
from mb_model.assembly.comparable_motion import independent_orientations
from mb_model.kernels.chart_errors import D, N, centre_references, new_changes
from mb_model.space.rotation import rotation, rotation_vector

STEP = 1e-5


def sine(turn):
    """Return s of a turning matrix."""
    return np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0],
                     turn[1, 0] - turn[0, 1]]) / 2.0


def rate(turn, w):
    """Return the rate of s."""
    ahead, behind = (turn @ Rotation.from_rotvec(sign * STEP * w).as_matrix() for sign in (1, -1))
    return (sine(ahead) - sine(behind)) / (2.0 * STEP)


def from_coordinates(x):
    """Return turning matrix and angular velocity of coordinates and their rates (6)."""
    size = np.linalg.norm(x[:3])
    turn = Rotation.from_rotvec(np.arcsin(size) * x[:3] / size).as_matrix()
    return turn, np.linalg.solve(np.array([rate(turn, axis) for axis in np.eye(3)]).T, x[3:])


def differences(function, x):
    return jacobian(lambda d: function(x + d), len(x), STEP)


@pytest.mark.parametrize('seed', range(5))
def test_errors_are_carried_over_as_central_differences_of_plain_rotations(seed):
    random = np.random.default_rng(seed)
    x = np.concatenate([rotation(random.normal(size=3)) @ [0.15 * (seed + 1), 0.0, 0.0],
                        random.normal(size=3) * 3.0])
    turn, w = from_coordinates(x)

    def at_the_body(x):
        other, other_w = from_coordinates(x)
        back = turn.T @ other
        return np.concatenate([sine(back), rate(back, other_w)])

    free = Mechanism(TORQUE_FREE, 'free.yaml')
    work, changes = free.workspace(), new_changes(free.model)
    q = free.assemble(np.concatenate([free.z0[:3], x[:3]]))
    work['q'][0, :free.n] = q
    work['qd'][0, :free.n] = free.velocity(q, np.concatenate([np.zeros(3), x[3:]]))
    centre_references(free.model, work, changes)
    (change,) = changes
    np.testing.assert_allclose(work['zd'][0, 3:6], w, atol=1e-7)
    zero = np.zeros((3, 3))
    np.testing.assert_allclose(np.block([[change[D], zero], [change[N], change[D]]]),
                               differences(at_the_body, x), atol=3e-5)


def test_references_follow_and_the_motion_stays():
    free = Mechanism(TORQUE_FREE, 'free.yaml')
    z = free.z0 + np.array([0.1, 0.2, -0.1, 0.4, -0.3, 0.35])
    work, changes = free.workspace(), new_changes(free.model)
    q = free.assemble(z)
    qd = free.velocity(q, free.zd0)
    qdd = free.acceleration(q, qd, np.linspace(-1.0, 1.0, 6))
    before = free.body_motion('box', q, qd, qdd)
    for name, value in (('q', q), ('qd', qd), ('qdd', qdd)):
        work[name][0, :free.n] = value
    assert centre_references(free.model, work, changes)
    assert not centre_references(free.model, work, changes)
    after = free.body_motion('box', *(work[name][0, :free.n] for name in ('q', 'qd', 'qdd')))
    for field in ('rotation', 'angular_velocity', 'angular_acceleration', 'acceleration'):
        np.testing.assert_allclose(getattr(after, field), getattr(before, field), atol=1e-12)
    turn = before.rotation
    np.testing.assert_array_equal(work['z'][0, 3:6], 0.0)
    np.testing.assert_allclose(work['zd'][0, 3:6], turn.T @ before.angular_velocity, atol=1e-12)
    np.testing.assert_allclose(work['zdd'][0, 3:6], turn.T @ before.angular_acceleration,
                               atol=1e-12)
    # zd is what the velocity problem has there, too.
    np.testing.assert_allclose(
        free.velocity(work['q'][0, :free.n], work['zd'][0, :6]), work['qd'][0, :free.n], atol=1e-12)


def test_motions_differ_by_rotation_vectors_in_the_frame_of_the_body():
    free = Mechanism(TORQUE_FREE, 'free.yaml')
    random = np.random.default_rng(3)
    motions = []
    for _ in range(2):
        q = free.assemble(free.z0 + 0.3 * random.normal(size=6))
        motions.append((q, free.velocity(q, random.normal(size=6))))
    difference = motion_difference(free, motions[1], motions[0])
    bodies = [free.body_motion('box', q, qd) for q, qd in motions]
    turns = [Rotation.from_matrix(body.rotation) for body in bodies]
    np.testing.assert_allclose(difference[3:6], (turns[0].inv() * turns[1]).as_rotvec(),
                               atol=1e-12)
    np.testing.assert_allclose(
        difference[9:], turns[1].inv().apply(bodies[1].angular_velocity)
        - turns[0].inv().apply(bodies[0].angular_velocity), atol=1e-12)
    z = free.model['independent'][0, :3]
    np.testing.assert_array_equal(difference[:3], (motions[1][0] - motions[0][0])[z])


@pytest.mark.parametrize('angle', [0.0, 1e-9, 0.3, 1.6, 3.0, np.pi - 1e-7])
def test_rotation_vectors_of_matrices(angle):
    vector = angle * np.array([0.36, -0.48, 0.8])
    np.testing.assert_allclose(rotation_vector(rotation(vector)), vector, atol=1e-9)


def test_an_orientation_is_a_degree_of_freedom_as_a_whole():
    hinged = {
        'name': 'hinged', 'dimension': 3,
        'bodies': {'box': TORQUE_FREE['bodies']['box'] | {'pose': {'at': [0.0, 0.0, 0.0]}}},
        'joints': {'hinge': {'kind': 'revolute', 'bodies': ['ground', 'box'],
                             'at': [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 'axis': [1, 0, 0]}},
        'coordinates': {'turn': {'kind': 'orientation', 'body': 'box'}}, 'independent': ['turn.x']}
    with pytest.raises(MechanismError, match=r'independent: turn: all three of \.x, \.y, \.z'):
        orientation_indices(Mechanism(hinged, 'hinged.yaml'))


def test_degrees_of_freedom_that_no_coordinate_names_are_no_orientations():
    """A rod on a pin beside a box that turns freely: its node's coordinate is independent."""
    raw = TORQUE_FREE | {
        'bodies': TORQUE_FREE['bodies'] | {'rod': {
            'mass': 1.0, 'centre_of_gravity': [0.2, 0.0, 0.0], 'inertia': [0.01, 0.02, 0.02]}},
        'joints': {'pin': {'kind': 'revolute', 'bodies': ['ground', 'rod'], 'axis': [0, 1, 0],
                           'at': [[0, 0, 0], [0, 0, 0]]}}}
    node = next(name for name in Mechanism(
        {key: value for key, value in raw.items() if key not in ('independent', 'start_velocity')},
        'box.yaml').independent if name.startswith('rod.'))
    machine = Mechanism(raw | {'independent': [node, *raw['independent']]}, 'box.yaml')
    found = independent_orientations(machine)
    assert {body: list(indices) for body, indices in found.items()} == {'box': [4, 5, 6]}
