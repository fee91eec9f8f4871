"""Installs packages, and their messages, into an environment with the wheels of ROS 2."""
from importlib.util import find_spec
import sys


def missing_in(module):
    """A __getattr__ for a module, which names what is not there."""
    def fail(name):
        is_package = '__path__' in vars(sys.modules[module])
        if name.startswith('_') or (is_package and find_spec(f'{module}.{name}')):
            raise AttributeError(f'module {module!r} has no attribute {name!r}')
        raise ImportError(f'{module}.{name} is not part of ros_tools')
    return fail
