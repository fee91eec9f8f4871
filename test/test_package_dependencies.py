"""Every package.xml and setup.py declares what its package imports, and nothing else."""

import ast
from pathlib import Path
import sys
import xml.etree.ElementTree as ElementTree

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = sorted(path.parent for path in ROOT.glob('src/*/setup.py'))
REQUIREMENTS = [Requirement(line.partition('#')[0])
                for path in ROOT.glob('requirements*.txt')
                for line in path.read_text(encoding='utf-8').splitlines()
                if line.partition('#')[0].strip()]

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
# The same, of pip's
FILES = {'msgpack': "the CAN bus over UDP of python-can's", 'plotly': 'plotly.min.js, in pages'}
# pip's names of what is imported by another one
PYPI = {'PIL': 'pillow', 'can': 'python-can', 'serial': 'pyserial', 'yaml': 'pyyaml', **PIP}
# What runs without: formats of logs and descriptions, and several machines
OPTIONAL = {'distributed', 'h5py', 'mcap', 'mcap-protobuf-support', 'xacro'}

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


def sources_of(package):
    """Return all files of Python of a package but its tests."""
    return set(package.glob('**/*.py')) - set(package.glob('test/**/*.py')) - {package / 'setup.py'}


def keys_of(package):
    """Return {'exec_depend': keys of what is imported, 'test_depend': keys of more in tests}."""
    tests = set(package.glob('test/**/*.py'))
    in_program = imported(sources_of(package))
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


def setup_of(package):
    """Return the arguments of setup() of a package that are literals, names resolved."""
    names = {}
    tree = ast.parse((package / 'setup.py').read_text(encoding='utf-8'))
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names[node.targets[0].id] = ast.literal_eval(node.value)
    call = next(node.value for node in tree.body if isinstance(node, ast.Expr))
    wanted = {one.arg: one.value for one in call.keywords}
    return {key: eval(ast.unparse(wanted[key]), {}, names)
            for key in ('name', 'version', 'install_requires', 'package_data')}


@pytest.mark.parametrize('package', PACKAGES, ids=lambda path: path.name)
def test_type_checkers_of_users_take_its_annotations(package):
    """The marker of PEP 561 is there, and installed."""
    assert (package / package.name / 'py.typed').is_file()
    assert 'py.typed' in setup_of(package)['package_data'][package.name]


@pytest.mark.parametrize('package', PACKAGES, ids=lambda path: path.name)
def test_pip_installs_what_is_imported(package):
    """Our packages of the same version, others in the range of the requirements; not ROS."""
    known = setup_of(package)
    declared = {one.name: one.specifier for one in map(Requirement, known['install_requires'])}
    ranges = {one.name: one.specifier for one in REQUIREMENTS} | {
        one.name: SpecifierSet(f'=={known["version"]}') for one in PACKAGES if one != package}
    assert declared == {name: ranges[name] for name in declared}
    needed = {PYPI.get(name, name) for name in imported(sources_of(package))} & ranges.keys()
    extras = {Requirement(one).name for extra in known.get('extras_require', {}).values()
              for one in extra}
    assert needed - OPTIONAL - extras <= declared.keys() <= needed | FILES.keys()


def test_the_rest_is_among_the_requirements():
    assert set(PIP.values()) <= {one.name for one in REQUIREMENTS}
