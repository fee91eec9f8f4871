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


READ = """\
import numpy as np

from mb_model import load_mechanism
from mb_sensors import sensors_of
from mb_sensors.measurement import measure
from mb_sensors.readings import true_values

mechanism = load_mechanism('four_bar').replace(sensors={
    'radar': {'kind': 'radial_speed', 'points': ['A', 'P2'], 'sigma': 0.01}})
radar, = sensors_of(mechanism, 'radar')
q = mechanism.q0[None]
print(true_values(mechanism, radar, q, np.ones_like(q), q)[0, 0],
      sum(measure.stats.cache_misses.values()))
"""


def environment_with(folder, source):
    """Return the environment of processes that find the package, information of it in a folder."""
    information = folder / 'toys-1.0.dist-info'
    information.mkdir()
    (information / 'METADATA').write_text('Name: toys\nVersion: 1.0\n')
    (information / 'entry_points.txt').write_text(ENTRY_POINTS)
    path = [str(folder), str(source), *filter(None, [os.environ.get('PYTHONPATH')])]
    return {**os.environ, 'PYTHONPATH': os.pathsep.join(path)}


@pytest.fixture(scope='module')
def environment(tmp_path_factory):
    """The environment of processes that find the package."""
    return environment_with(tmp_path_factory.mktemp('installed'), TOY)


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


def test_equations_are_compiled_once_and_anew_after_a_change(tmp_path):
    own, environment = tmp_path / 'radial_speed.py', environment_with(tmp_path, tmp_path)
    source = (TOY / 'radial_speed.py').read_text()
    found = []
    for text in (source, source, source.replace('return channel.cosine', 'return 3.0')):
        own.write_text(text)
        done = subprocess.run([sys.executable, '-c', READ], env=environment, text=True,
                              capture_output=True)
        assert done.returncode == 0, done.stderr
        found.append([float(word) for word in done.stdout.split()])
    (first, _), second, (changed, _) = found
    assert second == [first, 0]
    assert changed == pytest.approx(3.0 * first)
