"""A filter reads a kind of sensor of another package, without being compiled for it."""

import os
from pathlib import Path
import subprocess
import sys

TOY = Path(__file__).parents[2] / 'mb_sensors' / 'test' / 'toy'
PROGRAM = """\
import numpy as np

from mb_estimators import make_filter
from mb_model import load_mechanism, simulate
from mb_sensors import sensors_of
from mb_sensors.readings import true_values

mechanism = load_mechanism('four_bar').replace(sensors={
    'radar': {'kind': 'radial_speed', 'points': ['A', 'P2'], 'sigma': 1e-3}})
radar, = sensors_of(mechanism, 'radar')
run = simulate(mechanism, 1.0, 5e-3)
truth = true_values(mechanism, radar, run.q, run.qd, run.qdd)
filter_ = make_filter('error_ekf', mechanism, [radar], 5e-3)
filter_.reset(run.z[0], run.zd[0] + 0.5)
for reading in truth[1:]:
    filter_.predict(5e-3)
    filter_.correct(reading)
print(float(np.abs(filter_.estimate.zd - run.zd[-1]).max()))
"""


def test_a_filter_corrects_by_a_kind_that_is_one_file(tmp_path):
    information = tmp_path / 'toys-1.0.dist-info'
    information.mkdir()
    (information / 'METADATA').write_text('Name: toys\nVersion: 1.0\n')
    (information / 'entry_points.txt').write_text(
        '[mb_sensors.kinds]\nradial_speed = radial_speed:KIND\n')
    path = [str(tmp_path), str(TOY), *filter(None, [os.environ.get('PYTHONPATH')])]
    done = subprocess.run([sys.executable, '-c', PROGRAM], text=True, capture_output=True,
                          env={**os.environ, 'PYTHONPATH': os.pathsep.join(path)})
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.05        # of 0.5 rad/s at the start
