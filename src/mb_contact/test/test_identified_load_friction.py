"""Friction by load, identified: of a double pendulum, of a lever on two bags, and what is said."""

from itertools import chain

import numpy as np
import pytest

from mb_contact.friction.law import friction_force, load_law
from mb_contact.friction.of_coordinates import fit_coordinates, known_friction
from mb_contact.friction.outcome import friction_overrides, friction_text
from mb_estimators import DynamicsSamples, FitRecording, HeldTorques, fit
from mb_model import make_stepper
from mb_model.forces.kinds.load_friction import effort_for
from mb_model.mechanism import Mechanism
from mb_sensors import motion_of_encoders, sensors_of

STEP, DURATION = 2e-3, 16.0
RUB = {'kind': 'load_friction', 'coordinate': 'q', 'coulomb': 0.5, 'static': 0.5, 'viscous': 0.05,
       'load_share': 0.2, 'transition_velocity': 0.1}
LEVER = {
    'name': 'lever', 'points': {'S': {'fixed': [0, 0]}, 'H': {'start': [0.5, 0]}},
    'bodies': {'lever': {'points': {'S': [0, 0], 'H': [0.5, 0]}, 'mass': 2.0,
                         'centre_of_gravity': [0.4, 0], 'inertia': 0.03}},
    'coordinates': {'q': {'kind': 'angle', 'body': 'lever'}}, 'forces': {'rub': RUB},
    'independent': ['q'], 'drives': ['q'], 'start': {'q': 0},
    'sensors': {'encoder': {'kind': 'angle_encoder', 'body': 'lever', 'sigma': 1e-4,
                            'rate': 500.0}}}


def lever(**changes):
    """Return the lever, with changes of its friction."""
    return Mechanism(LEVER | {'forces': {'rub': RUB | changes}}, 'lever.yaml')


def recorded(mechanism, seed, drive, middle):
    """Return DynamicsSamples of a lever from an angle on; drive(t, phases (2), z, zd): torque."""
    rng, readings, torques = np.random.default_rng(seed), [], []
    stepper, phases = make_stepper(mechanism), rng.uniform(0.0, 6.0, 2)
    stepper.reset([middle], [0.0])
    for k in range(int(DURATION / STEP)):
        torque = drive(k * STEP, phases, stepper.z, stepper.zd)
        for _ in range(4):
            stepper.step(STEP / 4.0, torque)
        torques.append(torque + 0.02 * rng.standard_normal(1))
        readings.append(stepper.z + 1e-4 * rng.standard_normal(1))
    stamps = np.round(1e9 * STEP * (1 + np.arange(len(readings)))).astype(np.int64)
    held = HeldTorques(stamps - int(1e9 * STEP), np.array(torques))
    motion = motion_of_encoders(mechanism, sensors_of(mechanism, ['encoder']), stamps,
                                np.array(readings), 0.02)
    motion = motion[held.known(motion.stamps)]
    return DynamicsSamples(motion, held.around(motion.stamps))


def swinging(mechanism, seed):
    """Return DynamicsSamples of the hanging lever under torques of two frequencies."""
    def drive(t, phases, z, zd):
        return np.array([4.0 * np.sin(1.7 * t + phases[0]) + 2.5 * np.sin(4.1 * t + phases[1])])
    return recorded(mechanism, seed, drive, -0.5 * np.pi)


def held_about(mechanism, seed, middle, swing):
    """Return DynamicsSamples of the lever that a controller moves about an angle."""
    def drive(t, phases, z, zd):
        wanted = middle + swing * (np.sin(1.3 * t + phases[0]) + 0.4 * np.sin(2.9 * t + phases[1]))
        return 60.0 * (wanted - z) - 4.0 * zd
    return recorded(mechanism, seed, drive, middle)


