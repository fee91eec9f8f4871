"""Logging of launch: the screen, launch.log, and the output of processes."""
from .launch_config import (
    LaunchConfig,
    LaunchLogger,
    get_logger,
    get_logging_directory,
    get_output_loggers,
    launch_config,
    log_launch_config,
    reset,
)

__all__ = [
    'LaunchConfig', 'LaunchLogger', 'get_logger', 'get_logging_directory', 'get_output_loggers',
    'launch_config', 'log_launch_config', 'reset',
]
