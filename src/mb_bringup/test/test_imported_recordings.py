"""Recordings of real machines that are shipped become bags, on which commands work."""

import json
from pathlib import Path
import shlex

from ament_index_python.packages import get_package_share_directory
import numpy as np
import pytest

from mb_estimators import input_topic, make_filter, read_recording
from mb_estimators.commands import smooth
from mb_estimators.nodes import estimate_bag
from mb_evaluation import compare
from mb_evaluation.nodes import report
from mb_model import load_mechanism
from mb_model.file_api import read_parameters
from mb_sensors import open_bag, sensors_of
from mb_sensors.nodes import import_recording

SHARE = Path(get_package_share_directory('mb_bringup'))
RECORDINGS = SHARE / 'recordings'
PENDULUM = RECORDINGS / 'double_pendulum/acrobot/experiment05.csv'
CONFIG = SHARE / 'config/geared_double_pendulum.yaml'
ROWS = 1500             # of the excerpt, 3 s


def imported(log, columns, folder, *options):
    """Make a bag of a log; return its folder."""
    assert import_recording.main([str(log), '--columns', str(columns), '--output',
                                  str(folder / 'bag'), *options]) == 0
    return folder / 'bag'


@pytest.fixture(scope='module')
def pendulum(tmp_path_factory):
    """(log, bag) of the beginning of the double pendulum's excerpt."""
    folder = tmp_path_factory.mktemp('pendulum')
    log = folder / 'log.csv'
    with PENDULUM.open() as whole:
        log.write_text(''.join(line for line, _ in zip(whole, range(ROWS + 1), strict=False)))
    return log, imported(log, RECORDINGS / 'double_pendulum/columns.yaml', folder,
                         '--config', str(CONFIG))


def test_forces_are_estimated_as_by_a_filter_that_is_fed_by_hand(pendulum, tmp_path):
    """By the bag with measured torques; and better than by answering zero."""
    log, bag = pendulum
    assert estimate_bag.main([str(bag), '--output', str(tmp_path / 'again')]) == 0
    with open_bag(tmp_path / 'again') as opened:
        found = np.array([state.generalized_force for _, state in opened.of('/estimator/state')])
    names = log.open().readline().strip().split(',')
    values = dict(zip(names, np.loadtxt(log, delimiter=',', skiprows=1).T, strict=True))
    angle, measured, pulses = (np.column_stack([values[f'{name}{joint}'] for joint in (1, 2)])
                               for name in ('pos_meas', 'tau_meas', 'tau_pert'))
    parameters = read_parameters([CONFIG], 'estimator')
    mechanism = load_mechanism(parameters['mechanism'])
    observer = make_filter(
        'pulse_ekf', mechanism, sensors_of(mechanism, parameters['sensors']), parameters['dt'],
        **{name.removeprefix('filter.'): value for name, value in parameters.items()
           if name.startswith('filter.')})
    expected, stamps = [], np.round(values['time'] * 1e9)
    forces = measured - pulses                          # each at its stamp
    for k, reading in enumerate(angle):
        if k > 0:
            dt = 1e-9 * (stamps[k] - stamps[k - 1])
            count = int(np.ceil(dt / observer.dt - 1e-9))
            change = forces[k] - forces[k - 1]
            for step in range(count):
                observer.predict(dt / count, forces[k - 1] + (step + 0.5) / count * change)
        observer.act(forces[k])
        observer.correct(reading)
        expected.append(observer.estimate.forces.copy())
    np.testing.assert_allclose(found, expected, atol=1e-6)
    assert (((found - pulses) ** 2).mean(axis=0) < 0.7 * (pulses ** 2).mean(axis=0)).all()


