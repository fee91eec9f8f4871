"""Folders with a Program as a C library: object code, and files by templates."""

from collections.abc import Iterable, Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
import re

from mb_estimators.native.program import Program
from mb_model.file_api import whole_folder
from mb_model.jit import Target, native_object

TARGETS: Mapping[str, Target] = {
    'x86-64-v3': Target('x86_64-unknown-linux-gnu', 'x86-64-v3'),
    'x86-64': Target('x86_64-unknown-linux-gnu', 'x86-64'),
    'aarch64-linux-gnu': Target('aarch64-unknown-linux-gnu', 'generic')}
_COMMON = 'mb_estimator', 'mb_stream'       # names of what folders have in common
_NAME = re.compile(r'[a-z][a-z0-9_]*')
_TAKEN = frozenset((     # by C, the file of the example, and other libraries
    'auto', 'bool', 'break', 'c', 'case', 'char', 'class', 'const', 'continue', 'default',
    'delete', 'do', 'double', 'else', 'enum', 'example', 'extern', 'float', 'for', 'goto', 'if',
    'inline', 'int', 'long', 'm', 'main', 'new', 'private', 'public', 'register', 'restrict',
    'return', 'short', 'signed', 'sizeof', 'static', 'struct', 'switch', 'this', 'typedef',
    'union', 'unsigned', 'void', 'volatile', 'while'))


class NotInCError(ValueError):
    """What is asked for is not there in C."""


def library_name(folder: Path) -> str:
    """Return the name of the library that a folder gets; raises NotInCError if C takes none such.
    """
    name = folder.name
    if not _NAME.fullmatch(name) or name in _TAKEN or name.startswith(_COMMON):
        raise NotInCError(f'{name}: no name of a library, expected small letters, digits and _, '
                          'and no word of C, mb_estimator or mb_stream')
    return name


def write_library(folder: Path, program: Program, target: Target, templates: Traversable,
                  files: Mapping[str, str], texts: Mapping[str, str]) -> None:
    """Write a Program to a new folder: object code, with what its memory holds now, and files.

    files: file -> its template; {} in a file's name is the program's; texts: what stands for each
    @name@ in a template.
    """
    code = native_object(program.functions, {f'{program.name}_image': program.image()}, target)
    with whole_folder(folder) as part:
        part.mkdir()
        (part / f'{program.name}_kernels.o').write_bytes(code)
        for file, template in files.items():
            text = (templates / template).read_text('utf-8')
            (part / file.format(program.name)).write_text(re.sub(
                r'@(\w+)@', lambda match: texts[match[1]], text), 'utf-8')


def strings(names: Iterable[str]) -> str:
    """Return texts as strings in C, with commas between them."""
    return ', '.join(f'"{name}"' for name in names)


def indented(text: str) -> str:
    """Return statements in C as they stand in a function."""
    return '\n'.join(f'  {line}' for line in text.splitlines())
