"""Loggers by name, and their levels."""
from pathlib import Path

from rclpy.impl import log_levels, log_outputs
from rclpy.impl.logging_severity import LoggingSeverity
from rclpy.impl.rcutils_logger import RcutilsLogger

__all__ = [
    'LoggingSeverity', 'clear_config', 'get_logger', 'get_logger_effective_level',
    'get_logger_level', 'get_logging_directory', 'get_logging_severity_from_string', 'initialize',
    'set_logger_level', 'shutdown']

_root_logger = RcutilsLogger()


def get_logger(name):
    """Give the logger of this name; rclpy.init is not needed."""
    if not name:
        raise ValueError('Logger name must not be empty.')
    return _root_logger.get_child(name)


def initialize():
    """Nothing to prepare: logging works from the import on."""


def shutdown():
    """Forget levels, close the log file, take back what the command line switched off."""
    log_outputs.outputs.reset()
    log_levels.clear()


def clear_config():
    """Start again, without the levels and outputs that were set."""
    shutdown()
    initialize()


def set_logger_level(name, level, detailed_error=False):
    """Set the level of a logger; an empty name means all loggers without one of their own."""
    log_levels.set_level(name, level)


def get_logger_effective_level(name):
    """Level of a logger or the nearest ancestor that has one."""
    return log_levels.effective_level(name)


def get_logger_level(name):
    """Level set for exactly this logger, else UNSET."""
    return log_levels.own_level(name)


def get_logging_severity_from_string(log_severity):
    """Read the name of a level in any case; RuntimeError if there is no such level."""
    return log_levels.severity_from_string(log_severity)


def get_logging_directory():
    """Folder that log files are written to."""
    return Path(log_outputs.log_directory())
