"""Loggers for what processes print."""
import logging
import os

from .formats import LogLevelFormatter
from .launch_config import LaunchLogger, launch_config

SCREEN, LOG, OWN_LOG = 'screen', 'log', 'own_log'
STYLES = {
    'screen': {'both': {SCREEN}},
    'log': {'both': {LOG}, 'stderr': {SCREEN}},
    'both': {'both': {SCREEN, LOG}},
    'own_log': {'both': {OWN_LOG}, 'stdout': {OWN_LOG}, 'stderr': {OWN_LOG}},
    'full': {'both': {SCREEN, LOG, OWN_LOG}, 'stdout': {OWN_LOG}, 'stderr': {OWN_LOG}},
}
OutputConfig = str | dict[str, str | set[str]]


def normalize_output_configuration(config: OutputConfig) -> dict[str, set[str]]:
    """Return the sinks of 'both', 'stdout' and 'stderr' as sets; a ValueError if unknown."""
    if isinstance(config, str):
        if config not in STYLES:
            raise ValueError(f'{config} is not a valid standard output config '
                             f'i.e. one of: {", ".join(map(repr, STYLES))}')
        config = STYLES[config]
    sinks: dict[str, set[str]] = {'both': set(), 'stdout': set(), 'stderr': set()}
    for source, wanted in config.items():
        if source not in sinks:
            raise ValueError(f'{source} is not a valid output source '
                             "i.e. one of: 'stdout', 'stderr', 'both'")
        wanted = {wanted} if isinstance(wanted, str) else set(wanted)
        unknown = wanted - {SCREEN, LOG, OWN_LOG}
        if unknown:
            raise ValueError(f'{", ".join(sorted(unknown))} are not valid output sinks '
                             "i.e. one of: 'screen', 'log', 'own_log'")
        sinks[source] |= wanted
    return sinks


def get_output_loggers(process_name: str, output_config: OutputConfig,
                       main_log_file_name: str = 'launch.log') -> tuple[LaunchLogger, LaunchLogger]:
    """Return the loggers of stdout and of stderr of a process.

    output_config: 'screen', 'log', 'both', 'own_log', 'full', or a dict from 'stdout', 'stderr',
    'both' to one or a set of the sinks 'screen', 'log', 'own_log'.
    """
    sinks = normalize_output_configuration(
        os.environ.get('OVERRIDE_LAUNCH_PROCESS_OUTPUT') or output_config)
    loggers = []
    for source in ('stdout', 'stderr'):
        logger = LaunchLogger(f'{process_name}-{source}', logging.DEBUG)
        common, own = sinks['both'], sinks[source]
        if SCREEN in common | own:
            logger.addHandler(screen_for(logger))
        if LOG in common | own:
            logger.addHandler(file_for(logger, main_log_file_name, '{created:.7f} {msg}'))
        if OWN_LOG in own:
            logger.addHandler(file_for(logger, f'{process_name}-{source}.log'))
        if OWN_LOG in common:
            logger.addHandler(file_for(logger, f'{process_name}.log'))
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
        loggers.append(logger)
    return loggers[0], loggers[1]


def screen_for(logger: LaunchLogger) -> logging.Handler:
    handler = launch_config.get_screen_handler()
    handler.setFormatterFor(logger, LogLevelFormatter('{msg}'))
    return handler


def file_for(logger: LaunchLogger, file_name: str, line_format: str = '{msg}') -> logging.Handler:
    handler = launch_config.get_log_file_handler(file_name)
    if hasattr(handler, 'setFormatterFor'):
        handler.setFormatterFor(logger, LogLevelFormatter(line_format))
    return handler
