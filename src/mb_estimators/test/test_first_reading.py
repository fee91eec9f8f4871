"""A reading at the start can be left out, so that a filter predicts before its first correction."""

from message_bags import write_messages
import numpy as np
import pytest
from streamed import bits, bits_of, feed, stream_of
import yaml

from mb_estimators import Experiment, make_filter
from mb_estimators.commands import smooth, tune
from mb_estimators.papers import settings_as_in
from mb_estimators.smoothing import smooth as smoothed_by
from mb_model.file_api import write_recorded
from mb_ros.states import joint_state

SECOND, DT, NAMES = 1_000_000_000, 5e-3, ('error_ekf_fe', 'ukf', 'dekf')


@pytest.fixture(scope='module')
def experiment():
    return Experiment('four_bar', ['crank_gyro'], {'gravity': -1.0, 'z0': 0.2}, 0.1, DT)


def estimates(experiment, name, readings):
    """Return the bits of the estimates of a filter that predicts, then corrects, step by step."""
    filter_ = make_filter(name, experiment.mechanism, experiment.sensors, DT)
    found = [bits(filter_.estimate)]
    for reading in readings[1:]:
        filter_.predict(DT)
        filter_.correct(reading)
        found.append(bits(filter_.estimate))
    return found


@pytest.mark.parametrize('name', NAMES)
def test_an_experiment_predicts_first(experiment, name):
    result = experiment.run(name, 3, first_reading=False)
    filter_ = make_filter(name, experiment.mechanism, experiment.sensors, DT)
    z = [filter_.estimate.z]
    for reading in experiment.readings(3)[1:]:
        filter_.predict(DT)
        filter_.correct(reading)
        z.append(filter_.estimate.z)
    assert np.array(z).tobytes() == result.observer.z.tobytes()
    assert np.isnan(result.innovation[0]).all()
    assert np.isfinite(result.innovation[1:]).all()
    with_it = experiment.run(name, 3)
    assert np.isfinite(with_it.innovation).all()
    assert with_it.observer.z[-1] != result.observer.z[-1]


@pytest.mark.parametrize('name', NAMES)
@pytest.mark.parametrize('start_time', [0.0, 1.0])
def test_a_stream_predicts_first(experiment, name, start_time):
    """Its start holds at the first reading, or at a stamp at which there is a reading, too."""
    readings = experiment.readings(3)
    stream = stream_of(experiment.mechanism, experiment.sensors, name, first_reading=False,
                       start_time=start_time)
    steps = feed(stream, [('crank_gyro', stamp, reading) for stamp, reading in zip(
        experiment.stamps, readings, strict=True)])
    expected = estimates(experiment, name, readings)
    assert bits_of(steps) == dict(zip(experiment.stamps, expected, strict=True))
    assert stream.state.counts.used == len(readings) - 1
    assert stream.state.counts.rejected == 0


def test_a_start_before_the_first_reading_leaves_it_in(experiment):
    readings = experiment.readings(3)
    begin = experiment.stamps[0] - round(SECOND * DT)
    steps = {}
    for first_reading in (False, True):
        stream = stream_of(experiment.mechanism, experiment.sensors, first_reading=first_reading,
                           start_time=begin / SECOND)
        steps[first_reading] = bits_of(feed(stream, [('crank_gyro', stamp, reading)
                                       for stamp, reading in zip(
            experiment.stamps, readings, strict=True)]))
    assert steps[False] == steps[True]


def test_going_back_to_a_late_reading_leaves_the_first_one_out(experiment):
    readings = list(zip(['crank_gyro'] * len(experiment.stamps), experiment.stamps,
                        experiment.readings(3), strict=True))
    late = [*readings[:3], *readings[4:8], readings[3], *readings[8:]]
    ends = []
    for rows, settings in ((readings, {}), (late, {'history_length': 1.0, 'reorder_window': 0.0})):
        stream = stream_of(experiment.mechanism, experiment.sensors, 'error_ekf_fe',
                           first_reading=False, **settings)
        ends.append(bits(feed(stream, rows)[-1].estimate))
    assert ends[0] == ends[1]


@pytest.mark.parametrize('of_run', [{'first_reading': False}, {'as_in': 'rodriguez2023'}])
def test_commands_on_a_bag_predict_first_as_its_run_did(tmp_path, capsys, of_run):
    experiment = Experiment('four_bar', ['crank_encoder'], {'gravity': -1.0, 'z0': 0.2}, 0.1, DT)
    recording = experiment.recording(3)
    write_messages(tmp_path / 'bag', [
        ('/crank_encoder', joint_state(stamp, ['crank_encoder'], reading))
        for stamp, reading in zip(experiment.stamps, recording.readings, strict=True)])
    write_recorded({'estimator': {
        'mechanism': 'four_bar', 'estimator': 'error_ekf_fe', 'sensors': ['crank_encoder'],
        'dt': DT, 'model_errors.gravity': -1.0, 'model_errors.z0': 0.2, **of_run}}, tmp_path)
    found = tmp_path / 'smoothed.npz'
    assert smooth.main([str(tmp_path / 'bag'), '--save', str(found)]) == 0
    settings = settings_as_in(of_run.get('as_in', ''), 'error_ekf_fe').settings
    recording.readings[0] = np.nan
    expected = smoothed_by(make_filter('error_ekf_fe', experiment.mechanism, experiment.sensors,
                                       DT, **settings), recording, DT)
    np.testing.assert_array_equal(np.load(found)['z'], expected.motion.z)
    output = tmp_path / 'tuned.yaml'
    assert tune.main([str(tmp_path / 'bag'), '--vary', 'acceleration_variance=1e-3:1e-2',
                      '--trials', '3', '--force', '--processes', '1', '--output',
                      str(output)]) == 0
    written = yaml.safe_load(output.read_text())['estimator']['ros__parameters']
    assert written['first_reading'] is False
    capsys.readouterr()
