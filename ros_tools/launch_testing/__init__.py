"""Tests of launched systems: while they run, and after they have ended."""
from ros_tools.missing import missing_in

from . import actions, asserts, markers, util
from .io_handler import ActiveIoHandler, IoHandler
from .markers import parametrize, post_shutdown_test
from .proc_info_handler import ActiveProcInfoHandler, ProcInfoHandler

__all__ = [
    'ActiveIoHandler', 'ActiveProcInfoHandler', 'IoHandler', 'ProcInfoHandler', 'actions',
    'asserts', 'markers', 'parametrize', 'post_shutdown_test', 'util',
]

__getattr__ = missing_in(__name__)
