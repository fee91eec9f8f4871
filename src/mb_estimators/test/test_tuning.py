"""Tuning against the likelihood of a textbook filter, in processes and on machines of dask."""

import re

from free_motion import SLED, SLED_IN_SPACE, TextbookFilter
import numpy as np
import pytest
from scipy.optimize import minimize
import yaml

from mb_estimators import available_filters, make_filter
from mb_estimators.commands import tune as command
from mb_estimators.commands.node_parameters import parameters_text
from mb_estimators.commands.tune import limits_of
from mb_estimators.filter import FilterError
from mb_estimators.observation import log_likelihood, observe
from mb_estimators.plugins import filter_class
from mb_estimators.recording.recording import Recording, Track
from mb_estimators.tuning.task import Task
from mb_estimators.tuning.tune import tune
from mb_model import SettingError
from mb_model.simulation import progress
from mb_sensors import sensors_of

DT = 0.005
SENSORS = ['encoder', 'other']


def recording(seed, count=150):
    """Readings of a sled that white noise of the density 20 shakes; some are missing."""
    random = np.random.default_rng(seed)
    zd = 2.0 + np.cumsum(np.sqrt(20.0 * DT) * random.normal(size=count))
    z = 0.3 + np.concatenate([[0.0], np.cumsum(zd[:-1] * DT)])
    readings = z[:, None] + random.normal(size=(count, 2)) * [0.004, 0.05]
    readings[random.random((count, 2)) < 0.2] = np.nan
    truth = Track(z[:, None], zd[:, None], np.zeros((count, 1)))
    return Recording(10 ** 9 + np.arange(count) * 5_000_000, readings, truth)


RECORDINGS = [recording(1), recording(2)]


def textbook_likelihood(recorded, psd, sigma):
    """Return the mean logarithm of the density of the readings, one innovation after the other."""
    filter_ = TextbookFilter(np.array([0.3, 2.0]), 7.6e-3 * np.eye(2), psd,
                             np.array([[1.0, 0.0], [1.0, 0.0]]), np.diag([sigma ** 2, 0.05 ** 2]))
    total = 0.0
    for k, reading in enumerate(recorded.readings):
        if k > 0:
            filter_.predict(DT)
        y, S, nis = filter_.correct(reading)
        total -= 0.5 * (nis + np.log(np.linalg.det(S)) + len(y) * np.log(2.0 * np.pi))
    return total / np.isfinite(recorded.readings).sum()


def test_likelihood_is_that_of_the_textbook():
    recorded = RECORDINGS[0]
    filter_ = make_filter('dekf', SLED, SENSORS, DT, acceleration_psd=3.0)
    observed = observe(filter_, recorded.stamps, recorded.readings, DT)
    assert log_likelihood(recorded.readings, observed) == pytest.approx(
        textbook_likelihood(recorded, 3.0, 0.02), rel=1e-9)


def test_leaving_readings_out_is_no_gain():
    recorded = RECORDINGS[0]
    likelihoods = [log_likelihood(recorded.readings, observe(
        make_filter('dekf', SLED, SENSORS, DT, gate=gate), recorded.stamps, recorded.readings, DT))
        for gate in (0.5, 30.0)]
    assert likelihoods[0] < likelihoods[1]


@pytest.fixture(scope='module', params=[SLED, SLED_IN_SPACE], ids=['plane', 'space'])
def tuned(request):
    return tune('dekf', request.param, SENSORS, RECORDINGS,
                {'acceleration_psd': (1e-3, 1e4), 'encoder.sigma': None}, DT, processes=1)


def test_the_likelihood_becomes_that_of_the_textbook_at_its_best(tuned):
    def loss(x):
        return -np.mean([textbook_likelihood(r, *np.exp(x)) for r in RECORDINGS])
    best = minimize(loss, np.log([20.0, 0.004]), method='Nelder-Mead', tol=1e-3)
    assert tuned.converged
    assert tuned.loss == pytest.approx(best.fun, abs=1e-4)
    assert list(tuned.values.values()) == pytest.approx(np.exp(best.x), rel=0.05)
    assert tuned.loss < tuned.loss_before
    assert tuned.at_ends == ()
    assert tuned.before == {'acceleration_psd': 9.162e-2, 'encoder.sigma': 0.02}


