"""Rigid motions as pairs (translation (x, y, z), quaternion (x, y, z, w))."""
import math

IDENTITY = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))


def product(a, b):
    """Quaternion of the rotation b first, then a."""
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def conjugate(q):
    """The opposite rotation of a unit quaternion."""
    return -q[0], -q[1], -q[2], q[3]


def rotate(q, v):
    """A vector turned by a unit quaternion."""
    return product(product(q, (*v, 0.0)), conjugate(q))[:3]


def compose(a, b):
    """The motion b first, then a."""
    turned = rotate(a[1], b[0])
    return tuple(x + y for x, y in zip(a[0], turned, strict=True)), product(a[1], b[1])


def inverse(motion):
    """The motion that undoes this one."""
    back = conjugate(motion[1])
    return tuple(-x for x in rotate(back, motion[0])), back


def interpolate(a, b, ratio):
    """Between two motions: straight, and turning at constant speed the shorter way round.

    Source: Shoemake 1985, Animating rotation with quaternion curves.
    """
    translation = tuple((1 - ratio) * x + ratio * y for x, y in zip(a[0], b[0], strict=True))
    cosine = sum(x * y for x, y in zip(a[1], b[1], strict=True))
    sign, cosine = (1.0, cosine) if cosine >= 0 else (-1.0, -cosine)
    angle = math.acos(min(1.0, cosine))
    first, second = 1 - ratio, ratio
    if angle > 1e-6:
        first, second = (math.sin(part * angle) / math.sin(angle) for part in (first, second))
    return translation, unit(tuple(
        first * x + sign * second * y for x, y in zip(a[1], b[1], strict=True)))


def unit(q):
    """The quaternion divided by its length."""
    length = math.sqrt(sum(x * x for x in q))
    return tuple(x / length for x in q)
