"""Plugin of pytest for launch_pytest.

It runs tests marked with @pytest.mark.launch(fixture=..., shutdown=False) beside their launch.  A
generator goes on behind its yield after the launch has ended, a test marked shutdown=True runs
then, a coroutine runs in the loop of the launch.
"""
import inspect

import pytest


def pytest_configure(config):
    config.addinivalue_line(
        'markers', 'launch: for launch_pytest to recognize that the test needs to be run with a '
        'launch')


def fixture_name(marker):
    """Return the name of the fixture a mark asks for."""
    if 'fixture' not in marker.kwargs:
        raise pytest.UsageError('pytest.mark.launch needs the argument `fixture`')
    fixture = marker.kwargs['fixture']
    return fixture if isinstance(fixture, str) else fixture.__name__


def launch_mark(function):
    """Return the launch mark of a function, or None."""
    marks = getattr(function, 'pytestmark', [])
    marks = marks if isinstance(marks, list) else [marks]
    return next((mark for mark in marks if mark.name == 'launch'), None)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector, name, obj):
    """Collect generators and coroutines, too."""
    if not inspect.isfunction(obj) or not collector.funcnamefilter(name):
        return None
    mark = launch_mark(obj)
    if mark is None:
        return None
    return list(collector._genfunctions(name, pytest.mark.usefixtures(fixture_name(mark))(obj)))


def run_of_request(request):
    from launch_pytest.launch_run import run_of
    marker = request.node.get_closest_marker('launch')
    if marker is None:
        raise pytest.UsageError('the test needs a mark launch')
    return run_of(request.getfixturevalue(fixture_name(marker)))


@pytest.fixture
def launch_service(request):
    """The launch service of the test's launch."""
    return run_of_request(request).service


@pytest.fixture
def launch_context(launch_service):
    """The context of the test's launch."""
    return launch_service.context


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run a test beside its launch."""
    marker = pyfuncitem.get_closest_marker('launch')
    if marker is None:
        return None
    from launch_pytest.launch_run import run_of
    run = run_of(pyfuncitem.funcargs[fixture_name(marker)])
    names = pyfuncitem._fixtureinfo.argnames
    if marker.kwargs.get('shutdown', False):
        run.shutdown()
    result = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    if inspect.iscoroutine(result):
        run.call(result)
    elif inspect.isgenerator(result):
        next(result)
        run.shutdown()
        expect_end(next(result, None) is None)
    elif inspect.isasyncgen(result):
        run.call(anext(result))
        run.shutdown()
        expect_end(run.call(anext(result, None)) is None)
    return True


def expect_end(ended):
    assert ended, 'a launch test may yield only once'
