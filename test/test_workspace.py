"""The workspace as colcon sees it."""

import os
from pathlib import Path
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[1]
MANIFESTS = sorted(ROOT.glob('src/*/package.xml'))
KINDS = {path.parent.name: ElementTree.parse(path).findtext('export/build_type')
         for path in MANIFESTS}


def colcon(folder, *arguments):
    """Run colcon at the root of the workspace; everything it writes goes to the folder."""
    done = subprocess.run(
        ['colcon', '--log-base', str(folder / 'log'), *map(str, arguments)], cwd=ROOT, text=True,
        capture_output=True, env={**os.environ, 'PYTHONPATH': ''})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_colcon_lists_every_package(tmp_path):
    rows = [line.split() for line in colcon(tmp_path, 'list').splitlines()]
    found = {name: kind for name, _, kind in rows}
    expected = {name: f'(ros.{kind})' for name, kind in KINDS.items()}
    assert found == {**expected, 'mb_state_estimation': '(ros.ament_cmake)'}


@pytest.fixture(scope='module')
def installed(tmp_path_factory):
    """The install folder of a colcon build of all Python packages."""
    folder = tmp_path_factory.mktemp('colcon')
    # Stands for the built messages: their build needs ament_cmake, thus a ROS 2.
    messages = folder / 'install' / 'mb_interfaces' / 'share' / 'mb_interfaces'
    messages.mkdir(parents=True)
    (messages / 'package.sh').touch()
    colcon(folder, 'build', '--build-base', folder / 'build', '--install-base', folder / 'install',
           '--packages-skip', 'mb_interfaces', 'mb_state_estimation')
    return folder / 'install'


@pytest.mark.whole
@pytest.mark.parametrize('package', [n for n, kind in KINDS.items() if kind == 'ament_python'])
def test_colcon_builds_package(installed, package):
    prefix = installed / package
    assert (prefix / 'share/ament_index/resource_index/packages' / package).is_file()
    assert (prefix / 'share' / package / 'package.xml').is_file()
    assert list(prefix.glob(f'lib/python3*/site-packages/{package}/__init__.py'))
    nodes = [path.stem for path in (ROOT / 'src' / package / package / 'nodes').glob('*.py')
             if 'def main(' in path.read_text()]
    for node in nodes:
        assert os.access(prefix / 'lib' / package / node, os.X_OK)


def test_metapackage_names_every_package():
    depends = ElementTree.parse(ROOT / 'package.xml').findall('exec_depend')
    assert sorted(element.text for element in depends) == sorted(KINDS)


@pytest.mark.parametrize(
    'manifest', [ROOT / 'package.xml', *MANIFESTS], ids=lambda path: path.parent.name)
def test_manifest_is_valid(manifest):
    from catkin_pkg.package import parse_package
    warnings = []
    parse_package(manifest, warnings=warnings)
    assert warnings == []
