"""Plugin of pytest for launch_pytest.

It runs tests marked with @pytest.mark.launch(fixture=..., shutdown=False) beside their launch.  A
generator goes on behind its yield after the launch has ended, a test marked shutdown=True runs
then, a coroutine runs in the loop of the launch.
"""
import inspect
import warnings

import pytest

NO_FIXTURE = '"fixture" keyword argument is required in a pytest.mark.launch() decorator'


def pytest_configure(config):
    config.addinivalue_line(
        'markers', 'launch: for launch_pytest to recognize that the test needs to be run with a '
        'launch')


def fixture_name(marker):
    """Return the name of the fixture a mark asks for."""
    fixture = marker.kwargs['fixture']
    return fixture if isinstance(fixture, str) else fixture.__name__


def launch_mark(function):
    """Return the launch mark of a function, or None."""
    marks = getattr(function, 'pytestmark', [])
    marks = marks if isinstance(marks, list) else [marks]
    return next((mark for mark in marks if mark.name == 'launch'), None)


def is_generator(function):
    return inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function)


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector, name, obj):
    """Collect generators and coroutines, too."""
    if not inspect.isfunction(obj) or not collector.funcnamefilter(name):
        return None
    mark = launch_mark(obj)
    if mark is None:
        return None
    if 'fixture' not in mark.kwargs:
        warnings.warn(pytest.PytestWarning(f'{name}: {NO_FIXTURE}'), stacklevel=1)
        return list(collector._genfunctions(name, pytest.mark.skip(NO_FIXTURE)(obj)))
    scope = getattr(mark.kwargs['fixture'], 'launch_scope', 'function')
    if is_generator(obj) and scope != 'function':
        raise NotImplementedError(f'{name}: a generator beside a launch of scope {scope!r} is not '
                                  'part of ros_tools')
    return list(collector._genfunctions(name, pytest.mark.usefixtures(fixture_name(mark))(obj)))


def run_of_request(request):
    from launch_pytest.fixture import run_of
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
    from launch_pytest.fixture import run_of
    run = run_of(pyfuncitem.funcargs[fixture_name(marker)])
    if marker.kwargs.get('shutdown', False):
        if is_generator(pyfuncitem.obj):
            raise RuntimeError('generator or async generator based launch test items cannot be '
                               'marked with shutdown=True')
        run.shutdown()
    names = pyfuncitem._fixtureinfo.argnames
    result = pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
    if inspect.iscoroutine(result):
        run.call(result)
    elif is_generator(pyfuncitem.obj):
        advance(run, result)
        run.shutdown()
        if not advance(run, result):
            raise RuntimeError('a generator based launch test must stop iteration after yielding '
                               'once')
    return True


def advance(run, generator):
    """Run to the next yield; return whether there is none."""
    try:
        if inspect.isasyncgen(generator):
            run.call(anext(generator))
        else:
            next(generator)
    except (StopIteration, StopAsyncIteration):
        return True
    return False
