"""The library without ROS 2: pip installs it, the page's program runs, nodes say what they need."""

from pathlib import Path
import re
import shutil
import subprocess
import sys

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / 'docs/how_to/library.md').read_text(encoding='utf-8')
PACKAGES = 'mb_ros', 'mb_model', 'mb_sensors', 'mb_estimators', 'mb_contact'


def run(*command, **options):
    """Return what a command without an environment of ours prints, and its exit code."""
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False, **options)
    return done.stdout, done.returncode


def installed():
    """Return what the page lets pip install, as words of its command."""
    words = re.search(r'^venv/bin/pip install (.*?)\n```', PAGE, re.MULTILINE | re.DOTALL)[1]
    return words.replace('\\', '').split()


def test_the_page_names_what_can_be_installed_together():
    """Each package of ours that one of them needs is among them."""
    assert installed() == [f'./src/{name}' for name in PACKAGES]
    for name in PACKAGES:
        text = (ROOT / 'src' / name / 'setup.py').read_text(encoding='utf-8')
        assert set(re.findall(r'(mb_\w+)==', text)) <= set(PACKAGES), name


@pytest.mark.whole
@pytest.mark.timeout(1800)
def test_pip_installs_it(tmp_path):
    """In a new environment without ROS, in a path with a space; one package from the repository."""
    if run(sys.executable, '-m', 'pip', 'index', 'versions', 'numba')[1]:
        pytest.skip('needs network: pip finds no package index')
    folder = tmp_path / 'a folder'
    for name in PACKAGES:       # pip builds where the sources are
        shutil.copytree(ROOT / 'src' / name, folder / 'src' / name, ignore=shutil.ignore_patterns(
            'build', '*.egg-info', '__pycache__', 'test'))
    run(sys.executable, '-m', 'venv', str(folder / 'venv'))
    programs = folder / 'venv' / 'bin'
    for what in installed(), ['--no-deps', f'git+{ROOT.as_uri()}#subdirectory=src/mb_ros']:
        said, code = run(programs / 'pip', 'install', '--quiet', *what, cwd=folder)
        assert code == 0, said
    source = re.search(r'```python\n(.*?)```', PAGE, re.DOTALL)[1]
    printed = re.search(r'# (\S+) rad/s', source)[1]
    alone = {'cwd': folder, 'env': {'PATH': '/usr/bin:/bin', 'HOME': str(tmp_path)}}
    said, code = run(programs / 'python', '-c', source, **alone)
    assert (printed in said, code) == (True, 0), said
    all_of_it = '; '.join(f'from {name} import *' for name in PACKAGES[1:])
    assert run(programs / 'python', '-c', all_of_it, **alone)[1] == 0
    for name in 'model_server', 'estimate_bag':
        said, code = run(programs / name, **alone)
        assert ('needs ROS 2' in said, len(said.splitlines()), code) == (True, 1, 2), said
