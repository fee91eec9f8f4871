"""Where definitions come from: texts of ours, rosbags' type store, share/<package> of the prefixes.

The standard packages come from rosbags' Jazzy type store, completed by the texts in
definitions/<package>/{msg,srv,action} (services, actions, default values, which it lacks).
Other packages are found in <prefix>/share/<package>/{msg,srv,action}; prefixes are the entries of
AMENT_PREFIX_PATH, and sys.prefix.
"""
import functools
import importlib.util
import os
from pathlib import Path
import sys

from .names import split_name
from .spec import DUMMY_FIELD, Constant, Field, FieldType, MessageSpec

OWN_TEXTS = Path(__file__).parent / 'definitions'
SUFFIXES = {'msg': '.msg', 'srv': '.srv', 'action': '.action'}


class UnknownInterfaceError(LookupError):
    """No such package, or no such interface in it."""

    def __str__(self):
        return self.args[0]


def share_folders(package):
    """Folders share/<package> of all prefixes, first wins."""
    prefixes = [p for p in os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep) if p]
    return [Path(prefix) / 'share' / package for prefix in dict.fromkeys([*prefixes, sys.prefix])]


def find_text(name):
    """Path of the file that defines 'package/kind/Name', or None if none does."""
    package, kind, base = split_name(name)
    for folder in (OWN_TEXTS / package, *share_folders(package)):
        path = folder / kind / (base + SUFFIXES[kind])
        if path.is_file():
            return path
    return None


@functools.cache
def rosbags_file():
    """The file of rosbags that holds its Jazzy definitions (found without importing it)."""
    return Path(importlib.util.find_spec('rosbags.typesys').origin).parent / 'stores/ros2_jazzy.py'


@functools.cache
def rosbags_definitions():
    """rosbags' Jazzy definitions: {message name: (constants, fields)}; takes 0.1 s."""
    from rosbags.typesys.stores import ros2_jazzy
    return ros2_jazzy.FIELDDEFS


def read_text(name):
    """Text of 'package/kind/Name' and its path; a message of rosbags is rendered, path None."""
    path = find_text(name)
    if path:
        return path.read_text(encoding='utf-8'), path
    from .text import render_message
    return render_message(from_rosbags(name)), None


@functools.cache
def message_definition(name):
    """MessageSpec of a message that has a definition of its own (no half of a service)."""
    path = find_text(name)
    if path is None:
        return from_rosbags(name)
    from .text import parse_message
    return parse_message(path.read_text(encoding='utf-8'), name)


def from_rosbags(name):
    """MessageSpec of a message of rosbags' type store."""
    try:
        constants, fields = rosbags_definitions()[name]
    except KeyError:
        raise UnknownInterfaceError(_not_found(name)) from None
    return MessageSpec(
        name,
        tuple(Field(field, _field_type(desc)) for field, desc in fields if field != DUMMY_FIELD),
        tuple(Constant(constant, kind, value) for constant, kind, value in constants))


def _field_type(desc):
    """rosbags' tuples (node type, content): 1 scalar, 2 message, 3 array, 4 sequence."""
    node, content = desc
    if node.value == 2:
        return FieldType(content)
    if node.value == 1:
        element, bound = content
        return FieldType(element, string_bound=bound)
    inner = _field_type(content[0])
    container = 'array' if node.value == 3 else 'sequence'
    return FieldType(inner.element, container, content[1], inner.string_bound)


def list_interfaces(package):
    """Names 'package/kind/Name' of a package, sorted by kind and name; [] if there is none."""
    found = {name for name in rosbags_definitions() if name.startswith(package + '/')}
    for folder in (OWN_TEXTS / package, *share_folders(package)):
        for kind, suffix in SUFFIXES.items():
            paths = folder.glob(f'{kind}/*{suffix}')
            found.update(f'{package}/{kind}/{path.stem}' for path in paths)
    order = list(SUFFIXES)
    return sorted(found, key=lambda name: (order.index(split_name(name)[1]), name))


def list_packages():
    """All packages with interfaces, sorted."""
    found = {name.split('/')[0] for name in rosbags_definitions()}
    found.update(folder.name for folder in OWN_TEXTS.iterdir() if folder.is_dir())
    for share in share_folders('.'):
        for kind, suffix in SUFFIXES.items():
            found.update(path.parent.parent.name for path in share.glob(f'*/{kind}/*{suffix}'))
    return sorted(found)


def _not_found(name):
    package, kind, base = split_name(name)
    others = [other for other in list_interfaces(package) if other.split('/')[1] == kind]
    if not others:
        return f"no package '{package}' with {kind} interfaces is known"
    return f"package '{package}' has no {kind} '{base}'"
