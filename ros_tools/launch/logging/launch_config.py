"""Where and how the launch logs, common to all its loggers."""
import datetime
import logging
import os
from pathlib import Path
import socket
import sys
from tempfile import TemporaryDirectory
import warnings

from .handlers import (
    LOG_FORMATS,
    SCREEN_FORMATS,
    FileHandler,
    LogLevelFormatter,
    ScreenHandler,
    made_formatter,
    supports_color,
)

SCREEN, LOG, OWN_LOG = 'screen', 'log', 'own_log'
STYLES = {
    'screen': {'both': {SCREEN}},
    'log': {'both': {LOG}, 'stderr': {SCREEN}},
    'both': {'both': {SCREEN, LOG}},
    'own_log': {'both': {OWN_LOG}, 'stdout': {OWN_LOG}, 'stderr': {OWN_LOG}},
    'full': {'both': {SCREEN, LOG, OWN_LOG}, 'stdout': {OWN_LOG}, 'stderr': {OWN_LOG}},
}


class LaunchLogger(logging.Logger):
    """A logger of launch; it does not hand its records to other loggers."""

    def __init__(self, name, level=logging.NOTSET):
        super().__init__(name, level)
        self.propagate = False

    def addHandler(self, hdlr):
        """Add a handler; the screen's and the file's are in a logger of get_logger() already."""
        common = (launch_config.screen_handler, launch_config.file_handlers.get('launch.log'))
        if not (hdlr in common and any(isinstance(one, LazyHandler) for one in self.handlers)):
            super().addHandler(hdlr)


class LaunchConfig:
    """Log directory, level, formats and the handlers made from them."""

    def __init__(self):
        self.reset()

    def reset(self):
        """Forget everything: settings, handlers, the log directory."""
        self._log_dir: str | None = None
        self.level = logging.INFO
        self.screen_handler = None
        self.file_handlers: dict[str, logging.Handler] = {}
        self.screen_formatter = made_formatter(SCREEN_FORMATS, 'OVERRIDE_LAUNCH_SCREEN_FORMAT',
                                               colors=supports_color(sys.stdout))
        self.file_formatter = made_formatter(LOG_FORMATS, 'OVERRIDE_LAUNCH_LOG_FORMAT')

    @property
    def level(self) -> int:
        return self._level

    @level.setter
    def level(self, new_level):
        self._level = new_level
        for logger in launch_loggers():
            logger.setLevel(new_level)

    @property
    def log_dir(self) -> str:
        """The directory of this run's log files, made when it is first asked for."""
        if self._log_dir is None:
            self._log_dir = _make_unique_log_dir(base_path=get_logging_directory())
            try:
                _renew_latest_log_dir(log_dir=self._log_dir)
            except OSError as error:
                warnings.warn(f'Cannot create a symlink to latest log directory: {error}',
                              stacklevel=2)
        return self._log_dir

    def get_log_file_path(self, file_name='launch.log') -> str:
        return os.path.join(self.log_dir, file_name)

    def get_log_file_handler(self, file_name='launch.log') -> logging.Handler:
        """Return the one handler of a log file."""
        if file_name not in self.file_handlers:
            handler = FileHandler(self.get_log_file_path(file_name), encoding='utf-8')
            handler.setFormatter(self.file_formatter)
            self.file_handlers[file_name] = handler
        return self.file_handlers[file_name]

    def get_screen_handler(self) -> logging.Handler:
        """Return the one handler of the screen."""
        if self.screen_handler is None:
            self.screen_handler = ScreenHandler()
            self.screen_handler.setFormatter(self.screen_formatter)
        return self.screen_handler


def _make_unique_log_dir(*, base_path: str) -> str:
    """Make a directory named for time, host and process below base_path; return its path."""
    stamp = datetime.datetime.now().strftime('%Y-%m-%d-%H-%M-%S-%f')
    path = os.path.join(base_path, f'{stamp}-{socket.gethostname()}-{os.getpid()}')
    os.makedirs(path, exist_ok=True)
    return path


