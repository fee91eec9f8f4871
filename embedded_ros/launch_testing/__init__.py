"""Tests of launched systems: while they run, and after they have ended."""
from . import actions, asserts, event_handlers, markers, tools, util
from .decorator import post_shutdown_test
from .io_handler import ActiveIoHandler, IoHandler
from .parametrize import parametrize
from .proc_info_handler import ActiveProcInfoHandler, ProcInfoHandler
from .ready_aggregator import ReadyAggregator

__all__ = [
    'ActiveIoHandler', 'ActiveProcInfoHandler', 'IoHandler', 'ProcInfoHandler',
    'ReadyAggregator', 'actions', 'asserts', 'event_handlers', 'markers', 'parametrize',
    'post_shutdown_test', 'tools', 'util',
]
