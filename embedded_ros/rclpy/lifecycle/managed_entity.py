"""Things that follow the state of their node."""
from functools import wraps

from rclpy.lifecycle.state_machine import TransitionCallbackReturn

_SUCCESS = TransitionCallbackReturn.SUCCESS


class ManagedEntity:
    """Takes part in every transition of its node, and may refuse it."""

    def on_configure(self, state):
        return _SUCCESS

    def on_cleanup(self, state):
        return _SUCCESS

    def on_shutdown(self, state):
        return _SUCCESS

    def on_activate(self, state):
        return _SUCCESS

    def on_deactivate(self, state):
        return _SUCCESS

    def on_error(self, state):
        return _SUCCESS


class SimpleManagedEntity(ManagedEntity):
    """Is on while its node is active."""

    def __init__(self):
        self._enabled = False

    def on_activate(self, state):
        self._enabled = True
        return _SUCCESS

    def on_deactivate(self, state):
        self._enabled = False
        return _SUCCESS

    @property
    def is_activated(self):
        return self._enabled

    @staticmethod
    def when_enabled(wrapped=None, *, when_not_enabled=None):
        """Decorate a method to do nothing (or when_not_enabled) unless its object is on."""
        def decorator(method):
            @wraps(method)
            def only_when_enabled(self, *args, **kwargs):
                if self._enabled:
                    return method(self, *args, **kwargs)
                return None if when_not_enabled is None else when_not_enabled()
            return only_when_enabled
        return decorator if wrapped is None else decorator(wrapped)
