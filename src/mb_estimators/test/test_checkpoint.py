"""A killed estimator goes on from its checkpoint: the estimates of one that was not killed."""

from collections import Counter
import os
import subprocess
import sys
import time

from filter_traits import GRAPHS
from hypothesis import given, settings, strategies as st
import numpy as np
import pytest
from streamed import bits

from mb_estimators import available_filters, three_simulation
from mb_estimators.checkpoint import Checkpoint, read_file, write_file
from mb_estimators.estimator_setup import EstimatorSetup
from mb_model import load_mechanism
from mb_model.file_api import GivenParameters

STEP, START = 5_000_000, 1_000_000_000
FOUR_BAR = load_mechanism('four_bar')
SENSORS = ('crank_encoder', 'coupler_gyro')
FIELDS = ('z', 'zd', 'zdd', 'q', 'qd', 'qdd', 'covariance')
READINGS = [
    (sensor, START + k * STEP, (value,))
    for k, row in enumerate(three_simulation(
        FOUR_BAR, 'error_ekf', SENSORS, {'gravity': -1.0}, 0.5, 0.005, 1).readings.tolist())
    for sensor, value in zip(SENSORS, row, strict=True)]


def new_setup(name='error_ekf', problems=None, **values):
    given = {'sensors': list(SENSORS), 'estimator': name} | values
    return EstimatorSetup(GivenParameters(given).settings_of,
                          (lambda problem: None) if problems is None else problems.append)


def feed(setup, readings, checkpoint=None):
    """Return stamp -> bits of the estimates."""
    found = {}
    for reading in readings:
        for step in setup.stream.add(*reading):
            found[step.stamp] = bits(step.estimate)
            if checkpoint:
                checkpoint.saw(step.stamp)
    return found


def by_sensor(readings):
    """Return readings as a node gets them that joins late: sensor by sensor."""
    return sorted(readings, key=lambda reading: SENSORS.index(reading[0]))


WAITING = {'reorder_window': 0.05, 'crank_encoder.gate': 'reject'}
GOING_BACK = {'reorder_window': 0.0, 'history_length': 0.02, 'stuck_after': 5}


@pytest.mark.parametrize(('name', 'values'), [
    *((name, WAITING) for name in available_filters(FOUR_BAR)),
    *((name, GOING_BACK) for name in ('error_ekf', 'augmented_ekf', 'platform_ekf'))])
def test_after_the_gap_the_estimates_are_those_without_one(tmp_path, name, values):
    """Killed at 0.35 s, with a checkpoint of 0.3 s; back when readings of 0.4 s are there."""
    path = tmp_path / 'state.npz'
    expected, problems = feed(new_setup(name, **values), READINGS), []
    killed, back = new_setup(name, **values), new_setup(name, problems, **values)
    feed(killed, READINGS[:140], Checkpoint(path, 0.1, killed))
    done = Checkpoint(path, 0.1, back).resume(START + 80 * STEP)
    assert done.startswith('going on from the checkpoint of 1.300 s')
    found = feed(back, by_sensor(READINGS[60:160])) | feed(back, READINGS[160:])
    assert set(found) >= {START + k * STEP for k in range(61, 101)}
    if name in GRAPHS:        # begins its window anew
        assert not problems
        return
    assert found == {stamp: expected[stamp] for stamp in found}
    assert not problems
    assert back.stream.state.missing == 0
    assert back.stream.state.counts.used == len(READINGS)


@pytest.mark.parametrize('meanwhile', [None, 'coupler_gyro', 'crank_encoder'])
def test_a_sensor_that_was_off_stays_off(tmp_path, meanwhile):
    """Whatever users have switched off before the process goes on."""
    path, killed, back, whole = tmp_path / 'state.npz', new_setup(), new_setup(), new_setup()
    for setup in (killed, whole):
        feed(setup, READINGS[:60])
        setup.stream.enable('coupler_gyro', on=False)
    expected = feed(whole, READINGS[60:])
    feed(killed, READINGS[60:120], Checkpoint(path, 0.1, killed))
    if meanwhile:
        back.stream.enable(meanwhile, on=False)
    Checkpoint(path, 0.1, back).resume()
    found = feed(back, READINGS)
    assert back.stream.state.off == ['coupler_gyro']
    assert len(found) > 30
    assert found == {stamp: expected[stamp] for stamp in found}


