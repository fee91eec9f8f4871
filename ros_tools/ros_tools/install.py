"""`ros-tools install <package folder>...`: source packages into this Python environment.

What colcon and a sourced setup script do on a ROS 2 machine, for a machine without it: afterwards
imports, `ros2 run`, `ros2 launch` and the ament index find the packages; edits take effect at once.
"""
import argparse
from dataclasses import dataclass
from importlib import metadata
import os
from pathlib import Path
import shlex
from shutil import rmtree
import subprocess
import sys
import sysconfig
from xml.etree import ElementTree

INDEX = Path('share/ament_index/resource_index')
ACTIVATED = '_OLD_VIRTUAL_LD_LIBRARY_PATH'
DEACTIVATE = """\
    if [ -n "${_OLD_VIRTUAL_ROS_SET:-}" ] ; then
        LD_LIBRARY_PATH="${_OLD_VIRTUAL_LD_LIBRARY_PATH}"
        AMENT_PREFIX_PATH="${_OLD_VIRTUAL_AMENT_PREFIX_PATH}"
        export LD_LIBRARY_PATH AMENT_PREFIX_PATH
        unset _OLD_VIRTUAL_ROS_SET _OLD_VIRTUAL_LD_LIBRARY_PATH _OLD_VIRTUAL_AMENT_PREFIX_PATH
        unset _ROS_WHEELS_BOOTSTRAP_COMPLETE
    fi
"""
ACTIVATE = """\
# ROS 2 of this environment; the wheels would find its libraries by starting each Python twice.
_OLD_VIRTUAL_ROS_SET=1
_OLD_VIRTUAL_LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}"
_OLD_VIRTUAL_AMENT_PREFIX_PATH="${AMENT_PREFIX_PATH:-}"
for _ros_libraries in "$VIRTUAL_ENV/lib" "$VIRTUAL_ENV"/lib/python*/site-packages/ros_*.libs ; do
    LD_LIBRARY_PATH="$_ros_libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
unset _ros_libraries
AMENT_PREFIX_PATH="$VIRTUAL_ENV${AMENT_PREFIX_PATH:+:$AMENT_PREFIX_PATH}"
_ROS_WHEELS_BOOTSTRAP_COMPLETE=1
export LD_LIBRARY_PATH AMENT_PREFIX_PATH _ROS_WHEELS_BOOTSTRAP_COMPLETE
"""
SETTER = 'ros_tools_environment'       # module that each Python of the environment imports first
LONGEST_SHEBANG = 127       # bytes, of Linux
SCRIPT = """\
{shebang}
import sys

from {module} import {root}

if __name__ == '__main__':
    sys.exit({function}())
"""


class InstallError(Exception):
    """A folder that cannot be installed; the text is for the user."""


@dataclass(frozen=True)
class SourcePackage:
    """A folder with a package.xml."""

    folder: Path
    name: str
    build_type: str
    has_interfaces: bool


def read_package(folder):
    """The package in a folder, from its package.xml.  Raises InstallError."""
    manifest = folder / 'package.xml'
    if not manifest.is_file():
        raise InstallError(f'{folder}: no package.xml there, so it is no package')
    try:
        root = ElementTree.parse(manifest).getroot()
    except ElementTree.ParseError as error:
        raise InstallError(f'{manifest}: not well-formed XML: {error}') from None
    name = (root.findtext('name') or '').strip()
    if not name:
        raise InstallError(f'{manifest}: <name> is missing')
    build_type = (root.findtext('export/build_type') or 'catkin').strip()
    if build_type == 'ament_python' and not (folder / 'setup.py').is_file():
        raise InstallError(f'{folder}: an ament_python package needs a setup.py')
    groups = [(group.text or '').strip() for group in root.findall('member_of_group')]
    return SourcePackage(folder.resolve(), name, build_type, 'rosidl_interface_packages' in groups)


def link(source, target):
    """Make `target` a symbolic link to `source`, whatever was there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    target.symlink_to(source)


def write(target, text):
    """Write a file anew (never through a link that was there), paths in it as the system has them.

    Python reads it as UTF-8, whatever the locale is.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    target.write_text(text, encoding='utf-8', errors='surrogateescape')


def remove_old_links(folder):
    """Remove the links an earlier installation left below a folder."""
    for path in folder.rglob('*'):
        if path.is_symlink():
            path.unlink()


def pip_install(folders):
    """Editable installation of Python packages, all in one pip call."""
    editables = [word for folder in folders for word in ('--editable', str(folder))]
    command = [
        sys.executable,
        '-m',
        'pip',
        'install',
        '--quiet',
        '--no-deps',
        '--no-build-isolation',
        '--disable-pip-version-check',
        '--root-user-action=ignore',
        *editables,
    ]
    done = subprocess.run(
        command, check=False, text=True, stderr=subprocess.STDOUT, stdout=subprocess.PIPE
    )
    if done.returncode:
        raise InstallError(f'pip could not install the packages:\n{done.stdout}')


