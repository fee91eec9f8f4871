"""The messages that services and actions are made of: halves, events, goals, feedback.

    srv/Name      -> Name_Request, Name_Response, Name_Event
    action/Name   -> Name_Goal, Name_Result, Name_Feedback, Name_FeedbackMessage,
                     and the services Name_SendGoal and Name_GetResult
"""
import functools

from .definitions import UnknownInterfaceError, find_text, message_definition
from .names import split_name
from .spec import Field, FieldType, MessageSpec

SERVICE_PARTS = ('Request', 'Response', 'Event')
ACTION_PARTS = ('Goal', 'Result', 'Feedback')
GOAL_ID = Field('goal_id', FieldType('unique_identifier_msgs/msg/UUID'))


@functools.cache
def message_spec(name):
    """MessageSpec of any message class: 'p/msg/N', 'p/srv/N_Request', 'p/action/N_Goal'..."""
    package, kind, base = split_name(name)
    if kind == 'msg':
        return message_definition(f'{package}/{kind}/{base}')
    owner, _, part = base.rpartition('_')
    owner_name = f'{package}/{kind}/{owner}'
    if part == 'Event':
        return _event(name, owner_name)
    if kind == 'action' and owner.endswith(('_SendGoal', '_GetResult')):
        return _action_service(name, owner_name, part)
    if kind == 'action' and part == 'FeedbackMessage':
        return MessageSpec(name, (GOAL_ID, Field('feedback', FieldType(f'{owner_name}_Feedback'))))
    parts = SERVICE_PARTS[:2] if kind == 'srv' else ACTION_PARTS
    if part not in parts:
        raise UnknownInterfaceError(f"'{name}' is no message")
    return _section(name, owner_name, parts.index(part), len(parts))


def is_service(name):
    """Whether 'package/kind/Name' is a service; raises UnknownInterfaceError for no interface."""
    _, kind, base = split_name(name)
    if kind == 'action' and base.endswith(('_SendGoal', '_GetResult')):
        return find_text(name.rpartition('_')[0]) is not None
    return kind == 'srv' and find_text(name) is not None


def is_action(name):
    return split_name(name)[1] == 'action' and find_text(name) is not None


def _section(name, owner_name, index, count):
    from .text import InterfaceTextError, parse_message, sections
    path = find_text(owner_name)
    if path is None:
        from .definitions import from_rosbags
        return from_rosbags(owner_name)  # raises: rosbags has messages only
    texts = sections(path.read_text(encoding='utf-8'))
    if len(texts) != count:
        raise InterfaceTextError(f"{path}: expected {count} sections separated by '---', "
                                 f'found {len(texts)}')
    return parse_message(texts[index], name)


def _event(name, owner_name):
    """Service event: info and at most one request and one response."""
    return MessageSpec(name, (
        Field('info', FieldType('service_msgs/msg/ServiceEventInfo')),
        Field('request', FieldType(f'{owner_name}_Request', 'sequence', 1)),
        Field('response', FieldType(f'{owner_name}_Response', 'sequence', 1))))


def _action_service(name, service_name, part):
    action = service_name.rpartition('_')[0]
    fields = {
        ('SendGoal', 'Request'): (GOAL_ID, Field('goal', FieldType(f'{action}_Goal'))),
        ('SendGoal', 'Response'): (Field('accepted', FieldType('bool')),
                                   Field('stamp', FieldType('builtin_interfaces/msg/Time'))),
        ('GetResult', 'Request'): (GOAL_ID,),
        ('GetResult', 'Response'): (Field('status', FieldType('int8')),
                                    Field('result', FieldType(f'{action}_Result'))),
    }
    return MessageSpec(name, fields[service_name.rpartition('_')[2], part])
