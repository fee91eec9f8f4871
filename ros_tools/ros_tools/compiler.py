"""The compiler of this machine, and what it needs to build extension modules of Python."""
from importlib.util import find_spec
import os
from pathlib import Path
import shlex
from shutil import which
import sys
import sysconfig


def commands() -> dict[str, list[str]]:
    """{suffix of sources: command of their compiler}; CC and CXX first, then the system's, ziglang.

    Raises LookupError with what to install where there is none.
    """
    own = _own_command('CC', ('cc', 'gcc', 'clang')), _own_command('CXX', ('c++', 'g++', 'clang++'))
    if all(own):
        return dict(zip(('.c', '.cpp'), own, strict=True))
    if find_spec('ziglang'):
        zig = [sys.executable, '-m', 'ziglang']
        return {'.c': [*zig, 'cc'], '.cpp': [*zig, 'c++']}
    raise LookupError('no C and C++ compiler found: install g++ (Debian, Ubuntu: apt install g++), '
                      'or ziglang by pip, or set CC and CXX')


def _own_command(variable: str, names: tuple[str, ...]) -> list[str]:
    """What a variable or the machine has, or nothing."""
    if os.environ.get(variable):
        return shlex.split(os.environ[variable])
    return [name for name in names if which(name)][:1]


def header_folder() -> Path:
    """Folder of Python's own headers.  Raises LookupError with what to install."""
    folder = Path(sysconfig.get_path('include'))
    if not (folder / 'Python.h').is_file():
        version = f'{sys.version_info.major}.{sys.version_info.minor}'
        raise LookupError(f"Python's headers are missing ({folder}/Python.h): install them "
                          f'(Debian, Ubuntu: apt install python{version}-dev)')
    return folder


if __name__ == '__main__':      # prints what pip has to install
    try:
        commands()
    except LookupError:
        print('ziglang')
