"""launch_testing as a library: expected output, processes and what they write."""
import re

import launch
from launch.actions import ExecuteProcess
from launch.events.process import ProcessExited, ProcessIO, ProcessStarted
import launch_testing
from launch_testing.asserts import NO_CMD_ARGS, assertExitCodes, assertInStdout, found_end
from launch_testing.util import NoMatchingProcessException, resolveProcesses
import pytest


def details(action, **further):
    return {'action': action, 'name': action.name, 'cmd': action.cmd, 'cwd': None, 'env': None,
            'pid': 7, **further}


@pytest.fixture
def handlers():
    """(three prepared actions, proc_info, proc_output), each with a line of output."""
    actions = [ExecuteProcess(cmd=['/bin/pump', *arguments]) for arguments in ([], ['-f'], ['x'])]
    info, output = launch_testing.ActiveProcInfoHandler(), launch_testing.ActiveIoHandler()
    for action in actions:
        action.prepare(launch.LaunchContext())
        info.append(ProcessStarted(**details(action)))
        output.track(action.name)
        output.append(ProcessIO(text=b'flow 1\r\nflow 2\n', fd=1, **details(action)))
    return actions, info, output


# --- what is expected

@pytest.mark.parametrize(('expected', 'end'), [
    ('two', 7), ('four', None), (re.compile('t[a-z]+'), 7), (['one', 'three'], 13),
    (['three', 'one'], None)])
def test_where_an_expected_text_ends(expected, end):
    assert found_end('one two three', expected) == end


# --- processes and their output

def test_processes_by_name_and_arguments(handlers):
    actions, info, output = handlers
    assert resolveProcesses(info, process='pump', cmd_args=NO_CMD_ARGS) == [actions[0]]
    assert resolveProcesses(output, process='pump', cmd_args='-f') == [actions[1]]
    assert len(resolveProcesses(info, process='pump', strict_proc_matching=False)) == 3
    with pytest.raises(Exception, match=r'Found multiple processes.*pump') as error:
        resolveProcesses(info, process='pump')
    assert not isinstance(error.value, NoMatchingProcessException)
    with pytest.raises(NoMatchingProcessException, match=r'Did not find any processes.*pump-'):
        resolveProcesses(info, process='crane')
    with pytest.raises(NoMatchingProcessException, match='No data recorded for proc ls -l'):
        resolveProcesses(info, process=ExecuteProcess(cmd=['ls', '-l']))
    with pytest.raises(NoMatchingProcessException, match='No data recorded for any process'):
        resolveProcesses(launch_testing.IoHandler())
    with pytest.raises(TypeError, match='proc argument'):
        resolveProcesses(info, process=3)


def test_assertions_on_output(handlers):
    (action, *_), _info, output = handlers
    assertInStdout(output, ['flow 1\n', 'flow 2'], action)
    with pytest.raises(AssertionError, match=r"Did not find 'leak' in output .*pump"):
        assertInStdout(output, 'leak', action)
    with pytest.raises(ValueError, match='output_filter is not callable'):
        assertInStdout(output, 'flow', action, output_filter='no')
    assert output.waitFor('flow 2', process=action, stream='stdout', timeout=0)
    assert not output.waitFor('flow 3', process=action, stream='stdout', timeout=0)
    with pytest.raises(NoMatchingProcessException):
        output.waitFor('flow', process='crane', timeout=0)
    with pytest.raises(KeyError):
        output['crane']


def test_exit_codes_of_all_processes(handlers):
    actions, info, _ = handlers
    assert not info.waitForShutdown(actions[0], timeout=0)
    for action, code in zip(actions, (0, 0, 3), strict=True):
        info.append(ProcessExited(returncode=code, **details(action)))
    assert info['pump'].returncode == 0
    assertExitCodes(info, [0, 3])
    with pytest.raises(AssertionError, match='exited with code 3'):
        assertExitCodes(info)
