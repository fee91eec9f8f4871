"""Tests of launched systems: while they run, and after they have ended."""
from ros_tools import missing_in

from . import actions, asserts, markers, util
from .io_handler import ActiveIoHandler, ActiveProcInfoHandler, IoHandler, ProcInfoHandler
from .markers import parametrize, post_shutdown_test

__all__ = [
    'ActiveIoHandler', 'ActiveProcInfoHandler', 'IoHandler', 'ProcInfoHandler', 'actions',
    'asserts', 'markers', 'parametrize', 'post_shutdown_test', 'util',
]

__getattr__ = missing_in(__name__)
