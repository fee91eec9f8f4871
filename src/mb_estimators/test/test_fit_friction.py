"""Friction with its velocity, from encoders and forces of drives: numbers, and their intervals."""

from friction_drives import held_lever, lever, pendulum, swinging_lever, swinging_pendulum
import numpy as np
import pytest

from mb_estimators import DynamicsSamples, FitRecording, FitSettings, fit
from mb_model import Mechanism
from mb_sensors import RecordedMotion

SETTINGS = FitSettings(held_out=0.0)


def errors_of(found, mechanism):
    """Return the errors of fitted numbers in their deviations, by path."""
    true = dict(zip([one.path for one in found.numbers], mechanism.parameter_records(
        [one.path for one in found.numbers])['value'], strict=True))
    return {one.path: (one.value - true[one.path]) / one.deviation for one in found.numbers}


@pytest.mark.whole
def test_friction_is_found_within_its_deviations_from_a_file_that_is_far_off():
    """By direction, with a peak, at velocities of a tenth and of three times the file's."""
    mechanism, errors = pendulum(), []
    file = mechanism.replace(forces={
        'shoulder_friction': {'coulomb_forward': 0.05, 'coulomb_backward': 0.05,
                              'viscous_forward': 0.0, 'transition_velocity': 0.03},
        'elbow_friction': {'coulomb': 0.05, 'static': 0.05, 'transition_velocity': 1.0}})
    for seed in range(6):
        found = fit(file, ['friction'], [FitRecording(swinging_pendulum(mechanism, seed))],
                    ['shoulder', 'elbow'], SETTINGS)
        errors += errors_of(found, mechanism).values()
        assert found.values['forces.elbow_friction.transition_velocity'] == pytest.approx(
            0.3, rel=0.6)
        assert found.values['forces.shoulder_friction.coulomb_forward'] == pytest.approx(
            0.16, abs=0.03)
    assert len(errors) >= 48
    assert np.mean(np.abs(errors) < 1.96) > 0.8
    assert np.sqrt(np.mean(np.square(np.clip(errors, -4.0, 4.0)))) < 1.6


@pytest.mark.parametrize('changes', [{}, {'load_share_driven': 0.08}], ids=['one share', 'two'])
def test_shares_of_the_load_are_found(changes):
    mechanism = lever(**changes)
    file = mechanism.replace(forces={'rub': {'load_share': 0.1, 'transition_velocity': 0.02}})
    found = fit(file, ['friction'], [FitRecording(swinging_lever(mechanism, 3))], ['q'], SETTINGS)
    for key, value in ({'load_share': 0.2} | changes).items():
        assert found.values[f'forces.rub.{key}'] == pytest.approx(value, abs=0.02)
    assert np.mean(np.abs(list(errors_of(found, mechanism).values())) < 1.96) > 0.6


def test_two_bags_and_one_law():
    """Level and hanging: friction by load fits both; Coulomb's law does not, and the fit says so.
    """
    truth = lever()
    bags = [FitRecording(held_lever(truth, 1, 0.0, 0.2)),
            FitRecording(held_lever(truth, 2, -0.5 * np.pi, 0.2))]
    file = truth.replace(forces={'rub': {'coulomb': 1.0, 'static': 1.0, 'load_share': 0.05}})
    found = fit(file, ['friction'], bags, ['q'], SETTINGS)
    assert [found.values['forces.rub.coulomb'], found.values['forces.rub.load_share']] == (
        pytest.approx([0.5, 0.2], abs=0.03))
    assert found.notes == ()
    plain = Mechanism(truth.raw | {'forces': {'rub': {
        'kind': 'friction', 'coordinate': 'q', 'coulomb': 1.0, 'viscous': 0.1,
        'transition_velocity': 0.1}}}, 'lever.yaml')
    note, = fit(plain, ['friction'], bags, ['q'], SETTINGS).notes
    assert note.startswith(
        'forces.rub: friction grows with the load that the drive carries, by about 0.19 of it')


