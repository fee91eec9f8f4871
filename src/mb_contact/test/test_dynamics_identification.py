"""Parameters of the 3-RRR robot from its motion and the forces of its drives."""

import numpy as np
import pytest
from robot_drives import ROBOT, noisy, samples

from mb_contact.arguments import ContactError
from mb_contact.dynamics.fit import fit_dynamics
from mb_contact.dynamics.samples import DynamicsFitSettings

TRUTH = {'inner_mass': 1.35, 'outer_mass': 0.72, 'platform_mass': 3.4, 'platform_inertia': 0.028,
         'drive_coulomb': 0.41, 'drive_viscous': 0.14}
SETTINGS = DynamicsFitSettings(settling_time=0.0)


@pytest.fixture(scope='module')
def exact():
    """Samples of a robot whose parameters differ from the file's."""
    return samples(ROBOT.replace(parameters=TRUTH))


def test_exact_motion_gives_exact_parameters(exact):
    fit = fit_dynamics(ROBOT, list(TRUTH), [exact], settings=SETTINGS)
    assert fit.parameters == pytest.approx(TRUTH, rel=1e-6)
    assert fit.doubts == ()
    assert np.abs(fit.residual).max() < 1e-5


def test_a_transition_velocity_which_is_not_linear_is_found_by_repetition(exact):
    names = [f'forces.friction{k}.transition_velocity' for k in (1, 2, 3)]
    wrong = ROBOT.replace(parameters=TRUTH, forces={
        f'friction{k}': {'transition_velocity': 0.08} for k in (1, 2, 3)})
    fit = fit_dynamics(wrong, names, [exact], settings=SETTINGS)
    assert list(fit.parameters.values()) == pytest.approx([0.05] * 3, rel=1e-4)


def test_deviations_are_those_of_many_noisy_recordings(exact):
    """95 % intervals hold the truth 95 times out of 100: 180 numbers, so 0.95 +- 0.016."""
    held, ratios = [], []
    for seed in range(30):
        fit = fit_dynamics(ROBOT, list(TRUTH), [noisy(exact, seed, 0.05, (1e-6, 1e-3, 0.1))],
                           settings=SETTINGS)
        errors = [(fit.parameters[name] - TRUTH[name]) / fit.deviations[name] for name in TRUTH]
        held += [abs(error) < 1.96 for error in errors]
        ratios += [fit.deviations[name] / TRUTH[name] for name in TRUTH]
    assert 0.9 <= np.mean(held) <= 0.99
    assert max(ratios) < 0.2


def test_what_cannot_be_separated_is_reported_as_a_sum(exact):
    """A rod's own mass shows in its inertia alone where it turns about a fixed point."""
    robot = ROBOT.replace(parameters=TRUTH, bodies={f'inner{k}': {
        'mass': 1.0, 'centre_of_gravity': [0.1, 0.0], 'inertia': 0.02} for k in (1, 2, 3)})
    names = ['bodies.inner1.mass', 'bodies.inner1.inertia', 'gravity.x']
    fit = fit_dynamics(robot.replace(gravity=[0.0, 0.0]), names[:2], [exact], settings=SETTINGS)
    (base,) = fit.base
    about_joint = TRUTH['inner_mass'] * 0.3 ** 2 / 3.0
    value = base.value(fit.parameters) * (0.01 if base.name == names[0] else 1.0)
    assert base.others == pytest.approx({names[1]: 100.0} if base.name == names[0]
                                        else {names[0]: 0.01}, rel=1e-6)
    assert value == pytest.approx(about_joint, rel=1e-5)
    assert 'cannot be separated from' in fit.doubts[0]


def test_what_has_no_effect_is_reported(exact):
    still = exact[:2]
    robot = ROBOT.replace(parameters=TRUTH, forces={'weight': {
        'kind': 'load', 'body': 'inner1', 'at': 'A1', 'force': [0.0, 0.0], 'moment': 0.0}})
    fit = fit_dynamics(robot, ['inner_mass', 'forces.weight.force.x'], [exact], settings=SETTINGS)
    assert fit.parameters == pytest.approx({'inner_mass': TRUTH['inner_mass'],
                                            'forces.weight.force.x': 0.0}, rel=1e-6)
    assert 'forces.weight.force.x: has no effect' in fit.doubts[0]
    with pytest.raises(ContactError, match='at least 60 are needed'):
        fit_dynamics(ROBOT, list(TRUTH), [still], settings=SETTINGS)


def test_what_is_hardly_determined_keeps_its_value():
    """Slow motion hardly determines masses: they stay, and friction is fitted beside them."""
    true = ROBOT.replace(parameters=TRUTH)
    believed = true.replace(parameters={'drive_coulomb': 0.3, 'drive_viscous': 0.3})
    slow = noisy(samples(true, pace=0.1), 0, 0.05, (1e-6, 1e-4, 1e-3))
    free = fit_dynamics(believed, list(TRUTH), [slow], settings=SETTINGS, keep=False)
    fit = fit_dynamics(believed, list(TRUTH), [slow], settings=SETTINGS)
    assert 'platform_inertia' in fit.kept
    assert free.disowned
    assert fit.disowned == ()
    assert set(fit.parameters) == set(TRUTH) - set(fit.kept)
    assert all(f'{name} keeps' in ' '.join(fit.doubts) for name in fit.kept)
    assert {'drive_coulomb', 'drive_viscous'} <= set(fit.parameters)
    for name in fit.parameters:
        assert abs(fit.parameters[name] - TRUTH[name]) < 4.0 * fit.deviations[name]
    alone = fit_dynamics(believed, ['platform_inertia'], [slow], settings=SETTINGS)
    assert alone.disowned == ('no parameter is determined',)
    assert alone.parameters == {}


def test_friction_that_is_absent_is_found_absent():
    """Uncertain beside its own value, but certainly not what the file says."""
    true = {**TRUTH, 'drive_coulomb': 0.0}
    exact = noisy(samples(ROBOT.replace(parameters=true)), 1, 0.05, (1e-6, 1e-3, 0.1))
    fit = fit_dynamics(ROBOT, list(TRUTH), [exact], settings=SETTINGS)
    assert 'drive_coulomb' not in fit.kept
    assert abs(fit.parameters['drive_coulomb']) < 0.02
