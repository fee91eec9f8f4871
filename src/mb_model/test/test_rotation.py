"""Rotation matrices against scipy's."""

from hypothesis import given
from hypothesis.extra.numpy import arrays
from hypothesis.strategies import floats
import numpy as np
from scipy.spatial.transform import Rotation

from mb_model.space.rotation import across, frame, of_roll_pitch_yaw, rotation, shortest, unit

VECTORS = arrays(float, 3, elements=floats(-6.0, 6.0))
DIRECTIONS = VECTORS.filter(lambda vector: np.linalg.norm(vector) > 1e-3)


@given(VECTORS)
def test_rotation_vectors(vector):
    np.testing.assert_allclose(rotation(vector), Rotation.from_rotvec(vector).as_matrix(),
                               atol=1e-12)


@given(VECTORS)
def test_roll_pitch_yaw(angles):
    np.testing.assert_allclose(of_roll_pitch_yaw(angles),
                               Rotation.from_euler('xyz', angles).as_matrix(), atol=1e-12)


@given(DIRECTIONS, DIRECTIONS)
def test_the_least_turn_between_directions(first, second):
    turn = shortest(first, second)
    np.testing.assert_allclose(turn @ unit(first), unit(second), atol=1e-9)
    angle = np.arccos(np.clip(unit(first) @ unit(second), -1.0, 1.0))
    np.testing.assert_allclose(Rotation.from_matrix(turn).magnitude(), angle, atol=1e-6)


@given(DIRECTIONS)
def test_frames(axis):
    axes = frame(axis, across(axis))
    np.testing.assert_allclose(axes.T @ axes, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(axes[:, 2], unit(axis), atol=1e-12)
    assert np.linalg.det(axes) > 0.0
