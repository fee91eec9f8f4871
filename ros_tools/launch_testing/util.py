"""A process that keeps a launch alive; processes found by action, name or arguments."""
import sys

from launch.actions import ExecuteLocal, ExecuteProcess
from launch.substitutions import TextSubstitution

NO_CMD_ARGS = object()


class NoMatchingProcessException(Exception):
    """No process fits what was asked for."""


def resolveProcesses(info_obj, *, process=None, cmd_args=None, strict_proc_matching=True):
    """Return the process actions that fit; a NoMatchingProcessException if none does.

    info_obj: has processes() and process_names(); process: an action, a name or a part of one,
    None for all; cmd_args: arguments that the command line must contain, or NO_CMD_ARGS.
    strict_proc_matching: several that fit are an error.
    """
    processes = list(info_obj.processes())
    if process is None:
        if not processes:
            raise NoMatchingProcessException('No data recorded for any process')
        return processes
    if isinstance(process, ExecuteLocal):
        if process not in processes:
            raise NoMatchingProcessException(f'No data recorded for proc {described(process)}')
        return [process]
    if not isinstance(process, str):
        raise TypeError("proc argument must be 'ExecuteProcess' or 'str' "
                        f'not {type(process)}')
    found = [candidate for candidate in processes
             if process in candidate.process_details['name'] and has_args(candidate, cmd_args)]
    known = ', '.join(sorted(described(candidate) for candidate in processes))
    if not found:
        raise NoMatchingProcessException(
            f"Did not find any processes matching name '{process}'"
            f'{args_text(cmd_args)}. Procs: {known}')
    if strict_proc_matching and len(found) > 1:
        raise Exception(f"Found multiple processes matching name '{process}'"
                        f'{args_text(cmd_args)}. Procs: {known}')
    return found


def resolveProcess(info_obj, process, cmd_args=None):
    """Return the one process action that fits."""
    return resolveProcesses(info_obj, process=process, cmd_args=cmd_args)[0]


def has_args(process, cmd_args):
    """Return whether the command line has these arguments: one, or several in any order."""
    arguments = process.process_details['cmd'][1:]
    if cmd_args is None:
        return True
    if cmd_args is NO_CMD_ARGS:
        return not arguments
    wanted = [cmd_args] if isinstance(cmd_args, str) else cmd_args
    return all(argument in arguments for argument in wanted)


def args_text(cmd_args):
    if cmd_args is None:
        return ''
    return ' and no args' if cmd_args is NO_CMD_ARGS else f" and args '{cmd_args}'"


def described(process):
    """Return name and arguments of a process, as far as they are known."""
    if process.process_details:
        return ' '.join([process.process_details['name'], *process.process_details['cmd'][1:]])
    parts = [part for argument in process.process_description.cmd for part in argument]
    if all(isinstance(part, TextSubstitution) for part in parts):
        return ' '.join(''.join(part.text for part in argument)
                        for argument in process.process_description.cmd)
    return 'Unknown (not launched yet, and its command line holds substitutions)'


SCRIPT = ('import signal; ends = {signal.SIGINT, signal.SIGTERM}; '
          'signal.pthread_sigmask(signal.SIG_BLOCK, ends); signal.sigwait(ends)')


class KeepAliveProc(ExecuteProcess):
    """Keeps a launch alive whose other processes have ended, or that has none."""

    def __init__(self):
        super().__init__(cmd=[sys.executable, '-I', '-S', '-c', SCRIPT], name='keep_alive')
