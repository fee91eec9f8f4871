"""Probabilities of branches by graphs against Bayes by quadrature, normal densities, a filter."""

from itertools import product

from free_motion import FLYWHEEL, TextbookFilter
import numpy as np
import pytest
from scipy.special import logsumexp, softmax
from scipy.stats import multivariate_normal
from spatial_machines import by_drives

from mb_estimators import FilterError, Recording, identify_branch, make_filter
from mb_estimators.branch_identification import BranchIdentificationSettings
from mb_estimators.commands import identify_branch as command
from mb_estimators.filters.branch_filter import branches
from mb_model import SettingError, load_mechanism, simulate
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

DT = 0.005
SENSORS = ['crank_encoder', 'coupler_gyro']
FOUR_BAR = load_mechanism('four_bar')
CROSSED = FOUR_BAR.replace(points={'P2': {'start': [6.8, -3.8]}})
OF_MODEL = sensors_of(FOUR_BAR, SENSORS)
SIGMAS = np.array([sensor.settings.sigma for sensor in OF_MODEL])
NOISY = FOUR_BAR.replace(sensors={'coupler_gyro': {'sigma': 0.03}})


def true_readings(mechanism, count, **start):
    run = simulate(mechanism, count * DT, DT, **start)
    return np.hstack([true_values(mechanism, sensor, run.q, run.qd, run.qdd)
                      for sensor in sensors_of(mechanism, SENSORS)])


def recording_of(mechanism, count, seed, sigmas=SIGMAS):
    """Return a Recording without the instant of the start, as a filter that begins there has it."""
    readings = true_readings(mechanism, count)
    readings += sigmas * np.random.default_rng(seed).normal(size=readings.shape)
    readings[0] = np.nan
    return recorded(readings)


def recorded(readings):
    return Recording(np.arange(len(readings)) * round(DT * 1e9), readings)


def starts_read(mechanism, off, count):
    """Return the true readings (2 count) after a start that is off by z, zd."""
    return true_readings(mechanism, count, z0=mechanism.z0 + off[0],
                         zd0=mechanism.zd0 + off[1])[1:].ravel()


def log_evidence_by_quadrature(mechanism, recording, variances, variance):
    """Return the log evidence of a branch, and what Gauss-Newton leaves out of it.

    Over the start, with Gauss and Hermite's rule of three nodes at the posterior, N(mean, L L').
    Five and nine give the same to 1e-5; of nodes at the prior, which is up to five times as wide,
    nine were .003 off with a variance of 5e-5, and seventeen 2e-5.  Left out: half the trace of
    the second derivatives of the readings by the start, in deviations of the posterior, times the
    residuals over their variances; and its deviation.
    """
    y, count = recording.readings[1:].ravel(), len(recording.readings) - 1
    R, mean = np.tile(variances, count), np.zeros(2)
    for _ in range(4):
        h = starts_read(mechanism, mean, count)
        H = np.column_stack([starts_read(mechanism, mean + e, count)
                             - starts_read(mechanism, mean - e, count)
                             for e in 1e-4 * np.eye(2)]) / 2e-4
        P = np.linalg.inv(np.eye(2) / variance + H.T @ (H / R[:, None]))
        mean = P @ (H.T @ ((y - h + H @ mean) / R))
    L, h = np.linalg.cholesky(P), starts_read(mechanism, mean, count)
    terms = []
    for a, b in product(zip(*np.polynomial.hermite_e.hermegauss(3), strict=True), repeat=2):
        x = mean + L @ [a[0], b[0]]
        terms.append(
            np.log(a[1] * b[1] / (2.0 * np.pi)) + multivariate_normal.logpdf(
                y, starts_read(mechanism, x, count), np.diag(R))
            + multivariate_normal.logpdf(x, cov=variance * np.eye(2))
            - multivariate_normal.logpdf(x, mean, P))
    bends = sum(starts_read(mechanism, mean + axis, count) - 2.0 * h
                + starts_read(mechanism, mean - axis, count) for axis in L.T)
    return (logsumexp(terms), 0.5 * np.sum((y - h) * bends / R),
            0.5 * np.linalg.norm(bends / np.sqrt(R)))