@pytest.mark.parametrize('criterion', ['position_rmse', 'velocity_rmse'])
def test_errors_against_the_truth_become_smaller(criterion):
    found = tune('dekf', SLED, SENSORS, RECORDINGS, {'acceleration_psd': (1e-3, 1e4)}, DT,
                 criterion=criterion, processes=1)
    assert found.loss < 0.8 * found.loss_before


def test_a_value_at_an_end_of_its_range_is_reported():
    found = tune('dekf', SLED, SENSORS, RECORDINGS, {'acceleration_psd': (1e-3, 1.0)}, DT,
                 processes=1)
    assert found.at_ends == ('acceleration_psd',)


def test_processes_and_machines_of_a_scheduler_find_the_same():
    from distributed import LocalCluster

    def found(**where):
        return tune('dekf', SLED, SENSORS, RECORDINGS, {'acceleration_psd': None}, DT, trials=12,
                    **where)
    expected = found(processes=1)
    assert found(processes=2) == expected
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        assert found(scheduler=cluster.scheduler_address) == expected


def test_texts_and_whole_numbers_are_searched_too():
    """Of a sled under white noise all of them are as good: what is found must be allowed."""
    found = tune('ukf', SLED, SENSORS, RECORDINGS[:1],
                 limits_of(['integrator', 'reuse_points', 'alpha']), DT, trials=30, processes=1)
    assert make_filter('ukf', SLED, SENSORS, DT, **found.values)
    found = tune('shaping_error_ekf_fe', SLED, SENSORS, RECORDINGS[:1], {'window': (100, 102)}, DT,
                 trials=12, processes=1)
    assert found.values['window'] in (100, 101, 102)


@pytest.mark.parametrize(('last', 'converged'), [(103, True), (900, False)])
def test_whole_numbers_have_converged_when_all_were_tried(last, converged):
    """Each window has another likelihood; 12 trials are a few of many, or all of four."""
    found = tune('shaping_error_ekf_fe', SLED, SENSORS, RECORDINGS[:1], {'window': (100, last)}, DT,
                 trials=12, processes=1)
    assert found.converged == converged


@pytest.mark.parametrize(('given', 'before'), [({}, ()), ({'force_walks': (0.5, 2.5)}, (0.5, 2.5))])
def test_a_list_is_varied_as_one_number_for_all(given, before):
    """An empty list is in the middle of the range, on a logarithmic axis, others at their mean."""
    task = Task('adekf', SLED, tuple(sensors_of(SLED, SENSORS)), DT, tuple(RECORDINGS),
                settings=given)
    one, = task.dimensions({'force_walks': (0.01, 100.0)})
    assert task.value('force_walks') == before
    assert one.value(one.coordinate(before)) == pytest.approx((np.mean(before or 1.0),), rel=1e-3)
    assert one.value(one.bounds[1]) == (100.0,)


def test_a_tuned_list_is_as_likely_as_the_filter_with_it_says():
    walks = {'force_walks': (0.05, 200.0)}
    found = tune('adekf', SLED, SENSORS, RECORDINGS[:1], walks, DT, trials=40, processes=1)
    recorded = RECORDINGS[0]
    losses = [-log_likelihood(recorded.readings, observe(
        make_filter('adekf', SLED, SENSORS, DT, force_walks=[walk]), recorded.stamps,
        recorded.readings, DT)) for walk in (found.values['force_walks'][0], 0.05, 200.0)]
    assert losses[0] == pytest.approx(found.loss, rel=1e-9)
    assert losses[0] < min(losses[1:])
    text = parameters_text('sled', 'adekf', SENSORS, DT, found.values)
    assert yaml.safe_load(text)['estimator']['ros__parameters']['filter'] == {
        'force_walks': list(found.values['force_walks'])}


def test_settings_in_which_one_number_stands_for_all_declare_it():
    declared = {(name, description.one_for_all, 'one for all' in description.help)
                for filter_ in available_filters()
                for name, _, description in filter_class(filter_).Settings.describe()
                if name != 'acceleration_variance_factors'}    # of which is "the one for all"
    assert all(one == said for _, one, said in declared)
    assert sum(one for _, one, _ in declared) == 10


