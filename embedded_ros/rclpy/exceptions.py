"""Exceptions of rclpy."""
from rclpy.impl.errors import InvalidHandle

__all__ = [
    'InvalidHandle', 'InvalidNamespaceException', 'InvalidNodeNameException',
    'InvalidParameterException', 'InvalidParameterTypeException', 'InvalidParameterValueException',
    'InvalidServiceNameException', 'InvalidTopicNameException', 'NameValidationException',
    'NoTypeSupportImportedException', 'NotInitializedException',
    'ParameterAlreadyDeclaredException', 'ParameterException', 'ParameterImmutableException',
    'ParameterNotDeclaredException', 'ParameterUninitializedException', 'ROSInterruptException']


class NotInitializedException(Exception):
    """Something needs rclpy.init() first."""

    def __init__(self, *args):
        super().__init__('rclpy.init() has not been called', *args)


class NoTypeSupportImportedException(Exception):
    """A type is no interface class."""

    def __init__(self, *args):
        super().__init__('no type_support imported', *args)


class NameValidationException(Exception):
    """A name breaks the rules; the text points at the first wrong character."""

    def __init__(self, name_type, name, error_msg, invalid_index, *args):
        self.name_type, self.name = name_type, name
        self.error_msg, self.invalid_index = error_msg, invalid_index
        pointer = ' ' * invalid_index + '^'
        super().__init__(
            f"Invalid {name_type}: {error_msg}:\n  '{name}'\n   {pointer}", *args)


class InvalidNamespaceException(NameValidationException):
    def __init__(self, name, error_msg, invalid_index, *args):
        super().__init__('namespace', name, error_msg, invalid_index, *args)


class InvalidNodeNameException(NameValidationException):
    def __init__(self, name, error_msg, invalid_index, *args):
        super().__init__('node name', name, error_msg, invalid_index, *args)


class InvalidTopicNameException(NameValidationException):
    def __init__(self, name, error_msg, invalid_index, *args):
        super().__init__('topic name', name, error_msg, invalid_index, *args)


class InvalidServiceNameException(NameValidationException):
    def __init__(self, name, error_msg, invalid_index, *args):
        super().__init__('service name', name, error_msg, invalid_index, *args)


class ParameterException(Exception):
    """Base of the errors about parameters."""

    def __init__(self, error_msg, parameters, *args):
        super().__init__(f'{error_msg}: {parameters}', parameters, *args)


class ParameterNotDeclaredException(ParameterException):
    """Access to a parameter that was not declared."""

    def __init__(self, parameters, *args):
        super().__init__('Invalid access to undeclared parameter(s)', parameters, *args)


class ParameterAlreadyDeclaredException(ParameterException):
    def __init__(self, parameters, *args):
        super().__init__('Parameter(s) already declared', parameters, *args)


class InvalidParameterException(ParameterException):
    """A parameter's name is not acceptable."""

    def __init__(self, parameter, *args):
        super().__init__('Invalid parameter name', parameter, *args)


class InvalidParameterTypeException(ParameterException):
    """A parameter was given a value of another type than it was declared with."""

    def __init__(self, desired_parameter, expected_type, *args):
        expected = getattr(expected_type, 'name', expected_type)
        super().__init__(
            f"Trying to set parameter '{desired_parameter.name}' to "
            f"'{desired_parameter.value}' of type '{desired_parameter.type_.name}', "
            f"expecting type '{expected}'", desired_parameter.name, *args)


class InvalidParameterValueException(ParameterException):
    """A parameter's value was refused, by its range or a callback."""

    def __init__(self, parameter, value, reason, *args):
        super().__init__(
            f'Invalid parameter value ({value}) for parameter. Reason: {reason}', parameter, *args)


class ParameterImmutableException(ParameterException):
    def __init__(self, parameter, *args):
        super().__init__('Attempted to modify read-only parameter', parameter, *args)


class ParameterUninitializedException(ParameterException):
    """A parameter that was declared with a type only is read before it was set."""

    def __init__(self, parameter, *args):
        super().__init__('The parameter is not initialized', parameter, *args)


class ROSInterruptException(Exception):
    """Waiting was interrupted by a shutdown."""
