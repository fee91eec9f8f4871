"""tf_transformations, against scipy's rotations."""
import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp
import tf_transformations as tf

ANGLES = (0.3, -0.7, 2.1)


def test_euler_angles_are_roll_pitch_yaw_about_fixed_axes():
    quaternion = tf.quaternion_from_euler(*ANGLES)
    expected = Rotation.from_euler('xyz', ANGLES)
    np.testing.assert_allclose(Rotation.from_quat(quaternion).as_matrix(), expected.as_matrix())
    np.testing.assert_allclose(tf.euler_from_quaternion(quaternion), ANGLES)
    np.testing.assert_allclose(tf.euler_matrix(*ANGLES)[:3, :3], expected.as_matrix())
    np.testing.assert_allclose(tf.euler_from_matrix(tf.euler_matrix(*ANGLES)), ANGLES)


def test_other_sequences():
    expected = Rotation.from_euler('ZYX', ANGLES).as_matrix()
    np.testing.assert_allclose(tf.euler_matrix(*ANGLES, 'rzyx')[:3, :3], expected)


def test_product_turns_by_the_second_factor_first():
    first, second = tf.random_quaternion(), tf.random_quaternion()
    expected = Rotation.from_quat(first) * Rotation.from_quat(second)
    product = Rotation.from_quat(tf.quaternion_multiply(first, second))
    np.testing.assert_allclose(product.as_matrix(), expected.as_matrix(), atol=1e-12)
    np.testing.assert_allclose(
        tf.quaternion_multiply(first, tf.quaternion_inverse(first)), [0, 0, 0, 1], atol=1e-12)


@pytest.mark.parametrize('fraction', [0.0, 0.25, 1.0])
def test_slerp(fraction):
    ends = tf.random_quaternion(), tf.random_quaternion()
    expected = Slerp([0, 1], Rotation.from_quat(ends))(fraction).as_matrix()
    got = Rotation.from_quat(tf.quaternion_slerp(*ends, fraction)).as_matrix()
    np.testing.assert_allclose(got, expected, atol=1e-9)
