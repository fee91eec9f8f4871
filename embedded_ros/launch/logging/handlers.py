"""Handlers of the standard library whose formatter may depend on the logger."""
import logging
import logging.handlers
import sys


class FormatterForLogger:
    """A handler with a formatter for each logger, and one for all the others."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._formatters = {}

    def setFormatterFor(self, logger, formatter):
        """Use this formatter for the records of one logger."""
        self._formatters[logger.name] = formatter

    def unsetFormatterFor(self, logger):
        """Use the common formatter for this logger again."""
        self._formatters.pop(logger.name, None)

    def format(self, record):
        formatter = self._formatters.get(record.name)
        return formatter.format(record) if formatter is not None else super().format(record)


class Handler(FormatterForLogger, logging.Handler):
    pass


class StreamHandler(FormatterForLogger, logging.StreamHandler):
    pass


class FileHandler(FormatterForLogger, logging.FileHandler):
    pass


class RotatingFileHandler(FormatterForLogger, logging.handlers.RotatingFileHandler):
    pass


class TimedRotatingFileHandler(FormatterForLogger, logging.handlers.TimedRotatingFileHandler):
    pass


class SocketHandler(FormatterForLogger, logging.handlers.SocketHandler):
    pass


class DatagramHandler(FormatterForLogger, logging.handlers.DatagramHandler):
    pass


class SysLogHandler(FormatterForLogger, logging.handlers.SysLogHandler):
    pass


class HTTPHandler(FormatterForLogger, logging.handlers.HTTPHandler):
    pass


class ScreenHandler(StreamHandler):
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
