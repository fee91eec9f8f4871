"""Which IMUs words mean, what of them is found, by machines of the documentation and others."""

from argparse import Namespace
from pathlib import Path

import numpy as np
from planar_machines import flap
import pytest
import yaml

from mb_estimators import FitError, FitSettings, MountingRecording, fit_mountings
from mb_estimators.commands.fit_engines import ENGINES, chosen_engines
from mb_estimators.commands.fit_request import FitRequest
from mb_estimators.fitting.mountings import chosen_imus, takes_mounting
from mb_model import Mechanism, load_mechanism, simulate
from mb_sensors import (
    RecordedMotion,
    SensorError,
    SensorNoise,
    motion_of_encoders,
    sensors_of,
    true_values,
)

ROOT = Path(__file__).parents[3]
DRAWN, BUILT = (ROOT / f'docs/how_to/log_to_twin/{name}.yaml' for name in (
    'hinge', 'hinge_as_built'))
CASE = ROOT.parent / 'shared/cases/public/22-imu-upside-down/imu_upside_down_pitching.csv'
QUICK = FitSettings(held_out=0.0)


def test_a_rod_is_as_it_was_built():
    """The example of the documentation, read by the kinds of sensors."""
    drawn, built = (load_mechanism(str(file)) for file in (DRAWN, BUILT))
    run = simulate(built, duration=10.0, dt=0.005)
    stamps = np.round(1e9 * (run.t + 1.0)).astype(np.int64)
    read = {}
    for sensor in sensors_of(built, ['encoder', 'gyro', 'acc']):
        late = round(1e9 * sensor.settings.delay) * sensor.settings.stamped_at_arrival
        read[sensor.name] = stamps + late, SensorNoise(sensor.settings, 1, sensor.name).readings(
            range(len(run.t)), true_values(built, sensor, run.q, run.qd, run.qdd))
    motion = motion_of_encoders(drawn, sensors_of(drawn, 'encoder'), *read['encoder'], 0.0)
    fitted = fit_mountings(drawn, ['mountings', 'delays', 'biases'],
                           [MountingRecording(motion, read)])
    truth = {'acc.at.x': 0.62, 'acc.at.y': 0.04, 'acc.orientation': 3.1, 'acc.delay': 0.035,
             'gyro.bias.z': 0.02, 'acc.bias.x': 0.1, 'acc.bias.y': 0.1}
    assert {one.path.removeprefix('sensors.') for one in fitted.numbers} == truth.keys()
    for one in fitted.numbers:
        error = abs(one.value - truth[one.path.removeprefix('sensors.')])
        assert error < 3.5 * one.deviation
        assert one.is_known
    assert any('upside down' in note for note in fitted.notes)
    imu, = fitted.imus
    assert imu.held_out.residual == pytest.approx([0.003, 0.03, 0.03], rel=0.4)
    sigmas = [sensor.settings.sigma for sensor in sensors_of(fitted.mechanism, ['gyro', 'acc'])]
    assert sigmas == [0.003, 0.03]
    assert fitted.mechanism.sensors['acc']['delay'] == pytest.approx(0.035, abs=1e-4)


@pytest.mark.skipif(not CASE.exists(), reason='a case that is not shipped')
def test_a_published_imu_upside_down_is_found():
    """Turned by pi about pitch, not about roll: the sign of ax and gy decides."""
    machine = Mechanism(yaml.safe_load(flap("""
  gyro: {kind: gyroscope, body: flap, sigma: 0.002, rate: 100.0, topic: imu}
  acc: {kind: accelerometer, body: flap, at: O, sigma: 0.02, rate: 100.0, topic: imu}
""")), 'flap.yaml')
    columns = np.genfromtxt(CASE, delimiter=',', names=True)
    t = columns['t']
    rate = 0.4 * np.pi
    motion = RecordedMotion(np.round(1e9 * (t + 1.0)).astype(np.int64), *(one[:, np.newaxis]
                            for one in (0.3 * np.sin(rate * t), 0.3 * rate * np.cos(rate * t),
                                        -0.3 * rate ** 2 * np.sin(rate * t))))
    read = {name: (motion.stamps, np.column_stack([columns[axis] for axis in axes]))
            for name, axes in (('gyro', ('gx', 'gy', 'gz')), ('acc', ('ax', 'ay', 'az')))}
    fitted = fit_mountings(machine, ['sensors.*.rpy'], [MountingRecording(motion, read)], QUICK)
    assert any('turned by 3.14' in note and 'upside down' in note for note in fitted.notes)
    c = np.cos(fitted.mechanism.sensors['acc']['rpy'])
    assert [c[0] * c[1], c[1] * c[2]] == pytest.approx([-1.0, -1.0], abs=1e-3)     # z, x reversed


ARM = load_mechanism('six_axis_arm')


@pytest.mark.parametrize(('word', 'wanted'), [
    ('mountings', {'position', 'orientation'}), ('delays', {'delay'}), ('biases', {'biases'}),
    ('sensors.tool_gyro.rpy', {'orientation'}), ('sensors.tool_acc*.at', {'position'}),
    ('sensors.tool_gyro.*', {'orientation', 'delay', 'biases', 'scales'})])
def test_words_mean_what_of_which_imu(word, wanted):
    """Gyroscope and accelerometer are one device: the same topic, body and axes."""
    assert takes_mounting(ARM, word)
    imu, = chosen_imus(ARM, [word])
    assert [sensor.name for sensor in imu.sensors] == ['tool_gyro', 'tool_accelerometer']
    assert imu.wanted == wanted
    assert imu.named == word.startswith('sensors.')
    assert ('delay' in imu.free) == (wanted != {'biases'})


def test_one_call_may_fit_mountings_and_masses():
    """The engine of forces takes what is no mounting."""
    options = dict.fromkeys({name for engine in ENGINES.values() for name in engine.reads})
    request = FitRequest('six_axis_arm', ARM, ['none'], [{}], {}, Namespace(**options | {
        'torques': 'efforts', 'sensors': (), 'drives': ()}))
    words = ['masses', 'mountings', 'sensors.tool_gyro.bias', 'friction']
    assert [own for _, own in chosen_engines(request, words)] == [
        ['mountings', 'sensors.tool_gyro.bias'], ['masses', 'friction']]


def test_sensors_with_other_axes_are_other_devices():
    turned = ARM.replace(sensors={'tool_gyro': {'rpy': [0.0, 0.0, 0.0]}})
    assert [len(imu.sensors) for imu in chosen_imus(turned, ['mountings'])] == [1, 1]


@pytest.mark.parametrize('word', ['masses', 'sensors.encoder1.bias', 'bodies.*.mass', 'inertias'])
def test_other_words_are_left_to_other_engines(word):
    assert not takes_mounting(ARM, word)
    with pytest.raises(FitError, match='has no accelerometer or gyroscope'):
        chosen_imus(ARM, [word])


def test_what_was_named_and_cannot_be_fitted_is_an_error():
    stamps = np.arange(0, 10 ** 9, 10 ** 7)
    still = RecordedMotion(stamps, np.tile(ARM.z0, (100, 1)), np.zeros((100, 6)),
                           np.zeros((100, 6)))
    for words, error in ((['sensors.tool_gyro.rpy'], SensorError), (['mountings'], FitError)):
        with pytest.raises(error, match='tool_gyro, tool_accelerometer: no readings'):
            fit_mountings(ARM, words, [MountingRecording(still, {})])
