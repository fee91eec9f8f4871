"""Where log messages go: the console, the log file, /rosout."""
import atexit
from collections import namedtuple
import os
from pathlib import Path
import sys
import time

from rclpy.impl import log_format
from rclpy.impl.logging_severity import LoggingSeverity

Record = namedtuple('Record', 'severity name message stamp function file line')

# Logger name of a node -> callable(severity, name, text, stamp [ns], file, function, line).
rosout_sinks = {}

_COLOURS = {LoggingSeverity.DEBUG: '\x1b[32m', LoggingSeverity.INFO: '\x1b[0m',
            LoggingSeverity.WARN: '\x1b[33m', LoggingSeverity.ERROR: '\x1b[31m',
            LoggingSeverity.FATAL: '\x1b[31m'}
_STDERR, _STDOUT = 2, 1


class Outputs:
    """The outputs of this process; file and switches last from init to shutdown."""

    def __init__(self):
        self.console_to = _STDOUT if os.environ.get('RCUTILS_LOGGING_USE_STDOUT') == '1' \
            else _STDERR
        colours = os.environ.get('RCUTILS_COLORIZED_OUTPUT')
        self.colours = os.isatty(self.console_to) if colours not in ('0', '1') else colours == '1'
        self.format = log_format.formatter(
            os.environ.get('RCUTILS_CONSOLE_OUTPUT_FORMAT') or log_format.DEFAULT)
        self.file = None
        self.reset()

    def reset(self):
        """Back to the console alone."""
        self.console, self.rosout, self.wants_file = True, True, False
        if self.file is not None:
            os.close(self.file)
        self.file = None

    def configure(self, console=True, rosout=True, file=True, file_prefix=''):
        self.reset()
        self.console, self.rosout, self.wants_file = console, rosout, file
        self.file_prefix = file_prefix

    def write(self, record):
        line = self.format(record)
        if self.console:
            shown = f'{_COLOURS[record.severity]}{line}\x1b[0m' if self.colours else line
            _write_all(self.console_to, shown)
        if self.wants_file and self.file is None:
            self._open_file()
        if self.file is not None:
            _write_all(self.file, line)
        if self.rosout and rosout_sinks:
            self._to_rosout(record)

    def _to_rosout(self, record):
        name = record.name
        while name and name not in rosout_sinks:
            name = name.rpartition('.')[0]
        sink = rosout_sinks.get(name)
        if sink is not None:
            sink(int(record.severity), record.name, record.message, record.stamp, record.file,
                 record.function, record.line)

    def _open_file(self):
        self.wants_file = False  # once: a folder that cannot be written is reported once
        prefix = self.file_prefix or os.path.basename(sys.executable or 'python3')
        path = log_directory() / f'{prefix}_{os.getpid()}_{time.time_ns() // 10**6}.log'
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            _write_all(_STDERR, f'cannot write the log file {path}: {error.strerror}')


def log_directory():
    """Folder of the log files: ROS_LOG_DIR, else ROS_HOME/log, else ~/.ros/log."""
    folder = os.environ.get('ROS_LOG_DIR')
    if folder:
        return Path(folder).expanduser()
    return Path(os.environ.get('ROS_HOME') or '~/.ros').expanduser() / 'log'


def _write_all(descriptor, line):
    data = (line + '\n').encode('utf-8', 'backslashreplace')
    try:
        while data:
            data = data[os.write(descriptor, data):]
    except OSError:  # the reader is gone: logging must not end the program
        pass


outputs = Outputs()
atexit.register(outputs.reset)
