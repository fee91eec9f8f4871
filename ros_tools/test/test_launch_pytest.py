"""Tests beside a launch: kinds of test functions, their order, what is refused."""
import sys

import launch
import launch_pytest
from launch_pytest import tools
import pytest

pytest_plugins = ['pytester']


@launch_pytest.fixture
def system():
    process = launch.actions.ExecuteProcess(
        cmd=[sys.executable, '-uc', 'import signal; print("up"); signal.pause()'],
        cached_output=True)
    return launch.LaunchDescription([process]), process


@pytest.mark.launch(fixture=system, shutdown=True)
def test_after_the_launch(system):
    assert system[1].return_code is not None


@pytest.mark.launch(fixture=system)
def test_generator(system, launch_context):
    assert tools.wait_for_output_sync(launch_context, system[1], lambda text: 'up' in text, 20)
    assert system[1].return_code is None
    yield
    assert system[1].return_code is not None


@pytest.mark.launch(fixture=system)
async def test_coroutine(system, launch_context):
    assert await tools.wait_for_start(launch_context, system[1], 20)
    assert system[1].return_code is None


@pytest.mark.parametrize(('returned', 'body', 'outcome', 'message'), [
    ('object()', 'pass', {'errors': 1}, '*must be either a launch description*'),
    ('LaunchDescription([ReadyToTest(), ReadyToTest()])', 'pass', {'errors': 1},
     '*only one ReadyToTest action*'),
    ('LaunchDescription([])', 'yield; yield', {'failed': 1}, '*after yielding once*'),
    ('LaunchDescription([OpaqueFunction(function=lambda context: 1 / 0)])', 'yield',
     {'failed': 1}, '*ended with an exception: division by zero*'),
])
def test_wrong_use(pytester, returned, body, outcome, message):
    pytester.makepyfile(f"""
        import pytest, launch_pytest
        from launch import LaunchDescription
        from launch.actions import OpaqueFunction
        from launch_pytest.actions import ReadyToTest

        @launch_pytest.fixture
        def description():
            return {returned}

        @pytest.mark.launch(fixture=description)
        def test_case():
            {body}
        """)
    result = pytester.runpytest_subprocess('-p', 'no:cacheprovider')
    result.assert_outcomes(**outcome)
    result.stdout.fnmatch_lines([message])
