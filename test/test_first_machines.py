"""Ordinary machines as a first user brings them: the recommended filter passes without tuning."""

from itertools import product

import numpy as np
import pytest

from benchmarks.first_machines import verdict
from benchmarks.ordinary_machines import KINDS, machine
from mb_evaluation.report_kinds.accuracy_report import commands
from mb_model import load_mechanism
from mb_model.checking import findings
from mb_model.mechanism_file.overrides import merged
from mb_simulation.prototypes import make_prototype

FRICTION = {'kind': 'friction', 'coordinate': 'theta', 'coulomb': 0.0, 'viscous': 1e3}
LIGHT_ARM = 1006        # seed of a loader of 44 g, lost with the noise of the four-bar linkage


def test_machines_are_of_all_kinds_and_the_same_for_the_same_seed():
    raw, sensors = machine(1)
    again, _ = machine.__wrapped__(1)
    assert raw['name'] == 'desk_lamp_1' == again['name']
    assert raw['forces'] == again['forces']
    assert set(sensors) == set(raw['sensors'])
    assert len({kind.__name__ for kind in KINDS}) == len(KINDS) == 10


@pytest.mark.parametrize(('settings', 'passes'), [
    ({}, True), ({'acceleration_variance': 2.291e-3}, False)])
def test_a_light_arm_passes_by_default_and_is_lost_with_the_noise_of_the_papers(settings, passes):
    found = verdict(LIGHT_ARM, 'error_ekf_fe', **settings)
    assert (not found.objections) == passes, found.objections
    mean = found.figures['consistency']['nees']['mean_per_state']
    assert (0.2 < mean < 2.0) == passes
    assert np.isfinite(mean)


@pytest.mark.parametrize('kind', range(len(KINDS)))
def test_check_names_the_bodies_that_the_prototype_refuses(kind):
    raw, _ = machine(kind)
    assert not findings(raw, 'right.yaml').mistakes
    centre = [0.0] * raw.get('dimension', 2)
    nothing = 0.0 if len(centre) == 2 else centre
    for body, fault in product(raw['bodies'], ({'mass': 0.0}, {
            'inertia': nothing, 'centre_of_gravity': centre})):
        found = findings(merged(raw, {'bodies': {body: fault}}), 'wrong.yaml')
        if found.mechanism is None:
            continue
        try:
            make_prototype('mujoco', found.mechanism, 5e-3, 1e-3)
        except ValueError:
            assert any(f'bodies.{body}' in text for text in found.doubts), (body, fault)


@pytest.mark.parametrize(('changes', 'warning'), [
    ({'sensors': {'encoder': {'sigma': 0.0}}}, 'sensors.encoder.sigma: 0: filters read'),
    ({'forces': {'oil': FRICTION | {'viscous': 1e6}}}, 'forces.oil.viscous: moves theta with 3e'),
    ({'start_velocity': {'theta': 1e4}}, 'start_velocity.theta: 10000 rad/s is 50 rad in a step'),
    ({'start_velocity': {'theta': 600.0}}, ''), ({'forces': {'oil': FRICTION}}, '')])
def test_check_warns_of_what_filters_and_steps_refuse(changes, warning):
    found = findings(merged(load_mechanism('pendulum').raw, changes), 'pendulum.yaml')
    assert not found.mistakes
    assert len(found.doubts) == bool(warning)
    assert all(text.startswith(warning) for text in found.doubts)
    (alone,) = findings({**found.mechanism.raw, 'sensors': {}}, 'pendulum.yaml').doubts[:1]
    assert alone.startswith('sensors: none')


def test_a_failed_verdict_says_how_to_tune_and_how_to_launch_with_the_result():
    figures = verdict(LIGHT_ARM, 'error_ekf_fe', acceleration_variance=2.291e-3).figures
    launched = {'bag': '/tmp/my runs/bag', 'rates': [500.0, 200.0], 'arguments': {
        'mechanism': 'my machine.yaml', 'estimator': 'error_ekf_fe',
        'sensors': ['one', 'other'], 'duration': 10.0, 'gravity_error': -1.0, 'start_error': 0.02}}
    tune, launch = commands(figures | {'launched': launched})
    assert tune.startswith('ros2 run mb_estimators tune ')
    assert tune.endswith("my runs/bag' --vary acceleration_variance --output tuned.yaml")
    assert launch == (
        "ros2 launch mb_bringup three_simulation.launch.py 'mechanism:=my machine.yaml' "
        "estimator:=error_ekf_fe 'sensors:=one, other' duration:=10 gravity_error:=-1 "
        'start_error:=0.02 config:=tuned.yaml')
    launched['bag'] = ''
    simulated, _ = commands(figures | {'launched': launched})
    assert simulated == (
        "ros2 run mb_estimators tune --mechanism 'my machine.yaml' --estimator error_ekf_fe "
        '--sensors one other --model-error gravity=-1 --model-error z0=0.02 --duration 10 '
        '--dt 0.001 --vary acceleration_variance --output tuned.yaml')
