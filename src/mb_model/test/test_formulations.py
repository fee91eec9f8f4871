"""The registry of formulations, and the table that is made of it."""

from pathlib import Path
import pickle

import numpy as np
import pytest

from mb_model import load_mechanism, make_stepper
from mb_model.integration.registry import FORMULATIONS, Formulation, kernels, number_of
from mb_model.stepping.formulation_stepper import formulations_table


def test_numbers_are_places_of_names():
    assert [one.name.lower() for one in Formulation] == list(FORMULATIONS)
    for name, kind in FORMULATIONS.items():
        assert kind.name == name
        assert kernels('accelerations')[number_of(kind)] is kind.accelerations


def test_the_page_on_simulation_has_the_table():
    page = Path(__file__).parents[3] / 'docs/how_to/simulation.md'
    assert '\n'.join(formulations_table()) in page.read_text(encoding='utf-8')


@pytest.mark.parametrize('formulation', FORMULATIONS)
def test_a_copy_of_a_stepper_goes_on_alike(formulation):
    stepper = make_stepper(load_mechanism('four_bar'), formulation)
    stepper.step(1e-3)
    text = pickle.dumps(stepper)
    other = pickle.loads(text)
    for one in (stepper, other):
        one.step(1e-3, [2.0])
    np.testing.assert_array_equal(other.q, stepper.q)
    assert b'numba' not in text      # compiled functions are found again, not copied
