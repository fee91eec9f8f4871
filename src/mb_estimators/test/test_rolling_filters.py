"""Filters of bodies that roll: neither the estimate nor its uncertainty slips."""

from coordinate_readings import coordinate_readings
import numpy as np
import pytest
from scipy.stats import chi2
from spatial_machines import ROLLING

from mb_estimators import available_filters, make_filter
from mb_estimators.factor_graph.forward import require_graph
from mb_estimators.filter import FilterError, follows_rolling
from mb_estimators.kernels.rolling import SLIP
from mb_estimators.observability.study import observability
from mb_estimators.plugins import filter_class
from mb_estimators.recording.recording import Recording
from mb_estimators.smoothing import smooth
from mb_model import Mechanism, MechanismError, make_stepper
from mb_model.assembly.rolling import slip_jacobian

DT, SIGMA = 2e-3, 2e-3
MECHANISM = Mechanism(ROLLING['rolling_disc'], 'rolling.yaml').replace(
    joints={'contact': {'slip_decay': 50.0}})
FILTERS = available_filters(MECHANISM)


def sensors():
    """Return readings of the centre's place and of the pendulum's angle."""
    names = 'at.x', 'at.y', 'swing'
    return coordinate_readings(MECHANISM.indices(names), SIGMA)


def read(readers, q, rng):
    return q[[int(one.records['coordinate'][0]) for one in readers]] + SIGMA * rng.normal(
        size=len(readers))


def slip_covariance(filter_):
    """Return the covariance of the slips (2, 2), by central differences of the slips."""
    g, h, estimate = MECHANISM.g, 1e-6, filter_.estimate

    def slips(d):
        q = MECHANISM.assemble(d[:g] + estimate.z, near=estimate.q)
        return slip_jacobian(MECHANISM, q) @ MECHANISM.velocity(q, estimate.zd + d[g:])

    by_state = np.transpose([(slips(h * d) - slips(-h * d)) / (2.0 * h) for d in np.eye(2 * g)])
    return by_state @ filter_.state_covariance @ by_state.T


def test_those_that_say_so_suit():
    assert {'dekf', 'dekf_exponential', 'ukf', 'ckf', 'ssukf'} == set(FILTERS)
    assert all(follows_rolling(filter_class(name)) for name in FILTERS)


@pytest.mark.parametrize('name', FILTERS)
def test_neither_estimate_nor_uncertainty_slips(name):
    """From a start that slips, through noise and readings of half a second."""
    readers, rng = sensors(), np.random.default_rng(1)
    filter_ = make_filter(name, MECHANISM, readers, DT, acceleration_psd=0.5)
    truth = make_stepper(MECHANISM, 'matrix_r', 'rk4')
    start = np.diag(np.repeat([1e-4, 1e-2], MECHANISM.g))
    filter_.reset(MECHANISM.z0 + 5e-3 * rng.normal(size=MECHANISM.g),
                  MECHANISM.zd0 + 5e-2 * rng.normal(size=MECHANISM.g), start)
    for k in range(250):
        truth.step(DT)
        filter_.predict(DT)
        if k % 50 == 49:
            deviations = np.sqrt(np.linalg.eigvalsh(slip_covariance(filter_)))
            np.testing.assert_allclose(deviations, SLIP, rtol=0.02)
        filter_.correct(read(readers, truth.q, rng))
    found = filter_.estimate
    place = MECHANISM.indices(['at.x', 'at.y', 'swing'])
    np.testing.assert_allclose(found.q[place], truth.q[place], atol=4.0 * SIGMA)
    slip = slip_jacobian(MECHANISM, found.q) @ found.qd
    np.testing.assert_allclose(slip, 0.0, atol=4.0 * SLIP)
    assert np.sqrt(np.diag(found.covariance)[MECHANISM.g:]).max() > 20.0 * SLIP


def disturbed(stepper, psd, rng):
    """Step by DT under white noise of the accelerations, constrained as the contact does."""
    n, R = MECHANISM.n, MECHANISM.R(stepper.q)
    noise = np.sqrt(psd / DT) * rng.normal(size=MECHANISM.g)
    stepper.step(DT, R.T @ stepper.work['M'][0, :n, :n] @ R @ noise)


@pytest.mark.parametrize('name', ['dekf_exponential', 'ukf'])
def test_errors_are_as_large_as_the_filter_says(name):
    """Of 12 runs of a third of a second: the normalized error squared of what can move."""
    psd, runs, readers, nees = 0.5, 12, sensors(), []
    g = MECHANISM.g
    start = np.diag(np.repeat([1e-5, 1e-3], g))
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        filter_ = make_filter(name, MECHANISM, readers, DT, acceleration_psd=psd)
        filter_.reset(MECHANISM.z0, MECHANISM.zd0, start)
        allowed = np.linalg.cholesky(filter_.state_covariance)
        truth = make_stepper(MECHANISM, 'matrix_r', 'rk4')
        error = allowed @ rng.normal(size=2 * g)
        truth.reset(MECHANISM.z0 + error[:g], rolling_rates(error))
        for _ in range(150):
            disturbed(truth, psd, rng)
            filter_.predict(DT)
            filter_.correct(read(readers, truth.q, rng))
        found = filter_.estimate
        places = MECHANISM.indices(['at.x', 'at.y', 'swing'])
        off = np.r_[found.q[places] - truth.q[places], found.qd[places] - truth.qd[places]]
        which = [MECHANISM.independent.index(one) for one in ('at.x', 'at.y', 'swing')]
        which += [g + k for k in which]
        nees.append(off @ np.linalg.solve(found.covariance[np.ix_(which, which)], off))
    low, high = chi2.ppf([0.005, 0.995], 6 * runs)
    assert low < sum(nees) < high


def rolling_rates(error):
    """Return the rates (g) of a start with an error (2 g) that let nothing slip."""
    g = MECHANISM.g
    q = MECHANISM.assemble(MECHANISM.z0 + error[:g])
    rates, slips = MECHANISM.zd0 + error[g:], slip_jacobian(MECHANISM, q)
    return rates - np.linalg.pinv(slips @ MECHANISM.R(q)) @ slips @ MECHANISM.velocity(q, rates)


def test_others_refuse():
    with pytest.raises(FilterError, match=r'error_ekf: rolling_disc: not with bodies that roll: '
                                          r'joints\.contact; filters that suit it are ckf, dekf'):
        make_filter('error_ekf', MECHANISM, sensors(), DT)
    with pytest.raises(FilterError, match='reuse_points: rolling_disc: not with bodies that roll'):
        make_filter('ukf', MECHANISM, sensors(), DT, reuse_points=True)
    with pytest.raises(FilterError, match=r'joints\.contact: factor graphs know no bodies'):
        require_graph(MECHANISM)
    with pytest.raises(MechanismError, match='observability: not for mechanisms with bodies that'):
        observability(MECHANISM, ['place'])
    readings = np.full((2, 3), np.nan)
    with pytest.raises(FilterError, match='cannot be smoothed with bodies that roll'):
        smooth(make_filter('ukf', MECHANISM, sensors(), DT),
               Recording(np.array([0.0, DT]), readings), DT)
