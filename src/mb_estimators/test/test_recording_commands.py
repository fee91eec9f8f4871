"""Bags read without ROS, and the commands that estimate from them."""

import shutil
import signal
import subprocess
import sys
import time

from message_bags import write_messages
import numpy as np
import pytest
import rclpy
import yaml

from mb_estimators import Experiment, identify_shaping, make_filter
from mb_estimators.commands import fit, smooth, tune
from mb_estimators.nodes import estimate_bag
from mb_estimators.nodes.estimator import EstimatorNode
from mb_estimators.recording.bag import read_recording
from mb_estimators.stream import EstimateStream, StreamSettings
from mb_model import Run, load_mechanism
from mb_model.file_api import write_recorded
from mb_ros.states import joint_state, mechanism_state
from mb_sensors import sensors_of
from mb_sensors.bag import open_bag

ERRORS = {'gravity': -1.0, 'z0': np.pi / 16}
MODEL = ['--model-error', 'gravity=-1', '--model-error', 'z0=pi/16']
EXPERIMENT = Experiment('four_bar', ['crank_encoder'], ERRORS, 3.0, 0.005)
READINGS = EXPERIMENT.readings(1)[:, 0]


@pytest.fixture(scope='module')
def bag(tmp_path_factory):
    """A bag of an encoder in a namespace, and of the truth; late, doubled and broken messages."""
    folder = tmp_path_factory.mktemp('recorded') / 'bag'
    sent, stamps, truth = [], EXPERIMENT.stamps, EXPERIMENT.truth
    for k in np.argsort(np.arange(len(stamps)) + 10 * (np.arange(len(stamps)) % 7 == 3)):
        values = [] if k == 17 else [np.nan if k == 18 else READINGS[k]]
        for value in (values, [9.0]) if k == 5 else (values,):
            sent.append(('/arm/crank_encoder', joint_state(stamps[k], ['crank_encoder'], value)))
        sent.append(('/prototype/state', mechanism_state(
            EXPERIMENT.prototype, stamps[k], z=truth.z[k], zd=truth.zd[k], zdd=truth.zdd[k])))
    return write_messages(folder, sent)


def test_joint_states_of_an_estimator_do_not_count_beside_those_that_it_reads(tmp_path):
    kind, names = 'sensor_msgs/msg/JointState', ('/estimator/joint_states', '/joint_states')
    write_messages(tmp_path / 'bag', [(name, joint_state(1, ['leg'], [0.0])) for name in names])
    with open_bag(tmp_path / 'bag') as opened:
        assert opened.named('joint_states', kind) == '/joint_states'
        with pytest.raises(ValueError, match='expected one topic of this name'):
            opened.named('states', kind)


def test_a_bag_is_read_in_the_order_of_its_stamps(bag):
    recorded = read_recording(bag, EXPERIMENT.sensors)
    kept = np.delete(np.arange(len(READINGS)), [17, 18])
    np.testing.assert_array_equal(recorded.stamps, np.array(EXPERIMENT.stamps)[kept])
    np.testing.assert_array_equal(recorded.readings[:, 0], READINGS[kept])
    np.testing.assert_array_equal(recorded.truth.zdd, EXPERIMENT.truth.zdd[kept])


def mechanism_file(tmp_path):
    """Write the wrong model as a mechanism file; return its options."""
    file = tmp_path / 'wrong.yaml'
    file.write_text(yaml.safe_dump({'extends': 'four_bar', 'gravity': [0.0, -8.81],
                                    'start': {'theta': 'pi / 16'}}), encoding='utf-8')
    return ['--mechanism', str(file), '--output', str(tmp_path / 'mine.yaml')]


