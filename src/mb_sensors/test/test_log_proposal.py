"""A log without a file of columns: one is proposed, which needs little editing."""

from pathlib import Path
import re

import numpy as np
from planar_machines import flap
import pytest

from mb_sensors.imported.columns import read_columns
from mb_sensors.imported.log import read_log
from mb_sensors.nodes import import_recording

PUBLIC = Path(__file__).resolve().parents[4] / 'shared' / 'cases' / 'public'
FLAP = flap("""
  gyro: {kind: gyroscope, body: flap, sigma: 0.003, rate: 50.0}
  acc: {kind: accelerometer, body: flap, at: [0, 0, 0], sigma: 0.03, rate: 50.0}
  turned: {kind: orientation, body: flap, sigma: 0.02, rate: 50.0}
  encoder: {kind: angle_encoder, coordinate: pitch, sigma: 0.0005, rate: 50.0}
""")


def proposed(folder, capsys, log, mechanism='flap.yaml'):
    """Return the text that is proposed for a log."""
    (folder / 'flap.yaml').write_text(FLAP)
    words = ['--mechanism', str(folder / mechanism)] if mechanism else []
    assert import_recording.main([str(log), *words]) == 0
    return capsys.readouterr().out


def read_as_proposed(folder, capsys, log):
    """Return the Log that the proposal makes, as it is."""
    (folder / 'columns.yaml').write_text(proposed(folder, capsys, log))
    return read_log(log, read_columns(folder / 'columns.yaml'))


def test_a_log_is_read_as_it_is_proposed(tmp_path, capsys):
    """Of a German spreadsheet, with lines above, units, epoch and a driver's names."""
    log = tmp_path / 'Messung.csv'
    log.write_bytes(''.join([
        'Gerät;IMU 7\r\n\r\n', 'timestamp;gyro_x;gyro_y;gyro_z;acc_x;acc_y;acc_z;pitch_deg;',
        'qw;qx;qy;qz\r\n',
        *(f'{1717149600000 + 20 * k};1,5;0,25;-{k},5;0,0;0,01;1,0;{k},5;1;0;0;0\r\n'
          for k in range(5))
    ]).encode('latin-1'))
    text = proposed(tmp_path, capsys, log)
    for words in ('time: {column: timestamp, unit: ms}      # 5 rows, steps of 0.02 s',
                  'delimiter: ";"', 'decimal: ","', 'header: 3',
                  'acc: {columns: [acc_x, acc_y, acc_z], unit: g}',
                  'turned: {quaternion: [qw, qx, qy, qz], order: wxyz}',
                  'encoder: {column: pitch_deg, unit: deg}      # by its name',
                  'gyro: [gyro_x, gyro_y, gyro_z]      # in rad/s? the log does not say'):
        assert words in text
    found = read_as_proposed(tmp_path, capsys, log)
    assert found.stamps[0] == 1717149600 * 10 ** 9
    assert found.warnings == []
    np.testing.assert_allclose(found.readings['encoder'][:, 0], np.deg2rad(np.arange(5) + 0.5))
    np.testing.assert_allclose(found.readings['acc'][0], [0.0, 0.0980665, 9.80665])


@pytest.mark.parametrize('names', [
    ('gx', 'gy', 'gz'), ('gx_dps', 'gy_dps', 'gz_dps'), ('x [deg/s]', 'y [deg/s]', 'z [deg/s]'),
    ('head x (dps)', 'head y (dps)', 'head z (dps)'), ('vel_x_rps', 'vel_y_rps', 'vel_z_rps')])
def test_a_gyroscope_is_found_by_its_unit_or_its_letter(tmp_path, capsys, names):
    log = tmp_path / 'log.csv'
    log.write_text(f't,{",".join(names)}\n' + ''.join(f'{k / 50},{k},0.5,-1\n' for k in range(9)))
    line = next(line for line in proposed(tmp_path, capsys, log).splitlines() if 'gyro:' in line)
    assert re.search('.*'.join(map(re.escape, names)), line.partition('[')[2])


def test_the_range_of_a_column_is_that_of_the_whole_log(tmp_path, capsys):
    log = tmp_path / 'log.csv'
    log.write_text('t,other\n' + ''.join(f'{k / 50},{270 * (k == 4321)}\n' for k in range(9000)))
    assert 'other  0 .. 270' in proposed(tmp_path, capsys, log)


