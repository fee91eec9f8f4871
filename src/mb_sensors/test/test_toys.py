"""A kind of sensor and a source of devices of another package: one file each, known everywhere.

In processes of their own: kinds are gathered when mb_sensors is imported.
"""

import os
from pathlib import Path
import subprocess
import sys

import pytest

TOY = Path(__file__).parent / 'toy'
ENTRY_POINTS = """\
[mb_sensors.kinds]
radial_speed = radial_speed:KIND
lost = kinds_that_are_not_there:KIND
[mb_sensors.sources]
tape = tape:Tape
"""


@pytest.fixture(scope='module')
def environment(tmp_path_factory):
    """The environment of processes that find the package."""
    folder = tmp_path_factory.mktemp('installed')
    information = folder / 'toys-1.0.dist-info'
    information.mkdir()
    (information / 'METADATA').write_text('Name: toys\nVersion: 1.0\n')
    (information / 'entry_points.txt').write_text(ENTRY_POINTS)
    path = [str(folder), str(TOY), *filter(None, [os.environ.get('PYTHONPATH')])]
    return {**os.environ, 'PYTHONPATH': os.pathsep.join(path)}


@pytest.mark.parametrize('file', sorted(TOY.glob('check_*.py')), ids=lambda path: path.stem)
def test_everything_knows_a_toy(file, environment):
    done = subprocess.run([sys.executable, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', file],
                          env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_kind_that_cannot_be_loaded_is_left_out_with_a_warning(environment):
    done = subprocess.run([sys.executable, '-m', 'mb_sensors.commands.kinds'], env=environment,
                          text=True, capture_output=True)
    assert done.returncode == 0
    assert 'radial_speed' in done.stdout
    assert 'lost: plugin kinds_that_are_not_there:KIND cannot be loaded' in done.stderr