def test_known_forces_are_inputs_of_the_smoother_too(pendulum, capsys):
    """They are what motors report less what they inject."""
    log, bag = pendulum
    words = [str(bag), '--estimator', 'error_ekf_fe', '--set', 'acceleration_variance=1.0']
    assert smooth.main(words) == 0
    assert f'{2 * ROWS} readings at {ROWS} instants' in capsys.readouterr().out
    mechanism = load_mechanism('geared_double_pendulum')
    recording = read_recording(bag, sensors_of(mechanism, ['elbow_encoder']),
                               inputs=input_topic(mechanism, False, 'known_forces'))
    rows = np.loadtxt(log, delimiter=',', skiprows=1)
    np.testing.assert_allclose(recording.inputs.values, rows[:, 7:9] - rows[:, 9:11])
    np.testing.assert_allclose(np.diff(recording.inputs.stamps), 1e9 * np.diff(rows[:, 0]),
                               atol=1.0)


def test_a_real_log_has_a_report_without_a_truth(tmp_path, monkeypatch):
    """By the commands of the page: of the filter beside it, with known forces and those it finds.
    """
    root = Path(__file__).parents[3]
    page = (root / 'docs/how_to/report_of_a_recording.md').read_text()
    monkeypatch.chdir(tmp_path)
    Path('src').symlink_to(root / 'src')
    commands = [shlex.split(line) for line in page.splitlines() if line.startswith('    ros2 run')
                and line.split()[-1] in ('pendulum', 'pendulum/bag')]
    assert [words[3] for words in commands] == ['import_recording', 'report']
    assert [main(words[4:]) for main, words in zip(
        (import_recording.main, report.main), commands, strict=True)] == [0, 0]
    figures = json.loads(Path('pendulum/report.json').read_text())
    assert figures['estimator'] == 'pulse_ekf'
    assert figures['consistency'].keys() == {'shoulder_encoder', 'elbow_encoder'}
    header, *rows = Path('pendulum/estimates.csv').read_text().splitlines()
    assert len(rows) == figures['estimates'] > ROWS
    assert {'elbow position [rad] from', 'unknown torque at elbow [N m] to',
            'known torque at elbow [N m]'} <= set(header.split(','))


def test_a_filter_is_judged_by_a_truth_of_positions_alone(tmp_path):
    """Its velocities are differences of these."""
    t = np.arange(0.0, 4.0, 0.01)
    angle = np.pi / 3.0 + 0.05 * np.sin(t)
    log, columns = tmp_path / 'log.csv', tmp_path / 'columns.yaml'
    log.write_text('t,angle,shifted\n' + ''.join(
        f'{a:.3f},{b:.9f},{b + 0.01:.9f}\n' for a, b in zip(t, angle, strict=True)))
    columns.write_text('mechanism: four_bar\ntime: {column: t}\n'
                       'sensors: {crank_encoder: angle}\ntruth: {theta: {position: shifted}}\n')
    bag = imported(log, columns, tmp_path)
    assert compare.main([str(bag), '--estimators', 'error_ekf_fe', '--set',
                         'filter.acceleration_variance=10.0']) == 0
    report = json.loads((tmp_path / 'comparison/comparison.json').read_text())
    figures = report['estimators']['error_ekf_fe']
    assert report['has_truth']
    assert figures['position_rmse_after_2s'] == [pytest.approx(0.01, abs=2e-3)]
    assert figures['velocity_rmse'][0] < 0.2


def test_the_car_is_estimated_from_its_recording(tmp_path):
    """Its speed follows the speedometer."""
    bag = imported(RECORDINGS / 'vehicle/run_part1.csv', RECORDINGS / 'vehicle/columns.yaml',
                   tmp_path, '--config', str(SHARE / 'config/racing_car.yaml'))
    assert estimate_bag.main([str(bag), '--output', str(tmp_path / 'again')]) == 0
    with open_bag(tmp_path / 'again') as opened:
        speed = np.array([np.hypot(*state.zd[:2]) for _, state in opened.of('/estimator/state')])
    measured = np.loadtxt(RECORDINGS / 'vehicle/run_part1.csv', delimiter=',', skiprows=1)[:, 1]
    assert np.sqrt(((speed - measured)[100:] ** 2).mean()) < 0.2
