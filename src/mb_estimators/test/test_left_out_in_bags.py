"""Sensors of which nothing is used, or that are frozen, in bags: status, summary and exit code."""

import numpy as np
from planar_machines import flap
import pytest

from mb_estimators.nodes import estimate_bag
from mb_sensors import open_bag
from mb_sensors.nodes import import_recording

FLAP = flap("""
  gyro: {kind: gyroscope, body: flap, sigma: 0.003, rate: 100.0, topic: imu}
  acc: {kind: accelerometer, body: flap, at: [0, 0, 0], sigma: 0.03, rate: 100.0, topic: imu}
""", mass=3.0, inertia=0.2)
COLUMNS = """
mechanism: flap.yaml
time: {column: t}
sensors: {gyro: [wx, wy, wz], acc: [fx, fy, fz]}
"""


def estimated(folder, monkeypatch, capsys, turn, frozen):
    """Return exit code, output and statuses of an estimation from the IMU of a rocking flap.

    turn: +1 as in the file, -1 by half a turn about y; frozen: rows that repeat one.
    """
    monkeypatch.chdir(folder)
    rng, t = np.random.default_rng(6), np.arange(0.0, 4.0, 0.01)
    angle, rate = 0.2 * np.sin(1.5 * t), 0.3 * np.cos(1.5 * t)
    axes, none = np.diag([turn, 1.0, turn]), 0.0 * t
    w = np.c_[none, rate, none] @ axes + 0.003 * rng.standard_normal((len(t), 3))
    f = 9.81 * np.c_[-np.sin(angle), none, np.cos(angle)] @ axes
    rows = np.c_[w, f + 0.03 * rng.standard_normal((len(t), 3))]
    rows[frozen] = rows[frozen.start - 1]
    (folder / 'flap.yaml').write_text(FLAP)
    (folder / 'columns.yaml').write_text(COLUMNS)
    np.savetxt('log.csv', np.c_[t + 3.0, rows], fmt='%.5f', delimiter=',', comments='',
               header='t,wx,wy,wz,fx,fy,fz')
    assert import_recording.main(['log.csv', '--columns', 'columns.yaml',
                                  '--output', 'run/bag']) == 0
    capsys.readouterr()
    code = estimate_bag.main(['run/bag', '--estimator', 'error_ekf_fe', '--output', 'found'])
    with open_bag(folder / 'found', 'EstimatorStatus', 'SensorConsistency',
                  'ParameterEstimate') as bag:
        return code, capsys.readouterr().out, [s for _, s in bag.of('/estimator/status')]


@pytest.mark.parametrize('turn', [1, -1])
def test_an_imu_that_hangs_upside_down_is_an_error(tmp_path, monkeypatch, capsys, turn):
    code, printed, statuses = estimated(tmp_path, monkeypatch, capsys, turn, slice(1, 1))
    acc = statuses[-1].consistency[1]
    lost = [bool(status.lost) for status in statuses]
    if turn == 1:
        assert (code, any(lost), acc.consistent) == (0, False, True)
        return
    assert code == 1
    assert 'acc: all 400 readings were left out' in printed
    assert np.mean(lost) > 0.95
    assert 'acc: all readings left out' in statuses[-1].lost
    assert (acc.incredible, acc.consistent) == (1.0, False)
    assert acc.verdict.startswith('acc: all ')


def test_a_frozen_imu_is_named_and_its_repeats_are_left_out(tmp_path, monkeypatch, capsys):
    frozen = slice(201, 230)
    code, printed, statuses = estimated(tmp_path, monkeypatch, capsys, 1, frozen)
    assert code == 0
    assert 'gyro, acc: frozen at 5.020000 s: repeats itself exactly' in printed
    assert statuses[-1].readings_rejected == 2 * 28
    assert 'gyro: 28 of 400 readings were left out' in printed
    during = [status.channels for status in statuses[frozen]]
    assert during == [during[0], *28 * [[]]]
