"""Formats of log lines, by name or as written by the user."""
import logging
import os

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


def made_formatter(name_or_format, style, known, variable, colors=False) -> logging.Formatter:
    """Return the formatter of a known format, by its name, or of a format in '{', '%' or '$' style.

    variable: an environment variable that overrules both.  A ValueError if a style is given for a
    known format.
    """
    override = os.environ.get(variable)
    if override:
        name_or_format = override.encode('latin1', 'backslashreplace').decode('unicode_escape')
        style = None if name_or_format in known else '{'
    if style is not None and name_or_format in known:
        raise ValueError(f"the format '{name_or_format}' has a style of its own")
    if style in ('%', '$'):
        return logging.Formatter(name_or_format, style=style)
    return LogLevelFormatter(known.get(name_or_format, name_or_format), colors=colors)


def supports_color(stream) -> bool:
    """Return whether colours would be shown: a terminal that can."""
    return (getattr(stream, 'isatty', lambda: False)()
            and os.environ.get('TERM', 'dumb') != 'dumb')