def _renew_latest_log_dir(*, log_dir: str) -> bool:
    """Let the link `latest` beside a log directory point to it; return False if it is no link."""
    link = Path(log_dir).parent / 'latest'
    if os.path.lexists(link) and not link.is_symlink():
        return False
    with TemporaryDirectory(prefix='.latest_', dir=link.parent) as folder:
        made = Path(folder) / link.name
        made.symlink_to(log_dir, target_is_directory=True)
        made.replace(link)
    return True


def get_logging_directory() -> str:
    """Return the folder of all log directories: ROS_LOG_DIR, ROS_HOME/log or ~/.ros/log."""
    own = os.environ.get('ROS_LOG_DIR')
    if own:
        return str(Path(own).expanduser())
    home = os.environ.get('ROS_HOME') or os.path.join('~', '.ros')
    return str(Path(home).expanduser() / 'log')


_loggers: dict[str, LaunchLogger] = {}


def launch_loggers():
    """Return the loggers made so far."""
    return list(_loggers.values())


def get_logger(name: str | None = None) -> LaunchLogger:
    """Return the logger of this name, which writes to the screen and to launch.log."""
    name = name or 'root'
    if name not in _loggers:
        logger = LaunchLogger(name, launch_config.level)
        logger.addHandler(LazyHandler())
        _loggers[name] = logger
    return _loggers[name]


class LazyHandler(logging.Handler):
    """Passes records to the screen and to launch.log, which is opened by the first of them."""

    def emit(self, record):
        launch_config.get_screen_handler().handle(record)
        launch_config.get_log_file_handler().handle(record)


launch_config = LaunchConfig.__new__(LaunchConfig)


launch_config.reset()


def reset() -> None:
    """Close all log files and forget all settings and loggers."""
    for handler in launch_config.file_handlers.values():
        handler.close()
    for logger in launch_loggers():
        for handler in list(logger.handlers):
            logger.removeHandler(handler)
    _loggers.clear()
    launch_config.reset()


def log_launch_config(*, logger: logging.Logger = logging.root) -> None:
    """Print where the log files are and which level holds."""
    logger.info(f'All log files can be found below {launch_config.log_dir}')
    logger.info('Default logging verbosity is set to '
                f'{logging.getLevelName(launch_config.level)}')


def get_output_loggers(process_name: str, output_config: str) -> tuple[LaunchLogger, LaunchLogger]:
    """Return the loggers of stdout and of stderr of a process; a ValueError for an unknown style.

    output_config: 'screen', 'log', 'both', 'own_log' or 'full'.
    """
    style = os.environ.get('OVERRIDE_LAUNCH_PROCESS_OUTPUT') or output_config
    if style not in STYLES:
        raise ValueError(f'{style} is not a valid standard output config '
                         f'i.e. one of: {", ".join(map(repr, STYLES))}')
    loggers = []
    for source in ('stdout', 'stderr'):
        logger = LaunchLogger(f'{process_name}-{source}', logging.DEBUG)
        common, own = (STYLES[style].get(name, set()) for name in ('both', source))
        if SCREEN in common | own:
            logger.addHandler(screen_for(logger))
        if LOG in common | own:
            logger.addHandler(file_for(logger, 'launch.log', '{created:.7f} {msg}'))
        if OWN_LOG in own:
            logger.addHandler(file_for(logger, f'{process_name}-{source}.log'))
        if OWN_LOG in common:
            logger.addHandler(file_for(logger, f'{process_name}.log'))
        loggers.append(logger)
    return loggers[0], loggers[1]


def screen_for(logger: LaunchLogger) -> logging.Handler:
    handler = launch_config.get_screen_handler()
    handler.setFormatterFor(logger, LogLevelFormatter('{msg}'))
    return handler


def file_for(logger: LaunchLogger, file_name: str, line_format: str = '{msg}') -> logging.Handler:
    handler = launch_config.get_log_file_handler(file_name)
    handler.setFormatterFor(logger, LogLevelFormatter(line_format))
    return handler