def test_fit_writes_numbers_and_noises_by_readings(bag, tmp_path, capsys):
    """Of a wrong start and gravity; the bag has no forces, so readings decide."""
    assert fit.main([str(bag), '--sensors', 'crank_encoder', *mechanism_file(tmp_path), '--free',
                     'noises', 'gravity.y', '--prior', 'gravity.y=0.2']) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if 'gravity.y' in line)
    low, high = (float(text) for text in row.split('│')[4].split(' to '))
    assert -9.81 - 0.2 < low < high < -9.81 + 0.2
    mine = load_mechanism(str(tmp_path / 'mine.yaml'))
    assert low < mine.gravity[1] < high
    assert sensors_of(mine, ['crank_encoder'])[0].settings.sigma == pytest.approx(0.0175, rel=0.1)
    page = (tmp_path / 'mine.html').read_text(encoding='utf-8')
    assert '<svg' in page
    assert 'crank_encoder, held out' in page
    run = yaml.safe_load((tmp_path / 'mine_estimator.yaml').read_text(encoding='utf-8'))
    node = run['estimator']['ros__parameters']
    assert node['mechanism'] == str(tmp_path / 'mine.yaml')
    make_filter(node['estimator'], node['mechanism'], node['sensors'], node['dt'], **node['filter'])


def test_fit_without_words_and_forces_fits_noises(bag, tmp_path, capsys):
    assert fit.main([str(bag), '--sensors', 'crank_encoder', '--mechanism', 'four_bar', '--output',
                     str(tmp_path / 'mine.yaml')]) == 0
    out = capsys.readouterr().out
    row = next(line for line in out.splitlines() if 'crank_encoder.sigma' in line)
    low, high = (float(text) for text in row.split('│')[3].split(' to '))
    assert 0.012 < low < 17.453e-3 < high < 0.024
    assert 'acceleration_psd is too small to be seen' in out


@pytest.mark.parametrize(('options', 'words'), [
    (['--free', 'weights'], '--free weights: expected some of masses'),
    (['--readings', 'passes=0'], '--readings passes: 0 must be >= 1'),
    (['--known', 'gravity.y=1,2'], '--known gravity.y=1,2: 2 values, expected one'),
    (['--sensors', 'nothing'], 'nothing: unknown sensor')])
def test_what_is_wrong_with_a_fit_to_readings_is_reported(bag, options, words, tmp_path, capsys):
    sensors = [] if '--sensors' in options else ['--sensors', 'crank_encoder']
    assert fit.main([str(bag), *sensors, *mechanism_file(tmp_path), *options]) == 2
    assert words in capsys.readouterr().err


def test_fit_finds_the_coloured_noise_of_a_model(bag, tmp_path, capsys):
    """Of a model with too little gravity; two instants are missing in the bag."""
    shaping = [str(bag), '--sensors', 'crank_encoder', *mechanism_file(tmp_path), '--free',
               'shaping']
    assert fit.main(shaping) == 0
    printed = capsys.readouterr().out
    expected = identify_shaping(EXPERIMENT.mechanism, EXPERIMENT.true_track, EXPERIMENT.t)
    row = next(line for line in printed.splitlines() if 'weight' in line)
    assert float(row.split('│')[2]) == pytest.approx(expected.weight, abs=1e-3)
    assert 'no single correlation time describes it' in printed
    run = yaml.safe_load((tmp_path / 'mine_shaping.yaml').read_text(encoding='utf-8'))
    node = run['estimator']['ros__parameters']
    assert node['estimator'] == 'shaping_error_ekf_fe'
    assert node['filter']['acceleration_variance'] == pytest.approx(expected.variance, rel=0.01)
    assert fit.main([*shaping, '--truth', '/nowhere']) != 0


