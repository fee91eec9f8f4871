"""Use `wtf` as alias to `doctor`."""
from ros2cli.verbs.doctor import add_arguments, main

__all__ = ['add_arguments', 'main']