def test_a_file_that_does_not_fit_is_refused_and_changes_nothing(tmp_path):
    path = tmp_path / 'state.npz'
    setup = new_setup()
    assert Checkpoint(path, 0.1, setup).resume() == ''
    feed(setup, READINGS[:50], Checkpoint(path, 0.1, setup))
    whole = path.read_bytes()
    for other in (new_setup('dekf'), new_setup(dt=0.001), new_setup(**{'crank_encoder.sigma': .1}),
                  new_setup(sensors=['crank_encoder']), new_setup(**{'model_errors.gravity': 1.0})):
        with pytest.raises(ValueError, match='is of another filter, mechanism or sensors'):
            Checkpoint(path, 0.1, other).resume()
    other = new_setup()
    with pytest.raises(ValueError, match='which is in the future'):
        Checkpoint(path, 0.1, other).resume(START // 2)
    for broken in (b'', b'nonsense', whole[:len(whole) // 2], whole[:-30] + bytes(30)):
        path.write_bytes(broken)
        with pytest.raises(ValueError, match=r'state\.npz: '):
            Checkpoint(path, 0.1, other).resume()
    write_file(path, read_changed(whole, tmp_path, written=time.time() - 60.0))
    with pytest.raises(ValueError, match='was written 60 s ago, longer than longest_gap, 10 s'):
        Checkpoint(path, 0.1, other).resume()
    write_file(path, read_changed(whole, tmp_path, format=1))
    with pytest.raises(ValueError, match='was written by another version'):
        Checkpoint(path, 0.1, other).resume()
    write_file(path, read_changed(whole, tmp_path, stream=None))
    with pytest.raises(ValueError, match='not a checkpoint'):
        Checkpoint(path, 0.1, other).resume()
    assert feed(other, READINGS) == feed(new_setup(), READINGS)
    with pytest.raises(ValueError, match='there is no folder'):
        Checkpoint(tmp_path / 'nowhere' / 'state', 0.1, other)
    with pytest.raises(ValueError, match='checkpoint: must be empty with interpolate'):
        Checkpoint(path, 0.1, new_setup(interpolate=True))


def read_changed(whole, folder, **values):
    """Return the content of a checkpoint with some of it replaced."""
    copy = folder / 'copy.npz'
    copy.write_bytes(whole)
    return read_file(copy) | values


@settings(max_examples=20, deadline=None)
@given(st.integers(0, len(READINGS) - 1), st.binary(min_size=1, max_size=4))
def test_a_damaged_file_is_refused_or_whole(tmp_path_factory, place, damage):
    """Whatever bytes are wrong, nothing but a ValueError comes of it."""
    path = tmp_path_factory.mktemp('checkpoint') / 'state.npz'
    setup, other = new_setup(), new_setup()
    feed(setup, READINGS[:40], Checkpoint(path, 0.1, setup))
    content = bytearray(path.read_bytes())
    at = place * len(content) // len(READINGS)
    content[at:at + len(damage)] = damage
    path.write_bytes(content)
    try:
        Checkpoint(path, 0.1, other).resume()
    except ValueError:
        assert feed(other, READINGS[:60]) == feed(new_setup(), READINGS[:60])


def test_everything_that_is_remembered_comes_back_from_a_file(tmp_path):
    value = {'a': (1, -2.5, None, True, float('inf')), 'b': [np.eye(3), {'x', 'y'}],
             7: Counter(a=2), 'c': np.arange(6, dtype=np.uint64).reshape(2, 3),
             'd': np.empty((0, 2)), 'e': 0.1 + 0.2}
    write_file(tmp_path / 'file', value)
    found = read_file(tmp_path / 'file')
    np.testing.assert_equal(found, value)
    assert isinstance(found[7], Counter)
    assert found['c'].dtype == np.uint64
    assert [file.name for file in tmp_path.iterdir()] == ['file']
    with pytest.raises(TypeError, match='object cannot be written'):
        write_file(tmp_path / 'other', object())


def test_a_process_killed_as_it_writes_leaves_a_whole_file(tmp_path):
    path = tmp_path / 'file'
    write_file(path, {'number': -1})
    process = subprocess.Popen([sys.executable, '-c', (
        'import itertools, sys, numpy as np\n'
        'from mb_estimators.checkpoint import write_file\n'
        'for number in itertools.count():\n'
        '    write_file(sys.argv[1], {"number": number, "array": np.full(30000, 1.0 + number)})\n'
    ), str(path)], env=os.environ)
    while read_file(path)['number'] < 20:
        assert process.poll() is None
    process.kill()
    process.wait()
    found = read_file(path)
    assert (found['array'] == 1.0 + found['number']).all()
