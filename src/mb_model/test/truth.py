"""Independent truth: planar linkages in minimal coordinates, from loop geometry and Lagrange.

Nothing here uses mb_model.  Positions follow from the intersection of two circles, an analytic
function of the crank angles, so its derivatives are exact by complex step; inertia forces follow
from central differences of that.
"""

from by_differences import slope
import numpy as np
from scipy.integrate import solve_ivp

TINY = 1e-30


def circle_intersection(a, ra, b, rb, branch):
    """Return the point at distances ra from a and rb from b, to the left of a->b for branch 1."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    squared = dx * dx + dy * dy
    along = (ra * ra - rb * rb + squared) / (2.0 * squared)
    across = branch * np.sqrt(ra * ra / squared - along * along)
    return np.array([a[0] + along * dx - across * dy, a[1] + along * dy + across * dx])


class Linkage:
    """Bodies whose points are analytic functions of z.

    points(z) -> (p, 2), moving ones first; bodies: (first, second, mass, centre of gravity in the
    body's frame, inertia about it), first and second being indices of points.
    """

    def __init__(self, points, bodies, gravity):
        self.points, self.bodies, self.gravity = points, bodies, gravity

    @classmethod
    def four_bar(cls, crank, coupler, rocker, ground, masses, branch, gravity, centres=None,
                 inertias=None):
        """Crank from (0, 0), rocker from (ground, 0)."""
        lengths = (crank, coupler, rocker)
        centres = centres or [(0.5 * length, 0.0) for length in lengths]
        inertias = inertias or [m * length ** 2 / 12
                                for m, length in zip(masses, lengths, strict=True)]

        def points(z):
            p1 = np.array([crank * np.cos(z[0]), crank * np.sin(z[0])])
            p2 = circle_intersection(p1, coupler, np.array([ground, 0.0]), rocker, branch)
            return np.array([p1, p2, [0.0, 0.0], [ground, 0.0]])

        ends = ((2, 0), (0, 1), (1, 3))
        return cls(points, [(*end, m, c, i) for end, m, c, i
                            in zip(ends, masses, centres, inertias, strict=True)], gravity)

    @classmethod
    def five_bar(cls):
        """The benchmark five bar; P2 lies above the line from P1 to P3."""
        lengths, masses = (0.5, 2.061553, 3.201562, 0.5), (3.0, 1.0, 2.0, 3.0)

        def points(z):
            p1 = np.array([0.5 * np.cos(z[0]), 0.5 * np.sin(z[0])])
            p3 = np.array([3.0 + 0.5 * np.cos(z[1]), 0.5 * np.sin(z[1])])
            p2 = circle_intersection(p1, lengths[1], p3, lengths[2], 1)
            return np.array([p1, p2, p3, [0.0, 0.0], [3.0, 0.0]])

        ends = ((3, 0), (0, 1), (1, 2), (4, 2))
        return cls(points, [(*end, m, (0.5 * length, 0.0), m * length ** 2 / 12) for end, m, length
                            in zip(ends, masses, lengths, strict=True)], 9.81)

    def velocities(self, z):
        """Return d(points)/dz (p, 2, g)."""
        columns = []
        for k in range(len(z)):
            shifted = np.array(z, dtype=complex)
            shifted[k] += 1j * TINY
            columns.append(self.points(shifted).imag / TINY)
        return np.stack(columns, axis=-1)

    def _centre(self, points, body):
        """Return the centre of gravity; linear in points, so it serves for velocities too."""
        i, j, _, (x, y), _ = body
        length = np.hypot(*(self._still[j] - self._still[i]))
        along, across = x / length, y / length
        d = points[j] - points[i]
        return points[i] + along * d + across * np.array([-d[1], d[0]])

    def mass_matrix(self, z):
        """Return M(z) (g, g) from the kinetic energy of every body."""
        self._still = self.points(np.asarray(z, dtype=float))
        rates = self.velocities(z)
        total = np.zeros((len(z), len(z)))
        for body in self.bodies:
            i, j, mass, _, inertia = body
            d, rate = self._still[j] - self._still[i], rates[j] - rates[i]
            turn = (d[0] * rate[1] - d[1] * rate[0]) / (d @ d)
            centre = self._centre(rates, body)
            total += mass * centre.T @ centre + inertia * np.outer(turn, turn)
        return total

    def potential(self, z):
        """Return the potential energy of gravity, 0 at y = 0."""
        self._still = self.points(np.asarray(z, dtype=float))
        return sum(body[2] * self.gravity * self._centre(self._still, body)[1]
                   for body in self.bodies)

    def energy(self, z, zd):
        """Return the total energy."""
        zd = np.asarray(zd, dtype=float)
        return 0.5 * zd @ self.mass_matrix(z) @ zd + self.potential(z)

    def acceleration(self, z, zd, forces=0.0):
        """Return zdd from Lagrange's equations."""
        z, zd, h = np.asarray(z, dtype=float), np.asarray(zd, dtype=float), 1e-3
        right = np.zeros(len(z)) + forces
        change = np.zeros((len(z), len(z)))
        for k, unit in enumerate(np.eye(len(z))):
            gradient = slope(lambda s, u=unit: self.mass_matrix(z + s * u), h)
            rise = slope(lambda s, u=unit: self.potential(z + s * u), h)
            change += gradient * zd[k]
            right[k] += 0.5 * zd @ gradient @ zd - rise
        return np.linalg.solve(self.mass_matrix(z), right - change @ zd)

    def simulate(self, z, zd, times):
        """Return (z, zd) at times (k, g), by DOP853 at a tight tolerance."""
        g = len(z)
        solution = solve_ivp(
            lambda t, x: np.concatenate([x[g:], self.acceleration(x[:g], x[g:])]),
            (times[0], times[-1]), np.concatenate([z, zd]), 'DOP853', times,
            rtol=1e-12, atol=1e-12)
        return solution.y[:g].T, solution.y[g:].T
