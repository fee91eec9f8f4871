"""Rotations: their vectors, and channels that read them.

Three channels after another are a rotation vector, of number 1, 2, 3 in `rotation`.  They count
from a `reference`, a matrix whose columns are axes in global axes: readings and values near it
differ by what the body is turned in between, about the axes of the sensor.
"""

from math import atan2, cos, isnan, sin, sqrt

from mb_model.jit import entry, kernel
from mb_sensors.kind_parts.channel import vector

_SMALL = 1e-7       # [rad]: series below


@kernel
def rotation_vector(w, x, y, z):
    """Return the rotation vector (3) of a unit quaternion, of at most half a turn."""
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    size = sqrt(x * x + y * y + z * z)
    factor = 2.0 if size < _SMALL else 2.0 * atan2(size, w) / size
    return factor * x, factor * y, factor * z


@kernel
def quaternion(x, y, z):
    """Return w, x, y, z of a rotation vector."""
    angle = sqrt(x * x + y * y + z * z)
    factor = 0.5 if angle < _SMALL else sin(0.5 * angle) / angle
    return cos(0.5 * angle), factor * x, factor * y, factor * z


@kernel
def composed(a, b):
    """Return the rotation vector of exp(a) exp(b), tuples of three."""
    p, x, y, z = quaternion(a[0], a[1], a[2])
    q, u, v, w = quaternion(b[0], b[1], b[2])
    return rotation_vector(p * q - x * u - y * v - z * w, p * u + q * x + y * w - z * v,
                           p * v + q * y + z * u - x * w, p * w + q * z + x * v - y * u)


@kernel
def _of_matrix(xx, yx, zx, xy, yy, zy, xz, yz, zz):
    """Return the rotation vector of a matrix by its columns.  Source: Shepperd 1978."""
    trace = xx + yy + zz
    if trace >= xx and trace >= yy and trace >= zz:
        w = 0.5 * sqrt(max(1.0 + trace, 0.0))
        return _normalised(w, 0.25 * (zy - yz) / w, 0.25 * (xz - zx) / w, 0.25 * (yx - xy) / w)
    if xx >= yy and xx >= zz:
        x = 0.5 * sqrt(max(1.0 + 2.0 * xx - trace, 0.0))
        return _normalised(0.25 * (zy - yz) / x, x, 0.25 * (xy + yx) / x, 0.25 * (xz + zx) / x)
    if yy >= zz:
        y = 0.5 * sqrt(max(1.0 + 2.0 * yy - trace, 0.0))
        return _normalised(0.25 * (xz - zx) / y, 0.25 * (xy + yx) / y, y, 0.25 * (yz + zy) / y)
    z = 0.5 * sqrt(max(1.0 + 2.0 * zz - trace, 0.0))
    return _normalised(0.25 * (yx - xy) / z, 0.25 * (xz + zx) / z, 0.25 * (yz + zy) / z, z)


@kernel
def _normalised(w, x, y, z):
    """Return the rotation vector of a quaternion that is nearly a unit one."""
    size = sqrt(w * w + x * x + y * y + z * z)
    return rotation_vector(w / size, x / size, y / size, z / size)


@kernel
def _along(reference, axis, v):
    """Return the product of a column of the reference and a vector."""
    return reference[0, axis] * v[0] + reference[1, axis] * v[1] + reference[2, axis] * v[2]


@kernel
def turn(channel, q):
    """Return the rotation vector (3) from the reference to the axes, vectors 0 to 2, at q."""
    x, y, z = vector(channel, 0, q), vector(channel, 1, q), vector(channel, 2, q)
    r = channel.reference
    return _of_matrix(_along(r, 0, x), _along(r, 1, x), _along(r, 2, x),
                      _along(r, 0, y), _along(r, 1, y), _along(r, 2, y),
                      _along(r, 0, z), _along(r, 1, z), _along(r, 2, z))


@kernel
def slopes_of_turn(r, k):
    """Return row k of the derivatives of a rotation vector r by turns about the turned axes.

    1 + [r] / 2 + share [r]^2.  Source: Sola et al. 2018, Eq. (144).
    """
    square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2]
    angle = sqrt(square)
    share = 1.0 / 12.0
    if angle > 1e-4:
        share = 1.0 / square - 0.5 * cos(0.5 * angle) / (angle * sin(0.5 * angle))
    diagonal = 1.0 - share * square
    if k == 0:
        return (diagonal + share * r[0] * r[0], share * r[0] * r[1] - 0.5 * r[2],
                share * r[0] * r[2] + 0.5 * r[1])
    if k == 1:
        return (share * r[1] * r[0] + 0.5 * r[2], diagonal + share * r[1] * r[1],
                share * r[1] * r[2] - 0.5 * r[0])
    return (share * r[2] * r[0] - 0.5 * r[1], share * r[2] * r[1] + 0.5 * r[0],
            diagonal + share * r[2] * r[2])


@entry
def refer_to(channels, q, readings):
    """Let channels of rotations, and their readings (channels), count from the bodies at q.

    Readings counted from the axes of the mechanism before.
    """
    for c in range(channels.size):
        if channels[c].rotation != 1:
            continue
        for axis in range(3):
            column = vector(channels[c], axis, q)
            for k in range(3):
                for row in range(3):
                    channels[c + k].reference[row, axis] = column[row]
        if not isnan(readings[c]):
            r = channels[c].reference
            back = _of_matrix(r[0, 0], r[0, 1], r[0, 2], r[1, 0], r[1, 1], r[1, 2], r[2, 0],
                              r[2, 1], r[2, 2])
            readings[c], readings[c + 1], readings[c + 2] = composed(
                back, (readings[c], readings[c + 1], readings[c + 2]))
