"""Default noises by the machine: closed forms, and what they leave alone."""

from free_motion import FLYWHEEL
import numpy as np
import pytest

from mb_estimators import EstimatorSetup, filter_class, make_filter
from mb_estimators.filters.machine_noise import growth, machine_defaults, typical_acceleration
from mb_estimators.tuning.task import Task
from mb_model import Mechanism, apply_model_errors, load_mechanism
from mb_model.file_api import GivenParameters
from mb_sensors import sensors_of

G = 9.81
FOUR_BAR = load_mechanism('four_bar')


def pendulum(length, dimension=2, mass=2.0, **more):
    """Return a rod that swings about its end, in the plane or in space."""
    if dimension == 2:
        return load_mechanism('pendulum').replace(
            points={'P': {'start': [length, 0.0]}},
            bodies={'rod': {'length': length, 'mass': mass}}, **more)
    return Mechanism({
        'name': 'pendulum', 'dimension': 3,
        'bodies': {'rod': {'mass': mass, 'centre_of_gravity': [length / 2, 0.0, 0.0],
                           'inertia': [1e-9, mass * length ** 2 / 12.0, mass * length ** 2 / 12.0],
                           'points': {'O': [0.0, 0.0, 0.0]}}},
        'ground': {'O': [0.0, 0.0, 0.0]},
        'joints': {'hinge': {'kind': 'revolute', 'bodies': ['ground', 'rod'], 'at': 'O',
                             'axis': [0, 1, 0]}},
        'coordinates': {'theta': {'kind': 'angle', 'joint': 'hinge'}}, 'independent': ['theta'],
        'sensors': {'encoder': {'kind': 'angle_encoder', 'coordinate': 'theta', 'sigma': 0.01}}},
        'pendulum.yaml')


@pytest.mark.parametrize('dimension', [2, 3])
@pytest.mark.parametrize('mass', [0.01, 1000.0])
@pytest.mark.parametrize('length', [0.02, 0.5, 20.0])
def test_a_pendulum_falls_with_3_g_over_2_l_wherever_it_hangs(length, mass, dimension):
    assert typical_acceleration(pendulum(length, dimension, mass)) == pytest.approx(
        1.5 * G / length, rel=1e-6)
    if dimension == 2:
        hanging = pendulum(length, start={'theta': -np.pi / 2})
        assert typical_acceleration(hanging) == pytest.approx(1.5 * G / length, rel=1e-6)
        floating = pendulum(length, gravity=[0.0, 0.0])
        assert typical_acceleration(floating) == pytest.approx(1.5 * G / length, rel=1e-6)


def test_springs_motors_and_dampers_count_beside_gravity():
    """1.5 g / L, a motor's 6 N m and a damper's 4 N m at 2 rad/s, on 2 / 3 kg m^2."""
    forces = {'motor': {'kind': 'constant', 'coordinate': 'theta', 'force': 6.0},
              'losses': {'kind': 'friction', 'coordinate': 'theta', 'coulomb': 0.0,
                         'viscous': 2.0}}
    driven = pendulum(1.0, forces=forces, start_velocity={'theta': 2.0})
    assert typical_acceleration(driven) == pytest.approx(
        np.sqrt((1.5 * G) ** 2 + 9.0 ** 2 + 6.0 ** 2), rel=1e-4)


def test_the_four_bar_linkage_and_wrong_models_of_it_have_the_noises_of_the_papers():
    models = [FOUR_BAR] + [apply_model_errors(FOUR_BAR, {'gravity': gravity, 'z0': off})
                           for gravity in (-1.0, 1.0) for off in (-np.pi / 16, np.pi / 16)]
    assert {growth(model, power) for model in models for power in (1.0, 2.0, 3.0)} == {1.0}
    assert not machine_defaults(filter_class('error_ekf_fe'), FOUR_BAR)


@pytest.mark.parametrize(('length', 'variance', 'density'), [
    (10.0, 1.0, 1.0), (0.75, 1.0, 1.0), (0.65, 10.0, 1.0), (0.2, 100.0, 10.0),
    (1e-4, 1e4, 1e4)])
def test_noises_grow_by_whole_decades_and_no_longer(length, variance, density):
    light = pendulum(length)
    assert (growth(light, 2.0), growth(light, 1.0)) == (variance, density)
    for name, setting, factor in (('error_ekf_fe', 'acceleration_variance', variance),
                                  ('error_ekf', 'acceleration_psd', density),
                                  ('adekf', 'acceleration_psd', density)):
        default = filter_class(name).Settings.defaults()[setting]
        made = make_filter(name, light, ['encoder'], 0.005)
        assert getattr(made.settings, setting) == pytest.approx(factor * default)
        given = make_filter(name, light, ['encoder'], 0.005, **{setting: default})
        assert getattr(given.settings, setting) == default


def test_nodes_and_tuning_have_the_same_defaults_and_leave_given_ones_alone(tmp_path):
    light, file = pendulum(0.2), tmp_path / 'light.yaml'
    file.write_text(light.text)
    given = {'mechanism': str(file), 'estimator': 'error_ekf_fe', 'sensors': ['encoder']}
    default = 2.291e-3
    for more, expected in (({}, 100.0 * default), ({'filter.acceleration_variance': default},
                                                   default)):
        setup = EstimatorSetup(GivenParameters(given | more).settings_of)
        assert setup.tuning.acceleration_variance == pytest.approx(expected)
        assert setup.filter.settings == setup.tuning
    task = Task('error_ekf_fe', light, tuple(sensors_of(light, ['encoder'])), 0.005, (None,))
    assert task.value('acceleration_variance') == pytest.approx(100.0 * default)


def test_what_cannot_move_and_hydraulic_filters_keep_their_defaults():
    pointer = {'points': ['O', 'Q'], 'length': 1.0, 'mass': 0.0, 'inertia': 0.0,
               'centre_of_gravity': [0.0, 0.0]}
    weightless = FLYWHEEL.replace(
        points={'Q': {'start': [0.0, 1.0]}}, bodies={'pointer': pointer},
        coordinates={'phi': {'kind': 'angle', 'body': 'pointer'}}, independent=['theta', 'phi'])
    assert typical_acceleration(weightless) == 0.0
    for name in ('hydraulic_ekf', 'hydraulic_kinematic_ekf'):
        assert not machine_defaults(filter_class(name), pendulum(0.2))