def test_settings_with_which_a_filter_fails_are_passed_over():
    """A central point of a weight below zero has no root; most of this range is so."""
    found = tune('srukf', SLED, SENSORS, RECORDINGS[:1],
                 {'beta': (0.0, 9.0), 'alpha': (0.01, 1.0)}, DT, trials=30, processes=1)
    assert np.isfinite(found.loss)


@pytest.mark.parametrize('share', [0.1, 0.9])
def test_an_interrupt_gives_the_best_so_far(share, tuned):
    """While the search is everywhere, and while it goes down from the best."""
    last = round(share * tuned.trials)

    def interrupt(trials, values, loss):
        if trials == last:
            raise KeyboardInterrupt
    found = tune('dekf', SLED, SENSORS, RECORDINGS,
                 {'acceleration_psd': (1e-3, 1e4), 'encoder.sigma': None}, DT, processes=1,
                 progress=interrupt)
    assert found.interrupted
    assert not found.converged
    assert found.trials == last
    assert found.loss < found.loss_before


@pytest.mark.parametrize(('vary', 'message'), [
    ({'speed': None}, 'speed: unknown setting, expected one of'),
    ({'gyro.sigma': None}, 'gyro.sigma: gyro: expected one of encoder, other'),
    ({'encoder.noise': None}, 'encoder.noise: unknown setting'),
    ({'encoder.bias': None}, 'encoder.bias: needs a range'),
    ({'acceleration_psd': (0.0, 1.0)}, 'acceleration_psd: 0 must be > 0'),
    ({'acceleration_psd': (2.0, 1.0)}, '2:1 must be an increasing range'),
    ({'acceleration_psd': ('low', 1.0)}, 'must be a range'),
    ({}, 'at least one setting')])
def test_what_cannot_be_varied_is_reported(vary, message):
    with pytest.raises(ValueError, match=message):
        tune('dekf', SLED, SENSORS, RECORDINGS, vary, DT, processes=1)


@pytest.mark.parametrize(('filter_', 'name'), [
    ('adekf', 'unknown_forces'), ('interacting_models', 'modes'),
    ('augmented_ekf', 'coordinate_psds')])
def test_lists_of_values_that_differ_in_meaning_are_reported(filter_, name):
    with pytest.raises(SettingError, match=f'{name}: a list .* expected a number, a text'):
        tune(filter_, SLED, SENSORS, RECORDINGS, {name: (1.0, 2.0)}, DT, processes=1)


def test_choices_that_do_not_exist_are_reported():
    with pytest.raises(SettingError, match="integrator: 'euler': expected at least two of"):
        tune('ukf', SLED, SENSORS, RECORDINGS, {'integrator': ['rk2', 'euler']}, DT, processes=1)


def test_a_search_in_a_pipe_says_what_it_tries_and_how_far_it_is(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(progress, 'FIRST', 0.0)
    monkeypatch.setattr(progress, 'PERIOD', 0.0)
    assert command.main([
        '--sensors', 'crank_encoder', '--duration', '0.2', '--seeds', '0', '1', '--vary',
        'acceleration_variance', '--trials', '8', '--processes', '1', '--force', '--output',
        str(tmp_path / 'tuned.yaml')]) == 0
    printed = capsys.readouterr()
    assert printed.out.startswith(
        'tries up to 8 settings of error_ekf_fe, each on 0.4 s of recordings\n')
    assert all(line.startswith('trials: ') for line in printed.err.splitlines())
    for trial in (1, 5):
        assert re.search(f'^trials: {trial} of 8 in [0-9]+ s, at most about [0-9]+ s left; '
                         'best so far: acceleration_variance = [0-9]', printed.err, re.MULTILINE)


def test_an_error_needs_the_truth():
    blind = Recording(RECORDINGS[0].stamps, RECORDINGS[0].readings)
    with pytest.raises(FilterError, match='needs the true motion'):
        tune('dekf', SLED, sensors_of(SLED, SENSORS), [blind], {'gate': None}, DT,
             criterion='position_rmse')
