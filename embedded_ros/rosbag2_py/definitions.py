"""Definitions of message types as bags carry them: with all types they refer to."""
from dataclasses import dataclass

SEPARATOR = '=' * 80


@dataclass
class MessageDefinition:
    """The definition of a topic's type."""

    topic_type: str
    encoding: str = 'ros2msg'
    encoded_message_definition: str = ''
    type_hash: str = ''


def full_definition(name):
    """Text of a message type and of the types it refers to; empty if the type is not known here."""
    from embedded_ros.interfaces import UnknownInterfaceError, definition_text, type_description
    try:
        parts = [definition_text(name)]
        for other in type_description(name)['referenced_type_descriptions']:
            package, _, base = other['type_name'].split('/')
            parts.append(
                f'{SEPARATOR}\nMSG: {package}/{base}\n{definition_text(other["type_name"])}'
            )
    except UnknownInterfaceError:
        return ''
    return '\n'.join(part.rstrip('\n') for part in parts) + '\n'


def type_hash(name):
    """Hash of a message type; empty if the type is not known here."""
    from embedded_ros import interfaces
    try:
        return interfaces.type_hash(name)
    except interfaces.UnknownInterfaceError:
        return ''
