"""What pip installs: pins of a bare machine, what ROS 2 keeps.  Some tests ask a package index."""

import json
import os
from pathlib import Path
import re
import shlex
import subprocess
import sys

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
import pytest

ROOT = Path(__file__).resolve().parents[1]
KEPT = {'numpy': '1.26.4', 'pytest': '7.4.4', 'setuptools': '68.1.2'}     # Ubuntu 24.04, Jazzy
OLD = {'coverage': '7.4.4', 'scipy': '1.11.4'}      # which Ubuntu has, too old for us
FINE = {'rich': '13.7.1', 'catkin_pkg': '1.0.0', 'colcon_common_extensions': '0.3.0'}
# What numpy 2 has and the numpy of Jazzy has not.
NEW = re.compile(
    r'\bnp\.(?:acosh?|asinh?|astype|atan[2h]?|bitwise_(?:count|invert|(?:left|right)_shift)|bool|'
    r'concat|cumulative_(?:prod|sum)|isdtype|long|matrix_transpose|matvec|permute_dims|pow|strings|'
    r'trapezoid|ulong|unique_(?:all|counts|inverse|values)|unstack|vecdot|vecmat)\b|'
    r'\blinalg\.(?:cross|diagonal|matmul|(?:matrix|vector)_norm|matrix_transpose|outer|svdvals|'
    r'tensordot|trace|vecdot)\b|\.mT\b')
PLATFORMS = [f'--platform=manylinux_2_{minor}_x86_64' for minor in (17, 27, 28, 34)]


def requirements(name):
    """Return the Requirements of a file."""
    lines = (line.partition('#')[0].strip() for line in (ROOT / name).read_text().splitlines())
    return [Requirement(line) for line in lines if line]


FILES = sorted(path.name for path in ROOT.glob('requirements*.txt'))
PINS = {canonicalize_name(pin.name): next(iter(pin.specifier)).version
        for pin in requirements('constraints.txt')}


@pytest.mark.parametrize('name', FILES)
def test_pins_fit_what_is_required(name):
    wanted = {canonicalize_name(one.name): one.specifier for one in requirements(name)}
    assert {one for one in wanted if one not in PINS or PINS[one] not in wanted[one]} == set()


def test_every_requirement_has_one_home():
    names = [canonicalize_name(one.name) for name in FILES for one in requirements(name)]
    assert len(names) == len(set(names))


def test_no_source_needs_a_newer_numpy_than_ros_has():
    found = {str(path.relative_to(ROOT)): names
             for folder in ('src', 'ros_tools', 'benchmarks', 'examples', '.ci')
             for path in (ROOT / folder).rglob('*.py')
             if (names := NEW.findall(path.read_text(encoding='utf-8')))}
    assert found == {}


def test_newer_numpy_is_found():
    source = 'np.trapezoid(a.mT); np.linalg.outer(a, b); np.outer(a, b); np.trace(a); np.bool_'
    assert NEW.findall(source) == ['np.trapezoid', '.mT', 'linalg.outer']


@pytest.fixture(scope='session')
def index():
    """Skips where no package index can be asked."""
    asked = subprocess.run([sys.executable, '-m', 'pip', 'index', 'versions', 'numba'],
                           capture_output=True, text=True, check=False)
    if asked.returncode:
        pytest.skip('needs network: pip finds no package index')


