"""Loggers for what processes print."""
import logging
import os

from .handlers import LogLevelFormatter
from .launch_config import LaunchLogger, launch_config

SCREEN, LOG, OWN_LOG = 'screen', 'log', 'own_log'
STYLES = {
    'screen': {'both': {SCREEN}},
    'log': {'both': {LOG}, 'stderr': {SCREEN}},
    'both': {'both': {SCREEN, LOG}},
    'own_log': {'both': {OWN_LOG}, 'stdout': {OWN_LOG}, 'stderr': {OWN_LOG}},
    'full': {'both': {SCREEN, LOG, OWN_LOG}, 'stdout': {OWN_LOG}, 'stderr': {OWN_LOG}},
}


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
