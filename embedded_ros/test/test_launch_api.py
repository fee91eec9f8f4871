"""launch as a library: what its classes refuse, return and describe."""
import asyncio
import io
import os
import re
from unittest.mock import Mock, NonCallableMock

import launch
from launch import Action, LaunchContext, LaunchDescription, LaunchService
from launch.actions import (
    EmitEvent,
    ExecuteProcess,
    LogInfo,
    ReplaceEnvironmentVariables,
    SetLaunchConfiguration,
)
from launch.event_handlers import (
    OnExecutionComplete,
    OnProcessExit,
    OnProcessIO,
    OnProcessStart,
)
from launch.events import ExecutionComplete
from launch.events.process import ProcessExited, ProcessIO, ProcessStarted
from launch.frontend import Parser
from launch.frontend.parse_substitution import parse_substitution
from launch.substitutions import (
    AnonName,
    EqualsSubstitution,
    IfElseSubstitution,
    LaunchLogDir,
    NotEqualsSubstitution,
    SubstitutionFailure,
)
from launch.utilities.shutdown_on_process_exit import shutdown_on_process_exit
from launch.utilities.type_utils import coerce_to_type
import pytest


def run(*actions):
    service = LaunchService()
    service.include_launch_description(LaunchDescription(list(actions)))
    return service.run()


def details(action):
    return {'action': action, 'name': 'pump', 'cmd': ['pump'], 'cwd': None, 'env': None, 'pid': 7}


# --- substitutions

@pytest.mark.parametrize(('left', 'right', 'equal'), [
    (None, '', True), (None, 'a', False), (True, 'TRUE', True), (True, 1, True),
    (True, '10', False), ('false', '0', True), (False, '1', False), (2, 2.0, True),
    (10, 10 + 1e-10, True), (10, 10.1, False), ('inf', float('inf'), True),
    ('nan', 'nan', False), ('a', 'a', True), ('a', 1, False)])
def test_texts_numbers_and_truth_values_are_equal(left, right, equal):
    context = LaunchContext()
    for sides in ((left, right), (right, left)):
        assert EqualsSubstitution(*sides).perform(context) == str(equal).lower()
        assert NotEqualsSubstitution(*sides).perform(context) == str(not equal).lower()


def test_the_condition_of_if_else_is_a_yaml_bool():
    for word, chosen in (('on', 'a'), ('1', 'a'), ('no', 'b'), ('0', 'b')):
        assert IfElseSubstitution(word, 'a', 'b').perform(LaunchContext()) == chosen
    with pytest.raises(SubstitutionFailure):
        IfElseSubstitution('2', 'a').perform(LaunchContext())


def test_anonymous_names_are_the_same_within_a_launch():
    context = LaunchContext()
    name = AnonName('crane').perform(context)
    assert re.fullmatch(r'crane_\d+_\d+', name)
    assert AnonName('crane').perform(context) == name != AnonName('pump').perform(context)


def test_both_names_of_the_log_directory():
    for name in ('log_dir', 'launch_log_dir'):
        part, = parse_substitution(f'$({name})')
        assert isinstance(part, LaunchLogDir)


def test_an_empty_text_is_a_text():
    assert coerce_to_type('') == ''
    assert coerce_to_type('1', bool) is True
    with pytest.raises(ValueError, match='Failed to convert'):
        coerce_to_type('', int)


# --- event handlers

@pytest.mark.parametrize(('handler_class', 'option', 'event'), [
    (OnProcessStart, 'on_start', ProcessStarted(**details(Mock(spec=Action)))),
    (OnProcessExit, 'on_exit', ProcessExited(returncode=0, **details(Mock(spec=Action)))),
    (OnProcessIO, 'on_stdout', ProcessIO(text=b'', fd=1, **details(Mock(spec=Action))))])
def test_handlers_of_processes(handler_class, option, event):
    with pytest.raises(TypeError, match=r'action_matcher must be an .* instance or a callable'):
        handler_class(target_action='pump', **{option: Mock()})
    function = Mock()
    handler = handler_class(handle_once=True, **{option: function})
    context = Mock(spec=LaunchContext)
    assert handler.matches(event)
    assert handler.handle(event, context) is function.return_value
    context.unregister_event_handler.assert_called_once_with(handler)
    none = handler_class(target_action=lambda action: False, **{option: function})
    assert not none.matches(event)
    only = handler_class(target_action=Mock(spec=ExecuteProcess), **{option: function})
    assert not only.matches(event)
    assert only.matcher_description.endswith('and ExecuteLocal(event.action)')


