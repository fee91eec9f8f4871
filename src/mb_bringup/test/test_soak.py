"""What a long run is judged by: growth of memory, messages lost; and wrong arguments in words."""

import subprocess
import sys

import pytest

from mb_bringup.endurance import MemoryWatch
from mb_bringup.nodes.soak import main

GROWN = 40      # [MB]
NODE = f"""
import sys
sys.stdin.readline()
kept = bytearray(b'x' * {GROWN * 1_000_000})
print('grown', flush=True)
sys.stdin.readline()
"""
LAUNCH = f"""
import subprocess, sys
subprocess.run([sys.executable, '-c', {NODE!r}, '--ros-args', '-r', '__node:=grower'])
"""


@pytest.fixture
def launch():
    """A process with a node below it that grows when it reads a line."""
    process = subprocess.Popen([sys.executable, '-c', LAUNCH], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    yield process
    process.communicate('\n\n', timeout=30)


def test_growth_of_a_process_is_seen(launch):
    watch = MemoryWatch(launch.pid)
    found = {}
    while not found:            # it begins
        watch.look(0.0)
        found = watch.growth()
    (name, (_, by)), = found.items()
    assert name.startswith('grower (')
    assert by == 0.0
    watch = MemoryWatch(launch.pid)
    for now in (0.0, 40.0):
        watch.look(now)
    launch.stdin.write('\n')
    launch.stdin.flush()
    assert launch.stdout.readline() == 'grown\n'
    watch.look(80.0)
    (size, by), = watch.growth().values()
    assert GROWN - 5 < by < GROWN + 15
    assert size > GROWN


def test_wrong_arguments_are_reported(capsys):
    assert main(['respawn=true']) == 2
    assert 'respawn=true: must be NAME:=VALUE' in capsys.readouterr().err