def distribution_of(package):
    """The arguments that setup.py gives to setup(), as a distribution object; nothing is built."""
    from distutils.core import run_setup

    import setuptools  # noqa: F401  (provides distutils)
    before = os.getcwd()
    sys.path.insert(0, str(package.folder))
    os.chdir(package.folder)
    try:
        return run_setup('setup.py', stop_after='config')
    finally:
        os.chdir(before)
        sys.path.remove(str(package.folder))


def programs_of(distribution):
    """(name, 'module:function') of the console scripts of a distribution."""
    lines = (distribution.entry_points or {}).get('console_scripts', [])
    return [tuple(part.strip() for part in line.split('=', 1)) for line in lines]


def install_python(package, prefix):
    """Link data files below the prefix and write the console scripts to `lib/<package>/`."""
    distribution = distribution_of(package)
    for target, sources in distribution.data_files or []:
        for source in sources:
            if not (package.folder / source).exists():
                raise InstallError(f'{package.folder}/setup.py: data_files: {source}: no such file')
            link(package.folder / source, prefix / target / Path(source).name)
    programs = prefix / 'lib' / package.name
    rmtree(programs, ignore_errors=True)        # with programs that the package no longer has
    for source in distribution.scripts or []:
        link(package.folder / source, programs / Path(source).name)
    for name, value in programs_of(distribution):
        entry = metadata.EntryPoint(name, value, 'console_scripts')
        script = programs / entry.name
        write(script, SCRIPT.format(shebang=shebang(sys.executable), module=entry.module,
                                    root=entry.attr.partition('.')[0], function=entry.attr))
        script.chmod(0o755)


def shebang(python):
    """The first lines of a script for a Python, by its path.

    No system starts a path with a space in it, or a long one; a shell does.  What is a command
    for the shell is a text for Python.
    """
    line = f'#!{python}'
    short = len(os.fsencode(line)) <= LONGEST_SHEBANG
    if short and not any(character.isspace() for character in python):
        return line
    return f"#!/bin/sh\n'''exec' {shlex.quote(python)} \"$0\" \"$@\"\n' '''"


def install_interfaces(packages, prefix):
    """Generate, compile and link the messages of interface packages."""
    from ros_tools.interface_build import BuildError, build
    from ros_tools.interface_sources import interface_files
    try:
        build([package.folder for package in packages])
    except (BuildError, LookupError) as error:
        raise InstallError(str(error)) from None
    for package in packages:
        files = interface_files(package.folder)
        for path in files:
            link(package.folder / path, prefix / 'share' / package.name / path)
        write(prefix / INDEX / 'rosidl_interfaces' / package.name,
              ''.join(f'{path.as_posix()}\n' for path in files))


def write_activation(prefix):
    """Let the environment's activation set what ROS 2 needs, and its deactivation take it back.

    Its Python needs no activation: it sets what is missing by itself.
    """
    modules = Path(sysconfig.get_path('purelib'))
    link(Path(__file__).with_name('environment.py').resolve(), modules / f'{SETTER}.py')
    write(modules / f'{SETTER}.pth', f'import {SETTER}\n')
    script = prefix / 'bin/activate'
    text = script.read_text(encoding='utf-8') if script.is_file() else ''
    if 'deactivate () {\n' not in text or ACTIVATED in text:
        return
    text = text.replace('deactivate () {\n', f'deactivate () {{\n{DEACTIVATE}', 1)
    write(script, f'{text}\n{ACTIVATE}')


def install(folders, prefix=Path(sys.prefix)):
    """Install the packages in these folders; return them.  Raises InstallError."""
    distribution = os.environ.get('ROS_DISTRO')
    if distribution:
        raise InstallError(f'ROS 2 {distribution} is sourced here: build with colcon instead')
    write_activation(prefix)
    packages = [read_package(Path(folder)) for folder in folders]
    python = [package for package in packages if package.build_type == 'ament_python']
    if python:
        pip_install([package.folder for package in python])
    for package in packages:
        share = prefix / 'share' / package.name
        remove_old_links(share)
        link(package.folder / 'package.xml', share / 'package.xml')
        marker = prefix / INDEX / 'packages' / package.name
        write(marker, '')
        if package in python:
            install_python(package, prefix)
    interfaces = [package for package in packages if package.has_interfaces]
    if interfaces:
        install_interfaces(interfaces, prefix)
    return packages


def main(argv=None):
    """Command line: `ros-tools install <package folder>...`."""
    parser = argparse.ArgumentParser(
        prog='ros-tools', description='ROS 2 packages without ROS 2'
    )
    verbs = parser.add_subparsers(dest='verb', required=True)
    verb = verbs.add_parser('install', help='install source packages into this Python environment',
                            description='Install source packages (ament_python packages and '
                            'packages of message definitions) into this Python environment.')
    verb.add_argument('folders', nargs='+', metavar='folder', help='a folder with a package.xml')
    arguments = parser.parse_args(argv)
    try:
        packages = install(arguments.folders)
    except InstallError as error:
        print(f'ros-tools install: {error}', file=sys.stderr)
        return 2
    for package in packages:
        print(f'installed {package.name}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
