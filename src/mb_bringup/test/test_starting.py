"""A launch says every second that its processes start, until the run shows."""

from launch import LaunchDescription, LaunchService
from launch.actions import ExecuteProcess
import pytest

from mb_bringup import starting

pytestmark = pytest.mark.core


def launched(command, capfd):
    """Launch a command as the process that shows the run; return what was said of starting."""
    process = ExecuteProcess(cmd=['sh', '-c', command], output='screen')
    service = LaunchService(noninteractive=True)
    service.include_launch_description(LaunchDescription([
        *starting.Starting(4, process).actions(), process]))
    assert service.run() == 0
    return [line.partition(': ')[2] for line in ''.join(capfd.readouterr()).splitlines()
            if 'starting' in line]


def test_it_is_said_until_the_process_has_a_line(capfd, monkeypatch):
    monkeypatch.setattr(starting, 'PERIOD', 0.2)
    said = launched('sleep 0.7; echo the run; sleep 1', capfd)
    assert said[0] == 'starting 4 processes'
    assert 2 <= len(said[1:]) <= 4
    assert all(line.startswith('starting, ') for line in said[1:])


def test_it_ends_with_the_process(capfd, monkeypatch):
    monkeypatch.setattr(starting, 'PERIOD', 0.1)
    assert len(launched('exit 0', capfd)) <= 2
