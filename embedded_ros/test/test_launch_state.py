"""What a launch knows while it runs, and what a description says beforehand."""
import logging
from types import SimpleNamespace

from launch import LaunchContext, LaunchDescription, LaunchDescriptionSource
from launch.actions import (
    DeclareLaunchArgument,
    IncludeLaunchDescription,
    OpaqueCoroutine,
    OpaqueFunction,
)
from launch.events.process import matches_executable, matches_name, matches_pid
import pytest


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


@pytest.mark.parametrize(('matcher', 'matches'), [
    (matches_pid(7), True), (matches_pid(8), False),
    (matches_name('pump-1'), True), (matches_name('pump'), False),
    (matches_executable('/opt/bin/pump'), True), (matches_executable('pump'), True),
    (matches_executable('/opt/bin'), False)])
def test_matchers_of_processes(matcher, matches):
    details = {'pid': 7, 'name': 'pump-1', 'cmd': ['/opt/bin/pump', 'pump-1']}
    assert matcher(SimpleNamespace(process_details=details)) is matches
    assert not matcher(SimpleNamespace(process_details=None))


def test_the_includes_that_lead_to_an_argument():
    top, inner = DeclareLaunchArgument('top'), DeclareLaunchArgument('inner')
    nested = IncludeLaunchDescription(LaunchDescriptionSource(LaunchDescription([inner])))
    include = IncludeLaunchDescription(LaunchDescriptionSource(LaunchDescription([nested])))
    description = LaunchDescription([top, include])
    assert description.get_launch_arguments_with_include_launch_description_actions() == [
        (top, None), (inner, [include, nested])]


@pytest.mark.parametrize(('values', 'reason', 'message'), [
    ({}, 'old', 'deprecated launch description: old'),
    ({}, '', 'deprecated launch description'),
    ({'current_launch_file_path': 'a.py'}, 'old', 'launch file [a.py] is deprecated: old')])
def test_a_deprecated_description(values, reason, message, monkeypatch):
    said = []
    monkeypatch.setattr(logging.Logger, 'warning', lambda logger, text: said.append(text))
    context = LaunchContext()
    context.extend_locals(values)
    assert LaunchDescription(deprecated_reason=reason).visit(context) == []
    assert said == [message]


def test_arguments_of_functions_are_any_iterable():
    async def coroutine():
        pass
    given = []
    context = LaunchContext()
    OpaqueFunction(function=lambda _, *args: given.extend(args), args=iter('ab')).visit(context)
    assert given == ['a', 'b']
    OpaqueCoroutine(coroutine=coroutine, args=iter('ab'))
    for refused in (lambda: OpaqueFunction(function=print, args=1),
                    lambda: OpaqueCoroutine(coroutine=coroutine, args=1)):
        with pytest.raises(TypeError, match='args'):
            refused()
