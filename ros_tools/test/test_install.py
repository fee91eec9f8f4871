"""`ros-tools install`, in a virtual environment of its own."""
from pathlib import Path
import subprocess
import sys
import sysconfig
import venv

import pytest
from ros_tools.install import shebang, write

SETUP = """\
from glob import glob
from setuptools import setup
setup(name='demo_pkg', version='1.2.3', packages=['demo_pkg'],
      data_files=[('share/ament_index/resource_index/packages', ['resource/demo_pkg']),
                  ('share/demo_pkg', ['package.xml']),
                  ('share/demo_pkg/launch', glob('launch/*'))],
      entry_points={'console_scripts': ['hello = demo_pkg.hello:Greeter.main']})
"""
HELLO = """\
import sys
from demo_interfaces.msg import Reading
class Greeter:
    @staticmethod
    def main():
        print('hello', sys.argv[1:], Reading(value=2.5))
        return 3
"""
MANIFEST = '<package format="3"><name>{name}</name><version>1.2.3</version>{rest}</package>'
PYTHON = '<export><build_type>ament_python</build_type></export>'
INTERFACES = ('<member_of_group>rosidl_interface_packages</member_of_group>'
              '<export><build_type>ament_cmake</build_type></export>')


def fill(folder, **files):
    """Write files; '__' in a keyword is a folder, '_dot_' a dot."""
    for name, text in files.items():
        path = folder / name.replace('__', '/').replace('_dot_', '.')
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.fixture
def sources(tmp_path):
    """A Python package and the interface package it uses."""
    python = fill(
        tmp_path / 'src/demo_pkg', setup_dot_py=SETUP, resource__demo_pkg='',
        package_dot_xml=MANIFEST.format(name='demo_pkg', rest=PYTHON),
        launch__a_dot_xml='<launch/>')
    (python / 'demo_pkg').mkdir()
    (python / 'demo_pkg/__init__.py').touch()
    (python / 'demo_pkg/hello.py').write_text(HELLO)
    interfaces = fill(
        tmp_path / 'src/demo_interfaces', msg__Reading_dot_msg='float64 value\n',
        package_dot_xml=MANIFEST.format(name='demo_interfaces', rest=INTERFACES))
    return [python, interfaces]


@pytest.fixture
def python(tmp_path):
    """python(*arguments) -> CompletedProcess in an environment that sees this one's packages.

    There is a space in its path: the scripts of packages must run even so.
    """
    venv.EnvBuilder(with_pip=False).create(tmp_path / 'my venv')
    own, = (tmp_path / 'my venv').glob('lib/*/site-packages')
    for path in (*Path(sys.prefix).glob('include/*'), *Path(sys.prefix).glob('lib/lib*.so*')):
        own_path = tmp_path / 'my venv' / path.parent.name / path.name
        if not own_path.exists():
            own_path.symlink_to(path)       # of the wheels
    outer = sysconfig.get_path('purelib')
    (own / 'outer.pth').write_text(f'import site; site.addsitedir({outer!r})\n')

    def run(*arguments):
        return subprocess.run([tmp_path / 'my venv/bin/python', *arguments], text=True, check=False,
                              capture_output=True)
    return run


def test_installed_packages_are_found_and_run(python, sources, tmp_path):
    """Imports, the ament index, `ros2 run` and links to the sources."""
    run = python('-m', 'ros_tools.install', 'install', *sources)
    assert run.returncode == 0, run.stderr
    assert run.stdout == 'installed demo_pkg\ninstalled demo_interfaces\n'
    run = python('-m', 'ros2cli.main', 'run', 'demo_pkg', 'hello', 'you')
    assert run.returncode == 3, run.stderr
    assert "hello ['you'] demo_interfaces.msg.Reading(value=2.5)" in run.stdout
    prefix = tmp_path / 'my venv'
    program = prefix / 'lib/demo_pkg/hello'
    assert subprocess.run([program, 'an argument'], check=False, stdout=-1).returncode == 3
    assert python('-m', 'ros2cli.main', 'pkg', 'prefix', 'demo_pkg').stdout == f'{prefix}\n'
    assert (prefix / 'share/demo_pkg/launch/a.xml').resolve() == sources[0] / 'launch/a.xml'
    run = python('-m', 'ros2cli.main', 'interface', 'show', 'demo_interfaces/msg/Reading')
    assert run.stdout == 'float64 value\n'


def test_installing_again_forgets_what_is_gone(python, sources, tmp_path):
    """A data file or program that the package no longer has leaves nothing behind."""
    python('-m', 'ros_tools.install', 'install', *sources)
    (sources[0] / 'launch/a.xml').rename(sources[0] / 'launch/b.xml')
    setup = sources[0] / 'setup.py'
    setup.write_text(setup.read_text().replace('hello =', 'greet ='))
    assert python('-m', 'ros_tools.install', 'install', sources[0]).returncode == 0
    launch = tmp_path / 'my venv/share/demo_pkg/launch'
    assert [path.name for path in launch.iterdir()] == ['b.xml']
    programs = tmp_path / 'my venv/lib/demo_pkg'
    assert [path.name for path in programs.iterdir()] == ['greet']


@pytest.mark.parametrize('folder', ['bin', 'with space', "it's", 200 * 'long', 'B\u00fcro',
                                    'B\u00fcro neu', 60 * '\u00fc'])
def test_a_script_finds_its_python_by_any_path(tmp_path, folder):
    """Not only by the names that a system finds it by."""
    linked = tmp_path / folder[:200] / folder[200:400] / 'python'
    linked.parent.mkdir(parents=True)
    linked.symlink_to(sys.executable)
    script = tmp_path / 'script'
    write(script, f'{shebang(str(linked))}\nimport sys\nprint(sys.argv[1:])\n')
    script.chmod(0o755)
    assert subprocess.check_output([script, 'a b', 'c'], text=True) == "['a b', 'c']\n"


@pytest.mark.parametrize(('files', 'message'), [
    ({}, 'no package.xml there'),
    ({'package_dot_xml': '<package>'}, 'not well-formed XML'),
    ({'package_dot_xml': '<package/>'}, '<name> is missing'),
    ({'package_dot_xml': MANIFEST.format(name='x', rest=PYTHON)}, 'needs a setup.py'),
])
def test_wrong_folders_are_reported(tmp_path, capsys, monkeypatch, files, message):
    """Exit code 2 and a text that names the folder, without a traceback."""
    from ros_tools.install import main
    monkeypatch.delenv('ROS_DISTRO', raising=False)
    folder = fill(tmp_path / 'folder', **files)
    Path(folder).mkdir(exist_ok=True)
    assert main(['install', str(folder)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert str(folder) in error
