"""The log of a launch: its directories and formats."""
import os

import launch
from launch.logging.launch_config import _renew_latest_log_dir
import pytest


@pytest.fixture
def log_dir(tmp_path, monkeypatch):
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path))
    launch.logging.reset()
    yield tmp_path
    monkeypatch.undo()
    launch.logging.reset()


def test_the_latest_log_directory(log_dir):
    for _ in range(2):
        launch.logging.reset()
        made = launch.logging.launch_config.log_dir
        assert os.readlink(log_dir / 'latest') == made
    (log_dir / f'.latest-{os.getpid()}').symlink_to('planted')
    assert _renew_latest_log_dir(log_dir=made)
    (log_dir / 'latest').unlink()
    (log_dir / 'latest').mkdir()
    assert not _renew_latest_log_dir(log_dir=made)


def test_a_format_of_log_lines(log_dir, capsys, monkeypatch):
    monkeypatch.setenv('OVERRIDE_LAUNCH_SCREEN_FORMAT', r'{name}\t{message}')
    launch.logging.reset()
    launch.logging.get_logger('crane').info('down')
    assert capsys.readouterr().out == 'crane\tdown\n'
