"""Friction on coordinates from encoders and torques: its parameters, and their intervals."""

import numpy as np
import pytest

from mb_contact.arguments import ContactError
from mb_contact.commands import identify_friction
from mb_contact.friction.law import coordinate_law, friction_force
from mb_contact.friction.of_coordinates import fit_coordinates, friction_on, known_friction
from mb_contact.friction.outcome import friction_overrides
from mb_estimators import DynamicsSamples, HeldTorques
from mb_model import load_mechanism, make_stepper
from mb_model.forces.kinds.directional_friction import force
from mb_model.mechanism import Mechanism
from mb_sensors import motion_of_encoders, sensors_of

STEP, DURATION, SIGMA = 2e-3, 16.0, 2e-4          # s, s, rad
ENCODERS = ['shoulder_encoder', 'elbow_encoder']
FORCES = ('shoulder_friction', 'elbow_friction')
WAYS = {'coulomb_forward': 0.16, 'coulomb_backward': 0.11, 'viscous_forward': 0.01,
        'viscous_backward': 0.02, 'transition_velocity': 0.3}


def machine():
    """Return the double pendulum with friction that differs by direction in its shoulder."""
    mechanism = load_mechanism('geared_double_pendulum')
    raw = {**mechanism.raw, 'forces': {
        'shoulder_friction': {'kind': 'directional_friction', 'coordinate': 'shoulder'} | WAYS,
        'elbow_friction': {'kind': 'friction', 'coordinate': 'elbow', 'coulomb': 0.1,
                           'static': 0.15, 'viscous': 0.005, 'transition_velocity': 0.3}}}
    return Mechanism(raw, 'machine.yaml')


def recorded(mechanism, seed):
    """Return DynamicsSamples of a swinging machine, from noisy encoders and noisy torques."""
    rng, stepper, torques, readings = np.random.default_rng(seed), make_stepper(mechanism), [], []
    phase = rng.uniform(0.0, 6.0, 4)
    for k in range(int(DURATION / STEP)):
        t = k * STEP
        torque = np.array([1.3 * np.sin(2.1 * t + phase[0]) + 0.6 * np.sin(4.7 * t + phase[1]),
                           0.5 * np.sin(3.3 * t + phase[2]) + 0.3 * np.sin(7.9 * t + phase[3])])
        for _ in range(4):
            stepper.step(STEP / 4.0, torque)
        torques.append(torque + 0.02 * rng.standard_normal(2))
        readings.append(stepper.z + SIGMA * rng.standard_normal(2))
    stamps = np.round(1e9 * STEP * (1 + np.arange(len(readings)))).astype(np.int64)
    # a torque holds until its stamp, as a step has it
    held = HeldTorques(stamps - int(1e9 * STEP), np.array(torques))
    motion = motion_of_encoders(mechanism, sensors_of(mechanism, ENCODERS), stamps,
                                np.array(readings), 0.02)
    motion = motion[held.known(motion.stamps)]
    return DynamicsSamples(motion, held.around(motion.stamps))


@pytest.mark.whole
def test_friction_is_found_within_its_deviations():
    mechanism, errors = machine(), []
    truth = {name: known_friction(mechanism, name) for name in FORCES}
    for seed in range(6):
        fits = fit_coordinates(mechanism, FORCES, [recorded(mechanism, seed)],
                               ('shoulder', 'elbow'), keep=False)
        for name, fit in fits.items():
            for key in fit.law.parameters:
                errors.append((fit.parameters[key] - truth[name][key]) / fit.deviations[key])
        assert fits['shoulder_friction'].parameters['coulomb_forward'] == pytest.approx(
            0.16, abs=0.03)
    held = np.mean(np.abs(errors) < 1.96)
    assert held > 0.88
    assert 0.5 < np.sqrt(np.mean(np.square(np.clip(errors, -4.0, 4.0)))) < 1.6


def test_what_is_found_is_written_to_the_forces_of_the_file():
    mechanism = machine()
    fits = fit_coordinates(mechanism, FORCES, [recorded(mechanism, 1)], ('shoulder', 'elbow'))
    overrides = friction_overrides(fits)
    assert set(overrides['forces']) == set(FORCES)
    mine = mechanism.replace(**overrides)
    for key, value in overrides['forces']['shoulder_friction'].items():
        assert mine.raw['forces']['shoulder_friction'][key] == value


@pytest.mark.parametrize('v', [-2.0, -0.2, 0.05, 1.0])
def test_laws_are_those_of_the_model(v):
    values = np.array([2.0, 1.0, 3.0, 1.5, 0.4, 0.6, 0.5])
    law = coordinate_law(angle=True, directional=True)
    parameters = dict(zip((*law.linear, 'transition_velocity'), values.tolist(), strict=True))
    nothing = np.zeros(1)
    assert friction_force(parameters, np.array([v]), nothing, nothing, law)[0] == pytest.approx(
        -force(values, v)[0], abs=1e-12)
    w, h = np.array([v / 0.5]), 1e-6
    slopes = (law.terms(np.array([v]), w + h) - law.terms(np.array([v]), w - h)) / (2.0 * h)
    np.testing.assert_allclose(law.slopes(np.array([v]), w), slopes, atol=1e-8)


def test_a_force_that_is_no_friction_is_refused(tmp_path, capsys):
    with pytest.raises(ContactError, match=r'forces.drive: expected friction or directional_fric'):
        friction_on(load_mechanism('racing_car'), 'drive')
    assert identify_friction.main([
        str(tmp_path), '--mechanism', 'geared_double_pendulum', '--forces', 'shoulder_friction',
        '--sensors', *ENCODERS, '--output', str(tmp_path / 'a.yaml')]) == 2
    assert 'Traceback' not in capsys.readouterr().err
