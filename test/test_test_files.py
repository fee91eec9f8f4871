"""Tests can be collected in every way in which ROS 2 collects them, and have their own domains."""

from collections import Counter
import os
from pathlib import Path
import re
import subprocess
import sys

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = [path for folder in ('src/*/test', 'test', 'ros_tools/test')
         for path in ROOT.glob(f'{folder}/**/*.py')]


FIXED_DOMAIN = re.compile(      # as text or number, and removed from or missing in an environment
    r"""ROS_DOMAIN_ID['"][:,)\]]?\s*[:=,]\s*['"]?\d|domain_id=\d|delenv\(['"]ROS_DOMAIN_ID"""
    r"""|env=\{(?![^}]*os\.environ)(?=[^}]*[}])""")
WITHOUT_NODES = {'test_launch_api.py', 'test_configuration.py'}     # of ros_tools: text alone


def collected(folder, *options):
    """Return how many tests pytest finds in a folder, without an error."""
    done = subprocess.run(
        [sys.executable, '-m', 'pytest', '--collect-only', '-q', '-p', 'no:cacheprovider',
         *options], cwd=folder, capture_output=True, text=True, check=False,
        env={name: value for name, value in os.environ.items() if name != 'PYTEST_ADDOPTS'})
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    return sum('::' in line for line in done.stdout.splitlines())


def test_no_two_files_have_one_name():
    """launch_testing imports test files, and these their helpers, by base names."""
    names = Counter(path.name for path in FILES if path.name != 'conftest.py')
    assert [name for name, count in names.items() if count > 1] == []


def test_helpers_hide_no_module():
    """Folders of tests come first on the path."""
    taken = sys.stdlib_module_names | {path.name for path in ROOT.glob('src/*')}
    assert {path.stem for path in FILES} & taken == set()


def test_no_test_is_in_the_domain_of_others():
    """Without a domain, nodes would publish beside a demonstration: /clock, from test_guards.py."""
    assert int(os.environ['ROS_DOMAIN_ID']) > 0
    assert os.environ['ROS_DOMAIN_ID'] == subprocess.run(
        [sys.executable, '-c', 'import rclpy; rclpy.init(); '
         'print(rclpy.get_default_context().get_domain_id())'],
        capture_output=True, text=True, check=True).stdout.strip()
    found = [f'{path.name}: {match[0]}' for path in FILES if path.name not in WITHOUT_NODES
             for match in FIXED_DOMAIN.finditer(path.read_text(encoding='utf-8'))]
    assert found == []


def test_make_test_leaves_out_launches_and_cases_between_the_first_and_the_last(tmp_path):
    (tmp_path / 'conftest.py').write_text((ROOT / 'conftest.py').read_text())
    cases = '@pytest.mark.parametrize("k", range(5))\ndef test_it(k): pass\n'
    for name, text in (('test_cases', cases), ('test_core', '@pytest.mark.core\n' + cases),
                       ('test_launch', "COMMAND = 'ros2', 'launch'\n" + cases)):
        (tmp_path / f'{name}.py').write_text(f'import pytest\n{text}')
    assert collected(tmp_path) == 15
    assert collected(tmp_path, '-m', 'not whole') == 7


@pytest.mark.whole
def test_all_packages_are_collected_at_once():
    """By base names, without the import mode that pyproject.toml asks for: `pytest src` of ROS."""
    assert collected(ROOT, '-o', 'addopts=', 'src') > 1000


@pytest.mark.whole
def test_a_package_is_collected_alone():
    """From its own folder, as colcon does; with and without the import mode."""
    folder = ROOT / 'src/mb_ros'
    assert collected(folder, 'test') == collected(folder, '-o', 'addopts=', 'test') > 10
