"""`as_in` sets what the text of a paper says, at once, and what is given beside it counts more."""

from argparse import Namespace
from dataclasses import asdict

import numpy as np
import pytest

from mb_estimators import (
    EstimatorSetup,
    Experiment,
    StreamSettings,
    autocorrelation,
    available_filters,
    filter_class,
    forward,
    make_filter,
)
from mb_estimators.commands.options import filter_settings
from mb_estimators.papers import PAPERS
from mb_model import SettingError, load_mechanism
from mb_model.file_api import GivenParameters

REVIEW, DT = 'rodriguez2023', 5e-3
# Rodriguez et al. 2023, Sec. 12.1, as its text has them; `feedback`, and noise and correlation time
# of the shaping filter, as its figures need them.
# All other settings of these filters are defaults.
OF_ALL = {'initial_variance': 0.0076, 'gate': 0.0}
PLANT = {'acceleration_psd': 9.162e-2}
OWN = {
    'cekf': {'acceleration_psd': 0.73303, 'as_published': True, 'feedback': 'end'},
    'cekf_penalty': {'as_published': True, 'natural_frequency': 10.0, 'damping_ratio': 1.0},
    'ukf': {**PLANT, 'reuse_points': True, 'integrator': 'trapezoidal'},
    'ssukf': {**PLANT, 'reuse_points': True, 'integrator': 'trapezoidal'},
    'dekf': PLANT,
    'sckf': {**PLANT, 'as_published': True, 'weakening': 0.1, 'weakening_decay': 10.0,
             'dependent_variance': 1.0, 'constraint_tolerance': 1e-3},
    'diekf_pm': {**PLANT, 'as_published': True, 'constraint_variance': 1e-3,
                 'dependent_variance': 1.0, 'constraint_tolerance': 1e-3},
    'error_ekf': PLANT,
    'error_ekf_ej': PLANT,
    'error_ekf_fe': {'acceleration_variance': 2.291e-3},
    'adaptive_error_ekf_fe': {'acceleration_variance': 9.162e-2, 'window': 50, 'adapt': 'plant',
                              'method': 'maximum_likelihood'},
    'shaping_error_ekf_fe': {'acceleration_variance': 2.3428e-6, 'correlation_time': 1.664,
                             'window': 500, 'initial_noise_variance': 1e-3}}
EVERY = [(paper, name) for paper, known in PAPERS.items() for name in known
         if name in available_filters()]
CONTINUOUS = 'cekf', 'cekf_penalty'        # which readings pull at from the start on
SENSORS = {'hydraulic_kinematic_ekf': ('crane', ['cylinder_encoder', 'pressure1', 'pressure2']),
           'platform_ekf': ('three_rrr', ['drive_encoders', 'imu'])}


@pytest.fixture(scope='module')
def experiment():
    return Experiment('four_bar', ['crank_encoder'], {'gravity': -1.0, 'z0': 0.2}, 0.1, DT)


@pytest.mark.parametrize('name', OWN)
def test_filters_of_the_review_have_the_settings_of_its_text(experiment, name):
    """On a machine on which noises would grow."""
    five_bar = load_mechanism('five_bar')
    made = make_filter(name, five_bar, ['crank_encoders'], DT, as_in=REVIEW)
    spelled_out = OF_ALL | OWN[name]
    expected = filter_class(name).Settings.defaults() | spelled_out
    if name == 'cekf_penalty':          # whose noise the text leaves open
        expected['acceleration_psd'] = make_filter(
            name, five_bar, ['crank_encoders'], DT).settings.acceleration_psd
    assert asdict(made.settings) == expected
    by_word, by_values = (experiment.run(name, 1, **settings) for settings in (
        {'as_in': REVIEW}, {'first_reading': name in CONTINUOUS, **spelled_out}))
    assert by_word.observer.z.tobytes() == by_values.observer.z.tobytes()
    assert by_word.covariance.tobytes() == by_values.covariance.tobytes()


def test_every_filter_of_the_review_that_sets_something_is_known():
    assert set(PAPERS[REVIEW]) == set(OWN)


@pytest.mark.parametrize(('paper', 'name'), EVERY)
def test_every_filter_of_a_paper_can_be_made(paper, name):
    machine, sensors = SENSORS.get(name, ('four_bar', ['crank_encoder']))
    made = make_filter(name, machine, sensors, 1e-3, as_in=paper)
    expected = PAPERS[paper][name].settings
    assert {key: getattr(made.settings, key) for key in expected} == expected
    StreamSettings.from_mapping(PAPERS[paper][name].stream)


