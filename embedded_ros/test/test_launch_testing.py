"""launch_testing as a library: expected output, processes and what they write."""
import re

import launch
from launch.actions import ExecuteProcess
from launch.events.process import ProcessExited, ProcessStarted, ProcessStderr, ProcessStdout
import launch_testing
from launch_testing.asserts import NO_CMD_ARGS, assertExitCodes, assertInStdout
from launch_testing.tools import ProcessProxy, basic_output_filter, expect_output
from launch_testing.tools.text import build_line_match, build_text_match
from launch_testing.util import NoMatchingProcessException, resolveProcesses
import launch_testing_ros.tools
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
        output.append(ProcessStdout(text=b'flow 1\r\nflow 2\n', **details(action)))
    return actions, info, output


# --- what is expected

@pytest.mark.parametrize(('expected', 'strict', 'span'), [
    ('two', False, (4, 7)), ('four', False, None), ('one two', True, None),
    ('one two three', True, (0, 13)), (re.compile('t[a-z]+'), False, (4, 7)),
    (re.compile('t'), True, None), (['one', 'three'], False, (0, 13)),
    (['three', 'one'], False, None), (['one', ' two'], True, (0, 7)), (['one', 'two'], True, None)])
def test_a_text_is_matched_from_start_to_end(expected, strict, span):
    assert build_text_match(expected, strict=strict)('one two three') == span


@pytest.mark.parametrize(('expected', 'strict', 'span'), [
    ('b', False, (1, 2)), ('b', True, None), (['a', 'c'], False, (0, 3)), (['a', 'c'], True, None),
    ([re.compile('a'), 'b', 'c'], True, (0, 3)), (re.compile('[a-c]'), True, (0, 3))])
def test_lines_are_matched_by_their_numbers(expected, strict, span):
    assert build_line_match(expected, strict=strict)(['a', 'b', 'c']) == span


def test_unknown_kinds_of_expectations():
    for build in (build_text_match, build_line_match):
        with pytest.raises(ValueError, match='Unknown format'):
            build(3)
    with pytest.raises(ValueError, match='must be given'):
        expect_output(expected_text='a', text='a', lines=['a'])


def test_expected_output_and_filters():
    assert expect_output(expected_lines=['a', 'b'], text='a\nb')
    assert expect_output(expected_text='a\nb', lines=['a', 'b'], strict=True)
    assert basic_output_filter()('pid 3\nup\nrc 0\n') == 'up\n'
    assert basic_output_filter(filtered_patterns=['.*noise'])('some noise\nup\n') == 'up\n'


def test_output_of_a_middleware(tmp_path, monkeypatch):
    monkeypatch.setenv('AMENT_PREFIX_PATH', str(tmp_path))
    index = tmp_path / 'share' / 'ament_index' / 'resource_index'
    for kind, line in (('prefixes', 'dds:'), ('patterns', '.*noise')):
        (index / f'rmw_output_{kind}').mkdir(parents=True)
        (index / f'rmw_output_{kind}' / 'rmw_x').write_text(line)
    output = 'pid 3\ndds: a\nsome noise\nup\n'
    assert launch_testing_ros.tools.basic_output_filter(
        filtered_rmw_implementation='rmw_x')(output) == 'up\n'
    assert launch_testing_ros.tools.get_rmw_output_filter('rmw_y', 'patterns') == []
    with pytest.raises(TypeError):
        launch_testing_ros.tools.get_rmw_output_filter('rmw_x', 'suffixes')


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


def test_a_proxy_shows_state_and_output(handlers):
    (action, *_), info, output = handlers
    proxy = ProcessProxy(action, info, output)
    assert proxy.target_process_action is action
    assert proxy.running
    assert not proxy.terminated
    output.append(ProcessStderr(text=b'hot\n', **details(action)))
    assert proxy.stderr == 'hot\n'
    assert proxy.output.endswith('flow 2\nhot\n')
    seen = proxy.wait_for_output(lambda text: 'hot' in text, timeout=0)
    assert seen
    assert 'hot' in repr(seen)
    info.append(ProcessExited(returncode=4, **details(action)))
    assert proxy.terminated
    assert proxy.exit_code == 4
    assert proxy.wait_for_shutdown(timeout=0)
    assert not proxy.wait_for_output(timeout=0)
    for wrong in ([3, info, output], [action, output, info]):
        with pytest.raises(TypeError):
            ProcessProxy(*wrong)
    with pytest.raises(TypeError):
        proxy.wait_for_output('hot')
