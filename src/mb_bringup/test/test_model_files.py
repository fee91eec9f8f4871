"""Mechanism files that a launch writes: what they change, and nothing else."""

import numpy as np
import pytest

from mb_bringup.model_files import loaded, misjudged, written
from mb_model import load_mechanism

CRANE = load_mechanism('crane')
P = np.array([6.0e6, 3.0e6])        # [Pa]


def test_the_machine_carries_the_load_that_is_asked_for(tmp_path):
    machine = load_mechanism(written(loaded(CRANE, 'load', 120.0), tmp_path / 'machine.yaml'))
    assert machine.name == 'crane'
    assert machine.bodies['load'].mass == 120.0
    assert machine.coordinates == CRANE.coordinates
    # 70 kg more at a lever of 2 m about the arm's pin, carried by the same cylinder.
    more = (machine.circuit.p0 - CRANE.circuit.p0)[0] * CRANE.circuit.area[0]
    assert more == pytest.approx(70.0 * 9.81 * rate_of_tip(), rel=1e-9)


def rate_of_tip():
    """Return how far the tip rises per length of the cylinder at the start, by differences."""
    step, place = 1e-6, CRANE.coordinates.index('T.y')
    low, high = (CRANE.assemble(CRANE.z0 + x)[place] for x in (-step, step))
    return (high - low) / (2.0 * step)


@pytest.mark.parametrize('share', [0.2, -0.1])
def test_a_misjudged_model_errs_by_the_share_that_is_asked_for(tmp_path, share):
    model = load_mechanism(written(misjudged(CRANE, friction=share, mass=share),
                                   tmp_path / 'model.yaml'))
    for sd in (-0.05, 0.002, 0.1):
        right, wrong = (one.circuit.friction(P, [sd]) for one in (CRANE, model))
        np.testing.assert_allclose(wrong, (1.0 + share) * right, rtol=1e-12)
    assert model.bodies['arm'].mass == pytest.approx((1.0 + share) * CRANE.bodies['arm'].mass)
    assert model.bodies['piston'].mass == CRANE.bodies['piston'].mass


def test_what_the_mechanism_does_not_have_is_reported():
    with pytest.raises(ValueError, match="crane has no parameter 'lod', expected one of load"):
        loaded(CRANE, 'lod', 1.0)
    with pytest.raises(ValueError, match="arm_mass_error: four_bar has no body 'arm'"):
        misjudged(load_mechanism('four_bar'), mass=0.1)
