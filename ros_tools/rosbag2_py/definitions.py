"""Definitions of message types as bags carry them: with all types they refer to."""
from pathlib import Path

from rosidl_runtime_py.utilities import get_interface_path, type_description

SEPARATOR = '=' * 80


def full_definition(name):
    """Text of a message type and of the types it refers to; empty if the type is not known here."""
    try:
        description = type_description(name)['type_description_msg']
        parts = [_definition_text(name)]
        for other in description['referenced_type_descriptions']:
            package, _, base = other['type_name'].split('/')
            parts.append(
                f'{SEPARATOR}\nMSG: {package}/{base}\n{_definition_text(other["type_name"])}'
            )
    except (LookupError, OSError, ValueError):
        return ''
    return '\n'.join(part.rstrip('\n') for part in parts) + '\n'


def _definition_text(name):
    return Path(get_interface_path(name)).read_text(encoding='utf-8')


def type_hash(name):
    """Hash of a message type; empty if the type is not known here."""
    try:
        hashes = type_description(name)['type_hashes']
    except (LookupError, OSError, ValueError):
        return ''
    return next(one['hash_string'] for one in hashes if one['type_name'] == name)
