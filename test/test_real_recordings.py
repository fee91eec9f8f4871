"""Estimates from the excerpts of real recordings that are shipped, with shipped settings."""

from pathlib import Path

from benchmarks import real_double_pendulum, real_vehicle
from benchmarks.real_data import recordings

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