@pytest.mark.parametrize('assembled', [FOUR_BAR, CROSSED], ids=['open', 'crossed'])
def test_they_are_those_of_bayes_by_quadrature(assembled):
    """Without noise of the plant the start alone is unknown: an integral over starts, simulated."""
    variance, sigmas = 7.6e-3, np.array([SIGMAS[0], 0.03])
    recording = recording_of(assembled, 12, 2, sigmas)
    exact, left_out, deviations = np.transpose([
        log_evidence_by_quadrature(one, recording, sigmas ** 2, variance)
        for one in (FOUR_BAR, CROSSED)])
    found = identify_branch(NOISY, sensors_of(NOISY, SENSORS), recording, DT,
                            acceleration_psd=1e-9, initial_variance=variance)
    # Of Laplace's approximation with the matrix of Gauss and Newton: left_out is the first order.
    # The second one has the size of deviations^2, 2e-5, as has the error of three nodes.
    assert deviations.max() ** 2 < 2e-5
    expected = exact - left_out
    np.testing.assert_allclose(found.log_evidences, expected, atol=1e-4)
    np.testing.assert_allclose(found.probabilities, softmax(expected), atol=1e-4)


def test_evidence_of_a_linear_motion_is_a_normal_density():
    """Of the innovations of a Kalman filter; there is one branch, and it is sure."""
    random, psd, variance = np.random.default_rng(4), 1e-2, 0.03
    readings = np.array([0.3, 2.0]) + [0.02, 0.05] * random.normal(size=(20, 2))
    readings[:, 0] += 2.0 * DT * np.arange(20)
    readings[3, 0] = readings[7] = np.nan
    textbook = TextbookFilter(np.array([0.3, 2.0]), variance * np.eye(2), psd, np.eye(2),
                              np.diag([0.02, 0.05]) ** 2)
    expected = 0.0
    for k, row in enumerate(readings):
        if k > 0:
            textbook.predict(DT)
        if np.isfinite(row).any():
            y, S, _ = textbook.correct(row)
            expected += multivariate_normal.logpdf(y, cov=S)
    found = identify_branch(FLYWHEEL, sensors_of(FLYWHEEL, ['encoder', 'gyro']),
                            recorded(readings), DT, acceleration_psd=psd,
                            initial_variance=variance)
    assert found.log_evidences[0] == pytest.approx(expected, abs=1e-6)
    np.testing.assert_array_equal(found.probabilities, [1.0])
    assert (found.branch, found.why) == (0, '')


@pytest.mark.parametrize('assembled', [FOUR_BAR, CROSSED], ids=['open', 'crossed'])
def test_the_branch_filter_has_them_too(assembled):
    """It linearises where it was at each reading; a graph, where the whole motion ended up."""
    recording = recording_of(assembled, 30, 3)
    filter_ = make_filter('branch_filter', FOUR_BAR, SENSORS, DT)
    for k, reading in enumerate(recording.readings[1:], 1):
        filter_.predict(DT)
        filter_.correct(reading)
        if k in (1, 2, 4, 6, 8, 30):
            found = identify_branch(FOUR_BAR, OF_MODEL, recorded(recording.readings[:k + 1]), DT)
            np.testing.assert_allclose(found.probabilities, filter_.probabilities, atol=0.03)
            if filter_.probabilities.max() < 0.95:
                assert found.branch is None
                assert 'undecided: branch' in found.why
    true = 1 if assembled is CROSSED else 0
    assert (found.branch, found.why) == (true, '')
    assert np.sign(found.positions[true][3]) == (-1 if true else 1)


