"""The compiler of C for exported filters."""

import os
from pathlib import Path
import shutil
import subprocess

_COMPILERS = 'cc', 'gcc', 'clang'


def compiled(folder: Path, compiler: str) -> Path:
    """Return the plugin of an exported folder, compiled in it.  Raises CalledProcessError."""
    name = folder.name
    subprocess.run(
        [compiler, '-std=c11', '-O2', '-ffp-contract=off', '-shared', '-fPIC',
         f'-Wl,--version-script={name}_plugin.map,--no-undefined', '-o', f'{name}_plugin.so',
         f'{name}_plugin.c', f'{name}.c', f'{name}_kernels.o', '-lm'], cwd=folder, check=True)
    return folder / f'{name}_plugin.so'


def require_compiler() -> str:
    """Return the path of a compiler of C.  Raises ValueError where there is none."""
    asked = os.environ.get('CC', '')
    compiler = next(filter(None, map(shutil.which, (asked,) if asked else _COMPILERS)), None)
    if compiler is None:
        raise ValueError(f'{asked or "cc"}: no such compiler of C, expected one to compile the '
                         'filter with: `apt install build-essential`, or its path in CC')
    return compiler
