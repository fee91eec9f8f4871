"""A machine's numbers from its motion and the forces of its drives: the 3-RRR robot, and arms."""

import numpy as np
import pytest
from robot_drives import ROBOT, noisy, samples

from mb_estimators import DynamicsSamples, FitError, FitRecording, FitSettings, fit
from mb_model import Mechanism
from mb_sensors import RecordedMotion

TRUTH = {'inner_mass': 1.35, 'outer_mass': 0.72, 'platform_mass': 3.4, 'platform_inertia': 0.028,
         'drive_coulomb': 0.41, 'drive_viscous': 0.14}
SETTINGS = FitSettings(held_out=0.0)
ERRORS = (1e-6, 1e-3, 0.1)


@pytest.fixture(scope='module')
def exact():
    """Samples of a robot whose parameters differ from the file's."""
    return samples(ROBOT.replace(parameters=TRUTH))


def fitted(mechanism, free, *recordings, settings=SETTINGS, **options):
    return fit(mechanism, free, [FitRecording(one) for one in recordings], settings=settings,
               **options)


def test_exact_motion_gives_exact_parameters(exact):
    found = fitted(ROBOT, ['masses', 'inertias', 'friction'], exact)
    assert found.values == pytest.approx(
        TRUTH | {f'forces.friction{k}.transition_velocity': 0.05 for k in (1, 2, 3)}, rel=1e-5)
    assert all(number.is_known for number in found.numbers)
    assert found.quality.residual.max() < 1e-4
    assert found.mechanism.parameters['platform_mass'] == pytest.approx(3.4, rel=1e-5)


def test_a_transition_velocity_which_is_not_linear_is_found_by_repetition(exact):
    wrong = ROBOT.replace(parameters=TRUTH, forces={
        f'friction{k}': {'transition_velocity': 0.08} for k in (1, 2, 3)})
    found = fitted(wrong, ['forces.friction*.transition_velocity'], exact)
    assert list(found.values.values()) == pytest.approx([0.05] * 3, rel=1e-4)


def test_deviations_are_those_of_many_noisy_recordings(exact):
    """95 % intervals hold the truth 95 times out of 100: 180 numbers, so 0.95 +- 0.016."""
    held, ratios = [], []
    for seed in range(30):
        found = fitted(ROBOT, list(TRUTH), noisy(exact, seed, 0.05, ERRORS))
        for number in found.numbers:
            held.append(abs(number.value - TRUTH[number.path]) < 1.96 * number.deviation)
            ratios.append(number.deviation / TRUTH[number.path])
    assert 0.9 <= np.mean(held) <= 0.99
    assert max(ratios) < 0.2


def test_errors_of_drives_are_separated_from_errors_of_the_motion(exact):
    """With a wrong size of either, numbers are known as well as with the right ones."""
    recording = noisy(exact, 5, 0.5, (1e-6, 1e-3, 1.0))
    free = ['bodies.platform.*', 'inner_mass', 'outer_mass', 'drive_coulomb', 'drive_viscous']
    right, wrong = (fitted(ROBOT, free, recording, settings=FitSettings(
        held_out=0.0, torque_deviation=size)) for size in (0.5, 1e-3))
    for one, other in zip(right.sums, wrong.sums, strict=True):
        assert other.deviation == pytest.approx(one.deviation, rel=0.1)
    assert wrong.solution.known.inflation < 2.0


def test_what_cannot_be_separated_is_known_as_a_sum(exact):
    """A link about a fixed axis: its inertia about that alone, whatever mass and centre are."""
    robot = ROBOT.replace(parameters=TRUTH, gravity=[0.0, 0.0], bodies={f'inner{k}': {
        'mass': 1.0, 'centre_of_gravity': [0.1, 0.0], 'inertia': 0.02} for k in (1, 2, 3)})
    found = fitted(robot, ['bodies.inner1.*'], exact)
    (one,) = found.sums
    about_joint = TRUTH['inner_mass'] * 0.3 ** 2 / 3.0
    assert one.name == 'inner1.inertia about its origin'
    assert one.others == {}
    assert one.of(found.unknown_values()) == pytest.approx(about_joint, rel=1e-5)
    assert not any(number.is_known for number in found.numbers)


