"""Formats and handlers of log lines."""
import logging
import os
import sys

SCREEN_FORMATS = {
    'default': '[{levelname}] [{name}]: {msg}',
    'default_with_timestamp': '{created:.7f} [{levelname}] [{name}]: {msg}',
}
LOG_FORMATS = {'default': '{created:.7f} [{levelname}] [{name}]: {msg}'}

RESET = '\033[0m'
LEVEL_COLORS = {
    'DEBUG': '\033[32m', 'INFO': '\033[0m', 'WARNING': '\033[33m',
    'ERROR': '\033[31m', 'CRITICAL': '\033[1;31m',
}


class LogLevelFormatter(logging.Formatter):
    """A formatter in '{' style; `msg` is the whole message, and levels may have colours."""

    def __init__(self, format_string, *, colors=False):
        super().__init__(format_string, style='{', validate=False)
        self.format_string = format_string
        self.colors = colors

    def format(self, record):
        values = dict(record.__dict__)
        values['msg'] = values['message'] = record.getMessage()
        if self.colors:
            color = LEVEL_COLORS.get(record.levelname, RESET)
            values['levelname'] = f'{color}{record.levelname}{RESET}'
        if self.usesTime():
            values['asctime'] = self.formatTime(record, self.datefmt)
        text = self.format_string.format(**values)
        if record.exc_info:
            text += '\n' + self.formatException(record.exc_info)
        return text


def made_formatter(known, variable, colors=False) -> logging.Formatter:
    """Return the default formatter, or the one of an environment variable.

    variable: names a known format, or is a format in '{' style.
    """
    chosen = os.environ.get(variable, '').encode('latin1', 'backslashreplace').decode(
        'unicode_escape') or 'default'
    return LogLevelFormatter(known.get(chosen, chosen), colors=colors)


def supports_color(stream) -> bool:
    """Return whether colours would be shown: a terminal that can."""
    return (getattr(stream, 'isatty', lambda: False)()
            and os.environ.get('TERM', 'dumb') != 'dumb')


class FormatterForLogger:
    """A handler with a formatter for each logger, and one for all the others."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._formatters = {}

    def setFormatterFor(self, logger, formatter):
        """Use this formatter for the records of one logger."""
        self._formatters[logger.name] = formatter

    def format(self, record):
        formatter = self._formatters.get(record.name)
        return formatter.format(record) if formatter is not None else super().format(record)


class FileHandler(FormatterForLogger, logging.FileHandler):
    """Writes to a file."""


class ScreenHandler(FormatterForLogger, logging.StreamHandler):
    """Writes to whatever sys.stdout is at the time of writing."""

    def __init__(self):
        super().__init__(sys.stdout)

    @property
    def stream(self):
        return sys.stdout

    @stream.setter
    def stream(self, value):
        pass

    def handleError(self, record):
        """Say nothing when the reader of the output is gone, as in `ros2 launch ... | head`."""
        if not isinstance(sys.exc_info()[1], BrokenPipeError):
            super().handleError(record)
