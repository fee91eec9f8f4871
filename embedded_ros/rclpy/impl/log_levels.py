"""Lowest severities of the loggers of this process, by name; '' is the root of all."""
from rclpy.impl.logging_severity import LoggingSeverity

_levels = {'': LoggingSeverity.INFO}
_effective = {}  # what was looked up since the last change


def set_level(name, level):
    """Set the level of a logger (UNSET: it inherits); other values raise ValueError."""
    _levels[name] = LoggingSeverity(level)
    _effective.clear()


def clear():
    """Forget all levels that were set; the root is at INFO again."""
    _levels.clear()
    _levels[''] = LoggingSeverity.INFO
    _effective.clear()


def own_level(name):
    """Level that was set for exactly this logger, else UNSET."""
    return _levels.get(name, LoggingSeverity.UNSET)


def effective_level(name):
    """Level of the logger 'a.b.c', or of its nearest ancestor ('a.b', 'a', '') that has one."""
    level = _effective.get(name)
    if level is None:
        ancestor = name
        while ancestor and not _levels.get(ancestor):
            ancestor = ancestor.rpartition('.')[0]
        level = _effective[name] = _levels[ancestor]
    return level


def severity_from_string(text):
    """Read 'warn', 'WARN'...; RuntimeError for an unknown level."""
    try:
        return LoggingSeverity[text.upper()]
    except KeyError:
        known = ', '.join(level.name for level in LoggingSeverity)
        raise RuntimeError(
            f"failed to get log severity from string '{text}': expected one of {known}") from None