def test_smooth_saves_a_better_motion_than_the_filter_finds(bag, tmp_path, capsys):
    for path in (tmp_path / 'smoothed.npz', tmp_path / 'bag'):
        assert smooth.main([str(bag), '--sensors', 'crank_encoder', *MODEL, '--save',
                            str(path)]) == 0
    printed = capsys.readouterr().out
    row = next(line for line in printed.splitlines() if 'theta velocity' in line)
    filtered, smoothed = (float(cell) for cell in row.split('│')[2:4])
    assert smoothed < 0.6 * filtered
    arrays, run = np.load(tmp_path / 'smoothed.npz'), Run.load(tmp_path / 'bag')
    np.testing.assert_array_equal(arrays['q'], run.q)
    error = arrays['z'][:, 0] - np.delete(EXPERIMENT.truth.z[:, 0], [17, 18])
    deviation = np.sqrt(arrays['covariance'][:, 0, 0])
    assert np.abs(error).max() < 5.0 * deviation.max()


@pytest.fixture
def run_bag(bag, tmp_path):
    """The bag in a folder with the parameters of a run."""
    write_recorded({'estimator': {
        'mechanism': 'four_bar', 'estimator': 'dekf', 'sensors': ['crank_encoder'], 'dt': 0.01,
        'model_errors.gravity': -1.0, 'model_errors.z0': np.pi / 16,
        'filter.acceleration_psd': 0.5, 'crank_encoder.sigma': 0.02}}, tmp_path)
    return shutil.copytree(bag, tmp_path / 'bag')


def test_commands_take_what_is_not_given_from_the_recorded_run(run_bag, bag, tmp_path, capsys):
    """As compare and estimate_bag do; what is given counts more."""
    options = ['--mechanism', 'four_bar', '--estimator', 'dekf', '--sensors', 'crank_encoder',
               '--dt', '0.01', *MODEL, '--set', 'acceleration_psd=0.5',
               '--model-error', 'sensors.crank_encoder.sigma=0.02']
    printed = []
    for arguments in ([str(run_bag)], [str(bag), *options], [str(run_bag), '--dt', '0.005'],
                      [str(run_bag), '--estimator', 'error_ekf']):
        assert smooth.main(arguments) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert len(set(printed)) == 3
    output, noisy = ['--free', 'gravity.y', '--output', str(tmp_path / 'mine.yaml')], {
        'extends': 'four_bar', 'sensors': {'crank_encoder': {'sigma': 0.02}}}
    (tmp_path / 'noisy.yaml').write_text(yaml.safe_dump(noisy), encoding='utf-8')
    assert fit.main([str(run_bag), *output]) == 0
    assert fit.main([str(bag), *options[4:8], '--mechanism', str(tmp_path / 'noisy.yaml'),
                     *output]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if 'gravity.y' in line]
    assert lines[0] == lines[1]


def test_tune_begins_with_what_the_recorded_run_had(run_bag, bag, tmp_path, capsys):
    asked = ['--vary', 'acceleration_psd=0.1:1', '--trials', '3', '--force',
             '--output', str(tmp_path / 'tuned.yaml')]
    assert tune.main([str(run_bag), *asked]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines()
               if 'acceleration_psd' in line)
    assert row.split('│')[2].strip() == '0.5'
    written = yaml.safe_load((tmp_path / 'tuned.yaml').read_text())['estimator']['ros__parameters']
    assert (written['estimator'], written['sensors'], written['dt']) == (
        'dekf', ['crank_encoder'], 0.01)
    (tmp_path / 'other').mkdir()
    write_recorded({'estimator': {'estimator': 'ukf', 'sensors': ['crank_encoder']}},
                   tmp_path / 'other')
    shutil.copytree(bag, tmp_path / 'other' / 'bag')
    assert tune.main([str(run_bag), str(tmp_path / 'other' / 'bag'), *asked]) == 2
    assert 'mechanism of its run differs from' in capsys.readouterr().err


def test_sensors_that_are_not_named_are_asked_for(bag, capsys):
    assert smooth.main([str(bag)]) == 2
    assert capsys.readouterr().err.startswith('--sensors: missing')


