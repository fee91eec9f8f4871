"""Frames, how they move against each other, and the errors of asking for it."""
from tf2_py.buffer_core import BufferCore
from tf2_py.exceptions import (
    ConnectivityException,
    ExtrapolationException,
    InvalidArgumentException,
    LookupException,
    TimeoutException,
    TransformException,
)

__all__ = ['BufferCore', 'ConnectivityException', 'ExtrapolationException',
           'InvalidArgumentException', 'LookupException', 'TimeoutException', 'TransformException']
