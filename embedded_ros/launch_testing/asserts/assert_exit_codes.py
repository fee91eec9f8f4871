"""Exit codes of processes."""
import signal

from ..util.proc_lookup import resolveProcesses

EXIT_OK = 0
EXIT_SIGINT = -signal.SIGINT.value
EXIT_SIGQUIT = -signal.SIGQUIT.value
EXIT_SIGKILL = -signal.SIGKILL.value
EXIT_SIGSEGV = -signal.SIGSEGV.value
EXIT_SIGTERM = -signal.SIGTERM.value
EXIT_FORCED = -signal.SIGABRT.value


def assertExitCodes(proc_info, allowable_exit_codes=(EXIT_OK,), process=None,
                    cmd_args=None, *, strict_proc_matching=True):
    """Raise an AssertionError unless the processes (default: all) ended with an allowed code."""
    for code in allowable_exit_codes:
        if not isinstance(code, int):
            raise TypeError(f'allowable_exit_codes must be integers, got {code!r}')
    allowed = ' or '.join(str(code) for code in allowable_exit_codes)
    for action in resolveProcesses(proc_info, process=process, cmd_args=cmd_args,
                                   strict_proc_matching=strict_proc_matching):
        event = proc_info[action]
        code = getattr(event, 'returncode', None)
        assert code is not None, f'Proc {event.process_name} has not ended'
        assert code in allowable_exit_codes, (
            f'Proc {event.process_name} exited with code {code}, expected {allowed}')
