"""The offline experiment with contacts: truth, lateness of readings, detection."""

import numpy as np
import pytest

from mb_contact.detection.contact import DetectionSettings
from mb_contact.external_force import DirectMethod
from mb_model import load_mechanism
from mb_simulation.collisions import KINDS, random_collisions
from mb_simulation.contact_experiment import LATE_IMU, ContactExperiment, simulate_robot
from mb_simulation.control import ControlSettings

SMOOTH = load_mechanism('three_rrr').replace(parameters={'drive_coulomb': 0.0})


@pytest.fixture(scope='module', params=KINDS)
def run(request):
    """Return a RobotRun with a collision; no dry friction, which slow drives have otherwise."""
    collision, = random_collisions(SMOOTH, 1, 7, kinds=(request.param,))
    return simulate_robot(collision.mechanism, collision.trajectory, collision.time + 0.03,
                          collision.obstacles, collision.act, ControlSettings(reaction='none'))


@pytest.fixture(scope='module')
def platform_run():
    """Return a RobotRun whose platform is hit."""
    collision, = random_collisions(load_mechanism('three_rrr'), 1, 8, kinds=('platform',))
    return simulate_robot(collision.mechanism, collision.trajectory, collision.time + 0.03,
                          collision.obstacles, collision.act, ControlSettings(reaction='none'))


def test_contacts_are_what_the_motion_leaves_unexplained(run):
    method = DirectMethod(run.mechanism)
    touched = np.abs(run.external).any(axis=1)
    assert touched.sum() > 10
    for k in range(1, len(run.t)):
        force = method.force(run.z[k], run.zd[k], run.zdd[k], run.torques[k])
        np.testing.assert_allclose(force, run.external[k], rtol=1e-4,
                                   atol=1e-4 * np.abs(run.external).max())


def test_first_touch_is_that_of_the_script(run):
    first = run.first_touch()
    assert abs(first - run.t[np.abs(run.external).any(axis=1)][0]) <= 1.001e-3
    assert run.first_touch(1e6) is None
    assert run.first_touch(5.0) >= first


def test_late_readings_give_the_estimates_of_prompt_ones_but_later(platform_run):
    prompt = ContactExperiment(platform_run).observe(3)
    late = ContactExperiment(platform_run, noise=LATE_IMU).observe(3)
    assert (prompt.known == prompt.stamps).all()
    last = {stamp: row for row, stamp in enumerate(late.stamps.tolist())}
    rows = np.array([last[stamp] for stamp in prompt.stamps.tolist()])
    delayed = late.known[rows] > late.stamps[rows]
    assert delayed[10:-5].all()
    delay = 1e-9 * (late.known - late.stamps)[rows][delayed]
    assert delay.min() >= 3e-3
    assert delay.max() <= 4e-3 + 1e-9
    for name in ('z', 'zd', 'zdd'):
        np.testing.assert_allclose(getattr(late, name)[rows][delayed],
                                   getattr(prompt, name)[delayed],
                                   rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(('noise', 'least', 'most'), [(None, 0.0, 1e-3), (LATE_IMU, 3e-3, 5e-3)])
def test_direct_method_detects_that_the_platform_is_hit(platform_run, noise, least, most):
    experiment = ContactExperiment(platform_run, noise=noise)
    found = experiment.detect(experiment.observe(0), DetectionSettings(method='direct'))
    assert least <= found.delay(platform_run.first_touch((7.5, 7.5, 0.5))) <= most


def test_model_of_the_detector_may_be_wrong(platform_run):
    experiment = ContactExperiment(platform_run)
    observed = experiment.observe(0)
    heavier = platform_run.mechanism.replace(parameters={'platform_mass': 9.0})
    forces = [experiment.detect(observed, DetectionSettings(method='direct'), mechanism)
              .track.force['direct'] for mechanism in (None, heavier)]
    more = np.nanmedian(np.abs(forces[1] - forces[0])[:, :2] / np.maximum(
        np.abs(observed.zdd[:, :2]), 1e-3))
    assert more == pytest.approx(6.0, rel=0.05)


def test_encoders_alone_give_pose_and_velocity(platform_run):
    experiment = ContactExperiment(platform_run)
    seen = experiment.differentiate(0)
    assert np.abs(seen.z - platform_run.z)[:, :2].max() < 3e-5
    halfway = 0.5 * (platform_run.zd[1:] + platform_run.zd[:-1])
    assert np.abs(seen.zd[1:] - halfway).std(axis=0)[:2].max() < 1e-2
