"""The parameters of a node."""
import copy
import warnings

from rclpy.exceptions import (
    InvalidParameterTypeException,
    InvalidParameterValueException,
    ParameterAlreadyDeclaredException,
    ParameterImmutableException,
    ParameterNotDeclaredException,
    ParameterUninitializedException,
)
from rclpy.impl.parameter_rules import refusal, type_refusal, within_depth
from rclpy.parameter import Parameter
from rclpy.validate_parameter_name import validate_parameter_name

PARAMETER_SEPARATOR_STRING = '.'
_NOT_SET = Parameter.Type.NOT_SET


def _results():
    from rcl_interfaces.msg import SetParametersResult
    return SetParametersResult


def _descriptor(**fields):
    from rcl_interfaces.msg import ParameterDescriptor
    return ParameterDescriptor(**fields)


class NodeParameters:
    """Declaring, reading and setting the parameters of a Node."""

    def __init__(self, overrides, allow_undeclared):
        self._parameters = {}  # name -> Parameter; of type NOT_SET while it has no value
        self._descriptors = {}
        self._parameter_overrides = overrides
        self._allow_undeclared_parameters = allow_undeclared
        self._pre_set_parameters_callbacks = []
        self._on_set_parameters_callbacks = []
        self._post_set_parameters_callbacks = []

    # Declaring

    def declare_parameter(self, name, value=None, descriptor=None, ignore_override=False):
        """Declare a parameter by its default value or its type; gives the Parameter."""
        entry = (name,) if value is None and descriptor is None else (name, value, descriptor)
        return self.declare_parameters('', [entry], ignore_override)[0]

    def declare_parameters(self, namespace, parameters, ignore_override=False):
        """Declare (name, [default or type, [descriptor]]) tuples, names prefixed by namespace."""
        entries = [self.__entry(namespace, entry) for entry in parameters]
        known = [name for name, _, _ in entries if name in self._parameters]
        if known:
            raise ParameterAlreadyDeclaredException(known)
        return [self.__declare(*entry, ignore_override) for entry in entries]

    @staticmethod
    def __entry(namespace, entry):
        """(full name, default or type, descriptor) of a declaration."""
        if not isinstance(namespace, str):
            raise TypeError(f'namespace {namespace!r} must be a str')
        if not isinstance(entry, tuple) or not 1 <= len(entry) <= 3:
            raise TypeError(
                f'{entry!r} is no parameter declaration: expected a tuple of a name, a '
                'default value or type, and a descriptor')
        name, value, descriptor = (*entry, *[None] * (3 - len(entry)))
        if not isinstance(name, str):
            raise TypeError(f'parameter name {name!r} must be a str')
        if len(entry) == 1:  # the type is open, as with dynamic_typing
            warnings.warn(
                f"parameter '{name}' is declared with its name only: give it a default value, a "
                'Parameter.Type, or a descriptor with dynamic_typing', stacklevel=4)
            descriptor = _descriptor(dynamic_typing=True)
        elif descriptor is None:
            descriptor = _descriptor()
        elif not isinstance(descriptor, type(_descriptor())):
            raise TypeError(f'descriptor {descriptor!r} of {name} must be a ParameterDescriptor')
        full = f'{namespace}{PARAMETER_SEPARATOR_STRING}{name}' if namespace else name
        validate_parameter_name(full)
        return full, value, copy.copy(descriptor)

    def __declare(self, name, value, descriptor, ignore_override):
        descriptor.name = name
        overrides = {} if ignore_override else self._parameter_overrides
        if _is_unset_value(value):
            value = None
        parameter = self.__initial(name, value, descriptor)
        if name in overrides:
            parameter = Parameter(name, value=overrides[name].value)
        if type_refusal(parameter, descriptor, declaring=True):
            raise InvalidParameterTypeException(parameter, Parameter.Type(descriptor.type).name)
        reason = refusal(parameter, descriptor)
        if reason is None:
            reason = self.__refusal_of_callbacks([parameter])
        if reason is not None:
            raise InvalidParameterValueException(name, parameter.value, reason)
        self._descriptors[name] = descriptor
        self.__store([parameter], declaring=True)
        return parameter

    @staticmethod
    def __initial(name, value, descriptor):
        """The Parameter by its default or type alone; settles the type in the descriptor."""
        if isinstance(value, Parameter.Type):
            if value == _NOT_SET:
                raise ValueError(
                    f"parameter '{name}' cannot be declared with the type NOT_SET")
            if descriptor.dynamic_typing:
                raise ValueError(
                    f"parameter '{name}' is declared with a type, so its descriptor must not say "
                    'dynamic_typing')
            descriptor.type = value.value
            return Parameter(name)
        if value is None and not descriptor.dynamic_typing:
            raise ValueError(
                f"parameter '{name}' is declared with the default None: that needs "
                'dynamic_typing in its descriptor')
        parameter = Parameter(name, value=value)
        descriptor.type = parameter.type_.value
        return parameter

    def undeclare_parameter(self, name):
        """Forget a parameter."""
        self.__require(name)
        if self._descriptors[name].read_only:
            raise ParameterImmutableException(name)
        del self._parameters[name], self._descriptors[name]

    def has_parameter(self, name):
        """Whether a parameter is declared."""
        return name in self._parameters

    def __require(self, name):
        if name not in self._parameters:
            raise ParameterNotDeclaredException(name)

    # Reading

    def get_parameter(self, name):
        """The Parameter of this name."""
        if name not in self._parameters and self._allow_undeclared_parameters:
            return Parameter(name)
        self.__require(name)
        parameter = self._parameters[name]
        if parameter.type_ == _NOT_SET and not self._descriptors[name].dynamic_typing:
            raise ParameterUninitializedException(name)
        return parameter

    def get_parameters(self, names):
        """The Parameters of these names."""
        if not all(isinstance(name, str) for name in names):
            raise TypeError('All names must be instances of type str')
        return [self.get_parameter(name) for name in names]

    def get_parameter_or(self, name, alternative_value=None):
        """The Parameter of this name; where it is not declared or has no value, the other."""
        parameter = self._parameters.get(name)
        if parameter is not None and parameter.type_ != _NOT_SET:
            return parameter
        return Parameter(name) if alternative_value is None else alternative_value

    def get_parameters_by_prefix(self, prefix):
        """{name without prefix: Parameter} of all parameters whose names begin so."""
        if prefix:
            prefix += PARAMETER_SEPARATOR_STRING
        return {name.removeprefix(prefix): parameter
                for name, parameter in self._parameters.items() if name.startswith(prefix)}

    def list_parameters(self, prefixes, depth):
        """Names and their prefixes (ListParametersResult); depth 0 is without limit.

        With prefixes only names below them, and depth counts from there.
        """
        if not isinstance(prefixes, list) or not all(isinstance(p, str) for p in prefixes):
            raise TypeError('The prefixes argument must be a list of str')
        if depth < 0:
            raise ValueError('The depth argument must not be negative')
        from rcl_interfaces.msg import ListParametersResult
        names = [name for name in self._parameters
                 if any(within_depth(name, prefix, depth) for prefix in prefixes or [''])]
        parents = (name.rpartition(PARAMETER_SEPARATOR_STRING)[0] for name in names)
        return ListParametersResult(
            names=names, prefixes=[p for p in dict.fromkeys(parents) if p])

    def get_parameter_type(self, name):
        """The type of a parameter."""
        if name not in self._parameters and self._allow_undeclared_parameters:
            return _NOT_SET
        self.__require(name)
        return self._parameters[name].type_

    def get_parameter_types(self, names):
        """The types of these parameters."""
        if not all(isinstance(name, str) for name in names):
            raise TypeError('All names must be instances of type str')
        return [self.get_parameter_type(name) for name in names]

    def describe_parameter(self, name):
        """The descriptor of a parameter."""
        if name not in self._parameters and self._allow_undeclared_parameters:
            return _descriptor()
        self.__require(name)
        return self._descriptors[name]

    def describe_parameters(self, names):
        """The descriptors of these parameters."""
        return [self.describe_parameter(name) for name in names]

    def set_descriptor(self, name, descriptor, alternative_value=None):
        """Replace the descriptor; where the value does not fit to it, it is replaced as well.

        Gives the value, a ParameterValue.
        """
        if name not in self._parameters and self._allow_undeclared_parameters:
            return self.get_parameter(name).get_parameter_value()
        self.__require(name)
        if self._descriptors[name].read_only:
            raise ParameterImmutableException(name)
        descriptor = copy.copy(descriptor)
        descriptor.name = name
        reason = None
        for parameter in (self._parameters[name], _parameter(name, alternative_value)):
            if parameter is None:
                break
            if descriptor.dynamic_typing:
                descriptor.type = parameter.type_.value
            reason = type_refusal(parameter, descriptor, declaring=True) or refusal(
                parameter, descriptor)
            if reason is None:
                self._descriptors[name], self._parameters[name] = descriptor, parameter
                return parameter.get_parameter_value()
        shown = _parameter(name, alternative_value) or self._parameters[name]
        raise InvalidParameterValueException(name, shown.value, reason)

    # Setting

    def set_parameters(self, parameter_list):
        """Set each Parameter by itself; one SetParametersResult per parameter."""
        _check_parameters(parameter_list)
        return [self.__set_together([parameter]) for parameter in parameter_list]

    def set_parameters_atomically(self, parameter_list):
        """Set all Parameters or, if one is refused, none; one SetParametersResult."""
        _check_parameters(parameter_list)
        return self.__set_together(list(parameter_list))

    def __set_together(self, parameters):
        replacing = list(self._pre_set_parameters_callbacks)
        if replacing:
            parameters = [new for callback in replacing for new in callback(parameters)]
            if not parameters:
                return _results()(successful=False, reason=(
                    'parameter list cannot be empty, this might be due to '
                    'pre_set_parameters_callback modifying the original parameters list.'))
        lost = [parameter.name for parameter in parameters
                if parameter.name not in self._parameters]
        if lost and not self._allow_undeclared_parameters:
            raise ParameterNotDeclaredException(lost)
        for parameter in parameters:
            reason = self.__refusal(parameter)
            if reason:
                return _results()(successful=False, reason=reason)
        reason = self.__refusal_of_callbacks(parameters)
        if reason is not None:
            return _results()(successful=False, reason=reason)
        self.__store(parameters)
        return _results()(successful=True)

    def __refusal(self, parameter):
        """Why the descriptor of a parameter does not let this value be set; None if it does."""
        descriptor = self._descriptors.get(parameter.name)
        if descriptor is None:
            return None
        if descriptor.read_only:
            return f'Trying to set a read-only parameter: {parameter.name}.'
        return type_refusal(parameter, descriptor) or refusal(parameter, descriptor)

    def __refusal_of_callbacks(self, parameters):
        """The reason of the first callback that refuses, None if none does."""
        for callback in list(self._on_set_parameters_callbacks):
            result = callback(parameters)
            if not result.successful:
                return result.reason
        return None

    def __store(self, parameters, declaring=False):
        """Put values in place, publish /parameter_events and call the post-set callbacks."""
        new, changed, deleted = [], [], []
        for parameter in parameters:
            name = parameter.name
            known = self._parameters.get(name)
            if parameter.type_ == _NOT_SET and not declaring:
                self._parameters.pop(name, None)
                self._descriptors.pop(name, None)
                deleted.append(parameter)
                continue
            descriptor = self._descriptors.setdefault(
                name, _descriptor(name=name, dynamic_typing=True))
            self._parameters[name] = parameter
            if parameter.type_ != _NOT_SET:
                descriptor.type = parameter.type_.value
                was_set = known is not None and known.type_ != _NOT_SET
                (changed if was_set else new).append(parameter)
        self.__publish_parameter_event(new, changed, deleted)
        for callback in list(self._post_set_parameters_callbacks):
            callback(parameters)

    def __publish_parameter_event(self, new, changed, deleted):
        from rcl_interfaces.msg import ParameterEvent
        if not (new or changed or deleted):
            return
        event = ParameterEvent(
            stamp=self._clock.now().to_msg(), node=self.get_fully_qualified_name())
        event.new_parameters = [parameter.to_parameter_msg() for parameter in new]
        event.changed_parameters = [parameter.to_parameter_msg() for parameter in changed]
        event.deleted_parameters = [parameter.to_parameter_msg() for parameter in deleted]
        self._parameter_event_publisher.publish(event)

    # Callbacks

    def add_pre_set_parameters_callback(self, callback):
        """Let callback(parameters) give what is set instead, together with other callbacks."""
        self._pre_set_parameters_callbacks.insert(0, callback)

    def add_on_set_parameters_callback(self, callback):
        """Let callback(parameters) give a SetParametersResult; the newest is asked first."""
        self._on_set_parameters_callbacks.insert(0, callback)

    def add_post_set_parameters_callback(self, callback):
        """Call callback(parameters) after each successful change; the newest comes first."""
        self._post_set_parameters_callbacks.insert(0, callback)

    def remove_pre_set_parameters_callback(self, callback):
        self._pre_set_parameters_callbacks.remove(callback)

    def remove_on_set_parameters_callback(self, callback):
        self._on_set_parameters_callbacks.remove(callback)

    def remove_post_set_parameters_callback(self, callback):
        self._post_set_parameters_callbacks.remove(callback)


def _is_unset_value(value):
    """Whether a default is a ParameterValue message without a value."""
    from rcl_interfaces.msg import ParameterValue
    return isinstance(value, ParameterValue) and not value.type


def _parameter(name, value):
    """The Parameter of a ParameterValue, None for none."""
    from rcl_interfaces.msg import Parameter as ParameterMessage
    return None if value is None else Parameter.from_parameter_msg(
        ParameterMessage(name=name, value=value))


def _check_parameters(parameters):
    for parameter in parameters:
        if not isinstance(parameter, Parameter):
            raise TypeError(f"parameter must be instance of type '{Parameter!r}'")