def test_entities_of_handlers():
    action = NonCallableMock(spec=Action)
    handler = OnProcessStart(on_start=action)
    event = ProcessStarted(**details(action))
    assert handler.handle(event, Mock(spec=LaunchContext)) == [action]
    assert handler.describe() == ("OnProcessStart(matcher='event == ProcessStarted', "
                                  "handler='<actions>', handle_once=False)", [action])
    with pytest.raises(TypeError):
        OnProcessStart(on_start=NonCallableMock())


def test_the_end_of_an_action():
    one, other = LogInfo(msg='a'), LogInfo(msg='b')
    handler = OnExecutionComplete(target_action=one, on_completion=Mock())
    assert handler.matches(ExecutionComplete(action=one))
    assert not handler.matches(ExecutionComplete(action=other))
    for wrong in ({'target_action': 'a', 'on_completion': Mock()}, {'on_completion': 'a'}):
        with pytest.raises(ValueError, match=r'action_matcher|LaunchDescriptionEntity'):
            OnExecutionComplete(**wrong)


# --- processes and the service

def test_the_launch_configuration_emulate_tty_comes_first():
    for wish, given, expected in (('true', False, 1), ('false', True, 0), (None, True, 1)):
        process = ExecuteProcess(
            cmd=['python3', '-c', 'import sys; sys.exit(sys.stdout.isatty())'],
            emulate_tty=given)
        before = [SetLaunchConfiguration('emulate_tty', wish)] if wish is not None else []
        assert run(*before, process) == 0
        assert process.return_code == expected


def test_a_process_is_named_for_its_prefix():
    process = ExecuteProcess(cmd=['ls'], prefix='nice -n 5')
    process.prepare(LaunchContext())
    assert process.process_details['name'].startswith('nice-')
    assert process.process_details['cmd'] == ['nice', '-n', '5', 'ls']


def test_descriptions_of_processes_and_events():
    process = ExecuteProcess(cmd=['ls', ['-', 'l']], env={'A': 'b'}, shell=True)
    assert process.describe() == (
        "ExecuteProcess(cmd=['ls', '-' + 'l'], cwd=None, env={'A': 'b'}, shell=True)")
    event = launch.events.Shutdown()
    assert EmitEvent(event=event).describe() == "EmitEvent(event='launch.events.Shutdown')"


@pytest.mark.parametrize('text', [
    '<launch><executable cmd="true" sigterm_timeout="7.0" sigkill_timeout="4.0"/></launch>',
    'launch: [executable: {cmd: "true", sigterm_timeout: 7.0, sigkill_timeout: 4.0}]'])
def test_times_in_launch_files(text):
    root, parser = Parser.load(io.StringIO(text))
    process, = parser.parse_description(root).entities
    assert process.sigterm_timeout[0].perform(None) == '7.0'
    assert process.sigkill_timeout[0].perform(None) == '4.0'


def test_a_launch_ends_with_a_process():
    short, long = (ExecuteProcess(cmd=['sleep', time]) for time in ('0.2', '60'))
    assert run(short, long, shutdown_on_process_exit(short)) == 0
    assert (short.return_code, long.return_code) == (0, -2)


def test_shutdown_in_the_loop_of_the_launch():
    async def launch_and_end():
        service = LaunchService()
        assert service.shutdown() is None       # it does not run yet
        running = asyncio.get_running_loop().create_task(
            service.run_async(shutdown_when_idle=False))
        await asyncio.sleep(0.1)
        asyncio.get_running_loop().create_task(service.shutdown())
        return await asyncio.wait_for(running, 20)
    assert asyncio.run(launch_and_end()) == 0


def test_an_environment_from_pairs(monkeypatch):
    monkeypatch.setattr(os, 'environ', os.environ.copy())
    context = LaunchContext()
    ReplaceEnvironmentVariables([('A', 'b'), ('C', 'd')]).visit(context)
    assert context.environment == {'A': 'b', 'C': 'd'}
