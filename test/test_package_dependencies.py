"""Every package.xml declares what its package imports, and nothing else."""

import ast
from pathlib import Path
import sys
import xml.etree.ElementTree as ElementTree

from packaging.requirements import Requirement
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = sorted(path.parent for path in ROOT.glob('src/*/setup.py'))

# rosdep's keys of what is no ROS package, by the name that is imported
KEYS = {
    'PIL': 'python3-pil', 'can': 'python3-can', 'canopen': 'canopen-pip',
    'h5py': 'python3-h5py', 'hypothesis': 'python3-hypothesis', 'jsonschema': 'python3-jsonschema',
    'matplotlib': 'python3-matplotlib', 'msgpack': 'python3-msgpack',
    'numpy': 'python3-numpy', 'pandas': 'python3-pandas', 'pytest': 'python3-pytest',
    'rich': 'python3-rich', 'scipy': 'python3-scipy', 'serial': 'python3-serial',
    'smbus2': 'python3-smbus2-pip', 'tf2_ros': 'tf2_ros_py', 'yaml': 'python3-yaml'}
# What rosdep has no key for, or none that Ubuntu 24.04 has: pip's name, in the requirements
PIP = {'distributed': 'distributed', 'google': 'protobuf', 'gtsam': 'gtsam',
       'imageio_ffmpeg': 'imageio-ffmpeg', 'llvmlite': 'llvmlite', 'mcap': 'mcap',
       'mcap_protobuf': 'mcap-protobuf-support', 'mujoco': 'mujoco', 'numba': 'numba',
       'rerun': 'rerun-sdk', 'rosbags': 'rosbags'}
# Needed without being imported
COMMANDS = {
    'geometry_msgs': 'messages of readings, by name', 'sensor_msgs': 'the same',
    'ros2bag': '`ros2 bag record` and `play`', 'rosbag2_storage_mcap': 'their bags',
    'python3-msgpack': "the CAN bus over UDP of python-can's"}

# Tests of mb_ros use settings of mb_model; declared, colcon would find a circle.
UNDECLARED = {('mb_ros', 'test_depend'): {'mb_model'}}


def imported(files):
    """Return what files import, without the standard library and what lies beside tests."""
    found = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text(encoding='utf-8'))):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add(node.module)
    helpers = {path.stem for path in ROOT.glob('src/*/test/**/*.py')}
    return {name.partition('.')[0] for name in found} - sys.stdlib_module_names - helpers


def keys_of(package):
    """Return {'exec_depend': keys of what is imported, 'test_depend': keys of more in tests}."""
    tests = set(package.glob('test/**/*.py'))
    others = set(package.glob('**/*.py')) - tests - {package / 'setup.py'}
    in_program = imported(others)
    in_tests = imported(tests) - in_program
    return {kind: {KEYS.get(name, name) for name in names} - set(PIP) - {package.name}
            for kind, names in (('exec_depend', in_program), ('test_depend', in_tests))}


@pytest.mark.parametrize('package', PACKAGES, ids=lambda path: path.name)
@pytest.mark.parametrize('kind', ['exec_depend', 'test_depend'])
def test_manifest_declares_what_is_imported(package, kind):
    manifest = ElementTree.parse(package / 'package.xml')
    declared = {element.text for element in manifest.findall(kind)}
    wanted = keys_of(package)[kind] - UNDECLARED.get((package.name, kind), set())
    if kind == 'test_depend':
        wanted -= {element.text for element in manifest.findall('exec_depend')}
    assert wanted <= declared <= wanted | set(COMMANDS)


def test_the_rest_is_among_the_requirements():
    lines = ''.join(path.read_text() for path in ROOT.glob('requirements*.txt')).splitlines()
    names = {Requirement(line.partition('#')[0]).name for line in lines
             if line.partition('#')[0].strip()}
    assert set(PIP.values()) <= names
