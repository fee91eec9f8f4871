"""Readers: a file of each format to a Machine, see machine.

read(path, options, notes) -> Machine: raises MechanismError for what no machine is.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from mb_import.machine import Machine
from mb_import.notes import Notes
from mb_import.options import ImportOptions
from mb_import.xml_text import parse_xml, read_text
from mb_model import MechanismError

Reader = Callable[[Path, ImportOptions, Notes], Machine]

_OF_SUFFIX = {'.urdf': 'urdf', '.xacro': 'xacro', '.sdf': 'sdf', '.world': 'sdf', '.mjcf': 'mjcf',
              '.usd': 'usd', '.usda': 'usd', '.usdc': 'usd', '.usdz': 'usd'}
_OF_ROOT = {'robot': 'urdf', 'sdf': 'sdf', 'gazebo': 'sdf', 'mujoco': 'mjcf'}


def reader_of(path: Path) -> Reader:
    """Return what reads a file, by its suffix, of .xml by its root element."""
    format_ = _OF_SUFFIX.get(path.suffix.lower()) or _by_root(path)
    reader: Reader = import_module(f'mb_import.readers.{format_}').read
    return reader


def _by_root(path: Path) -> str:
    tag = parse_xml(read_text(path), path.name).tag
    if tag not in _OF_ROOT:
        raise MechanismError(f'{path.name}: <{tag}> is no description of a machine, expected one '
                             f'of {", ".join(f"<{root}>" for root in _OF_ROOT)}')
    return _OF_ROOT[tag]
