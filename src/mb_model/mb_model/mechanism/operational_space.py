"""The dynamics of a mechanism in its degrees of freedom, as models of robots are written."""

from dataclasses import dataclass

import numpy as np

from mb_model.arrays import FloatArray
from mb_model.kernels import operational_space as kernel
from mb_model.mechanism_file.description import SingularPositionError
from mb_model.stepping.outside import contact_jacobian

_SINGULAR = 1e9     # condition of the drives' rates by those of the degrees of freedom


@dataclass(frozen=True)
class OperationalSpace:
    """A mechanism at z, zd: mass zdd + coriolis zd + gravity + friction + other = F.

    F (g) is all that acts on the degrees of freedom from outside: drives, contacts.  q, qd (n); R
    (n, g): qd = R zd; mass, coriolis (g, g), with d(mass)/dt = coriolis + coriolis^T; gravity,
    friction (dampers too: what vanishes at rest), other (springs, constant forces) (g).  Source:
    Mohammad et al. 2025, Eq. (2).
    """

    mechanism: object
    q: FloatArray
    qd: FloatArray
    R: FloatArray
    mass: FloatArray
    coriolis: FloatArray
    gravity: FloatArray
    friction: FloatArray
    other: FloatArray

    def needed(self, zd, zdd):
        """Return F (g) of a motion: inverse dynamics."""
        return self.mass @ zdd + self.coriolis @ zd + self.gravity + self.friction + self.other

    def jacobian(self, names):
        """Return J (k, g): the rates of coordinates by name are J zd.

        J^T times forces on these coordinates are those on the degrees of freedom.
        """
        return self.R[self.mechanism.places(names)]

    def jacobian_from(self, names):
        """Return J_x,qa (g, g): zd is J times the rates of g coordinates by name, the drives.

        Raises SingularPositionError where these do not decide the motion.
        """
        rows = self.jacobian(names)
        if rows.shape[0] != rows.shape[1] or np.linalg.cond(rows) > _SINGULAR:
            raise SingularPositionError(f'{self.mechanism.file}: {", ".join(names)} do not decide '
                                        'the motion here')
        return np.linalg.inv(rows)

    def contact_jacobian(self, body, at):
        """Return J (3, g) of a place of a body; see Mechanism.contact_jacobian."""
        return contact_jacobian(self.mechanism, self.q, body, at) @ self.R


def operational_space(mechanism, work):
    """Return the OperationalSpace at work.q (solved), zd; raises SingularPositionError."""
    n, g = mechanism.n, mechanism.g
    coriolis, forces = np.empty((g, g)), np.empty((3, g))
    if not kernel.operational_space(mechanism.model, work, coriolis, *forces):
        raise SingularPositionError(f'{mechanism.file}: singular at z = '
                                    f'{work["z"][0, :g].tolist()}')
    q, qd, R, mass = (work['q'][0, :n], work['qd'][0, :n], work['R'][0, :n, :g],
                      work['M_bar'][0, :g, :g])
    return OperationalSpace(mechanism, q.copy(), qd.copy(), R.copy(), mass.copy(), coriolis,
                            *forces)