def slide(**friction):
    """Return a carriage that rubs on its rail."""
    return Mechanism({
        'name': 'slide', 'dimension': 3, 'ground': {'O': [0.0, 0.0, 0.0]},
        'bodies': {'carriage': {'mass': 40.0, 'centre_of_gravity': [0.0, 0.0, 0.0],
                                'inertia': [1.0, 1.0, 1.0], 'points': {'O': [0.0, 0.0, 0.0]}}},
        'joints': {'rail': {'kind': 'prismatic', 'bodies': ['ground', 'carriage'], 'at': 'O',
                            'axis': [1, 0, 0]}},
        'coordinates': {'x': {'kind': 'slider', 'joint': 'rail'}}, 'independent': ['x'],
        'drives': ['x'], 'forces': {'rub': {'kind': 'friction', 'coordinate': 'x'} | friction}},
        'slide.yaml')


def moved(mechanism, x, v, a, t, seed=0):
    """Return DynamicsSamples of an exact motion (k) with a noise of 1 N."""
    force = np.array([mechanism.inverse_dynamics([one], [two], [three])
                      for one, two, three in zip(x, v, a, strict=True)])
    return DynamicsSamples(RecordedMotion(np.round(1e9 * t).astype(int), x[:, None], v[:, None],
                                          a[:, None]),
                           force + np.random.default_rng(seed).standard_normal(force.shape))


def test_what_a_fast_motion_does_not_show_stays_as_in_the_file():
    """To and fro at .3 m/s with turns of 30 ms: hardly ever as slow as 0.1 mm/s."""
    t = np.arange(0.0, 12.0, 2e-3)
    v = 0.3 * np.tanh(30.0 * np.sin(2.0 * np.pi * t / 3.0))
    a = np.gradient(v, t)
    true = slide(coulomb=12.0, static=16.0, viscous=60.0, transition_velocity=1e-4)
    file = slide(coulomb=5.0, static=7.0, viscous=30.0, transition_velocity=2e-4)
    found = fit(file, ['masses', 'friction'],
                [FitRecording(moved(true, np.cumsum(v) * 2e-3, v, a, t))], settings=SETTINGS)
    assert found.notes == ('forces.rub.transition_velocity: as in the file, no motion is so slow '
                           'that it would show',)
    known = {one.path.rpartition('.')[2]: one for one in found.numbers}
    assert known['coulomb'].value == pytest.approx(12.0, abs=0.3)
    assert known['viscous'].value == pytest.approx(60.0, rel=0.03)
    assert not known['static'].is_known
    assert known['mass'].value == pytest.approx(40.0, rel=0.01)


def test_slow_turns_show_the_peak_and_its_velocity():
    """In another valley of the cost than the file's."""
    t = np.arange(0.0, 24.0, 2e-3)
    w = 2.0 * np.pi / 8.0
    x, v, a = (0.1 / w * part for part in (
        -np.cos(w * t), w * np.sin(w * t), w * w * np.cos(w * t)))
    true = slide(coulomb=12.0, static=20.0, viscous=60.0, transition_velocity=4e-3)
    for transition in (2e-4, 0.1):
        file = slide(coulomb=5.0, static=5.0, viscous=30.0, transition_velocity=transition)
        found = fit(file, ['friction'], [FitRecording(moved(true, x, v, a, t))], settings=SETTINGS)
        assert found.notes == ()
        assert all(one.is_known for one in found.numbers)
        assert np.abs(list(errors_of(found, true).values())).max() < 4.0


def test_without_a_word_velocities_stay_as_in_the_file():
    t = np.arange(0.0, 8.0, 1e-2)
    file = slide(coulomb=5.0, viscous=30.0, transition_velocity=4e-3)
    samples = moved(file, 0.1 * np.sin(t), 0.1 * np.cos(t), -0.1 * np.sin(t), t)
    found = fit(file, [], [FitRecording(samples)], settings=SETTINGS)
    assert {'forces.rub.coulomb', 'forces.rub.viscous', 'bodies.carriage.mass'} <= set(found.values)
    assert 'forces.rub.transition_velocity' not in found.values
