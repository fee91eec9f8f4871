"""The process in which xacro files are expanded by the package of this name, see line_process.

A xacro file is a program.  Here it includes files of its own folder and of the packages that are
known alone, and its expressions reach no private attribute of Python.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
import json
import os
from pathlib import Path
from typing import Any, TypeGuard
from unittest.mock import patch

import xacro

from mb_import.line_process import serve
from mb_import.reachable import package_folder
from mb_import.xml_text import parse_xml, read_text
from mb_model import MechanismError

_MEMORY = 4_000_000_000        # bytes of addresses
_MOST_CALLS = 10_000           # of macros
_LARGEST_IN_POWERS = 1000


def answer(question: Mapping[str, Any]) -> str:
    """Return `text`, and `files` that it is made from, or `error` as a line.

    question: file, its arguments and packages, and the environment.
    """
    path = Path(question['file'])
    os.environ.clear()
    os.environ.update(question['environment'])
    known = _Packages(path, question['packages'])
    with _guarded(known):
        try:
            text = xacro.process_file(str(path), mappings=question['arguments']).toxml()
        except Exception as error:      # expressions of strangers raise whatever they like
            return json.dumps({'error': _in_words(error, path.name)})
    return json.dumps({'text': text, 'files': known.files})


class _Packages:
    """Folders that a file may read from: its own, and the folders of packages that it finds.

    files: that it reads.
    """

    def __init__(self, path: Path, packages: Mapping[str, str]) -> None:
        self._path, self._given = path, packages
        self._folders = [path.parent]
        self.files = [str(path)]

    def find(self, name: str) -> str:
        """Return the folder of a package; raises MechanismError."""
        folder = package_folder(name, self._given, self._path.parent)
        if folder is None:
            raise MechanismError(
                f'{self._path.name}: there is no package {name}; import: packages: '
                f'{{{name}: FOLDER}} says where it is')
        if not folder.is_dir():
            raise MechanismError(f'{self._path.name}: import.packages.{name}: '
                                 f'{self._given[name]}: no such folder')
        self._folders.append(folder)
        return str(folder)

    def within(self, file: str) -> None:
        """Note a file that is read; raise MechanismError if it is in none of the folders."""
        resolved = Path(file).resolve()
        if not any(resolved.is_relative_to(folder) for folder in self._folders):
            raise MechanismError(f'{self._path.name}: {file} is outside its folder and the '
                                 'folders of its packages')
        self.files.append(str(resolved))


@contextmanager
def _guarded(packages: _Packages) -> Iterator[None]:
    """Let xacro read in known folders alone, and find packages in ours, while it is entered."""
    from xacro import substitution_args
    absolute, parse = xacro.abs_filename_spec, xacro.parse

    def inside(file: str) -> str:
        resolved = absolute(file)
        packages.within(resolved)
        return str(resolved)

    def parse_inside(inp: Any, filename: str | None = None) -> Any:
        if inp is None and filename is not None:
            packages.within(filename)
            parse_xml(read_text(Path(filename)), Path(filename).name)
        return parse(inp, filename)

    with ExitStack() as stack:
        for module, name, value in (
                (xacro, 'abs_filename_spec', inside), (xacro, 'parse', parse_inside),
                (xacro, 'safe_eval', _without_private(xacro.safe_eval)),
                (xacro, 'handle_macro_call', _counted(xacro.handle_macro_call)),
                (xacro, 'warning', lambda *texts, **options: None),
                (substitution_args, '_eval_find', packages.find)):
            stack.enter_context(patch.object(module, name, value))
        stack.enter_context(patch.dict(substitution_args._eval_dict, find=packages.find))
        yield


def _without_private(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    """Return an evaluation that refuses names with two underscores, and endless powers.

    The former lead from any value to all of Python.
    """
    def safe(expression: str, *symbols: Any) -> Any:
        for node in ast.walk(ast.parse(expression.strip(), mode='eval')):
            name = getattr(node, 'attr', None) or getattr(node, 'id', None) or ''
            if name.startswith('__'):
                raise xacro.XacroException(f'{name} is no name for an expression')
            if _is_power(node) and any(_is_power(part) or _is_large(part)
                                       for part in (node.left, node.right)):
                raise xacro.XacroException(f'{expression}: powers of such numbers have no end')
        return evaluate(expression, *symbols)

    return safe


def _is_power(node: ast.AST) -> TypeGuard[ast.BinOp]:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow | ast.LShift)


def _is_large(node: ast.AST) -> bool:
    return (isinstance(node, ast.Constant) and isinstance(node.value, int)
            and node.value > _LARGEST_IN_POWERS)


def _counted(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return the call of a macro, which may be called so many times."""
    calls = count()

    def counted(node: Any, *arguments: Any) -> Any:
        called = call(node, *arguments)
        if called and next(calls) >= _MOST_CALLS:
            raise xacro.XacroException(f'more than {_MOST_CALLS} calls of macros')
        return called

    return counted


def _in_words(error: Exception, file: str) -> str:
    """Return what went wrong, and in which file."""
    cause = error
    while getattr(cause, 'exc', None) is not None:
        cause = cause.exc
    if isinstance(cause, MechanismError):
        return str(cause)
    text = ' '.join(str(error).split()) or type(error).__name__
    if isinstance(cause, MemoryError):
        text += f', which takes more than {_MEMORY // 10 ** 9} GB'
    inner = [Path(str(name)).name for name in (xacro.filestack or ())[1:]]
    return f'{file}: xacro: {text}{f" (in {inner[-1]})" if inner else ""}'


if __name__ == '__main__':
    serve(answer, _MEMORY)
