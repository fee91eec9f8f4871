"""Logging of launch: the screen, launch.log, and the output of processes."""
from . import handlers
from .formats import LogLevelFormatter
from .launch_config import (
    LaunchConfig,
    LaunchLogger,
    _make_unique_log_dir as _make_unique_log_dir,
    _renew_latest_log_dir as _renew_latest_log_dir,
    get_log_file_handler,
    get_log_file_path,
    get_logger,
    get_logging_directory,
    get_screen_handler,
    launch_config,
    log_launch_config,
    reset,
)
from .output_loggers import get_output_loggers

__all__ = [
    'LaunchConfig', 'LaunchLogger', 'LogLevelFormatter', 'get_log_file_handler',
    'get_log_file_path', 'get_logger', 'get_logging_directory', 'get_output_loggers',
    'get_screen_handler', 'handlers', 'launch_config', 'log_launch_config', 'reset',
]