@pytest.mark.parametrize('changes', [{}, {'load_share_driven': 0.08}], ids=['one share', 'two'])
def test_shares_are_found_within_their_deviations(changes):
    mechanism, errors = lever(**changes), []
    truth = known_friction(mechanism, 'rub')
    shares = [name for name in truth if name.startswith('load_share')]
    assert len(shares) == 1 + len(changes)
    for seed in range(5):
        fit = fit_coordinates(mechanism, ['rub'], [swinging(mechanism, seed)], ['q'],
                              keep=False)['rub']
        errors.append([(fit.parameters[key] - truth[key]) / fit.deviations[key]
                       for key in truth])
        for share in shares:
            assert fit.parameters[share] == pytest.approx(truth[share], abs=0.02)
            assert fit.deviations[share] < 0.02
    assert np.mean(np.abs(errors) < 1.96) > 0.85
    assert np.sqrt(np.mean(np.square(np.clip(errors, -4.0, 4.0)))) < 1.6


def test_it_is_found_among_all_parameters_of_the_dynamics():
    mechanism = lever()
    names = ['bodies.lever.mass', 'forces.rub.coulomb', 'forces.rub.load_share']
    wrong = lever(coulomb=0.3, load_share=0.1).replace(bodies={'lever': {'mass': 1.8}})
    found = fit(wrong, names, [FitRecording(swinging(mechanism, seed)) for seed in (1, 2)], ['q'])
    for name, value in zip(names, (2.0, 0.5, 0.2), strict=True):
        assert found.values[name] == pytest.approx(value, rel=0.05)


def test_two_bags_and_one_law():
    """Level and hanging: friction by load fits both; Coulomb's law does not, and says so."""
    truth = lever()
    bags = [held_about(truth, 1, 0.0, 0.2), held_about(truth, 2, -0.5 * np.pi, 0.2)]
    fit = fit_coordinates(truth, ['rub'], bags, ['q'])['rub']
    assert [fit.parameters['coulomb'], fit.parameters['load_share']] == pytest.approx(
        [0.5, 0.2], abs=0.03)
    assert fit.notes == ()
    assert friction_overrides({'rub': fit})['forces']['rub']['load_share'] == pytest.approx(
        0.2, abs=0.01)
    plain = Mechanism(LEVER | {'forces': {'rub': {
        'kind': 'friction', 'coordinate': 'q', 'coulomb': 1.0, 'viscous': 0.1,
        'transition_velocity': 0.1}}}, 'lever.yaml')
    fit = fit_coordinates(plain, ['rub'], bags, ['q'])['rub']
    note, = fit.notes
    assert note.startswith('friction grows with the load that the drive carries, by about 0.2')
    assert note in friction_text({'rub': fit}, 'lever.yaml')
    one_way = fit_coordinates(plain, ['rub'], [swinging(plain, 3)], ['q'])['rub']
    assert one_way.notes == ()


def test_a_load_that_hardly_changes_leaves_its_share_open():
    mechanism = lever()
    fit = fit_coordinates(mechanism, ['rub'], [held_about(mechanism, 1, 0.0, 0.1)], ['q'])['rub']
    assert 'load_share' in fit.kept
    assert any(doubt.text.startswith('load_share: the load changes by') for doubt in fit.doubts)


@pytest.mark.parametrize(('load', 'v'), list(chain.from_iterable(
    [(load, v) for v in (-2.0, -0.05, 0.02, 1.0)] for load in (-3.0, 2.0))))
def test_the_law_is_that_of_the_model(load, v):
    values = np.array([2.0, 3.0, 0.4, 0.5, 0.2, 0.1])
    law, at, w = load_law(angle=True, driven=True), np.array([v]), np.array([v / 0.5])
    parameters = dict(zip(('coulomb', 'static', 'viscous', 'transition_velocity', 'load_share',
                           'load_share_driven'), values.tolist(), strict=True))
    of_load, nothing, h = np.array([load]), np.zeros(1), 1e-6
    assert friction_force(parameters, at, of_load, nothing, law)[0] == pytest.approx(
        effort_for(values, load, v) - load, abs=1e-12)
    slopes = (law.terms(at, w + h, of_load, nothing) - law.terms(at, w - h, of_load, nothing)) / (
        2.0 * h)
    np.testing.assert_allclose(law.slopes(at, w, of_load, nothing), slopes, atol=1e-8)
