"""The deliberately wrong model."""

from math import pi

import numpy as np
import pytest

from mb_model import ModelErrors, apply_model_errors
from mb_model.mechanism_file.description import MechanismError


def test_errors_of_the_benchmark(four_bar, five_bar):
    wrong = apply_model_errors(four_bar, {'gravity': -1.0, 'z0': pi / 16})
    np.testing.assert_allclose(wrong.gravity, [0.0, -8.81])
    np.testing.assert_allclose(wrong.z0, [pi / 3 + pi / 16])
    assert wrong.closing_error(wrong.q0) < 1e-12
    wrong = apply_model_errors(five_bar, ModelErrors(gravity=-1.0, z0=pi / 16))
    np.testing.assert_allclose(wrong.z0, [pi / 16, pi + pi / 16])
    np.testing.assert_allclose(wrong.gravity, [0.0, -8.81])


def test_the_direction_of_gravity_is_kept(four_bar):
    tilted = four_bar.replace(gravity=[3.0, -4.0])
    np.testing.assert_allclose(apply_model_errors(tilted, {'gravity': 5.0}).gravity, [6.0, -8.0])
    floating = four_bar.replace(gravity=[0.0, 0.0])
    np.testing.assert_allclose(apply_model_errors(floating, ModelErrors()).gravity, 0.0)
    with pytest.raises(MechanismError, match=r'model_errors.gravity: -1.0 cannot be added'):
        apply_model_errors(floating, {'gravity': -1.0})


def test_anything_of_the_file_may_be_wrong(four_bar, five_bar):
    assert apply_model_errors(four_bar, {}) is four_bar
    wrong = apply_model_errors(four_bar, {'bodies': {'coupler': {'mass': 9.0}}, 'gravity': [0, -1]})
    assert wrong.bodies['coupler'].mass == 9.0
    assert wrong.bodies['coupler'].length == 8.0
    np.testing.assert_allclose(wrong.gravity, [0.0, -1.0])
    np.testing.assert_allclose(apply_model_errors(five_bar, {'z0': [0.1, -0.1]}).z0,
                               [0.1, pi - 0.1])
    with pytest.raises(MechanismError, match='must be one number or 2'):
        apply_model_errors(five_bar, {'z0': [0.1, 0.2, 0.3]})