def test_mass_and_inertia_of_a_held_centre_are_known_as_a_sum(exact):
    robot = ROBOT.replace(parameters=TRUTH, gravity=[0.0, 0.0], bodies={f'inner{k}': {
        'mass': 1.0, 'centre_of_gravity': [0.1, 0.0], 'inertia': 0.02} for k in (1, 2, 3)})
    found = fitted(robot, ['bodies.inner1.mass', 'bodies.inner1.inertia'], exact)
    (one,) = found.sums
    value = one.of(found.unknown_values()) * (0.01 if one.name == 'bodies.inner1.mass' else 1.0)
    assert value == pytest.approx(TRUTH['inner_mass'] * 0.3 ** 2 / 3.0, rel=1e-5)


def test_sums_that_are_known_far_better_than_their_parts_are_said():
    """Coulomb's friction each way, and a constant push: only slow instants separate them."""
    file = Mechanism({
        'name': 'slide', 'dimension': 3, 'ground': {'O': [0.0, 0.0, 0.0]},
        'bodies': {'carriage': {'mass': 50.0, 'centre_of_gravity': [0.0, 0.0, 0.0],
                                'inertia': [1.0, 1.0, 1.0], 'points': {'O': [0.0, 0.0, 0.0]}}},
        'joints': {'rail': {'kind': 'prismatic', 'bodies': ['ground', 'carriage'], 'at': 'O',
                            'axis': [1, 0, 0]}},
        'coordinates': {'x': {'kind': 'slider', 'joint': 'rail'}}, 'independent': ['x'],
        'drives': ['x'], 'forces': {
            'rub': {'kind': 'directional_friction', 'coordinate': 'x', 'viscous_forward': 50.0,
                    'viscous_backward': 50.0, 'coulomb_forward': 5.0, 'coulomb_backward': 5.0,
                    'transition_velocity': 5e-4},
            'push': {'kind': 'constant', 'coordinate': 'x', 'force': 0.1}}}, 'slide.yaml')
    true = file.replace(forces={'rub': {'coulomb_forward': 12.0, 'coulomb_backward': 9.0},
                                'push': {'force': 2.0}})
    t, random = np.arange(0.0, 20.0, 1e-2), np.random.default_rng(0)
    x, v, a = (0.05 * w * np.sin(1.3 * t + k * np.pi / 2.0)[:, None]
               for k, w in enumerate((1.0, 1.3, 1.3 ** 2)))
    force = np.array([true.inverse_dynamics(*row) for row in zip(x, v, a, strict=True)])
    recording = DynamicsSamples(RecordedMotion(np.round(1e9 * t).astype(int), x, v, a),
                                force + random.standard_normal(force.shape))
    found = fitted(file, ['friction', 'forces.push.force'], recording)
    values, exact = found.unknown_values(), found.unknown_values(true)
    own = {number.path: number.deviation for number in found.numbers}
    assert len(found.closer) == 2
    for one in found.closer:
        assert set(one.others) | {one.name} <= {
            'forces.push.force', 'forces.rub.coulomb_forward', 'forces.rub.coulomb_backward'}
        assert abs(one.of(values) - one.of(exact)) < 4.0 * one.deviation
        assert one.deviation < 0.2 * own[one.name]


def test_what_has_no_effect_keeps_what_the_file_says(exact):
    robot = ROBOT.replace(parameters=TRUTH, forces={'weight': {
        'kind': 'load', 'body': 'inner1', 'at': 'A1', 'force': [0.0, 0.0], 'moment': 0.0}})
    found = fitted(robot, ['inner_mass', 'forces.weight.force.x'], exact)
    assert found.values == pytest.approx({'inner_mass': TRUTH['inner_mass'],
                                          'forces.weight.force.x': 0.0}, rel=1e-5, abs=1e-9)
    assert [number.is_known for number in found.numbers] == [True, False]
    with pytest.raises(FitError, match='at least 60 are needed'):
        fitted(ROBOT, list(TRUTH), exact[:2])


