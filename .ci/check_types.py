"""Checks the types of what packages export, with mypy: all modules that define an exported name.

Public functions and methods of these modules must be annotated; kernels are callables by their
decorators.  Strict, but for private helpers and calls of them, which may be without types.
Arrays have types since numpy 2; beside an older one, as under ROS 2 Jazzy, mypy does not run.
"""

import ast
from pathlib import Path
import subprocess
import sys

import numpy as np

from mb_model.exports import exported_names

SRC = Path(__file__).resolve().parents[1] / 'src'
KERNEL = {'entry', 'inlined', 'kernel', 'njit', 'separate'}         # decorators


def main() -> int:
    """Check; return what the process exits with."""
    lists = [file for name in ('__init__', '*_api')
             for file in sorted(SRC.glob(f'mb_*/mb_*/{name}.py'))
             if exported_names(file.read_text(encoding='utf-8'))]
    checked = {name_of(file) for file in lists} | {
        module for file in lists
        for module, _ in exported_names(file.read_text(encoding='utf-8')).values()}
    missing = [f'{path}:{line}: {name}: public, and without types'
               for module in sorted(checked) for path, line, name in untyped(file_of(module))]
    print(*missing, sep='\n', end='\n' if missing else '')
    if np.lib.NumpyVersion(np.__version__) < '2.0.0':
        return bool(missing)
    arguments = [argument for module in sorted(checked) for argument in ('-m', module)]
    done = subprocess.run([sys.executable, '-m', 'mypy', *arguments], cwd=SRC.parent, check=False)
    return done.returncode or bool(missing)


def name_of(file: Path) -> str:
    """Return the full name of the module in a file."""
    return '.'.join(file.relative_to(SRC).with_suffix('').parts[1:]).removesuffix('.__init__')


def file_of(module: str) -> Path:
    """Return the file of a module."""
    path = SRC.joinpath(module.partition('.')[0], *module.split('.'))
    package = path / '__init__.py'      # not the folder: caches of Python keep those that are gone
    return package if package.exists() else path.with_suffix('.py')


def untyped(file: Path) -> list[tuple[str, int, str]]:
    """Return (file, line, name) of public functions and methods without all annotations."""
    tree = ast.parse(file.read_text(encoding='utf-8'))
    classes = [node for node in tree.body
               if isinstance(node, ast.ClassDef) and not node.name.startswith('_')]
    return [(str(file.relative_to(SRC.parent)), node.lineno, node.name)
            for one in (tree, *classes) for node in one.body
            if isinstance(node, ast.FunctionDef) and is_public(node) and not is_typed(node)]


def is_public(function: ast.FunctionDef) -> bool:
    """Return whether others may call a function, and it is no kernel."""
    private = function.name.startswith('_') and not function.name.endswith('__')
    decorators = {name.attr if isinstance(name, ast.Attribute) else name.id
                  for one in function.decorator_list for name in ast.walk(one)
                  if isinstance(name, ast.Attribute | ast.Name)}
    return not private and not decorators & KERNEL


def is_typed(function: ast.FunctionDef) -> bool:
    """Return whether all arguments of a function and what it returns are annotated."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return function.returns is not None and all(
        one is None or one.annotation is not None or one.arg in ('self', 'cls') for one in named)


if __name__ == '__main__':
    sys.exit(main())
