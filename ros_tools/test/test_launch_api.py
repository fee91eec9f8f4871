"""launch as a library: what its classes refuse, return and describe."""
import asyncio
import io
from unittest.mock import Mock, NonCallableMock

import launch
from launch import (
    Action,
    LaunchContext,
    LaunchDescription,
    LaunchDescriptionSource,
    LaunchService,
)
from launch.actions import (
    DeclareLaunchArgument,
    EmitEvent,
    ExecuteProcess,
    IncludeLaunchDescription,
    LogInfo,
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
from launch.substitutions import (
    EqualsSubstitution,
    IfElseSubstitution,
    SubstitutionFailure,
)
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


def test_the_condition_of_if_else_is_a_yaml_bool():
    for word, chosen in (('on', 'a'), ('1', 'a'), ('no', 'b'), ('0', 'b')):
        assert IfElseSubstitution(word, 'a', 'b').perform(LaunchContext()) == chosen
    with pytest.raises(SubstitutionFailure):
        IfElseSubstitution('2', 'a').perform(LaunchContext())


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


# --- what a launch knows

def test_local_values_come_before_global_ones():
    context = LaunchContext()
    context.extend_globals({'crane': 'large', 'hook': 'open'})
    context._push_locals()
    context.extend_locals({'crane': 'small'})
    assert (context.locals.crane, context.locals.hook) == ('small', 'open')
    assert context.get_locals_as_dict() == {'crane': 'small', 'hook': 'open'}
    assert context.globals.crane == 'large'
    context._pop_locals()
    assert context.locals.crane == 'large'
    assert context.get_globals_as_dict() == {'crane': 'large', 'hook': 'open'}
    with pytest.raises(AttributeError, match='rope'):
        _ = context.locals.rope
    with pytest.raises(AttributeError, match='read-only'):
        context.locals.crane = 'other'


def test_the_includes_that_lead_to_an_argument():
    top, inner = DeclareLaunchArgument('top'), DeclareLaunchArgument('inner')
    nested = IncludeLaunchDescription(LaunchDescriptionSource(LaunchDescription([inner])))
    include = IncludeLaunchDescription(LaunchDescriptionSource(LaunchDescription([nested])))
    description = LaunchDescription([top, include])
    assert description.get_launch_arguments_with_include_launch_description_actions() == [
        (top, None), (inner, [include, nested])]
