"""Processes for tests, and finding processes."""
from .keep_alive_proc import KeepAliveProc
from .proc_lookup import (
    NO_CMD_ARGS,
    NoMatchingProcessException,
    resolveProcess,
    resolveProcesses,
)

__all__ = ['NO_CMD_ARGS', 'KeepAliveProc', 'NoMatchingProcessException', 'resolveProcess',
           'resolveProcesses']
