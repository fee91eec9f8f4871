"""Builds interface packages into a Python environment: classes and an extension module each."""
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.metadata import version
import os
from pathlib import Path
from shutil import copytree, rmtree
import subprocess
import sys
import sysconfig
from tempfile import TemporaryDirectory

import numpy as np

from ros_tools.compiler import commands, header_folder
from ros_tools.interface_sources import (
    GENERATORS,
    TYPE_SUPPORTS,
    InterfacePackage,
    read_interface_package,
)

PREFIX = Path(sys.prefix)       # all wheels are there
FLAGS = ('-O1', '-fPIC', '-w')       # more takes a fifth longer, for messages as fast
WITH_LIBRARY = [name for name in GENERATORS if name != 'rosidl_typesupport_c']
OF_ROSIDL = ['fastcdr', 'rosidl_runtime_c', 'rosidl_typesupport_c',
             'rosidl_typesupport_fastrtps_c', 'rosidl_typesupport_introspection_c']


class BuildError(Exception):
    """A package that cannot be built; the text is for the user."""


def build(folders: list[Path]) -> None:
    """Build the packages in folders, unless they are there as they are now.

    Modules go to the environment's site-packages, IDL files and descriptions of types to
    the share folder of its prefix.  Raises BuildError; LookupError without compiler or headers.
    """
    packages = [package for package in map(read_interface_package, folders)
                if not _is_built(package)]
    if not packages:
        return
    sources = [str(package.folder) for package in packages]
    with (TemporaryDirectory() as scratch,
          ThreadPoolExecutor(max_workers=os.cpu_count()) as pool):
        _run([sys.executable, '-m', 'ros_tools.interface_sources', scratch, *sources])
        jobs = [command for package in packages for command in _compilations(package, scratch)]
        list(pool.map(_run, jobs))
        for package in packages:
            _install(package, Path(scratch, package.name))


def _is_built(package: InterfacePackage) -> bool:
    mark = _modules(package) / 'sources.sha256'
    return mark.is_file() and mark.read_text() == _digest(package)


def _modules(package: InterfacePackage) -> Path:
    return Path(sysconfig.get_path('purelib'), package.name)


def _digest(package: InterfacePackage) -> str:
    """What the built package depends on: its files, Python, numpy and rosidl."""
    digest = sha256(f'{sys.version} {np.__version__} {version("ros-rosidl-generator-py")}'.encode())
    for path in sorted(path for path in package.folder.rglob('*') if path.is_file()):
        digest.update(f'{path.relative_to(package.folder)}\0'.encode() + path.read_bytes())
    return digest.hexdigest()


def _run(command: list[str]) -> None:
    """Run a command; what it prints is shown if it fails."""
    done = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        raise BuildError(f'{" ".join(command[:4])} ... failed:\n{done.stdout[-4000:]}')


def _compilations(package: InterfacePackage, scratch: str) -> list[list[str]]:
    """Commands that compile all units of a package."""
    work = Path(scratch, package.name)
    of_ros = PREFIX / 'include'
    folders = [*(work / name for name in GENERATORS), header_folder(), np.get_include(),
               of_ros, *sorted(of_ros.iterdir())]
    flags = [*FLAGS, f'-DROSIDL_GENERATOR_C_BUILDING_DLL_{package.name}',
             *(f'-I{folder}' for folder in folders)]
    compilers = commands()
    return [[*compilers[unit.suffix], *flags, '-c', str(unit), '-o', f'{unit}.o']
            for unit in _units(work)]


def _units(work: Path) -> list[Path]:
    """Files that include all sources of a kind, so that headers are read once; the largest first.

    Descriptions of types have the same static names in each file, and stay alone.
    """
    joined, alone = [], []
    for generator in reversed(GENERATORS):
        files = [path for path in sorted((work / generator).rglob('*.c*'))
                 if not path.name.endswith('__description.c')]
        joined.append(work / f'{generator}{files[0].suffix}')
        joined[-1].write_text(''.join(f'#include "{path}"\n' for path in files))
        alone += sorted((work / generator).rglob('*__description.c'))
    return joined + alone


def _install(package: InterfacePackage, work: Path) -> None:
    """Link the extension module beside the classes, and put both where Python finds them."""
    generated = work / 'rosidl_generator_py' / package.name
    library = f'{package.name}_s__rosidl_typesupport_c{sysconfig.get_config_var("EXT_SUFFIX")}'
    _run([*commands()['.cpp'], '-shared', '-o', str(generated / library),
          *map(str, sorted(work.rglob('*.o'))),
          f'-L{PREFIX}/lib',
          *(f'-l{name}__{kind}' for name in package.dependencies for kind in WITH_LIBRARY),
          *(f'-l{name}' for name in OF_ROSIDL)])
    (generated / '__init__.py').touch()
    modules = _modules(package)
    rmtree(modules, ignore_errors=True)
    copytree(generated, modules)
    copytree(work / 'share', PREFIX / 'share' / package.name, dirs_exist_ok=True)
    for support in TYPE_SUPPORTS:       # rosidl_typesupport_c loads them by these names
        link = PREFIX / 'lib' / f'lib{package.name}__{support}.so'
        link.unlink(missing_ok=True)
        link.symlink_to(modules / library)
    (modules / 'sources.sha256').write_text(_digest(package))
