"""Severities of log messages."""
from enum import IntEnum


class LoggingSeverity(IntEnum):
    """Severity of a message, and lowest severity that a logger lets through (UNSET: inherit)."""

    UNSET = 0
    DEBUG = 10
    INFO = 20
    WARN = 30
    ERROR = 40
    FATAL = 50
