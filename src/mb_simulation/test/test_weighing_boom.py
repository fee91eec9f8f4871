"""Loads on a boom that bends, a chain of rigid pieces in MuJoCo, by the equation of the mass."""

import numpy as np
import pytest

from mb_contact import PayloadEstimator, PayloadSettings
from mb_model import load_mechanism
from mb_simulation.prototypes import make_prototype

LOAD, DT, END, FIRST = 60.0, 5e-3, 3.0, 1.0      # kg, s
X = np.linspace(0.0, 1.0, 21)
AT_END, BY_WEIGHT = 3.0 * X ** 2 - X ** 3, 6.0 * X ** 2 - 4.0 * X ** 3 + X ** 4


def weighed(*shapes):
    """Return the last Payload of the true motion of a chain that is seen as shapes."""
    crane = load_mechanism('flexible_crane').replace(bodies={
        'load': {'mass': LOAD}, 'boom': {'flexible': {'table': {
            'x': X.tolist(), 'deflections': [shape.tolist() for shape in shapes]}}}})
    prototype, states = make_prototype('mujoco', crane, DT, DT), []
    for _ in range(round(END / DT)):
        prototype.advance()
        states.append(prototype.state)
    z, zd, zdd = (np.array([getattr(state, name) for state in states])[round(FIRST / DT):]
                  for name in ('z', 'zd', 'zdd'))
    g = crane.g
    believed = crane.replace(bodies={'load': {'mass': 40.0}})
    # Known as by gauges and encoders: positions to 0.1 mm and mrad, the rest by their frequencies.
    known = np.diag(np.repeat([1e-8, 1e-5, 1e-2], g))
    return PayloadEstimator(believed, ['bodies.load.mass'], PayloadSettings(), DT).run(
        np.arange(1, len(z) + 1) * 5_000_000, z, zd, zdd, covariance=np.tile(known, (len(z), 1, 1)))


@pytest.mark.filterwarnings('ignore:.*steps of 0.005 s are too long')
def test_a_boom_that_bends_under_its_own_weight_is_no_part_of_the_load():
    """A shape for a force at the end alone takes the boom's weight for some of the load."""
    both, alone = weighed(AT_END, BY_WEIGHT), weighed(AT_END)
    off = abs(both.mass[-1, 0] - LOAD)
    assert off < 1.96 * both.deviation[-1, 0]
    assert off < 0.02 * LOAD
    assert abs(alone.mass[-1, 0] - LOAD) > 0.05 * LOAD
