"""The registry of formulations, and the table that is made of it."""

from pathlib import Path

from mb_model.integration.registry import FORMULATIONS, Formulation, kernels, number_of
from mb_model.stepping.table import formulations_table


def test_numbers_are_places_of_names():
    assert [one.name.lower() for one in Formulation] == list(FORMULATIONS)
    for name, kind in FORMULATIONS.items():
        assert kind.name == name
        assert kernels('accelerations')[number_of(kind)] is kind.accelerations


def test_the_readme_has_the_table():
    readme = Path(__file__).parents[1] / 'README.md'
    assert '\n'.join(formulations_table()) in readme.read_text(encoding='utf-8')
