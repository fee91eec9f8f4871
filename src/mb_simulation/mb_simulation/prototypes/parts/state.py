"""The state of a prototype, and of its oil."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class State:
    """The whole state at one instant: independent coordinates (g), dependent ones (n)."""

    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray


@dataclass(frozen=True)
class OilState:
    """A hydraulic circuit at one instant."""

    p: np.ndarray         # absolute [Pa] (v)
    supply_p: np.ndarray  # of supplies, absolute [Pa]
    U: np.ndarray         # spools, -1..1 (u)
    force: np.ndarray     # of each cylinder, of pressures less friction, > 0 extends it [N] (c)
