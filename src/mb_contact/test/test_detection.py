"""The contact detector: forces against known ones, thresholds, uncertainty, wild streams."""

from contact_states import MS, moving, robot, stamps, standing
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest

from mb_contact.arguments import ContactError
from mb_contact.detection.contact import DetectionSettings
from mb_contact.detection.detector import ContactDetector

STATE_NOISE = np.diag([1e-5] * 3 + [1e-3, 1e-3, 1e-2] + [0.06, 0.06, 1.4])
NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


def detector_of(mechanism=None, **chosen):
    return ContactDetector(mechanism or robot(), settings=DetectionSettings(**chosen))


def run(detector, states, covariance=None, rows=slice(None)):
    when, z, zd, zdd, torques = (array[rows] for array in states)
    return detector.run(when, z, zd, zdd, covariance, torques)


@pytest.mark.parametrize('gain', [20.0, 500.0])
def test_direct_method_detects_a_collision_at_once_and_the_observer_as_a_lag(gain):
    force = np.array([12.0, -5.0, 0.3])
    outside = np.outer(np.arange(120) >= 40, force)
    track = run(detector_of(gain=(gain,)), moving(outside))
    lagged = np.outer(-np.expm1(-gain * 1e-3 * np.maximum(0, np.arange(120) - 39)), force)
    np.testing.assert_allclose(track.force['direct'][1:], outside[1:], atol=1e-8)
    np.testing.assert_allclose(track.force['momentum_observer'][1:], lagged[1:], atol=2e-3)
    assert track.detected.tolist() == [False] * 40 + [True] * 80
    assert track.beginnings.tolist() == [40]
    assert set(track.method[40:]) == {'direct'}
    observer = run(detector_of(gain=(gain,), method='momentum_observer'), moving(outside))
    assert observer.beginnings.tolist() == [np.argmax(lagged[:, 0] > 7.5)]
    assert list(observer.force) == ['momentum_observer']


def test_rows_at_once_are_states_one_by_one():
    outside = np.outer(np.sin(0.1 * np.arange(60)), [20.0, 0.0, 0.0])
    states, detector = moving(outside), detector_of()
    P = np.tile(STATE_NOISE ** 2, (60, 1, 1))
    track = run(detector_of(), states, P)
    for k, (when, z, zd, zdd, torques) in enumerate(zip(*states, strict=True)):
        contact = detector.update(int(when), z, zd, zdd, P[k], torques)
        assert contact[:3] == (track.detected[k], track.since[k], track.method[k])
        assert contact.reason == track.reason[k]
        for force in contact.forces:
            np.testing.assert_array_equal(force.force, track.force[force.method][k])
            np.testing.assert_array_equal(force.covariance, track.covariance[force.method][k])
            assert force.exceeds == (np.abs(force.force) > [7.5, 7.5, 0.5]).any()
    assert track.detected.any()


def test_other_settings_go_on_where_the_detector_is():
    """The forces are as if nothing had happened; only what counts as a contact is other."""
    outside = np.outer(np.ones(80), [5.0, 0.0, 0.0])
    states, P = moving(outside), np.tile(STATE_NOISE ** 2, (80, 1, 1))
    whole, detector = run(detector_of(), states, P), detector_of()
    run(detector, states, P[:50], slice(50))
    other = detector.with_settings(DetectionSettings(direct_threshold=(4.0,)))
    track = run(other, states, P[50:], slice(50, None))
    for name in whole.force:
        np.testing.assert_array_equal(track.force[name], whole.force[name][50:])
        np.testing.assert_array_equal(track.covariance[name], whole.covariance[name][50:])
    assert not whole.detected.any()
    assert track.detected.all()
    with pytest.raises(ContactError, match='direct_threshold'):
        detector.with_settings(DetectionSettings(direct_threshold=(1.0, 2.0)))


