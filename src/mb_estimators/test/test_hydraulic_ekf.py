"""The filter of motion and oil: against matrices written anew, and how honest it is."""

from hydraulic_machines import (
    CRANE,
    SENSORS,
    crane_with_an_accelerometer,
    jacobian,
    linear_step,
    two_cylinders,
)
from hypothesis import given, settings, strategies as st
import numpy as np
from plain_records import plain_record
import pytest
from wild_readings import endure_wild_readings

from mb_estimators import FilterError, make_filter
from mb_estimators.kernels.acceleration_jump import allow_for_jump
from mb_estimators.kernels.exponential_noise import discretise
from mb_estimators.records.filter import FILTER
from mb_estimators.records.oil import HYDRAULIC
from mb_model import WorkCycle, simulate_hydraulics
from mb_sensors import SensorError
from mb_sensors.readings import true_values
from mb_sensors.recorded import RecordedSensor

NAME, H = 'hydraulic_kinematic_ekf', 1e-3


def discretised(A, rates, psd, integrals, h):
    n = len(A)
    f, y = plain_record(FILTER, 1, n), plain_record(HYDRAULIC, 1, n)
    f['motion'] = f['states'] = n
    y['A'][0, :n, :n], y['rates'][0, :n], y['psd'][0, :n] = A, rates, psd
    assert discretise(f[0], y[0], integrals, h)
    return f['transition'][0, :n, :n], y['increment'][0, :n], y['noise'][0, :n, :n]


def oil_like(random, cylinders, speed):
    """Return A of cylinders with two volumes and a valve each, settling at about `speed` [1/s]."""
    g, v, u = cylinders, 2 * cylinders, cylinders
    A = np.zeros((3 * g + v + u,) * 2)
    A[:g, g:2 * g] = A[g:2 * g, 2 * g:3 * g] = np.eye(g)
    oil, spools = slice(3 * g, 3 * g + v), slice(3 * g + v, None)
    A[oil, :g] = random.normal(scale=300.0, size=(v, g))
    A[oil, g:2 * g] = random.normal(scale=3000.0, size=(v, g))
    mixed = random.uniform(0.1, 1.0, size=(v, v))
    A[oil, oil] = -speed * (mixed @ mixed.T) / v
    A[oil, spools] = random.normal(scale=700.0, size=(v, u))
    A[spools, spools] = -np.diag(random.uniform(20.0, 100.0, size=u))
    return A


