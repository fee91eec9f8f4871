"""The motion between two states, for sensors that read at other instants."""

import numpy as np

# Coefficients (6, 6) of the polynomials in s = 0 ... 1 of q, qd h and qdd h^2 at both ends; their
# sum has these places, velocities and accelerations there.  Lowest power of s first.
_QUINTIC = np.array([[1.0, 0.0, 0.0, -10.0, 15.0, -6.0], [0.0, 1.0, 0.0, -6.0, 8.0, -3.0],
                     [0.0, 0.0, 0.5, -1.5, 1.5, -0.5], [0.0, 0.0, 0.0, 10.0, -15.0, 6.0],
                     [0.0, 0.0, 0.0, -4.0, 7.0, -3.0], [0.0, 0.0, 0.0, 0.5, -1.0, 0.5]])
_POWERS = np.arange(6)
# How far the changes of velocity and of place may be from what smooth accelerations make of them,
# as shares of the accelerations: of the same coordinate, and of the largest one.  A vibration of
# angular frequency w is off by (w h)^2 / 12 and (w h)^4 / 720 of its acceleration.
_LIMITS = np.array([[0.25], [0.02]])
_FLOORS = np.array([[0.01], [0.001]])


class Span:
    """The motion from one state to another one, (3, n) each: q, qd, qdd.

    A quintic if the changes of velocity and place agree with the accelerations at the ends.  Its
    errors grow with the time between the states: of q with the sixth power, of qdd with the
    fourth.  Else straight lines of q, qd and qdd: an impact or a jump of a force is between.
    """

    def __init__(self, first, second, h):
        """Set up for two states that are h [s] apart."""
        self._h = h
        self._scale = np.array([1.0, h, h * h])[:, np.newaxis]
        self._first, self._change = first, second - first
        self._ends = np.concatenate((first * self._scale, second * self._scale))
        self.smooth = _agree(*self._ends)

    def at(self, t):
        """Return q, qd, qdd (3, n) at a time t [s] after the first state."""
        s = t / self._h
        if not self.smooth:
            return self._first + s * self._change
        powers = s ** _POWERS
        rates = np.concatenate(([0.0], _POWERS[1:] * powers[:-1]))
        bends = np.concatenate(([0.0, 0.0], (_POWERS * (_POWERS - 1.0))[2:] * powers[:-2]))
        return np.stack([(_QUINTIC @ one) @ self._ends for one in (powers, rates, bends)]) / (
            self._scale)


def _agree(q0, v0, a0, q1, v1, a1):
    """Return whether changes of v and q (n) agree with a at both ends, all in units of q."""
    off = np.abs([v1 - v0 - 0.5 * (a0 + a1), q1 - q0 - 0.5 * (v0 + v1) - (a0 - a1) / 12.0])
    size = np.maximum(np.abs(a0), np.abs(a1))
    return bool(np.all(off <= _LIMITS * size + _FLOORS * size.max()))
