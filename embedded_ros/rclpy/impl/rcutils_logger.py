"""Loggers: name, calling line, and whether this call is due."""
import time

from rclpy.impl import log_levels
from rclpy.impl.log_filters import (
    CallerId,
    LoggingFilter,
    Once,
    SkipFirst,
    Throttle,
    apply_filters,
    find_filters as get_filters_from_kwargs,
    options_differ,
    supported_filters,
)
from rclpy.impl.log_outputs import Record, outputs, rosout_sinks
from rclpy.impl.logging_severity import LoggingSeverity


class RcutilsLogger:
    """Logs under its name, 'a.b.c' being a child of 'a.b'.

    The methods give whether the message was logged. Options of all of them: once, skip_first,
    throttle_duration_sec with throttle_time_source_type, each counted per line of source.
    """

    def __init__(self, name=''):
        self.name = name
        self.contexts = {}

    def get_child(self, name):
        """Logger 'own name.name', which inherits the level."""
        if not name:
            raise ValueError('Child logger name must not be empty.')
        return type(self)(f'{self.name}.{name}' if self.name else name)

    def set_level(self, level):
        """Set the lowest severity to log; UNSET inherits."""
        log_levels.set_level(self.name, level)

    def get_effective_level(self):
        return log_levels.effective_level(self.name)

    def is_enabled_for(self, severity):
        return LoggingSeverity(severity) >= log_levels.effective_level(self.name)

    def log(self, message, severity, name=None, **kwargs):
        """Log a str; True if it went out, False if level or filters held it back."""
        severity = LoggingSeverity(severity)
        if severity < log_levels.effective_level(self.name):
            return False
        name = self.name if name is None else name
        filters = get_filters_from_kwargs(kwargs)
        if not isinstance(message, str):
            raise TypeError(f'a log message must be a str, not {type(message).__name__}')
        caller = CallerId()
        context = self.contexts.get(caller)
        if context is None:
            context = {'name': name, 'severity': severity, 'filters': filters}
            for filter_name in filters:
                supported_filters[filter_name].initialize_context(context, **kwargs)
            self.contexts[caller] = context
        elif severity != context['severity']:
            raise ValueError('Logger severity cannot be changed between calls.')
        elif name != context['name']:
            raise ValueError('Logger name cannot be changed between calls.')
        elif filters != context['filters']:
            raise ValueError('Requested logging filters cannot be changed between calls.')
        elif filters and options_differ(context, kwargs):
            raise ValueError('Logging filter parameters cannot be changed between calls.')
        if filters and not apply_filters(context):
            return False
        outputs.write(Record(severity, name, message, time.time_ns(), caller.function_name,
                             caller.file_path, caller.line_number))
        return True

    def debug(self, message, **kwargs):
        return self.log(message, LoggingSeverity.DEBUG, **kwargs)

    def info(self, message, **kwargs):
        return self.log(message, LoggingSeverity.INFO, **kwargs)

    def warning(self, message, **kwargs):
        return self.log(message, LoggingSeverity.WARN, **kwargs)

    warn = warning

    def error(self, message, **kwargs):
        return self.log(message, LoggingSeverity.ERROR, **kwargs)

    def fatal(self, message, **kwargs):
        return self.log(message, LoggingSeverity.FATAL, **kwargs)


__all__ = [
    'CallerId', 'LoggingFilter', 'Once', 'RcutilsLogger', 'SkipFirst', 'Throttle',
    'get_filters_from_kwargs', 'rosout_sinks', 'supported_filters']
