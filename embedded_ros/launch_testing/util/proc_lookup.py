"""Find processes by action, name or arguments."""
from launch.actions import ExecuteProcess
from launch.substitutions import TextSubstitution

NO_CMD_ARGS = object()


class NoMatchingProcessException(Exception):
    """No process, or too many, fit what was asked for."""


def resolveProcesses(info_obj, *, process=None, cmd_args=None, strict_proc_matching=True):
    """Return the process actions that fit.

    info_obj: has processes() and process_names(); process: an ExecuteProcess action, a name or a
    part of one, None for all; cmd_args: what the command line must contain, or NO_CMD_ARGS.
    strict_proc_matching: several that fit are an error; so is none, in any case.
    """
    processes = list(info_obj.processes())
    if process is None:
        return processes
    if isinstance(process, ExecuteProcess):
        found = [candidate for candidate in processes if candidate is process]
        wanted = describe(process)
    elif isinstance(process, str):
        found = [candidate for candidate in processes
                 if process in candidate.process_details['name']]
        wanted = f'"{process}"'
    else:
        raise TypeError('proc argument must be a ExecuteProcess or a str')
    if cmd_args is not None:
        found = [candidate for candidate in found if has_args(candidate, cmd_args)]
    if not found:
        names = ', '.join(info_obj.process_names())
        raise NoMatchingProcessException(
            f'Did not find any processes matching name {wanted}'
            f'{told_args(cmd_args)}. Processes found: {names}')
    if strict_proc_matching and len(found) > 1:
        names = ', '.join(candidate.process_details['name'] for candidate in found)
        raise NoMatchingProcessException(
            f'Found multiple processes matching name {wanted}{told_args(cmd_args)}: {names}')
    return found


def resolveProcess(info_obj, process, cmd_args=None):
    """Return the one process action that fits."""
    return resolveProcesses(info_obj, process=process, cmd_args=cmd_args)[0]


def has_args(process, cmd_args):
    """Return whether the command line has these arguments: a text, or several in this order."""
    arguments = process.process_details['cmd'][1:]
    if cmd_args is NO_CMD_ARGS:
        return not arguments
    if isinstance(cmd_args, str):
        return cmd_args in arguments
    cmd_args = list(cmd_args)
    return any(arguments[start:start + len(cmd_args)] == cmd_args
               for start in range(len(arguments) - len(cmd_args) + 1))


def told_args(cmd_args):
    if cmd_args is None:
        return ''
    return ' and no arguments' if cmd_args is NO_CMD_ARGS else f' and arguments "{cmd_args}"'


def describe(process):
    if process.process_details:
        return f'"{process.process_details["name"]}"'
    parts = [part for argument in process.process_description.cmd for part in argument]
    if all(isinstance(part, TextSubstitution) for part in parts):
        return '"' + ' '.join(part.text for part in parts) + '"'
    return 'Unknown (it was not launched, and its command line holds substitutions)'
