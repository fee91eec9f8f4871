"""Obstacles in a machine's way, contacts with them, and what these do to its motion.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mb_model.arrays import FloatArray

if TYPE_CHECKING:
    from mb_model import Mechanism

SHAPES = ('sphere', 'cylinder', 'box', 'plane')


@dataclass(frozen=True)
class Obstacle:
    """An obstacle that touches every body with a shape; parked out of reach until placed.

    At each point that touches it pushes back as a spring and damper along the common normal, with
    dry friction across it.
    ISO/TS 15066:2016 (part of ISO 10218-2:2025 now), table A.3, has the stiffness of parts of the
    human body: 10 kN/m (belly) to 75 kN/m (hand), 30 to 40 kN/m for an arm (not checked
    against a copy of the standard).

    shape: one of SHAPES, in its own frame: a cylinder lies along z, a plane is all below z = 0.
    """

    name: str
    radius: float = 0.04             # of a sphere or a cylinder [m]
    stiffness: float = 40e3          # [N/m]
    damping: float = 20.0            # [N s/m]
    friction: float = 0.3            # coefficient of dry friction
    mass: float = 0.0                # [kg]; 0: it stands firm, else a sphere that floats freely
    shape: str = 'sphere'
    length: float = 0.2              # of a cylinder [m]
    size: tuple[float, ...] = (0.1, 0.1, 0.1)       # of a box: its edges [m]


@dataclass(frozen=True)
class Contact:
    """A force on a body of a machine where something touches it; d: dimension of the machine."""

    body: str
    point: np.ndarray                # [m] (d)
    force: np.ndarray                # on the body [N] (d)
    obstacle: str = ''


def force_on_z(mechanism: 'Mechanism', q: FloatArray, contacts: Iterable[Contact]) -> FloatArray:
    """Return the force of Contacts on the degrees of freedom (g) [N or N m] at a position q (n).

    (J R)^T [force, moment] of each, at a moving point of its body, with the moment about it.
    """
    force = _in_space if mechanism.dimension == 3 else _in_plane
    return sum((force(mechanism, q, contact) for contact in contacts), np.zeros(mechanism.g))


def _in_plane(mechanism: 'Mechanism', q: FloatArray, contact: Contact) -> FloatArray:
    name = next(name for name in mechanism.bodies[contact.body].points
                if not mechanism.points[name].fixed)
    index = mechanism.point_index(name)
    x, y = contact.point - q[index:index + 2]
    moment = x * contact.force[1] - y * contact.force[0]
    jacobian = mechanism.contact_jacobian(q, contact.body, name, reduced=True)
    return jacobian.T @ np.array([*contact.force, moment])


def _in_space(mechanism: 'Mechanism', q: FloatArray, contact: Contact) -> FloatArray:
    """Return the same by the velocities that rates of one give the point, of slender bodies too."""
    moves = [mechanism.body_motion(contact.body, q, qd) for qd in mechanism.R(q).T]
    arm = contact.point - moves[0].position
    return np.array([contact.force @ (move.velocity + np.cross(move.angular_velocity, arm))
                     for move in moves])
