"""The log of a launch: its directories, styles and handlers."""
import logging
import os

import launch
import pytest


@pytest.fixture
def log_dir(tmp_path, monkeypatch):
    monkeypatch.setenv('ROS_LOG_DIR', str(tmp_path))
    launch.logging.reset()
    yield tmp_path
    launch.logging.reset()


def test_the_latest_log_directory(log_dir):
    for _ in range(2):
        launch.logging.launch_config.log_dir = None
        made = launch.logging.launch_config.log_dir
        assert os.readlink(log_dir / 'latest') == made
    (log_dir / 'latest').unlink()
    (log_dir / 'latest').mkdir()
    assert not launch.logging._renew_latest_log_dir(log_dir=made)


def test_a_log_directory_after_the_first_line(log_dir):
    launch.logging.get_log_file_handler()
    with pytest.warns(UserWarning, match='already configured'):
        launch.logging.launch_config.log_dir = str(log_dir)
    with pytest.raises(ValueError, match='is not a directory'):
        launch.logging.launch_config.log_dir = 'no/such'


def test_formats_of_log_lines(log_dir, capsys, monkeypatch):
    config = launch.logging.launch_config
    config.set_screen_format('%(name)s says %(message)s', screen_style='%')
    launch.logging.get_logger('crane').info('up')
    monkeypatch.setenv('OVERRIDE_LAUNCH_SCREEN_FORMAT', r'{name}\t{message}')
    config.set_screen_format('default')
    launch.logging.get_logger('crane').info('down')
    assert capsys.readouterr().out == 'crane says up\ncrane\tdown\n'
    monkeypatch.delenv('OVERRIDE_LAUNCH_SCREEN_FORMAT')
    for style in ('%', '{'):
        with pytest.raises(ValueError, match='style of its own'):
            config.set_log_format('default', log_style=style)


def test_all_handlers_know_formatters_of_loggers():
    handler = launch.logging.handlers.MemoryHandler(10)
    assert isinstance(handler, logging.handlers.MemoryHandler)
    handler.setFormatterFor('crane', logging.Formatter('crane: %(message)s'))
    record = logging.makeLogRecord({'name': 'crane', 'msg': 'up'})
    assert handler.format(record) == 'crane: up'
    handler.unsetFormatterFor(logging.getLogger('crane'))
    assert handler.format(record) == 'up'
    assert not hasattr(launch.logging.handlers, 'NoHandler')
