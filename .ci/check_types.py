"""Checks types with mypy: of WHOLE packages, and in others of modules that define exported names.

Public functions and methods of the latter must be annotated; kernels are callables by their
decorators.  Strict, but for private helpers and calls of them, which may be without types: how many
parameters are annotated must not fall below SHARES.
Arrays have types since numpy 2; beside an older one, as under ROS 2 Jazzy, mypy does not run.
"""

import ast
from pathlib import Path
import subprocess
import sys

import numpy as np

from mb_model.exports import exported_names

SRC = Path(__file__).resolve().parents[1] / 'src'
KERNEL = {'copied_always', 'entry', 'inlined', 'kernel', 'njit', 'separate'}         # decorators
WHOLE = ('mb_bringup', 'mb_ros')
# Of parameters outside kernels [%], rounded down; the goal is 80.  What is annotated more is no
# fault: raise the number with it.
SHARES = {
    'mb_bringup': 99, 'mb_contact': 100, 'mb_estimators': 85, 'mb_evaluation': 97,
    'mb_import': 99,
    'mb_model': 92, 'mb_ros': 81, 'mb_sensors': 92, 'mb_simulation': 97}


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
    shares = {package: share_of(package) for package in SHARES}
    fallen = [f'{package}: {share:.1f} % of parameters are annotated, expected {SHARES[package]} %'
              for package, share in shares.items() if share < SHARES[package]]
    print(*fallen, sep='\n', end='\n' if fallen else '')
    missing += fallen
    if np.lib.NumpyVersion(np.__version__) < '2.0.0':
        return bool(missing)
    arguments = [argument for package in WHOLE for argument in ('-p', package)]
    arguments += [argument for module in sorted(checked) for argument in ('-m', module)]
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


def share_of(package: str) -> float:
    """Return how many parameters of a package are annotated, kernels left out [%]."""
    given = [parameter.annotation is not None
             for file in (SRC / package / package).rglob('*.py')
             for node in ast.walk(ast.parse(file.read_text(encoding='utf-8')))
             if isinstance(node, ast.FunctionDef) and not is_kernel(node)
             for parameter in parameters_of(node)]
    return 100.0 * sum(given) / len(given)


def is_public(function: ast.FunctionDef) -> bool:
    """Return whether others may call a function, and it is no kernel."""
    private = function.name.startswith('_') and not function.name.endswith('__')
    return not private and not is_kernel(function)


def is_kernel(function: ast.FunctionDef) -> bool:
    """Return whether a function is compiled."""
    decorators = {name.attr if isinstance(name, ast.Attribute) else name.id
                  for one in function.decorator_list for name in ast.walk(one)
                  if isinstance(name, ast.Attribute | ast.Name)}
    return bool(decorators & KERNEL)


def parameters_of(function: ast.FunctionDef) -> list[ast.arg]:
    """Return the parameters of a function but for `self` and `cls`."""
    given = function.args
    named = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [one for one in named if one is not None and one.arg not in ('self', 'cls')]


def is_typed(function: ast.FunctionDef) -> bool:
    """Return whether all parameters of a function and what it returns are annotated."""
    return function.returns is not None and all(
        one.annotation is not None for one in parameters_of(function))


if __name__ == '__main__':
    sys.exit(main())