def test_slow_motion_leaves_masses_to_the_file():
    """And finds friction beside them, within its deviations."""
    true = ROBOT.replace(parameters=TRUTH)
    believed = true.replace(parameters={'drive_coulomb': 0.3, 'drive_viscous': 0.3})
    found = fitted(believed, list(TRUTH), noisy(samples(true, pace=0.1), 0, 0.05,
                                                (1e-6, 1e-4, 1e-3)))
    known = {number.path for number in found.numbers if number.is_known}
    assert 'drive_coulomb' in known
    assert not {'platform_mass', 'platform_inertia'} & known
    for number in found.numbers:
        if number.is_known:
            assert abs(number.value - TRUTH[number.path]) < 4.0 * number.deviation


def test_friction_that_is_absent_is_found_absent():
    true = {**TRUTH, 'drive_coulomb': 0.0, 'drive_viscous': 0.0}
    recording = noisy(samples(ROBOT.replace(parameters=true)), 1, 0.05, ERRORS)
    found = fitted(ROBOT, list(TRUTH), recording)
    for name in ('drive_coulomb', 'drive_viscous'):
        assert 0.0 <= found.values[name] < 0.02
    assert found.values['platform_mass'] == pytest.approx(3.4, rel=0.03)


def test_gains_and_offsets_of_drives_are_found_beside_a_known_load(exact):
    gains, offsets = np.array([1.1, 0.9, 1.05]), np.array([0.2, -0.1, 0.0])
    recording = type(exact)(exact.motion, (exact.torques - offsets) / gains)
    found = fitted(ROBOT.replace(parameters=TRUTH), ['gains', 'offsets', 'friction'], recording)
    for k in range(3):
        assert found.values[f'known_forces.drive{k + 1}.gain'] == pytest.approx(gains[k], rel=1e-5)
        assert found.values[f'known_forces.drive{k + 1}.offset'] == pytest.approx(
            offsets[k], abs=1e-5)
    assert found.notes == ()


def test_a_common_factor_of_gains_and_masses_is_said_to_be_open(exact):
    recording = noisy(exact, 2, 0.05, ERRORS)
    found = fitted(ROBOT, ['gains', *TRUTH], recording)
    assert any('up to a common factor' in note for note in found.notes)
    anchored = fitted(ROBOT, ['gains', *TRUTH], recording, priors={'inner_mass': 1e-6})
    ratio = anchored.values['platform_mass'] / anchored.values['inner_mass']
    assert ratio == pytest.approx(TRUTH['platform_mass'] / TRUTH['inner_mass'], rel=0.1)


def test_two_bags_weigh_a_load_that_one_of_them_lacks():
    """Platform and load are one body to a bag alone."""
    robot = ROBOT.replace(parameters=TRUTH)
    heavy = robot.replace(parameters={'platform_mass': 5.4})
    recordings = [FitRecording(noisy(samples(robot), 3, 0.05, ERRORS), {'platform_mass': 3.4}),
                  FitRecording(noisy(samples(heavy), 4, 0.05, ERRORS))]
    found = fit(ROBOT, list(TRUTH), recordings, settings=SETTINGS)
    assert found.values['platform_mass'] == pytest.approx(5.4, rel=0.03)
    assert found.values['inner_mass'] == pytest.approx(TRUTH['inner_mass'], rel=0.05)


def test_forces_of_the_wrong_sign_are_said(exact):
    """A machine of negative mass would fit them."""
    found = fitted(ROBOT, list(TRUTH), type(exact)(exact.motion, -exact.torques))
    assert any(note.startswith('drive2: residuals are ') for note in found.notes)
    assert fitted(ROBOT, list(TRUTH), noisy(exact, 7, 0.05, ERRORS)).notes == ()


@pytest.mark.parametrize(('free', 'words'), [
    (['weights'], '--free weights: expected some of masses, inertias, friction'),
    (['bodies.inner9.mass'], '--free bodies.inner9.mass: expected some of'),
    (['springs'], '--free springs: three_rrr has none in its file')])
def test_what_cannot_be_free_is_said(exact, free, words):
    with pytest.raises(FitError, match=words):
        fitted(ROBOT, free, exact)


def test_a_prior_of_what_is_not_free_is_refused(exact):
    with pytest.raises(FitError, match='--prior outer_mass: not free'):
        fitted(ROBOT, ['inner_mass'], exact, priors={'outer_mass': 0.1})
