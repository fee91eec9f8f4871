"""The command `report` on bags that give none, and how often it reads one."""

import errno
import json
from types import SimpleNamespace

import pytest
from recorded_four_bar import experiment, write_bag

from mb_evaluation import compare
from mb_evaluation.nodes import report
from mb_model.command_api import USER_ERROR
from mb_model.file_api import write_recorded
from mb_sensors.bag import open_bag

TRUTH, ESTIMATE = '/prototype/state', '/estimator/state'
EXPERIMENT = experiment(0.5)


def first_of(made_of):
    """Return what a bag of the first instant of an Experiment is made of."""
    return SimpleNamespace(truth=made_of.truth, readings=made_of.readings,
                           prototype=made_of.prototype, stamps=made_of.stamps[:1])


def test_a_run_that_is_too_short_is_reported(tmp_path, capsys):
    write_bag(first_of(EXPERIMENT), tmp_path / 'bag', states=(TRUTH, ESTIMATE))
    assert report.main([str(tmp_path)]) == USER_ERROR
    assert f'only one message in the bag on {TRUTH}: too short for a report' in (
        capsys.readouterr().err)
    assert [path.name for path in tmp_path.iterdir()] == ['bag']


def test_what_no_disk_takes_is_shown(tmp_path, monkeypatch, capsys):
    def refuse(*_):
        raise OSError(errno.ENOSPC, 'No space left on device')

    write_bag(EXPERIMENT, tmp_path / 'bag', states=(TRUTH, ESTIMATE))
    monkeypatch.setattr('mb_evaluation.reports.presentation.write_json', refuse)
    chosen = ['--estimators', 'error_ekf', '--sensors', 'crank_encoder']
    for command, arguments in ((report, []), (compare, chosen)):
        assert command.main([str(tmp_path / 'bag'), *arguments]) == USER_ERROR
        shown = capsys.readouterr()
        assert 'No space left on device' in shown.err
        assert 'RMSE' in shown.out


def test_a_bag_is_read_once_for_its_stamps_and_once_for_its_messages(tmp_path, monkeypatch):
    write_bag(EXPERIMENT, tmp_path / 'bag', states=(TRUTH, ESTIMATE))
    write_recorded({'estimator': {'mechanism': 'four_bar', 'sensors': ['crank_encoder']}}, tmp_path)
    with open_bag(tmp_path / 'bag') as opened:
        reader = type(opened)
    decoded, read = reader.decoded, []

    def counted(self, topics, decode):
        read.append(set(topics))
        return decoded(self, topics, decode)

    monkeypatch.setattr(reader, 'decoded', counted)
    assert report.main([str(tmp_path)]) == 0
    assert read[0] == {TRUTH, ESTIMATE}
    assert len(read) == 2
    figures = json.loads((tmp_path / 'report.json').read_text())
    assert figures['duration'] == pytest.approx(0.5)
    assert figures['observer']['position_rmse'] == [0.0]


def test_stamps_that_no_clock_shows_are_no_instants(tmp_path, damaged_copy, capsys):
    """Summed up, they would be others; they are left out, and counted."""
    write_bag(EXPERIMENT, tmp_path / 'whole', states=(TRUTH, ESTIMATE))

    def malformed(topic, place, data):
        return data[:8] + (3 * 10 ** 9).to_bytes(4, 'little') + data[12:] if (
            topic == TRUTH and place in (10, 50)) else data

    damaged_copy(tmp_path / 'whole', tmp_path / 'run' / 'bag', malformed)
    write_recorded({'estimator': {'mechanism': 'four_bar', 'sensors': ['crank_encoder']}},
                   tmp_path / 'run')
    assert report.main([str(tmp_path / 'run')]) == 0
    shown = capsys.readouterr()
    assert f'{TRUTH}: 2 of 101 messages are damaged and left out' in shown.out + shown.err
