"""What a Node keeps in attributes is its own: a subclass that replaces one breaks its base.

On ROS 2 that shows late and elsewhere (destroy_node raises, an executor dies); here at once.
"""
import sys
from types import FunctionType

from rclpy.impl.reserved_names import LIFECYCLE_NODE, NODE

_WRAPPED = (FunctionType, staticmethod, classmethod)
_set = object.__setattr__  # found faster than by super(): nodes assign at every message


class OwnAttributes:
    """Refuses what subclasses and others do to the attributes that rclpy's Node has on ROS 2.

    They may override public methods, by methods, and public properties, by properties, and
    assign once more what is there, such as `self._logger = self.get_logger()`.
    """

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        for base in cls.__mro__:
            if not _is_of_rclpy(base.__module__):
                for name in LIFECYCLE_NODE.intersection(vars(base)):
                    _check(cls, name, _overrides, vars(base)[name], base)

    def __setattr__(self, name, value):
        if name in LIFECYCLE_NODE and not _is_called_by_rclpy() and (
                value is None or vars(self).get(name) is not value):
            _check(type(self), name, _may_be_set, value)
        _set(self, name, value)

    def __delattr__(self, name):
        if name in LIFECYCLE_NODE and not _is_called_by_rclpy():
            _check(type(self), name, _may_be_set, vars(self).get(name))
        object.__delattr__(self, name)


def _is_of_rclpy(module):
    return module == 'rclpy' or module.startswith('rclpy.')


def _is_called_by_rclpy():
    frame = sys._getframe(2)
    while frame.f_code.co_name in ('__setattr__', '__delattr__'):  # of a subclass
        frame = frame.f_back
    return _is_of_rclpy(frame.f_globals.get('__name__', ''))


def _check(cls, name, allows, value, owner=None):
    """Raise AttributeError unless a value may take the place of what rclpy has under a name."""
    bases = [base for base in cls.__mro__ if _is_of_rclpy(base.__module__)]
    if name not in NODE and not any(base.__name__ == 'LifecycleNodeMixin' for base in bases):
        return
    own = next((vars(base)[name] for base in bases if name in vars(base)), None)
    if name.startswith('_') or not allows(own, value):
        raise AttributeError(
            f"{(owner or cls).__qualname__}.{name}: '{name}' belongs to rclpy's nodes, which "
            'break on ROS 2 where a subclass assigns it; take another name')


def _overrides(own, value):
    """Whether what stands in the body of a class overrides a method or a property."""
    if isinstance(own, property):
        return isinstance(value, property)
    return callable(value) or isinstance(value, _WRAPPED)


def _may_be_set(own, value):
    """Whether a property can be set, or a function stands for a method, as in tests."""
    if isinstance(own, property):
        return own.fset is not None
    return callable(value)
