"""Interface classes by name, made when first asked for."""
import marshal
import threading

from . import cache
from .definitions import find_text, rosbags_file
from .message import NAMESPACE, NUMPY_NAMES, ServiceMeta, module_name, numpy_namespace
from .names import split_name
from .read_source import class_variable

_classes = {}
_lock = threading.RLock()


def get_interface(name):
    """Give the class of 'std_msgs/msg/String', 'std_srvs/srv/Trigger', 'p/srv/Name_Request'...

    A service class has Request, Response and Event, an action class Goal, Result, Feedback and
    Impl, as in ROS 2. Raises UnknownInterfaceError (a LookupError) where there is no such thing.
    """
    cls = _classes.get(name)
    if cls is None:
        with _lock:
            name = '/'.join(split_name(name))
            cls = _classes.get(name) or _make(name)
            _classes[name] = cls
    return cls


def interface_name(cls):
    """Name of a message, service or action class: 'std_msgs/msg/String'."""
    try:
        return cls._NAME
    except AttributeError:
        raise TypeError(f'{cls!r} is no message, service or action class') from None


def type_hash(name):
    """Hash of a message, service or action: 'RIHS01_' and 64 hex digits."""
    return _entry('/'.join(split_name(name)))['hash']


def field_types(name):
    """Fields of a message and their types in the words of IDL, without making its class."""
    return dict(_entry('/'.join(split_name(name)))['fields'])


def is_service_name(name):
    _, kind, base = split_name(name)
    if kind == 'action':
        return base.endswith(('_SendGoal', '_GetResult'))
    return kind == 'srv' and '_' not in base


def is_action_name(name):
    _, kind, base = split_name(name)
    return kind == 'action' and '_' not in base


def _make(name):
    if is_service_name(name):
        return _service(name)
    if is_action_name(name):
        return _action(name)
    entry = _entry(name)
    namespace = dict(NAMESPACE, __name__=module_name(name))
    if entry['numpy']:
        namespace.update(numpy_namespace())
    for nested in entry['nested']:
        namespace[class_variable(nested)] = get_interface(nested)
    exec(marshal.loads(entry['code']), namespace)
    cls = namespace[name.split('/')[2]]
    namespace[class_variable(name)] = cls
    cls._write, cls._read = staticmethod(namespace['write']), staticmethod(namespace['read'])
    return cls


class _Service(ServiceMeta):
    """Service classes; the event class is made when first asked for."""

    def __getattr__(cls, name):  # noqa: N805  the class of a class
        if name != 'Event':
            raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")
        cls.Event = get_interface(f'{cls._NAME}_Event')
        return cls.Event


def _no_instances(self):
    raise NotImplementedError('Service classes can not be instantiated')


def _no_action_instances(self):
    raise NotImplementedError('Action classes can not be instantiated')


def _service(name):
    return _Service(name.split('/')[2], (), {
        '_NAME': name, '__module__': module_name(name), '__init__': _no_instances,
        'Request': get_interface(f'{name}_Request'),
        'Response': get_interface(f'{name}_Response')})


def _action(name):
    implementation = type('Impl', (), {
        'SendGoalService': get_interface(f'{name}_SendGoal'),
        'GetResultService': get_interface(f'{name}_GetResult'),
        'FeedbackMessage': get_interface(f'{name}_FeedbackMessage'),
        'CancelGoalService': get_interface('action_msgs/srv/CancelGoal'),
        'GoalStatusMessage': get_interface('action_msgs/msg/GoalStatusArray')})
    return ServiceMeta(name.split('/')[2], (), {
        '_NAME': name, '__module__': module_name(name), '__init__': _no_action_instances,
        'Goal': get_interface(f'{name}_Goal'), 'Result': get_interface(f'{name}_Result'),
        'Feedback': get_interface(f'{name}_Feedback'), 'Impl': implementation})


def _entry(name):
    """Cached or new {'hash': ..., 'code': marshalled code (messages), 'nested': names}."""
    source = _source_file(name)
    entry = cache.load(name, source)
    if entry is None:
        entry = _generate(name)
        files = {_source_file(other) for other in (name, *entry['all_nested'])}
        cache.save(name, source, files, entry)
    return entry


def _source_file(name):
    """The file that defines a message, or the service or action that it is a part of."""
    package, kind, base = split_name(name)
    if kind != 'msg':
        base = base.split('_')[0]
    return find_text(f'{package}/{kind}/{base}') or rosbags_file()


def _generate(name):
    from .description import type_description, type_hash
    others = type_description(name)['referenced_type_descriptions']
    entry = {'hash': type_hash(name), 'all_nested': [other['type_name'] for other in others]}
    if is_service_name(name) or is_action_name(name):
        return entry
    from .class_source import class_source
    from .derived import message_spec
    from .read_source import ReadSource
    from .write_source import WriteSource
    spec = message_spec(name)
    text = class_source(spec) + '\n' + WriteSource(spec, message_spec).text()
    text += '\n' + ReadSource(spec, message_spec).text()
    code = compile(text, f'<{name}>', 'exec', dont_inherit=True, optimize=0)
    uses_numpy = any(f'{other}(' in text for other in NUMPY_NAMES)
    return {**entry, 'code': marshal.dumps(code), 'nested': entry['all_nested'],
            'numpy': uses_numpy, 'fields': {f.name: f.type.idl for f in spec.fields}}
