"""Machines with flexible bodies, and independent truth about them: integrals along the beam.

Nothing but the entries of files, and what mechanisms are asked, is shared with mb_model.
"""

from by_differences import slope
import numpy as np

PENDULUM = {
    'name': 'flexible_pendulum', 'gravity': [1.0, -9.0],
    'points': {'A': {'fixed': [0.2, 0.1]}, 'B': {'start': [2.2, 0.1]}},
    'bodies': {'arm': {'points': ['A', 'B'], 'length': 2.0, 'mass': 3.0,
                       'flexible': {'bending_stiffness': 100.0, 'modes': 2}}},
    'coordinates': {'theta': {'kind': 'angle', 'body': 'arm'}},
    'independent': ['theta'],
}
# A slider crank whose rod bends and carries a bar at a place beside its axis.
SLIDER_CRANK = {
    'name': 'flexible_slider_crank', 'gravity': [0.0, -9.81],
    'parameters': {'stiffness': 60.0},
    'points': {'A': {'fixed': [0.0, 0.0]}, 'E': {'fixed': [1.0, 0.0]}, 'P': {'start': [0.35, 0.35]},
               'S': {'start': [1.8, 0.0]}, 'C': {'start': [1.0, 0.3]}, 'D': {'start': [1.0, 0.1]}},
    'bodies': {'crank': {'points': ['A', 'P'], 'length': 0.5, 'mass': 2.0},
               'rod': {'points': {'P': [0, 0], 'S': [1.5, 0], 'C': [0.6, 0.1]}, 'mass': 3.0,
                       'flexible': {'bending_stiffness': '2 * stiffness', 'modes': 2,
                                    'damping_ratio': 0.02}},
               'bar': {'points': ['C', 'D'], 'length': 0.2, 'mass': 0.4}},
    'coordinates': {'theta': {'kind': 'angle', 'body': 'crank'},
                    'turn': {'kind': 'angle', 'body': 'bar'}},
    'constraints': {'guide': {'kind': 'slider', 'point': 'S', 'along': ['A', 'E']}},
    'independent': ['theta', 'turn'],
}
# A motor turns a beam that carries a box beside its axis.
ROBOT = {
    'name': 'flexible_robot', 'dimension': 3, 'gravity': [0.5, 0.3, -9.0],
    'parameters': {'stiffness': 60.0},
    'ground': {'A': [0.0, 0.0, 0.0]},
    'bodies': {
        'arm': {'points': {'A': [0, 0, 0], 'B': [1, 0, 0]}, 'mass': 2.0,
                'flexible': {'bending_stiffness': {'about_y': 'stiffness',
                                                   'about_z': '1.5 * stiffness'},
                             'axial_inertia': 0.01, 'damping_ratio': 0.02,
                             'torsion': {'stiffness': 20.0, 'shapes': 'loaded'}}},
        'box': {'points': {'B': [0, 0, 0]}, 'mass': 0.4, 'centre_of_gravity': [0.05, 0.1, 0.02],
                'inertia': [0.002, 0.002, 0.003]}},
    'joints': {'motor': {'kind': 'revolute', 'bodies': ['ground', 'arm.A'], 'at': 'A',
                         'axis': [0, 0, 1]},
               'wrist': {'kind': 'revolute', 'bodies': ['arm.B', 'box'], 'at': 'B',
                         'axis': [0, 1, 0]}},
    'coordinates': {'turn': {'kind': 'angle', 'joint': 'motor'},
                    'tilt': {'kind': 'angle', 'joint': 'wrist'}},
    'independent': ['turn', 'tilt']}
MACHINES = PENDULUM, SLIDER_CRANK, ROBOT


class PinnedBeam:
    """The pendulum above by its Lagrangian: sines beside a chord that turns about A.

    The chord is c L long: bending shortens it by 1/2 int (w')^2 dx to the second order, here by
    c^4 - c^2 + sum (k pi)^2 q_k^2 / (2 L^2) = 0; deflections are q_k / c.
    """

    length, mass, stiffness, gravity = 2.0, 3.0, 100.0, np.array([1.0, -9.0])

    def __init__(self, modes):
        node, weight = np.polynomial.legendre.leggauss(60)
        self.x, self.dm = 0.5 * self.length * (node + 1.0), 0.5 * self.mass * weight
        self.k = np.arange(1, modes + 1) * np.pi
        self.phi = np.sin(np.outer(self.k / self.length, self.x))
        self.K = 0.5 * self.stiffness * self.k ** 4 / self.length ** 3

    def places(self, z):
        """Return places (2, p) from A; analytic in z."""
        short = np.sum(self.k ** 2 * z[1:] ** 2) / (2.0 * self.length ** 2)
        c = np.sqrt(0.5 + 0.5 * np.sqrt(1.0 - 4.0 * short))
        along, bent = c * self.x, z[1:] @ self.phi / c
        cosine, sine = np.cos(z[0]), np.sin(z[0])
        return np.stack([cosine * along - sine * bent, sine * along + cosine * bent])

    def jacobian(self, z):
        """Return their derivatives by z (2, p, g), by complex step."""
        return np.stack([self.places(z + 1e-30j * unit).imag / 1e-30
                         for unit in np.eye(len(z))], axis=2)

    def _bias(self, z, zd, h=1e-4):
        """Return what accelerates places at zdd = 0 (2, p)."""
        return slope(lambda step: self.jacobian(z + step * zd) @ zd, h)

    def acceleration(self, z, zd):
        """Return zdd (g)."""
        jacobian = self.jacobian(z)
        M = np.einsum('apg,p,aph->gh', jacobian, self.dm, jacobian)
        Q = np.einsum('apg,p,ap->g', jacobian, self.dm, self.gravity[:, None] - self._bias(z, zd))
        Q[1:] -= self.K * z[1:]
        return np.linalg.solve(M, Q)

    def pin_force(self, z, zd):
        """Return the force of the pin in A on the beam (2)."""
        motion = self.jacobian(z) @ self.acceleration(z, zd) + self._bias(z, zd)
        return (motion - self.gravity[:, None]) @ self.dm


def frequencies(mechanism):
    """Return the natural frequencies at the start, but for motions as a whole [rad/s]."""
    A, _ = mechanism.linearise(mechanism.z0, mechanism.zd0)
    squares = np.sort(-np.linalg.eigvals(A).real)
    return np.sqrt(squares[squares > 1e-6 * squares[-1]])


def bent_state(mechanism, seed):
    """Return z, zd and forces (g), bent and twisted as far as beams may be."""
    rng = np.random.default_rng(seed)

    def size(name):
        if '.mode' in name:
            return 0.02 if mechanism.dimension == 3 else 0.04 / int(name[-1])
        return 0.05 if '.twist' in name else 0.3

    sizes = np.array([size(name) for name in mechanism.independent])
    return (mechanism.z0 + sizes * rng.uniform(-1.0, 1.0, mechanism.g),
            rng.normal(size=mechanism.g), rng.normal(size=mechanism.g))
