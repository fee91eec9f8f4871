"""xacro: a program that writes URDF, expanded in another process, then read as URDF."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
import os
from pathlib import Path
from typing import Any

from mb_import.line_process import BrokenOffError, LineProcess
from mb_import.machine import Machine
from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_import.readers.urdf.robot import machine_of
from mb_import.xml_text import parse_xml, read_text
from mb_model import MechanismError

EXPANDER = LineProcess('mb_import.readers.xacro.expanding', 20.0)


def read(path: Path, options: ImportOptions, notes: Notes) -> Machine:
    """Return the Machine of a xacro file; raises MechanismError.

    options.arguments are its arguments, options.packages where `$(find package)` is, before what
    ROS 2 knows.
    """
    robot = parse_xml(expanded(path, options.arguments, options.packages), path.name)
    plain = path.with_suffix('')
    return machine_of(robot, plain if plain.suffix else path, options, notes)


def expanded(path: Path, arguments: Mapping[str, str], packages: Mapping[str, str],
             expander: LineProcess = EXPANDER) -> str:
    """Return the URDF of a xacro file; raises MechanismError.

    The last one is not expanded again as long as the files stay that it is made from.
    """
    parse_xml(read_text(path), path.name)
    if find_spec('xacro') is None:
        raise MechanismError(f'{path.name}: xacro is not installed: install it (pip install xacro, '
                             'or apt install ros-jazzy-xacro), or expand the file where it is: '
                             f'xacro {path.name} > robot.urdf') from None
    question = {'file': str(path.resolve()), 'arguments': dict(arguments),
                'packages': dict(packages), 'environment': dict(os.environ)}
    for last in _LAST:
        if last.question == question and last.files == _hashes(last.files):
            return last.text
    try:
        answer = expander.ask(question)
    except BrokenOffError:
        raise MechanismError(f'{path.name}: xacro broke off while it expanded this') from None
    except TimeoutError:
        raise MechanismError(f'{path.name}: xacro expanded it for {expander.patience:g} s without '
                             'an end') from None
    if 'error' in answer:
        raise MechanismError(answer['error'])
    _LAST[:] = [_Expanded(question, _hashes(answer['files']), answer['text'])]
    return _LAST[0].text


@dataclass(frozen=True)
class _Expanded:
    """What was asked, the hashes of the files that it is made from, and the text."""

    question: dict[str, Any]
    files: dict[str, str]
    text: str


_LAST: list[_Expanded] = []


def _hashes(files: Iterable[str]) -> dict[str, str]:
    """Return file -> hash, '' of one that is not there."""
    return {file: sha256(Path(file).read_bytes()).hexdigest() if Path(file).is_file() else ''
            for file in files}
