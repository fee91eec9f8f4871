"""Handlers of the standard library, all of them, whose formatter may depend on the logger."""
import logging
import logging.handlers
import sys


class FormatterForLogger:
    """A handler with a formatter for each logger, and one for all the others."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self._formatters = {}

    def setFormatterFor(self, logger, formatter):
        """Use this formatter for the records of one logger, given itself or by name."""
        self._formatters[name_of(logger)] = formatter

    def unsetFormatterFor(self, logger):
        """Use the common formatter for this logger again."""
        self._formatters.pop(name_of(logger), None)

    def format(self, record):
        formatter = self._formatters.get(record.name)
        return formatter.format(record) if formatter is not None else super().format(record)


def name_of(logger) -> str:
    return logger if isinstance(logger, str) else logger.name


def with_per_logger_formatting(handler_class: type[logging.Handler]) -> type[logging.Handler]:
    """Return a subclass of a handler with a formatter for each logger."""
    return type(handler_class.__name__, (FormatterForLogger, handler_class),
                {'__doc__': handler_class.__doc__, '__module__': __name__})


def __getattr__(name):
    found = getattr(logging, name, None) or getattr(logging.handlers, name, None)
    if not (isinstance(found, type) and issubclass(found, logging.Handler)):
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return globals().setdefault(name, with_per_logger_formatting(found))


class ScreenHandler(with_per_logger_formatting(logging.StreamHandler)):
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
