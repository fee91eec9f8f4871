"""Laws of friction of a fit: they are the model's, and their slopes are right."""

from itertools import chain

import numpy as np
import pytest

from mb_estimators.fitting.friction_law import (
    CYLINDER,
    coordinate_terms,
    cylinder_slopes,
    cylinder_terms,
    smeared,
)
from mb_model import load_mechanism
from mb_model.forces.kinds.directional_friction import force
from mb_model.forces.kinds.load_friction import effort_for
from mb_model.record.hydraulics import AIR_PRESSURE

CRANE = load_mechanism('crane')
FRICTION = CRANE.raw['hydraulics']['cylinders']['lift']['friction']


@pytest.mark.parametrize('v', [-2.0, -0.2, 0.05, 1.0])
def test_friction_by_direction_is_the_models(v):
    values = np.array([2.0, 1.0, 3.0, 1.5, 0.4, 0.6, 0.5])
    terms = coordinate_terms('directional_friction', np.array([v]), np.zeros(1), values[6])
    assert terms[0] @ values[:6] == pytest.approx(-force(values, v)[0], abs=1e-12)


@pytest.mark.parametrize(('load', 'v'), list(chain.from_iterable(
    [(load, v) for v in (-2.0, -0.05, 0.02, 1.0)] for load in (-3.0, 2.0))))
def test_friction_by_load_is_the_models(load, v):
    values = np.array([2.0, 3.0, 0.4, 0.5, 0.2, 0.1])
    terms = coordinate_terms('load_friction', np.array([v]), np.array([load]), values[3])
    assert terms[0] @ np.delete(values, 3) == pytest.approx(
        effort_for(values, load, v) - load, abs=1e-12)


def oil(seed=1):
    """Return rates, pressure differences, rod pressures (gauge) and pressures of the crane."""
    random = np.random.default_rng(seed)
    pressures = random.uniform(1e5, 12e6, (50, 2))
    piston, rod = (pressures - AIR_PRESSURE).T
    return 0.1 * random.uniform(-1.0, 1.0, 50) ** 3, np.abs(piston - rod), rod, pressures


def test_friction_of_a_cylinder_is_the_circuits():
    v, difference, rod, pressures = oil()
    terms = cylinder_terms(v, difference, rod, FRICTION['transition_velocity'])
    theirs = [CRANE.circuit.friction(p, [one])[0] for p, one in zip(pressures, v, strict=True)]
    assert terms @ [FRICTION[key] for key in CYLINDER] == pytest.approx(theirs, rel=1e-12, abs=1e-9)


def test_slopes_are_those_of_differences():
    v, difference, rod, _ = oil()
    numbers, h = np.array([FRICTION[key] for key in CYLINDER]), 1e-7
    by_v, by_transition = (slopes @ numbers for slopes in cylinder_slopes(v, difference, rod, 8e-3))
    for slopes, terms in ((by_v, [cylinder_terms(v + side * h, difference, rod, 8e-3)
                                  for side in (1.0, -1.0)]),
                          (by_transition, [cylinder_terms(v, difference, rod, 8e-3 + side * h)
                                           for side in (1.0, -1.0)])):
        assert slopes == pytest.approx((terms[0] - terms[1]) @ numbers / (2.0 * h), rel=1e-4,
                                       abs=1e-2)


def test_smeared_terms_are_means_over_normal_errors():
    v, deviation = np.array([0.0, 1.0, 3.0]), np.array([0.5, 0.0, 2.0])
    assert smeared(lambda at: at ** 4, v, deviation) == pytest.approx(
        v ** 4 + 6.0 * v ** 2 * deviation ** 2 + 3.0 * deviation ** 4)
