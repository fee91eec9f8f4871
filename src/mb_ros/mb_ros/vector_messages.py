"""Vectors and rotations as messages."""

from geometry_msgs.msg import Point, Pose, Quaternion


def xyz(vector):
    """Return the fields x, y, z of a vector (3), or of one in the plane (2)."""
    return {axis: float(value) for axis, value in zip('xyz', (*vector, 0.0), strict=False)}


def pose_of(place, quaternion):
    """Return the Pose of a frame with its origin in a place (3), turned by a quaternion wxyz (4).
    """
    w, x, y, z = map(float, quaternion)
    return Pose(position=Point(**xyz(place)), orientation=Quaternion(x=x, y=y, z=z, w=w))
