"""What the CI runs: a valid workflow, whose commands exist here."""

import os
from pathlib import Path
import re
import subprocess

import pytest
import yaml

from mb_simulation.prototypes import ENGINES
from mb_simulation.warm_up import warm_up

ROOT = Path(__file__).resolve().parents[1]
WORKFLOW = ROOT / '.github/workflows/ci.yml'


def commands_of(job):
    """Return what a job runs, one text."""
    content = yaml.safe_load(WORKFLOW.read_text())
    return '\n'.join(step.get('run', '') for step in content['jobs'][job]['steps'])


def test_the_workflow_is_valid():
    """As its schema says, which check-jsonschema brings along."""
    done = subprocess.run(
        ['check-jsonschema', '--builtin-schema', 'vendor.github-workflows', str(WORKFLOW)],
        capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_bare_machine_runs_the_whole_check():
    assert '.ci/run' in commands_of('bare_machine')
    assert (ROOT / '.ci/run').stat().st_mode & 0o100


def test_bare_machines_have_each_distribution_and_each_python():
    jobs = yaml.safe_load(WORKFLOW.read_text())['jobs']
    matrix = jobs['bare_machine']['strategy']['matrix']
    assert matrix['ros'] == sorted(path.stem for path in ROOT.glob('ros_tools/wheels/*.txt'))
    assert {'3.11', '3.12'} <= set(matrix['python'])
    assert jobs['bare_machine']['env'] == {'ROS': '${{ matrix.ros }}'}


def test_the_whole_check_runs_every_test():
    """What `make test` leaves out is in `make test-all`."""
    printed = subprocess.run(
        ['make', '--dry-run', 'test', 'test-all', 'VENV=/nowhere'], cwd=ROOT, text=True,
        check=True, capture_output=True, env={name: value for name, value in os.environ.items()
                                              if name != 'ROS_DISTRO'}).stdout
    assert 'make --keep-going test-all ' in (ROOT / '.ci/run').read_text()
    chosen = re.findall(r'python -m pytest (.*) test src ros_tools/test(.*?) \|\|', printed)
    assert [words for _, words in chosen] == [" -m 'not whole' --hypothesis-profile=quick", '']
    assert all('--dist=loadfile' in options for options, _ in chosen)


def test_on_ros_tests_run_in_one_process():
    printed = subprocess.run(
        ['make', '--dry-run', 'test', 'ROS_DISTRO=jazzy', 'VENV=/nowhere'], cwd=ROOT, text=True,
        check=True, capture_output=True).stdout
    assert re.search(r'python -m pytest +test src -m', printed)
    assert '--dist' not in printed


def test_ros_builds_tests_and_demonstrates():
    commands = commands_of('ros2')
    assert re.search(r'apt-get install .*python3-pip(?s:.*)rosdep install', commands)
    assert re.search(r'rosdep install .*--from-paths src ', commands)
    for target in 'setup', 'colcon-test', 'demo demo-crane demo-excavator demo-robot demo-recorded':
        assert re.search(rf'setup\.bash && make {target}$', commands, re.MULTILINE)


@pytest.mark.parametrize('script', ['run', 'lock'])
def test_scripts_can_be_read(script):
    subprocess.run(['bash', '-n', str(ROOT / '.ci' / script)], check=True)


@pytest.mark.parametrize('target', ['setup', 'colcon-test', 'demo', 'demo-crane', 'demo-excavator',
                                    'demo-robot', 'demo-recorded'])
def test_make_knows_its_targets(target):
    subprocess.run(['make', '--dry-run', target, 'ROS_DISTRO=jazzy', 'VENV=/nowhere'], cwd=ROOT,
                   check=True, capture_output=True)


@pytest.mark.parametrize(('words', 'said'), [
    (['dmo'], 'dmo: no such goal, expected one of help demo '),
    (['demo', 'ukf'], 'ukf: no such goal, expected one of '),
    (['test', 'WORKER=2'], 'WORKER: no such variable, expected one of PYTHON ')])
def test_what_make_does_not_know_ends_in_a_line(words, said):
    done = make('--dry-run', *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ''


def test_arguments_of_launch_stand_on_the_line_of_make():
    done = make('--dry-run', 'demo', 'estimator:=ukf', 'sensors:=[a, b]', 'VENV=/nowhere',
                'LAUNCH_ARGUMENTS=duration:=5')
    assert 'python -m mb_estimators.warm_up ukf\n' in done.stdout
    assert done.stdout.splitlines()[-1].endswith(
        "launch.py record:=true duration:=5 'estimator:=ukf' 'sensors:=[a, b]'")


def make(*words):
    """Return the ended process of make with words, as from a shell without another make."""
    return subprocess.run(['make', *words], cwd=ROOT, text=True, capture_output=True, check=False,
                          env={name: value for name, value in os.environ.items()
                               if name not in ('ROS_DISTRO', 'MAKELEVEL', 'MAKEFLAGS')})


def test_what_demonstrations_compile_ahead_can_be():
    """The prototypes that `make demo` and its like name advance."""
    named = re.findall(r'mb_simulation\.warm_up (\w+)', (ROOT / 'Makefile').read_text())
    assert {'four_bar', 'crane', 'three_rrr', 'excavator_afloat'} <= set(named)
    warm_up(named, ENGINES[:1])