def test_contact_ends_after_all_forces_have_been_small_for_a_while():
    along_x = [0.0, 7.4, 7.6, 5.0, 3.8, 3.7, 3.9, *[3.7] * 7, -7.6, *[0.0] * 6]
    states = standing(np.outer(along_x, [1.0, 0.0, 0.0]))
    track = run(detector_of(method='direct', holding_time=0.005), states)
    #   3.9 N is above half of 7.5 N at row 6, so that the contact lasts until 5 ms after it
    expected = [2 * int(2 <= k < 11) + 14 * int(14 <= k < 19) for k in range(21)]
    assert (track.detected * (track.since // MS - 1)).tolist() == expected
    assert track.method[1:3] == ['', 'direct']


def drawn_machine(random, body, force):
    """Return the robot with every inertia and every friction wrong by as much as these shares."""
    bodies = {}
    for name, described in robot().bodies.items():
        factor = 1.0 + body * random.normal()
        bodies[name] = {'mass': factor * described.mass}
        if name == 'platform':
            bodies[name]['inertia'] = factor * described.inertia
    return robot().replace(bodies=bodies, forces={
        f'friction{k}': {'viscous': 0.1 * (1.0 + force * random.normal())} for k in (1, 2, 3)})


@pytest.mark.parametrize('method', ['direct', 'momentum_observer'])
@pytest.mark.parametrize(('state', 'body', 'force', 'torque'), [
    (1.0, 0.0, 0.0, 0.0), (1e-4, 0.05, 0.0, 0.0), (1e-4, 0.0, 0.2, 0.0), (1e-4, 0.0, 0.0, 0.05),
    (0.3, 0.05, 0.2, 0.05)])
def test_errors_of_forces_are_as_large_as_estimated(method, state, body, force, torque):
    """Over machines that differ from the file and states that differ from the true ones."""
    random, draws, rows = np.random.default_rng(4), 40, 40
    noise = state * STATE_NOISE
    detector = detector_of(method=method, gain=(80.0,), body_uncertainty=body,
                           force_uncertainty=force, torque_deviation=torque)
    scores = []
    for _ in range(draws):
        machine = drawn_machine(random, body, force) if body + force > 0.0 else robot()
        when, *motion, torques = moving(
            np.zeros((rows, 3)), random.uniform(-1.5, 1.5, 3), machine)
        noisy = np.hstack(motion) + random.normal(size=(rows, 9)) @ noise
        detector.reset()
        track = detector.run(when, noisy[:, :3], noisy[:, 3:6], noisy[:, 6:],
                             np.tile(noise @ noise, (rows, 1, 1)),
                             torques + torque * random.normal(size=(rows, 3)))
        estimated = track.force[method][-1]
        scores.append(estimated @ np.linalg.solve(track.covariance[method][-1], estimated))
    assert np.mean(scores) == pytest.approx(3.0, abs=3.0 * np.sqrt(6.0 / draws))
    assert np.mean(np.array(scores) < 7.81) > 0.85


def test_without_covariance_of_what_a_method_uses_that_of_its_force_is_unknown():
    when, z, zd, zdd, torques = (array[:2] for array in moving(np.zeros((2, 3))))
    for states, sizes in ((0, [0, 0]), (3, [0, 0]), (6, [0, 3]), (9, [3, 3])):
        detector = detector_of()
        for k in range(2):
            contact = detector.update(
                int(when[k]), z[k], zd[k], zdd[k], 1e-8 * np.eye(states),
                    torques[k])
        assert [len(force.covariance) for force in contact.forces] == sizes


def test_corrected_estimates_of_past_instants_are_for_the_direct_method():
    """As with an IMU that is 4 ms late: the newest state does not know its accelerations."""
    guessed = np.diag([0.0] * 6 + [3.0 ** 2] * 3)
    outside = np.outer(np.arange(30) >= 15, [12.0, 0.0, 0.0])
    when, z, zd, zdd, torques = moving(outside)
    detector, contacts = detector_of(momentum_threshold=(11.0,)), []
    for k in range(30):
        newest = detector.update(int(when[k]), z[k], zd[k], 0.0 * zdd[k], guessed, torques[k])
        assert bool(newest.reason)
        assert [force.method for force in newest.forces] == ['momentum_observer'][:k]
        if k > 4:
            late = k - 4
            contacts.append(detector.update(
                int(when[late]), z[late], zd[late], zdd[late], STATE_NOISE ** 2,
                torques[late]))
    assert not any(contact.reason for contact in contacts)
    assert [contact.detected for contact in contacts] == [late >= 15 for late in range(1, 26)]
    assert contacts[-1].since == when[15]
    assert contacts[-1].method == 'direct'
    np.testing.assert_allclose(contacts[-1].forces[0].force, outside[-1], atol=1e-8)


def test_observer_does_not_take_a_filter_that_settles_for_a_contact():
    """The velocity is 0.2 m/s off until its covariance says so no more."""
    when, z, zd, zdd, torques = moving(np.zeros((40, 3)))
    P = np.tile(1e-8 * np.eye(9), (40, 1, 1))
    zd[:10, 0] += 0.2
    P[:10, 3, 3] = 0.2 ** 2
    track = detector_of(method='momentum_observer').run(when, z, zd, zdd, P, torques)
    assert not track.detected.any()
    assert np.isnan(track.force['momentum_observer'][:10]).all()
    np.testing.assert_allclose(track.force['momentum_observer'][11:], 0.0, atol=2e-3)
    careless = detector_of(method='momentum_observer').run(when, z, zd, zdd, None, torques)
    assert careless.detected.any()


def test_gaps_and_unusable_states_are_reported_and_survived():
    outside = np.outer(np.ones(40), [12.0, 0.0, 0.0])
    states, detector = moving(outside), detector_of(longest_gap=0.01)
    reasons = []
    for k, (when, z, zd, zdd, torques) in enumerate(zip(*states, strict=True)):
        if k == 10:
            zd = zd * np.nan
        if k == 11:
            z = z + 3.0
        if not 20 < k < 35:
            contact = detector.update(int(when), z, zd, zdd, None, torques)
            assert contact.detected == (k not in (0, 35))
            assert bool(contact.forces) == (not contact.reason)
            reasons.append(contact.reason)
    assert reasons[10].startswith('the state, its covariance')
    assert reasons[11].startswith('no position')
    assert {k for k, reason in enumerate(reasons) if reason} == {0, 10, 11, 21}
    assert detector.update(MS, z, zd, zdd, None, torques).reason == (
        'the stamp is not after the last one')


def test_nothing_is_judged_while_it_settles_and_the_observer_settles_meanwhile():
    """After a start and after a gap; 20 ms of a push end before the detector looks."""
    outside = np.outer(np.arange(120) < 20, [12.0, 0.0, 0.0])
    outside[70:80] = outside[0]
    states, kept = moving(outside), np.flatnonzero(np.abs(np.arange(120) - 55) > 10)
    settles = detector_of(settling_time=0.03, longest_gap=0.01)
    track, whole = (run(one, states, rows=kept) for one in (settles, detector_of(longest_gap=0.01)))
    judged = np.array([not reason for reason in track.reason])
    assert kept[judged].tolist() == [*range(30, 45), *range(96, 120)]
    assert not track.detected.any()
    assert whole.detected[1:20].all()
    for name, force in track.force.items():
        np.testing.assert_array_equal(force[judged], whole.force[name][judged])
        assert np.isnan(force[~judged]).all()
    assert 'settling_time' in track.reason[1]


@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_wild_streams_never_raise_and_are_forgotten(data):
    detector, when = detector_of(), 10_000 * MS
    for _ in range(data.draw(st.integers(1, 6))):
        when += data.draw(st.integers(-60, 60)) * MS
        arrays = [np.array(data.draw(st.lists(NUMBERS, min_size=size, max_size=3)))
                  for size in data.draw(st.sampled_from([(3, 3, 3, 3), (0, 0, 0, 0)]))]
        P = data.draw(st.sampled_from([0.0, 1.0, -1.0, np.nan, 1e200])) * np.eye(
            data.draw(st.sampled_from([0, 1, 9, 12])))
        contact = detector.update(when, *arrays[:3], P, arrays[3])
        assert contact.detected == (contact.since > 0) == (contact.method != '')
    outside = np.outer(np.arange(20) > 4, [9.0, 0.0, 0.0])
    _, *clean = moving(outside)
    later = 20_000 * MS + stamps(20)
    found, expected = (run(each, (later, *clean)) for each in (detector, detector_of()))
    np.testing.assert_allclose(found.force['direct'], expected.force['direct'], atol=1e-6)
    np.testing.assert_allclose(found.force['momentum_observer'],
                               expected.force['momentum_observer'], atol=1e-6)
    assert found.since.tolist() == expected.since.tolist()


def test_wrong_settings_are_reported():
    with pytest.raises(ContactError, match=r'direct_threshold: \[1.0, 2.0\] must be a list of one '
                                           'number, or of 3: one for each of E.x, E.y, turn'):
        detector_of(direct_threshold=(1.0, 2.0))
    with pytest.raises(ContactError, match='gain'):
        detector_of(gain=(1.0, 2.0))
    assert detector_of(method='direct', momentum_threshold=(1.0, 2.0)).methods == ('direct',)


@pytest.mark.parametrize(('index', 'change'), [
    (0, lambda z: z[np.newaxis]), (1, lambda zd: zd[:, np.newaxis]),
    (3, lambda P: P[0]), (3, lambda P: P[np.newaxis]), (4, lambda torques: [torques, torques])])
def test_states_of_another_shape_are_refused(index, change):
    state = [np.zeros(3), np.zeros(3), np.zeros(3), np.eye(9), np.zeros(3)]
    state[index] = change(state[index])
    with pytest.raises(ValueError, match='must be rows of numbers, the covariance a matrix'):
        detector_of().update(MS, *state)


@pytest.mark.parametrize(('index', 'change'), [
    (0, lambda z: z[:1]), (1, lambda zd: zd[:, 0]), (2, lambda zdd: zdd[np.newaxis]),
    (3, lambda P: P[:1]), (3, lambda P: P[:, 0]), (4, lambda torques: torques[:1]),
    (5, lambda q: q[:1])])
def test_rows_of_another_number_or_shape_are_refused(index, change):
    states = [np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 3)), np.tile(np.eye(9), (2, 1, 1)),
              np.zeros((2, 3)), np.tile(robot().q0, (2, 1))]
    states[index] = change(states[index])
    with pytest.raises(ValueError, match='must be of 2 '):
        detector_of().run([MS, 2 * MS], *states)