def test_in_space_they_are_those_of_the_plane():
    """Of the same linkage, built of bodies in space with parallel hinges."""
    spatial = load_mechanism('spatial_four_bar')
    recording = recording_of(CROSSED, 30, 3)
    in_plane = identify_branch(FOUR_BAR, OF_MODEL, recording, DT)
    found = identify_branch(spatial, sensors_of(spatial, SENSORS), recording, DT, tries=50)
    np.testing.assert_allclose(found.log_evidences, in_plane.log_evidences, atol=1e-5)
    np.testing.assert_allclose(found.fits, in_plane.fits, atol=1e-6)
    assert (found.branch, found.why) == (1, '')


@pytest.mark.parametrize('true', [0, 2])
def test_lengths_and_a_gyroscope_show_the_pose_of_a_platform(true):
    """Of forward kinematics, whose poses have the same lengths of the legs."""
    dt, random = 0.002, np.random.default_rng(1)
    model = by_drives('stewart')
    names = [*(f'encoder{leg}' for leg in range(1, 7)), 'platform_gyro']
    assembled = by_drives('stewart', branches(model, 60, 4)[true])
    run = simulate(assembled, 10 * dt, dt)
    readings = np.hstack([true_values(assembled, sensor, run.q, run.qd, run.qdd)
                          for sensor in sensors_of(assembled, names)])
    readings += np.array([5e-4] * 6 + [2.7e-3] * 3) * random.normal(size=readings.shape)
    readings[0] = np.nan
    recording = Recording(np.arange(len(readings)) * round(dt * 1e9), readings)
    found = identify_branch(model, sensors_of(model, names), recording, dt, tries=60, most=4,
                            initial_variance=1e-8)
    assert len(found.positions) == 4
    assert (found.branch, found.why) == (true, '')
    assert found.fits[true] > 0.01


def test_no_branch_is_chosen_that_does_not_fit():
    recording = recording_of(FOUR_BAR, 30, 3)
    recording.readings[1:, 0] += 0.5 * (np.arange(30) % 2)      # no motion does that
    found = identify_branch(FOUR_BAR, OF_MODEL, recording, DT)
    assert found.branch is None
    assert 'no branch fits: readings as far from branch' in found.why


def test_no_branch_is_chosen_where_one_is_not_judged():
    found = identify_branch(FOUR_BAR, OF_MODEL, recording_of(CROSSED, 60, 3), DT, iterations=1)
    assert found.branch is None
    assert np.isnan(found.probabilities).all()
    assert 'is not judged: not converged after 1 iterations' in found.why


def test_the_command_prints_them(monkeypatch, capsys):
    recordings = {count: recording_of(CROSSED, count, 3) for count in (30, 2)}
    counts = iter(recordings)
    monkeypatch.setattr(command, 'recorded_run', lambda _: (
        FOUR_BAR, OF_MODEL, recordings[next(counts, 2)]))
    assert command.main(['bag', '--dt', '0.005']) == 0
    rows = capsys.readouterr().out.splitlines()
    chances = [float(row.split('│')[2]) for row in rows if 'P2.y -3.8' in row or 'P2.y 4.7' in row]
    assert chances == pytest.approx([0.0, 1.0], abs=1e-6)
    assert rows[-1] == 'branch 1'
    assert command.main(['bag', '--dt', '0.005']) == 0
    assert 'undecided: branch' in capsys.readouterr().out.splitlines()[-1]
    assert command.main(['bag', '--dt', '0.005', '--set', 'certainty=2']) == 2
    assert 'certainty: 2.0 must be > 0.5 and <= 1' in capsys.readouterr().err


def test_what_cannot_be_is_refused():
    nothing = recorded(np.full((3, 2), np.nan))
    with pytest.raises(FilterError, match='readings: there are none'):
        identify_branch(FOUR_BAR, OF_MODEL, nothing, DT)
    readings = recorded(np.ones((3, 3)))
    stewart = load_mechanism('stewart')
    with pytest.raises(FilterError, match=r'stewart: not with orientations \(platform\)'):
        identify_branch(stewart, sensors_of(stewart, ['platform_gyro']), readings, DT)
    with pytest.raises(SettingError, match=r'certainty: 0\.5 must be > 0\.5'):
        BranchIdentificationSettings.from_mapping({'certainty': 0.5})
