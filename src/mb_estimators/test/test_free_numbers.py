"""Which numbers of a mechanism file are free: groups, and what stays as it is."""

import numpy as np
import pytest

from mb_estimators import DynamicsSamples, FitRecording, FitSettings, fit
from mb_estimators.fitting.free_numbers import free_numbers
from mb_model import load_mechanism
from mb_model.file_api import overrides_text
from mb_sensors import RecordedMotion

SPRING = {'stiffness': 31.0, 'rest': 7.2, 'damping': 3.0}


def test_a_spring_is_fitted_by_its_keys_of_the_file_and_loads(tmp_path):
    """A drive turns the crank; what it needs is by another formulation than the fit's."""
    believed = load_mechanism('four_bar_spring_damper').replace(drives=['theta'])
    true = believed.replace(forces={'spring': SPRING})
    t = np.arange(0.0, 4.0, 0.01)
    states = [w * np.sin(2.0 * t + k * np.pi / 2.0)[:, None] + (1.0 if k == 0 else 0.0)
              for k, w in enumerate((0.5, 1.0, 2.0))]
    rows = zip(*states, strict=True)
    needed = np.array([true.inverse_dynamics(*row, formulation='index3_al') for row in rows])
    recording = DynamicsSamples(RecordedMotion(np.round(1e9 * t).astype(int), *states), needed)
    found = fit(believed, ['springs'], [FitRecording(recording)],
                settings=FitSettings(held_out=0.0))
    assert found.values == pytest.approx(
        {f'forces.spring.{key}': value for key, value in SPRING.items()}, rel=1e-5)
    file = tmp_path / 'mine.yaml'
    file.write_text(overrides_text('four_bar_spring_damper', found.overrides), encoding='utf-8')
    assert load_mechanism(str(file)).raw['forces']['spring'] == pytest.approx(
        found.mechanism.raw['forces']['spring'])


@pytest.mark.parametrize('words', [(), ('masses', 'inertias')])
def test_bodies_left_out_are_said_by_default_groups_as_by_named_ones(words):
    robot = load_mechanism('delta')
    free = free_numbers(robot, words, robot.drives)
    rods = [name for name, body in robot.bodies.items() if body.slender]
    assert len(rods) == 6
    assert free.notes == tuple(
        f'{rod} is slender: its mass properties stay as they are' for rod in rods)


def test_a_single_number_says_nothing_of_other_bodies():
    assert free_numbers(load_mechanism('delta'), ['bodies.platform.mass'], []).notes == ()