@pytest.mark.parametrize('speed', [0.0, 30.0, 1e3, 1e4, 1e5])
@pytest.mark.parametrize('cylinders', [1, 2])
def test_a_step_is_exact_however_stiff_the_oil_is(speed, cylinders):
    random = np.random.default_rng(3)
    A = oil_like(random, cylinders, speed)
    rates = random.normal(size=len(A)) * 10.0
    psd = np.repeat([0.0, 0.0, 2.0, 0.1, 1e-4], [cylinders] * 3 + [2 * cylinders, cylinders])
    found = discretised(A, rates, psd, 3 * cylinders, H)
    F, increment, noise = linear_step(A, rates, psd, H)
    np.testing.assert_allclose(found[0], F, rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(found[1], increment, rtol=1e-8, atol=1e-9)
    if speed <= 1e4:        # Van Loan's matrix grows by exp(speed h): no numbers are left beyond
        scale = np.sqrt(np.outer(np.diagonal(noise), np.diagonal(noise)))
        np.testing.assert_allclose(found[2] / scale, noise / scale, atol=1e-6)


def test_plant_noise_has_the_closed_forms_as_its_beginning():
    """Pyrhonen et al. 2023b, Eqs. (45)-(49), up to h^3 but for what they leave out."""
    random = np.random.default_rng(5)
    A, h = oil_like(random, 1, 40.0), 1e-4
    psd = np.array([0.0, 0.0, 2.0, 0.3, 0.2, 1e-4])
    noise = discretised(A, np.zeros(6), psd, 3, h)[2]
    W, A44, A45, A55 = np.diag(psd), A[3:5, 3:5], A[3:5, 5:], A[5:, 5:]
    Wp, WU = W[3:5, 3:5], W[5:, 5:]
    expected = np.zeros((6, 6))
    expected[1:3, 1:3] = 2.0 * np.array([[h ** 3 / 3.0, h ** 2 / 2.0], [h ** 2 / 2.0, h]])
    expected[3:5, 3:5] = (h ** 3 / 3.0 * (A45 @ WU @ A45.T + A44 @ Wp @ A44.T)
                          + h ** 2 / 2.0 * (A44 @ Wp + Wp @ A44.T) + Wp * h)
    expected[3:5, 5:] = h ** 3 / 3.0 * A45 @ WU @ A55 + h ** 2 / 2.0 * A45 @ WU
    expected[5:, 3:5] = expected[3:5, 5:].T
    expected[5:, 5:] = h ** 3 / 3.0 * A55 @ WU @ A55 + h ** 2 * WU @ A55 + WU * h
    scale = np.sqrt(np.outer(np.diagonal(noise), np.diagonal(noise)))
    kept = np.ix_([1, 2], [1, 2]), np.ix_([3, 4, 5], [3, 4, 5])
    for block in kept:
        np.testing.assert_allclose((noise / scale)[block], (expected / scale)[block], atol=1e-4)


class PlainFilter:
    """The same filter with plain matrices, derivatives by differences, exponentials by scipy."""

    def __init__(self, filter_, mechanism):
        self.circuit, self.mechanism, self.sensors = mechanism.circuit, mechanism, filter_.sensors
        s, g, v, u = filter_.settings, mechanism.g, *map(
            len, (self.circuit.volumes, self.circuit.valves))
        self.sizes = [g, g, g, v, u]
        self.parts = np.split(np.arange(sum(self.sizes)), np.cumsum(self.sizes)[:-1])
        self.x = np.concatenate([mechanism.z0, np.zeros(2 * g), self.circuit.p0 / 1e6,
                                 self.circuit.U0])
        self.P = np.diag(np.repeat([
            s.initial_variance, s.initial_variance, s.initial_acceleration_variance,
            s.initial_pressure_variance / 1e12, s.initial_spool_variance], self.sizes))
        self.psd = np.repeat([0.0, 0.0, s.jerk_psd, s.pressure_psd / 1e12, s.spool_psd], self.sizes)
        self.units = np.repeat([1.0, 1.0, 1.0, 1e6, 1.0], self.sizes)
        self.order = [mechanism.independent.index(mechanism.coordinates[place])
                      for place in self.circuit.cylinder_coordinates]

    def rates(self, x, U_in):
        z, zd, zdd, p, U = (x[part] for part in self.parts)
        pd, Ud = self.circuit.rates(z[self.order], zd[self.order], 1e6 * p, U, U_in)
        return np.concatenate([zd, zdd, np.zeros(len(z)), pd / 1e6, Ud])

    def predict(self, h, U_in):
        A = jacobian(lambda x: self.rates(x, U_in), self.x)
        F, increment, noise = linear_step(A, self.rates(self.x, U_in), self.psd, h)
        self.x, self.P = self.x + increment, F @ self.P @ F.T + noise

    def read(self, x):
        z, zd, zdd, p, _ = (x[part] for part in self.parts)
        q = self.mechanism.assemble(z)
        qd = self.mechanism.velocity(q, zd)
        state = [value[None] for value in (q, qd, self.mechanism.acceleration(q, qd, zdd))]
        return np.concatenate([
            p[self.circuit.volumes.index(s.volume)][None] * 1e6 if s.volume
            else true_values(self.mechanism, s, *state)[0] for s in self.sensors])

    def correct(self, reading):
        H = jacobian(self.read, self.x)
        R = np.diag([s.settings.variance for s in self.sensors for _ in s.channels])
        gain = self.P @ H.T @ np.linalg.inv(H @ self.P @ H.T + R)
        self.x = self.x + gain @ (reading - self.read(self.x))
        self.P = self.P - gain @ H @ self.P


@pytest.mark.parametrize('machine', [crane_with_an_accelerometer, two_cylinders])
def test_it_is_the_filter_of_the_paper_written_plainly(machine):
    """Spools stay on one side of zero, where flows have a kink that differences blur."""
    mechanism, sensors, U_in = machine()
    filter_ = make_filter(NAME, mechanism, sensors, H, gate=0.0)
    plain = PlainFilter(filter_, mechanism)
    random = np.random.default_rng(11)
    noise = np.sqrt([s.settings.variance for s in filter_.sensors for _ in s.channels])
    for _ in range(12):
        filter_.predict(H, U_in)
        plain.predict(H, U_in)
        reading = plain.read(plain.x) + noise * random.normal(size=len(noise))
        filter_.correct(reading)
        plain.correct(reading)
    estimate, oil, g = filter_.estimate, filter_.estimate.hydraulics, mechanism.g
    found = np.concatenate([estimate.z, estimate.zd, estimate.zdd, oil.pressures, oil.spools])
    deviations = np.sqrt(np.diagonal(plain.P))
    np.testing.assert_allclose((found / plain.units - plain.x) / deviations, 0.0, atol=1e-3)
    np.testing.assert_allclose(
        oil.covariance / np.outer(deviations * plain.units, deviations * plain.units),
        plain.P / np.outer(deviations, deviations), atol=2e-3)
    np.testing.assert_array_equal(estimate.covariance, oil.covariance[:3 * g, :3 * g])
    np.testing.assert_allclose(
        oil.forces, mechanism.circuit.force(oil.pressures, estimate.zd[plain.order]))
    assert mechanism.closing_error(estimate.q) < 1e-9


TIMES = np.arange(0.0, 5.0, 0.02)
OPENING = np.interp(TIMES, [0.0, 0.2, 0.5, 1.8, 2.3, 2.6, 2.9, 4.4, 4.8],
                    [0.0, 0.0, 0.6, 0.6, 0.0, 0.0, -0.4, -0.4, 0.0])


@pytest.fixture(scope='module')
def run():
    """Five seconds of the crane: up, hold, down, hold."""
    return simulate_hydraulics(CRANE, 5.0, H, WorkCycle(CRANE.circuit, TIMES, OPENING[:, None]))


def estimated(run, seed, names=SENSORS, mechanism=CRANE, bias=0.0, **tuning):
    """Return states, deviations and truth (k, 6) of plain corrections along a run, and the filter.

    bias: of the first pressure sensor [Pa].
    """
    filter_ = make_filter(NAME, mechanism, names, H, **tuning)
    stamps = [10 ** 9 + round(1e9 * t) for t in run.t]
    readings = np.hstack([RecordedSensor(s, run, stamps).readings(seed) for s in filter_.sensors])
    readings[:, 1] += bias
    found = np.empty((len(run.t), 6))
    deviations = np.empty_like(found)
    for k, row in enumerate(readings):
        if k > 0:
            filter_.predict(H, run.U_in[k - 1])
        filter_.correct(row)
        e = filter_.estimate
        found[k] = [*e.z, *e.zd, *e.zdd, *e.hydraulics.pressures, *e.hydraulics.spools]
        deviations[k] = np.sqrt(np.diagonal(e.hydraulics.covariance))
    truth = np.hstack([run.z, run.zd, run.zdd, run.p, run.U])
    return found, deviations, truth, filter_


def test_intervals_contain_the_truth_as_often_as_they_say(run):
    """z, zd, p1, p2 between 90 and 99 % of the time; the noise of the jerk is the run's."""
    jerk = (np.diff(run.zdd[::10, 0]) ** 2).mean() / 0.01
    inside, squares = [], []
    for seed in range(5):
        found, deviations, truth, _ = estimated(run, seed, jerk_psd=jerk)
        error = (found - truth)[300:]
        inside.append((np.abs(error) < 1.96 * deviations[300:]).mean(axis=0))
        squares.append((error ** 2).mean(axis=0))
    share = np.mean(inside, axis=0)[[0, 1, 3, 4]]
    assert (share > 0.90).all(), share
    assert (share < 0.99).all(), share
    assert np.sqrt(np.mean(squares, axis=0))[1] < 2e-3


def test_an_offset_of_a_pressure_sensor_is_found(run):
    mechanism = CRANE.replace(sensors={'pressure1': {'bias_sigma': 2e5, 'sigma': 2e4}})
    _, _, _, filter_ = estimated(run, 1, mechanism=mechanism, bias=1.5e5)
    estimate = filter_.estimate
    bias, deviation = estimate.biases['pressure1'], estimate.bias_deviations['pressure1']
    assert deviation < 2e5
    assert abs(bias - 1.5e5) < 3.0 * deviation


@pytest.mark.parametrize('channels', [[0], [1], [1, 2]])
def test_spikes_are_left_out(run, channels):
    """0.1 m or 5 MPa in one reading of ten: one sensor, or both pressures by a common ground."""
    filter_ = make_filter(NAME, CRANE, SENSORS, H)
    for k in range(600):
        filter_.predict(H, run.U_in[k])
        reading = np.array([run.z[k + 1, 0], *run.p[k + 1]])
        spike = k % 100 == 99
        reading[channels] += spike * np.array([0.1, 5e6, 5e6])[channels]
        if k % 10 == 9:
            found = filter_.correct(reading).rejected
            np.testing.assert_array_equal(found, channels if spike else [])
    assert abs(filter_.estimate.hydraulics.pressures[0] - run.p[600, 0]) < 2e4


def widened(P, H, R, residual, gate, cylinders):
    """Return P after the kernel that allows for a jump of the accelerations."""
    k, n = H.shape
    f = plain_record(FILTER, cylinders, n, k)
    f['states'] = f['motion'] = n
    f['count'], f['gate'], f['present'][0, :k] = k, gate, np.arange(k)
    f['P'][0, :n, :n], f['H'][0, :k, :n], f['variance'][0, :k] = P, H, R
    f['residual'][0, :k] = residual
    allow_for_jump(f[0], cylinders)
    return f['P'][0, :n, :n].copy()


@pytest.mark.parametrize('cylinders', [1, 2])
def test_readings_that_agree_on_a_jump_of_the_accelerations_widen_the_covariance(cylinders):
    """By numpy: generalised least squares in the columns of the accelerations."""
    random = np.random.default_rng(cylinders)
    n, k, g = 6 * cylinders, 3 * cylinders, cylinders
    root, H = random.normal(size=(n, n)), random.normal(size=(k, n))
    P, R = root @ root.T, random.uniform(0.1, 0.3, size=k)
    S, columns = H @ P @ H.T + np.diag(R), P[:, 2 * g:3 * g]
    residual = H @ columns @ (900.0 + 90.0 * random.normal(size=g)) + np.sqrt(R)
    whitened = np.linalg.cholesky(np.linalg.inv(S)).T
    u = np.linalg.lstsq(whitened @ H @ columns, whitened @ residual, rcond=None)[0]
    expected = P + np.outer(columns @ u, columns @ u)
    np.testing.assert_allclose(widened(P, H, R, residual, 30.0, g), expected, rtol=1e-9)
    alone = np.zeros(k)
    alone[0] = 1000.0 * np.sqrt(S[0, 0])
    for readings, count, gate in ((alone, k, 30.0), (1e-4 * residual, k, 30.0), (residual, k, 0.0),
                                  (residual, g, 30.0)):
        found = widened(P, H[:count], R[:count], readings[:count], gate, g)
        np.testing.assert_array_equal(found, P)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2 ** 32))
def test_covariance_stays_one(seed):
    endure_wild_readings(NAME, seed, 'crane', 1e-6, 0.1)


def test_what_it_cannot_do_is_reported():
    with pytest.raises(FilterError, match='hydraulic_kinematic_ekf: four_bar: needs a mechanism'):
        make_filter(NAME, 'four_bar', ['crank_encoder'], H)
    with pytest.raises(SensorError, match='pressure1: a pressure sensor says nothing about the'):
        make_filter('error_ekf', CRANE, SENSORS, H)
    with pytest.raises(SensorError, match=r"pressure1\.volume: 'v9' must be one of v1, v2"):
        make_filter(NAME, CRANE.replace(sensors={'pressure1': {'volume': 'v9'}}), SENSORS, H)
    turned = CRANE.replace(independent=['lift'], start={'s': None, 'lift': -0.1})
    with pytest.raises(FilterError, match='coordinate of cylinder lift, s, must be independent'):
        make_filter(NAME, turned, SENSORS, H)
