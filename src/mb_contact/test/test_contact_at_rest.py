"""Contacts with a machine that stands, of which static friction of its drives keeps a share."""

from contact_states import robot, standing
import numpy as np
import pytest

from mb_contact.detection.contact import DetectionSettings
from mb_contact.detection.detector import ContactDetector

PUSH, KEPT = 60.0, 10.0           # N, of which the robot counts 7.5 N as a contact
PUSHES = [(50, 90), (190, 230), (330, 370)]     # ms


def pushed(pushes=PUSHES, kept=KEPT, rows=480):
    """Return states of a robot that stands and is pushed; after the first push, a share stays."""
    force = np.zeros((rows, 3))
    force[pushes[0][0]:, 0] = kept
    for begin, end in pushes:
        force[begin:end, 0] = PUSH
    return standing(force)


def judged(states, **settings):
    chosen = {'method': 'direct', 'rest_time': 0.03, 'holding_time': 0.005} | settings
    detector = ContactDetector(robot(), settings=DetectionSettings(**chosen))
    when, z, zd, zdd, torques = states
    return detector.run(when, z, zd, zdd, None, torques)


@pytest.mark.parametrize('sign', [1.0, -1.0])
def test_each_push_is_a_contact_that_ends_soon_after_it(sign):
    when, z, zd, zdd, torques = pushed()
    track = judged((when, z, zd, sign * zdd + (1.0 - sign) * zdd[0], torques))
    assert track.beginnings.tolist() == [begin for begin, _ in PUSHES]
    ends = np.flatnonzero(np.diff(track.detected.astype(int)) < 0) + 1
    first, *others = ends.tolist()
    assert first == 90 + 30                         # rest_time after the force has fallen
    assert others == [end + 4 for _, end in PUSHES[1:]]     # what is kept is no contact
    np.testing.assert_allclose(track.force['direct'][-1, 0], sign * KEPT, atol=1e-8)


@pytest.mark.parametrize(('changes', 'settings'), [
    ({'kept': PUSH}, {}),                           # who pushes on
    ({'kept': 0.4 * PUSH}, {}),                     # who pushes on, but less
    ({'kept': 0.4 * PUSH}, {'kept_share': 0.39}),
    ({}, {'rest_velocity': 0.0})])
def test_what_is_not_kept_by_friction_lasts(changes, settings):
    track = judged(pushed([(50, 90)], **changes), **settings)
    assert track.beginnings.tolist() == [50]
    assert track.detected[50:].all()


def test_a_share_above_the_usual_one_is_kept_where_settings_say_so():
    track = judged(pushed([(50, 90)], kept=0.4 * PUSH), kept_share=0.41)
    assert not track.detected[130:].any()


def test_a_machine_that_moved_in_a_contact_may_be_clamped():
    when, z, zd, zdd, torques = pushed([(50, 90)])
    zd[52:55, 0] = 0.02
    assert judged((when, z, zd, zdd, torques)).detected[50:].all()


def test_what_wavers_is_no_rest():
    when, z, zd, zdd, torques = pushed([(50, 90)], kept=0.2 * PUSH)
    zdd[90:] += 0.7 * np.sin(0.4 * np.arange(len(zdd) - 90))[:, None] * (zdd[-1] - zdd[0])
    assert judged((when, z, zd, zdd, torques)).detected[50:].all()


def test_a_machine_that_moves_again_keeps_nothing():
    when, z, zd, zdd, torques = pushed([(50, 90)])
    zd[300:, 0] = 0.02
    track = judged((when, z, zd, zdd, torques))
    assert not track.detected[130:300].any()
    assert 300 < track.beginnings[-1] < 320         # 10 N are beyond 7.5 N once it is forgotten
    assert track.detected[track.beginnings[-1]:].all()


def test_the_three_pushes_of_an_observer_under_noise():
    """As the direct method: an observer follows, and its noise is not the share that stays."""
    when, z, zd, zdd, torques = pushed()
    outside = np.zeros((len(zdd), 3))
    for k in range(len(zdd)):
        outside[k] = robot().inverse_dynamics(z[k], zd[k], zdd[k])
    torques = -outside + np.random.default_rng(3).normal(0.0, 0.2, outside.shape)
    track = judged((when, z, zd, np.zeros_like(zdd), torques), method='momentum_observer',
                   gain=(200.0,), rest_time=0.05)
    assert len(track.beginnings) == 3
    assert np.abs(track.beginnings - [begin for begin, _ in PUSHES]).max() < 5