def test_tune_writes_what_the_node_loads(bag, tmp_path, capsys):
    output = tmp_path / 'tuned.yaml'
    asked = [str(bag), '--sensors', 'crank_encoder', *MODEL, '--vary', 'crank_encoder.sigma',
             'acceleration_variance=1e-4:1e-2', '--set', 'gate=25', '--output', str(output),
             '--processes', '1']
    assert tune.main(asked) == 0
    assert f'--params-file {output}' in capsys.readouterr().out
    assert 'DISOWNED' not in output.read_text()
    written = yaml.safe_load(output.read_text())['estimator']['ros__parameters']
    rclpy.init(args=['--ros-args', '--params-file', str(output)])
    try:
        node = EstimatorNode()
        for name in ('filter.acceleration_variance', 'filter.gate', 'crank_encoder.sigma', 'dt',
                     'estimator', 'mechanism', 'sensors'):
            value = written
            for key in name.split('.'):
                value = value[key]
            assert node.get_parameter(name).value == value
        node.destroy_node()
    finally:
        rclpy.shutdown()


def test_tune_writes_what_has_not_converged_only_by_force(tmp_path, capsys):
    output = tmp_path / 'tuned.yaml'
    asked = ['--sensors', 'crank_encoder', '--duration', '1', '--seeds', '0', '--trials', '12',
             '--vary', 'acceleration_variance', 'crank_encoder.sigma', '--processes', '1',
             '--output', str(output)]
    assert tune.main(asked) == 1
    printed = capsys.readouterr()
    assert 'not written: not converged after' in printed.err
    assert '--params-file' not in printed.out
    assert not output.exists()
    assert tune.main([*asked, '--force']) == 0
    assert f'--params-file {output}' in capsys.readouterr().out
    assert '# DISOWNED, written by --force: not converged after' in output.read_text()
    assert yaml.safe_load(output.read_text())['estimator']['ros__parameters']['filter']


@pytest.mark.parametrize(('arguments', 'message'), [
    (['/nowhere', '--vary', 'gate'], '/nowhere: no such bag'),
    (['--vary', 'gait'], 'gait: unknown setting'),
    (['--vary', 'gate=1:big'], "--vary gate=1:big: 'big' must be a number"),
    (['--vary', 'gate', '--set', 'gate=-1'], '--set gate: -1.0 must be >= 0'),
    (['--vary', 'gate', '--mechanism', 'six_bar'], 'six_bar: unknown mechanism'),
    (['--vary', 'gate', '--estimator', 'oracle'], 'oracle: unknown filter'),
    (['--vary', 'gate', '--output', '/nowhere/a.yaml'], '/nowhere/a.yaml: no such folder'),
    (['--vary', 'gate', '--output', '/tmp'], '--output /tmp: is a folder, expected a file'),
    (['--vary', 'gate', '--output', '/dev/null'], '--output /dev/null: is no ordinary file'),
    (['--vary', 'gate', '--scheduler', 'nonsense'], 'scheduler: nonsense: missing port')])
def test_mistakes_are_reported_in_one_line(arguments, message, capsys):
    assert tune.main([*arguments, '--sensors', 'crank_encoder']) == 2
    errors = capsys.readouterr().err.strip()
    assert message in errors
    assert len(errors.splitlines()) == 1


def test_a_filter_that_cannot_be_smoothed_is_reported(bag, capsys):
    assert smooth.main([str(bag), '--sensors', 'crank_encoder', '--estimator', 'cekf']) == 2
    assert 'cannot be smoothed' in capsys.readouterr().err


