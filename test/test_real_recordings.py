"""Estimates from the excerpts of real recordings that are shipped, with shipped settings."""

from pathlib import Path

import pytest

from benchmarks import command, figures as results, real_double_pendulum, real_vehicle
from benchmarks.real_data import RecordingError, read, recordings

RECORDINGS = Path(__file__).resolve().parents[1] / 'src' / 'mb_bringup' / 'recordings'


def by_name(figures):
    return {figure.name: figure for figure in figures}


def test_pulses_of_the_double_pendulum_are_found():
    figures = by_name(real_double_pendulum.measure(judge=str(RECORDINGS)))
    for joint in (1, 2):
        for what in ('causal', 'smoothed'):
            figure = figures[f'acrobot, all: joint {joint}, {what}, known torque reported less '
                             'injected']
            assert figure.met
            assert figure.value < 0.65 * figure.peer_value          # of answering zero
    assert figures['pulses above 0.4 N m that are detected within 60 ms of that'].met
    assert figures['pendubot: no recordings, not judged'].met is None


@pytest.mark.whole
def test_the_sideslip_angle_of_the_car_is_found():
    figures = by_name(real_vehicle.measure(judge=str(RECORDINGS)))
    for what in ('causal', 'smoothed'):
        assert figures[f'all: sideslip angle, {what}'].met


def test_missing_recordings_are_said_to_be_missing(tmp_path):
    for benchmark in (real_double_pendulum, real_vehicle):
        figure, = benchmark.measure(judge=str(tmp_path))
        assert figure.met is False
        assert str(tmp_path) in figure.name


def test_columns_are_read_by_their_names():
    run, = recordings(RECORDINGS, 'vehicle')
    assert run.name == 'vehicle/run_part1'
    assert run['t'][0] == 149.99
    assert run['vx'][0] == 26.05848


@pytest.mark.parametrize(('text', 'message'), [
    ('', 'line 1: no column t, expected t, v'),
    ('t,w\n0,1\n1,2\n', 'line 1: no column v, expected t, v'),
    ('t,v\n0,1\n', '1 lines of values, expected more than one'),
    ('t,v\n0,1\n1,x\n', "line 3: v: 'x' must be a finite number"),
    ('t,v\n0,1\n1,nan\n', "line 3: v: 'nan' must be a finite number"),
    ('t,v\n0,1\n1\n', "line 3: v: '' must be a finite number"),
    ('t,v\n0,1\n2,1\n1,1\n', 'value 3 of t: expected one that is not smaller')])
def test_what_is_wrong_with_a_recording_is_said(tmp_path, text, message):
    path = tmp_path / 'run.csv'
    path.write_text(text)
    with pytest.raises(RecordingError, match=r'run\.csv: ') as caught:
        read(path, ('t', 'v'))
    assert message in str(caught.value)


def test_columns_may_be_quoted_more_and_in_any_order(tmp_path):
    path = tmp_path / 'run.csv'
    path.write_bytes(b'\xef\xbb\xbf"v", note, t\r\n5,left,0\r\n6,,1\r\n')
    run = read(path, ('t', 'v'))
    assert run['v'].tolist() == [5.0, 6.0]


def test_a_recording_that_cannot_be_read_is_a_missed_target(tmp_path, monkeypatch, capsys):
    (tmp_path / 'vehicle').mkdir()
    (tmp_path / 'vehicle' / 'run.csv').write_text('t,vx\n0,1\n')
    monkeypatch.setattr(results, 'RESULTS', tmp_path)
    monkeypatch.setattr('sys.argv', ['benchmarks', 'real_vehicle', '--judge', str(tmp_path)])
    assert command.main() == 1
    assert f'missed: real_vehicle: not judged: {tmp_path}' in capsys.readouterr().out


def test_a_folder_that_is_none_cannot_judge(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr('sys.argv', [
        'benchmarks', 'real_vehicle', '--judge', str(tmp_path / 'nowhere')])
    with pytest.raises(SystemExit, match='2'):
        command.main()
    assert 'nowhere: expected a folder' in capsys.readouterr().err
