"""Runs that are started together in one ROS domain go one after the other."""

from functools import partial
from itertools import pairwise
import subprocess
import sys

from launch import LaunchDescription, LaunchService
from launch.actions import OpaqueFunction, Shutdown, TimerAction
import pytest

from mb_bringup import turns

pytestmark = pytest.mark.skipif(sys.platform != 'linux', reason='names of sockets are of Linux')
OTHER = """
import sys
from mb_bringup.turns import claim
print(claim(sys.argv[1]), flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def other():
    """Return a function that lets another process claim a domain, and returns that process."""
    processes = []

    def claiming(domain):
        processes.append(subprocess.Popen([sys.executable, '-c', OTHER, domain], text=True,
                                          stdin=subprocess.PIPE, stdout=subprocess.PIPE))
        assert processes[-1].stdout.readline() == 'True\n'
        return processes[-1]
    yield claiming
    for one in processes:
        one.kill()
        one.communicate()


@pytest.mark.parametrize(('domain', 'end'), [
    ('a', subprocess.Popen.kill), ('b', lambda one: one.communicate('\n'))])
def test_a_launch_waits_for_the_end_of_another_one(other, domain, end, monkeypatch, said):
    monkeypatch.setattr(turns, 'PERIOD', 0.1)
    monkeypatch.setenv('ROS_DOMAIN_ID', domain)
    process, started = other(domain), []

    def start(_context):
        started.append(process.poll())
        return [Shutdown()]

    service = LaunchService(noninteractive=True)
    service.include_launch_description(LaunchDescription([
        OpaqueFunction(function=partial(turns.in_turn, start)),
        TimerAction(period=0.5, actions=[OpaqueFunction(function=lambda _: end(process) and None)])
    ]))
    assert service.run() == 0
    assert started[0] is not None
    assert f'waiting for the end of another run in ROS domain {domain} on this machine' in said()


def test_a_domain_is_free_for_others_only_after_the_process(other):
    other('test of one domain')
    assert not turns.claim('test of one domain')
    other('test of another domain')


MANY = """
from functools import partial
import sys
import time
from launch import LaunchDescription, LaunchService
from launch.actions import OpaqueFunction, Shutdown, TimerAction
from mb_bringup import turns
turns.PERIOD = 0.1
def start(_context):
    begun = time.monotonic()
    return [TimerAction(period=0.3, actions=[OpaqueFunction(function=lambda _: print(
        'run', begun, time.monotonic(), flush=True)), Shutdown()])]
service = LaunchService(noninteractive=True)
service.include_launch_description(LaunchDescription([
    OpaqueFunction(function=partial(turns.in_turn, start))]))
sys.exit(service.run())
"""


@pytest.mark.parametrize('count', [2, 8])
def test_launches_that_start_at_once_run_one_after_the_other(count, monkeypatch):
    """As several jobs of a CI do: each has its turn, and none fails."""
    monkeypatch.setenv('ROS_DOMAIN_ID', f'test of {count}')
    launches = [subprocess.Popen([sys.executable, '-c', MANY], text=True, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT) for _ in range(count)]
    printed = [one.communicate(timeout=120.0)[0] for one in launches]
    assert [one.returncode for one in launches] == [0] * count, printed
    runs = sorted(tuple(map(float, line.split()[1:])) for text in printed
                  for line in text.splitlines() if line.startswith('run '))
    assert len(runs) == count
    assert all(end < begin for (_, end), (begin, _) in pairwise(runs))