def installed_by(command, folder, **environment):
    """Return {name: version} of what a command that runs pip would install."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False,
                          env={**os.environ, 'PIP_DRY_RUN': '1', **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return {canonicalize_name(item['metadata']['name']): item['metadata']['version']
            for report in folder.glob('report*.json')
            for item in json.loads(report.read_text())['install']}


@pytest.mark.whole
def test_wheels_for_ubuntu_under_jazzy(index, tmp_path):
    """All requirements are wheels for its Python, and go with the numpy and the pytest it has.

    Of the tools, only the ones that it lacks: colcon needs empy, of which there is no wheel.
    """
    there = {canonicalize_name(name) for name in FINE}
    tools = [str(one) for one in requirements('requirements-dev.txt')
             if canonicalize_name(one.name) not in there]
    kept = tmp_path / 'kept.txt'
    kept.write_text(''.join(f'{name}=={version}\n' for name, version in KEPT.items()))
    pip = [sys.executable, '-m', 'pip', 'install', '--quiet', '--ignore-installed', '--target',
           str(tmp_path / 'target'), '--only-binary=:all:', '--python-version=3.12', *PLATFORMS,
           '-c', str(kept)]
    found = installed_by([*pip, '--report', str(tmp_path / 'report1.json'),
                          '-r', 'requirements.txt', *tools], tmp_path)
    alone = installed_by([*pip, '--report', str(tmp_path / 'report2.json'), '--no-deps',
                          '-r', 'requirements-alone.txt'], tmp_path)
    assert (found['numpy'], found['pytest']) == (KEPT['numpy'], KEPT['pytest'])
    assert {'numba', 'scipy', 'mujoco', 'pytest-timeout', 'hypothesis', 'ruff'} <= set(found)
    assert 'gtsam' in alone


@pytest.fixture
def desktop(tmp_path):
    """A folder of Python packages, as ROS 2 Jazzy on Ubuntu 24.04 has them; only their names."""
    folder = tmp_path / 'dist-packages'
    for name, version in {**KEPT, **OLD, **FINE}.items():
        info = folder / f'{name}-{version}.dist-info'
        info.mkdir(parents=True)
        (info / 'METADATA').write_text(f'Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n')
        (info / 'RECORD').touch()
    return folder


@pytest.mark.whole
def test_make_keeps_what_ros_was_built_with(index, desktop, tmp_path):
    """Nothing puts a pytest or a numpy before ROS's, not even gtsam; what is too old goes."""
    venv = tmp_path / 'venv'
    subprocess.run([sys.executable, '-m', 'venv', str(venv)], check=True)
    pip = tmp_path / 'pip'      # reports, by the number of the call, what it would install
    pip.write_text(f'#!/bin/sh\nn=$(ls {tmp_path} | grep -c report)\n'
                   f'exec {venv}/bin/python -m pip install --quiet "$@" '
                   f'--report {tmp_path}/report$n.json\n')
    pip.chmod(0o755)
    found = installed_by(
        ['make', 'ros_requirements', 'tools', 'ROS_DISTRO=jazzy', f'VENV={venv}', f'PIP={pip}',
         f'PYTHON={shlex.quote(sys.executable)}'], tmp_path, PYTHONPATH=str(desktop))
    assert not {canonicalize_name(name) for name in (*KEPT, *FINE)} & set(found)
    assert Version(found['coverage']) >= Version('7.6')
    assert Version(found['scipy']) >= Version('1.15')
    assert {'gtsam', 'numba', 'hypothesis'} <= set(found)


def test_ros_comes_first():
    """ROS's packages are found before the environment's, and these before the system's."""
    printed = subprocess.run(['make', '-n', 'lint', 'ROS_DISTRO=jazzy', 'VENV=/nowhere'], cwd=ROOT,
                             capture_output=True, text=True, check=False).stdout
    assert re.search(r'PYTHONPATH="\$PYTHONPATH:', printed)


OLD_PYTHON = 'import runpy, sys; sys.version_info = (3, 10, 13); runpy.run_path(sys.argv[1])'
TOO_OLD = 'mb_state_estimation needs Python 3.11 or newer, and '


@pytest.mark.parametrize('file', ['.ci/machine_needed.py', 'src/mb_ros/mb_ros/program.py'])
def test_what_runs_first_reports_a_python_that_is_too_old(file):
    """Of make, and of every node and command."""
    done = subprocess.run([sys.executable, '-c', OLD_PYTHON, ROOT / file], text=True, check=False,
                          capture_output=True)
    assert done.returncode == 1
    assert done.stderr.startswith(TOO_OLD)
    assert 'is 3.10' in done.stderr
    assert 'Traceback' not in done.stderr


def test_make_reports_a_python_that_is_too_old_before_it_makes_anything(tmp_path):
    python = tmp_path / 'python3.10'
    python.write_text('#!/bin/sh\n'
                      f'exec {shlex.quote(sys.executable)} -c {shlex.quote(OLD_PYTHON)} "$@"\n')
    python.chmod(0o755)
    done = subprocess.run(
        ['make', '--no-print-directory', f'PYTHON={python}', f'VENV={tmp_path}/venv', 'setup'],
        cwd=ROOT, text=True, check=False, capture_output=True)
    assert done.returncode != 0
    assert done.stderr.startswith(TOO_OLD)
    assert not (tmp_path / 'venv').exists()


def test_pip_refuses_a_python_that_is_too_old():
    files = [*ROOT.glob('src/*/setup.py'), ROOT / 'ros_tools' / 'pyproject.toml']
    assert len(files) > 8
    for file in files:
        needed = re.search(r"^ *(?:python_requires=|requires-python = )'(.*)'", file.read_text(),
                           re.MULTILINE)
        assert needed[1] == '>=3.11', file
