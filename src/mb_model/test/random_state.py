"""Random states and forces of a mechanism near its start, for hypothesis."""

from hypothesis import strategies as st
import numpy as np


def draw_state(data, mechanism):
    """Return z, zd and forces on the degrees of freedom (g each), drawn by hypothesis."""
    g = mechanism.g
    numbers = st.lists(st.floats(-1.0, 1.0), min_size=g, max_size=g).map(np.array)
    z = mechanism.z0 + 0.2 * data.draw(numbers)
    return z, 3.0 * data.draw(numbers), 20.0 * data.draw(numbers)
