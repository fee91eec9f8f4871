"""An estimated state, as it is judged."""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """An estimated state at a stamp [ns]; see ContactDetector.update."""

    stamp: int
    z: np.ndarray
    zd: np.ndarray
    zdd: np.ndarray
    covariance: np.ndarray | None
    q: np.ndarray | None = None