def test_without_a_mechanism_the_columns_are_listed(tmp_path, capsys):
    log = tmp_path / 'log.csv'
    log.write_text('time [s],Torque (Nm),Position [mm],on\n1,2,300,0\n1.1,3,301,0\n')
    text = proposed(tmp_path, capsys, log, mechanism='')
    assert 'mechanism: EDIT     # its name or file' in text
    assert 'time: {column: "time [s]", unit: s}' in text
    assert '#   "Torque (Nm)"    2 .. 3  force' in text
    (tmp_path / 'columns.yaml').write_text(text)
    assert import_recording.main([str(log), '--columns', str(tmp_path / 'columns.yaml'),
                                  '--output', str(tmp_path / 'run/bag')]) == 2
    assert 'EDIT' in capsys.readouterr().err


@pytest.mark.parametrize(('text', 'time'), [
    ('Counter,x\n1,2\n2,3\n', 'time: {column: Counter, unit: counter, rate: EDIT}'),
    ('x,y\n1,2\n2,3\n', 'time: {rate: EDIT}'),
    ('clock,x\n1000,2\n1020,3\n', 'time: {column: clock, unit: ms}'),
    ('clock,x\n4294900000,2\n4294920000,3\n4294940000,3\n4294960000,4\n12704,3\n',
     'time: {column: clock, unit: us, bits: 32}'),
    ('0.1,2\n0.2,3\n', 'time: {column: 1}'),
    ('date,x\n2024-05-31T12:00:00Z,2\n2024-05-31T12:00:01Z,3\n', 'time: {column: date')])
def test_the_time_is_proposed(tmp_path, capsys, text, time):
    (tmp_path / 'log.csv').write_text(text)
    assert time in proposed(tmp_path, capsys, tmp_path / 'log.csv')


@pytest.mark.parametrize(('arguments', 'words'), [
    (['--columns', 'x.yaml'], '--output: missing'),
    (['--columns', 'x.yaml', '--output', 'bag', '--mechanism', 'crane'],
     '--mechanism: only without')])
def test_options_that_do_not_go_together_are_refused(capsys, arguments, words):
    assert import_recording.main(['log.csv', *arguments]) == 2
    assert words in capsys.readouterr().err


@pytest.mark.skipif(not PUBLIC.is_dir(), reason='needs ../shared/cases/public')
@pytest.mark.parametrize(('file', 'rows', 'readings', 'duration'), [
    ('MT_012005D6_009-001_00B421E6_excerpt.txt', 16, 16, 0.15),
    ('ydt_D4CA6EF17197_20210830_170505_excerpt.csv', 13, 12, 0.099996),
    ('LFemur_20210820_202113_831_excerpt.csv', 46, 46, 1.050021),
    ('LFemur_wrap_ours.csv', 46, 46, 1.050021)])
def test_files_of_inertial_sensors_are_read_as_proposed(tmp_path, capsys, file, rows, readings,
                                                        duration):
    """As the manufacturer writes them: counts and gravity are right without any editing."""
    log = read_as_proposed(tmp_path, capsys, PUBLIC / '31-xsens-exports' / file)
    assert len(log.stamps) == rows
    assert (log.stamps[-1] - log.stamps[0]) * 1e-9 == pytest.approx(duration, abs=1e-12)
    found = log.readings['acc'][np.isfinite(log.readings['acc'][:, 0])]
    assert len(found) == readings
    assert np.linalg.norm(found, axis=1).mean() == pytest.approx(9.81, abs=0.3)


@pytest.mark.skipif(not PUBLIC.is_dir(), reason='needs ../shared/cases/public')
def test_a_matrix_that_is_written_by_columns_turns_gravity_to_what_is_read(tmp_path, capsys):
    from scipy.spatial.transform import Rotation
    log = read_as_proposed(
        tmp_path, capsys, PUBLIC / '31-xsens-exports/MT_012005D6_009-001_00B421E6_excerpt.txt')
    turned = Rotation.from_rotvec(log.readings['turned'])
    off = log.readings['acc'] - turned.inv().apply([0.0, 0.0, 9.81])
    assert np.linalg.norm(off, axis=1).max() < 0.07


def test_the_stamp_of_a_header_is_proposed_beside_when_it_was_received(tmp_path, capsys):
    """As `rostopic echo -p` writes both."""
    log = tmp_path / 'echo.csv'
    log.write_text('%time,field.header.seq,field.header.stamp,field.position0\n' + ''.join(
        f'{10 ** 18 + 3 * 10 ** 6 + k * 10 ** 7},{k},{10 ** 18 + k * 10 ** 7},0.5\n'
        for k in range(50)))
    assert 'time: {column: field.header.stamp, unit: ns}' in proposed(tmp_path, capsys, log, '')
