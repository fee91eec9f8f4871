"""No node of a launch file compiles anything, or imports what it does not need.

`make setup` has compiled everything.  Where sources of kernels have changed since, it does so again
only in a new environment: `python -m mb_estimators.warm_up`, `mb_contact.warm_up` and
`mb_simulation.warm_up` do it at once.
"""

import os
from pathlib import Path
import subprocess
import sys

import pytest

WATCH = Path(__file__).with_name('compile_watch')
PATIENCE = 240.0        # of a machine that does other things [s]


def run(command, compiled, code=0):
    """Run a command, which notes in a file what it compiles and ends with a code; return its text.
    """
    compiled.touch()
    path = os.pathsep.join(filter(None, (str(WATCH), os.environ.get('PYTHONPATH'))))
    process = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        timeout=PATIENCE, env={**os.environ, 'PYTHONPATH': path,
                               'COMPILED_FUNCTIONS': str(compiled)})
    assert process.returncode == code, process.stdout
    return process.stdout


@pytest.mark.parametrize('launch_file', [
    'three_simulation', pytest.param('crane_payload', marks=pytest.mark.whole),
    pytest.param('parallel_robot_contact', marks=pytest.mark.whole)])
def test_nothing_is_compiled_when_a_launch_starts(launch_file, tmp_path):
    """And a verdict that failed is the exit code: a model without errors cannot be beaten."""
    compiled = tmp_path / 'compiled'
    without = ('gravity_error:=0.0', 'start_error:=0.0'
               ) if launch_file == 'three_simulation' else ('strict:=false',)
    output = run(['ros2', 'launch', 'mb_bringup', f'{launch_file}.launch.py', 'duration:=0.5',
                  'record:=false', f'results:={tmp_path}', *without], compiled,
                 0 if 'strict:=false' in without else 1)
    assert '0.5 s simulated' in output
    assert compiled.read_text() == ''
    if launch_file == 'three_simulation':
        assert 'FAILED: theta: position RMSE of the observer' in output
        assert 'Traceback' not in output
        assert 'process has died' not in output


@pytest.mark.whole
def test_what_a_new_environment_compiles_for_the_demonstration_suffices(tmp_path, monkeypatch):
    """Before `make demo`, kernels of the demonstration alone are compiled."""
    monkeypatch.setenv('NUMBA_CACHE_DIR', str(tmp_path / 'kernels'))
    for module, machine in (('mb_estimators', 'error_ekf'), ('mb_simulation', 'four_bar')):
        run([sys.executable, '-m', f'{module}.warm_up', machine], tmp_path / 'before')
    compiled = tmp_path / 'compiled'
    run(['ros2', 'launch', 'mb_bringup', 'three_simulation.launch.py', 'duration:=2.5',
         'record:=false', f'results:={tmp_path}'], compiled)
    assert compiled.read_text() == ''
    assert (tmp_path / 'before').read_text() != ''


@pytest.mark.parametrize('name', [
    'mb_evaluation.nodes.accuracy_monitor', 'mb_estimators.nodes.estimator',
    'mb_sensors.nodes.sensor_driver', 'mb_model.nodes.model_simulation',
    'mb_simulation.nodes.prototype'])
def test_nodes_import_no_large_library_that_few_runs_need(name, tmp_path):
    """Each takes a tenth to half a second of processor time, in every start of every node."""
    program = (f'import sys; import {name}; from mb_model import load_mechanism; '
               'load_mechanism("four_bar"); print(*(name for name in sys.modules if '
               'name.count(".") < 2))')
    imported = subprocess.run([sys.executable, '-c', program], text=True, check=True,
                              capture_output=True).stdout.split()
    assert name.rpartition('.')[0] in imported
    assert not {'matplotlib', 'plotly', 'scipy.integrate', 'scipy.interpolate', 'scipy.linalg',
                'scipy.optimize', 'scipy.sparse', 'scipy.special', 'scipy.stats',
                'unittest'} & set(imported)


def test_what_is_compiled_would_be_noted(tmp_path):
    """Or else nothing would be found in a launch, whatever it compiles."""
    program, compiled = tmp_path / 'program.py', tmp_path / 'compiled'
    program.write_text('from numba import njit\n\n\n@njit\ndef twice(x):\n    return 2 * x\n\n\n'
                       'twice(1)\n')
    run([sys.executable, str(program)], compiled)
    assert 'program.py __main__ twice' in compiled.read_text().splitlines()
