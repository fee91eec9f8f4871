"""Friction fitted to samples whose law is known."""

from dataclasses import replace
from math import tanh

from friction_data import DURATION, TRUTH, samples
import numpy as np
import pytest

from mb_contact.friction.fit import fit_friction
from mb_contact.friction.law import CYLINDER, friction_force
from mb_contact.friction.outcome import draw_friction, friction_overrides
from mb_contact.friction.samples import joined


def test_law_at_known_velocities():
    # At the transition velocity the bump is 1; far beyond it is gone.
    p, rod = np.array([6e6]), np.array([2e6])
    at = friction_force(TRUTH, np.array([5e-3]), p, rod)
    assert at == pytest.approx(
        (250.0 + 4e6 * 3e-5 + 2e6 * 5e-5) * tanh(4.0) + 150.0 + 2000.0 * 5e-3)
    far = friction_force(TRUTH, np.array([-5.0]), p, rod)
    assert far == pytest.approx(-250.0 - 1e4 - 120.0 - 100.0, rel=1e-6)


def test_parameters_within_their_deviations():
    errors = []
    for seed in range(6):
        fit = fit_friction(joined([samples(seed), samples(50 + seed, load_pressure=5e6)]))
        errors.append([(fit.parameters[name] - TRUTH[name]) / fit.deviations[name]
                       for name in CYLINDER.parameters])
        assert all(fit.deviations[name] < 0.15 * TRUTH[name] for name in CYLINDER.parameters)
        assert fit.doubts == ()
    # Numbers of about unit variance, three or so of each fit's six independent of the others: with
    # 18 of them the mean square is above 2.5 once in a thousand times.
    assert np.abs(errors).max() < 4.0
    assert 0.3 < np.mean(np.square(errors)) < 2.5


def test_curve_is_good_where_parameters_are_doubtful():
    fit = fit_friction(samples(3))
    velocity = np.r_[-0.06:-4e-3:30j, 4e-3:0.06:30j]
    rod = 1e6 + 2e7 * np.abs(velocity)
    piston = 2e6 + 0.6 * rod + 4e7 * np.maximum(velocity, 0.0)
    true = friction_force(TRUTH, velocity, piston, rod)
    assert fit.force(velocity, piston, rod) == pytest.approx(true, rel=0.04)


def test_spikes_hardly_move_the_fit():
    clean = joined([samples(1), samples(51, load_pressure=5e6)])
    spiked = clean.force.copy()
    random = np.random.default_rng(0)
    hit = random.choice(len(spiked), len(spiked) // 20, replace=False)
    spiked[hit] += 5000.0
    fit, spoiled = fit_friction(clean), fit_friction(replace(clean, force=spiked))
    for name in CYLINDER.parameters:
        assert abs(spoiled.parameters[name] - fit.parameters[name]) < 2.5 * fit.deviations[name]


def test_data_that_do_not_determine_the_curve():
    slow = fit_friction(samples(2, fastest=4e-3))
    assert any('move faster' in reason for reason in slow.disowned)
    unloaded = samples(2)
    still = replace(unloaded, rod_pressure=np.full(len(unloaded), 1e6))
    assert 'rod_pressure' in [doubt.parameter for doubt in fit_friction(still).doubts]
    with pytest.raises(ValueError, match='samples of a moving piston: at least 60'):
        fit_friction(unloaded[unloaded.t > 0.9 * DURATION])
    out = fit_friction(unloaded[unloaded.velocity > -1e-3])
    assert any('hardly moves in:' in reason for reason in out.disowned)


def test_what_is_hardly_determined_keeps_its_value():
    """And the rest is fitted beside it: with true values kept, what is fitted is nearer to them."""
    unloaded = samples(2)
    still = replace(unloaded, rod_pressure=np.full(len(unloaded), 1e6))
    free, fit = fit_friction(still), fit_friction(still, known=TRUTH)
    assert 'rod_pressure' in fit.kept
    for name in fit.kept:
        assert name not in fit.deviations
        assert [name in doubt.text and 'keeps' in doubt.text for doubt in fit.doubts].count(True)
        if name != 'static':
            assert fit.parameters[name] == TRUTH[name]
    for name, deviation in fit.deviations.items():
        assert deviation < 1.01 * free.deviations[name]
        assert abs(fit.parameters[name] - TRUTH[name]) < 4.0 * deviation
    overrides = friction_overrides({'lift': fit})['hydraulics']['cylinders']['lift']['friction']
    assert set(overrides) == set(CYLINDER.parameters) - set(fit.kept)


def test_excess_of_static_friction_is_kept():
    """It rides on the Coulomb friction that is fitted, and never falls below it."""
    fast = samples(2)
    fast = fast[np.abs(fast.velocity) > 4.0 * TRUTH['transition_velocity']]
    fit = fit_friction(fast, known={**TRUTH, 'coulomb': 100.0, 'static': 180.0})
    assert {'static', 'transition_velocity'} <= set(fit.kept)
    assert fit.parameters['static'] == pytest.approx(fit.parameters['coulomb'] + 80.0)
    assert fit.disowned == ()


def test_a_value_that_is_certainly_wrong_is_not_kept():
    """Nothing of a term that is truly absent: relatively uncertain, but not what was thought."""
    true = {**TRUTH, 'viscous': 0.0}
    made = [samples(seed, pressure, truth=true) for seed, pressure in ((3, 0.0), (53, 5e6))]
    fit = fit_friction(joined(made), known={**TRUTH, 'viscous': 4000.0})
    assert 'viscous' not in fit.kept
    assert fit.parameters['viscous'] < 400.0


def test_picture(tmp_path):
    draw_friction({'lift': fit_friction(samples(0))}, tmp_path / 'friction.png')
    assert (tmp_path / 'friction.png').stat().st_size > 20_000
