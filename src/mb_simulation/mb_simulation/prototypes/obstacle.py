"""Obstacles in a machine's way, and contacts with them."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Obstacle:
    """A round obstacle that touches every body with a shape; parked out of reach until placed.

    It pushes back as a spring and damper along the common normal, with dry friction across it.
    ISO/TS 15066, table A.3, has the stiffness of parts of the human body: 10 kN/m (belly) to
    75 kN/m (hand), 30 to 40 kN/m for an arm (not checked against a copy of the standard).
    """

    name: str
    radius: float = 0.04             # [m]
    stiffness: float = 40e3          # [N/m]
    damping: float = 20.0            # [N s/m]
    friction: float = 0.3            # coefficient of dry friction
    mass: float = 0.0                # [kg]; 0: it stands firm, else it floats freely in the plane


@dataclass(frozen=True)
class Contact:
    """A force on a body of a machine where something touches it, in the machine's plane."""

    body: str
    point: np.ndarray                # [m] (2)
    force: np.ndarray                # on the body [N] (2)
    obstacle: str = ''