def test_what_is_given_beside_it_counts_more(experiment):
    made = make_filter('ukf', experiment.mechanism, experiment.sensors, DT, as_in=REVIEW,
                       reuse_points=False, gate=5.0)
    assert not made.settings.reuse_points
    assert made.settings.gate == 5.0
    given = experiment.run('error_ekf', 1, as_in=REVIEW, first_reading=True)
    assert np.isfinite(given.readings[0]).all()
    assert np.isnan(experiment.run('error_ekf', 1, as_in=REVIEW).readings[0]).all()


def test_an_unknown_paper_is_refused_with_the_known_ones(experiment):
    known = ', '.join(PAPERS)
    with pytest.raises(SettingError, match=f"as_in: 'kalman1960' must be one of {known}"):
        experiment.run('error_ekf', 1, as_in='kalman1960')


@pytest.mark.parametrize('paper', PAPERS)
def test_a_filter_of_which_a_paper_sets_nothing_is_refused(experiment, paper):
    others = [name for name in available_filters() if name not in PAPERS[paper]]
    for name in others:
        with pytest.raises(SettingError, match=rf'as_in: {paper}: sets nothing of {name}, only of '
                                               + ', '.join(PAPERS[paper])):
            make_filter(name, experiment.mechanism, experiment.sensors, DT, as_in=paper)


def test_an_estimator_has_them_and_what_its_parameters_say_counts_more():
    given = {'mechanism': 'five_bar', 'estimator': 'ukf', 'sensors': ['crank_encoders'],
             'as_in': REVIEW}
    setup = EstimatorSetup(GivenParameters(given).settings_of)
    assert asdict(setup.filter.settings) == filter_class('ukf').Settings.defaults() | (
        OF_ALL | OWN['ukf'])
    assert not setup.stream_settings.first_reading
    other = EstimatorSetup(GivenParameters(
        given | {'first_reading': True, 'filter.acceleration_psd': 1.0}).settings_of)
    assert other.stream_settings.first_reading
    assert other.filter.settings.acceleration_psd == 1.0
    assert other.filter.settings.reuse_points
    with pytest.raises(SettingError, match=r'as_in: .*one of , rodriguez2023'):
        EstimatorSetup(GivenParameters(given | {'as_in': 'kalman1960'}).settings_of)


def test_commands_on_a_recorded_run_have_them():
    recorded = GivenParameters({'estimator': 'ukf', 'as_in': REVIEW, 'filter.gate': 4.0})
    given = Namespace(estimator='ukf', recorded=recorded, settings=['alpha=0.5'])
    assert filter_settings(given) == (
        OF_ALL | OWN['ukf'] | {'gate': 4.0, 'alpha': 0.5})


def test_the_shaping_filter_whitens_what_the_plain_one_does_not():
    """Fig. 5, accelerometers: by the noise that the text prints it would be the plain one."""
    experiment = Experiment('four_bar', ['crank_accelerometers'],
                            {'gravity': -1.0, 'z0': np.pi / 16}, 6.0, DT)

    def correlation(name, **more):
        result = experiment.run(name, 1, as_in=REVIEW, **more)
        values = (result.innovation / np.sqrt(np.diagonal(
            result.innovation_covariance, axis1=1, axis2=2)))[400:]
        return np.mean([autocorrelation(column, 1)[0] for column in values.T])
    plain, shaped = correlation('error_ekf_fe'), correlation('shaping_error_ekf_fe')
    printed = correlation('shaping_error_ekf_fe', acceleration_variance=2.3428e-3,
                          correlation_time=0.0)
    assert plain < -0.1
    assert abs(shaped) < 0.06
    assert printed == pytest.approx(plain, abs=0.01)


def test_a_graph_has_the_weights_of_its_paper():
    """Blanco-Claraco et al. 2021, Table 2."""
    by_word, by_values = (forward(load_mechanism('four_bar_fg'), 0.02, 1e-3, window=2, **settings)
                          for settings in ({'as_in': 'blanco2021'}, {
                              'oldest': 'marginalised', 'equality_variance': 1e2,
                              'integration_variance': 1e-2, 'dynamics_variance': 1e-4}))
    assert by_word.settings == by_values.settings
    assert by_word.q.tobytes() == by_values.q.tobytes()
    with pytest.raises(SettingError, match='as_in: rodriguez2023: sets nothing of forward'):
        forward(load_mechanism('four_bar_fg'), 0.02, 1e-3, as_in=REVIEW)