@pytest.mark.whole
@pytest.mark.parametrize('force', [False, True])
def test_ctrl_c_gives_the_best_so_far(tmp_path, force):
    """Shown, and written by force: it is not known whether there is a better one."""
    by_force = ', "--force"' if force else ''
    program = ('import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n'
               'from mb_estimators.commands import tune\n'
               'import sys; print("ready", flush=True)\n'
               'sys.exit(tune.main(["--sensors", "crank_encoder", "--duration", "10", "--vary", '
               '"acceleration_variance", "gate", "initial_variance", "--trials", "100000", '
               f'"--output", "{tmp_path}/tuned.yaml"{by_force}]))')
    process = subprocess.Popen([sys.executable, '-c', program], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    assert process.stdout.readline() == 'ready\n'
    time.sleep(4.0)         # anywhere in its search, which takes ten times as long, will do
    process.send_signal(signal.SIGINT)
    printed, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert 'Traceback' not in errors
    if 'trials' in printed:         # it was not interrupted before its search began
        assert 'interrupted after' in (printed if force else errors)
        assert (tmp_path / 'tuned.yaml').exists() == force


def test_estimate_bag_writes_what_the_stream_estimates(bag, tmp_path, capsys):
    """The broken readings are left out, reported; the bag is compressed, and has what was asked."""
    config = tmp_path / 'tuned.yaml'
    config.write_text('estimator: {ros__parameters: {filter: {acceleration_psd: 0.05}}}')
    assert estimate_bag.main([
        str(bag), '--sensors', 'crank_encoder', '--config', str(config), '--name', 'again',
        '--set', 'publish_rate=100.0', '--output', str(tmp_path / 'new'), '--storage', 'sqlite3',
        '--compression-mode', 'message', '--set', 'filter.acceleration_psd=0.05']) == 0
    printed = capsys.readouterr().out
    assert 'readings used 599, rejected 3' in printed
    assert 'reading is not finite' in printed
    mechanism = load_mechanism('four_bar')
    sensors = sensors_of(mechanism, 'crank_encoder')
    stream = EstimateStream(
        make_filter('error_ekf', mechanism, sensors, 0.005, acceleration_psd=0.05), sensors,
        (mechanism.z0, mechanism.zd0), StreamSettings())
    steps = {}
    for k, stamp in enumerate(EXPERIMENT.stamps):
        if k not in (17, 18):
            steps |= {s.stamp: s for s in stream.add('crank_encoder', stamp, [READINGS[k]])}
    with open_bag(tmp_path / 'new', 'EstimatorStatus', 'SensorConsistency',
                  'ParameterEstimate') as new:
        states = dict(new.of('/again/state'))
        statuses, joints = dict(new.of('/again/status')), dict(new.of('/again/joint_states'))
    assert len(states) == len(statuses) == len(joints) > 295
    for stamp, state in states.items():
        assert stamp % 10_000_000 == 0 or stamp - 5_000_000 not in states
        np.testing.assert_array_equal(state.zdd, steps[stamp].estimate.zdd)
        np.testing.assert_array_equal(state.covariance, steps[stamp].estimate.covariance.ravel())
        np.testing.assert_array_equal(joints[stamp].position, steps[stamp].estimate.q)
        assert statuses[stamp].nis == steps[stamp].innovation.nis


@pytest.mark.parametrize(('arguments', 'message'), [
    ([], 'sensors: missing, expected some of crank_encoder'),
    (['--sensors', 'eyes'], 'eyes: unknown sensor'),
    (['--sensors', 'crank_gyro'], 'crank_gyro: expected one topic of this name'),
    (['--sensors', 'crank_encoder', '--set', 'dt=-1'], 'dt: -1.0 must be >= 1e-05'),
    (['--sensors', 'crank_encoder', '--set', 'filter.acceleration_pds=1.0'],
     '--set: filter.acceleration_pds: no such setting of an estimator, is filter.acceleration_psd '
     'meant?'),
    (['--sensors', 'crank_encoder', '--config', '/nowhere.yaml'], '/nowhere.yaml'),
    (['--sensors', 'crank_encoder', '--estimator', 'oracle'], 'oracle: unknown filter')])
def test_mistakes_of_estimate_bag_take_one_line(bag, tmp_path, arguments, message, capsys):
    assert estimate_bag.main([str(bag), *arguments, '--output', str(tmp_path / 'new')]) == 2
    errors = capsys.readouterr().err.strip()
    assert message in errors
    assert len(errors.splitlines()) == 1
