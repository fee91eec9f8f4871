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
    """Collect generators and coroutines, too; a generator beside a lasting launch is two items."""
    if not inspect.isfunction(obj) or not collector.funcnamefilter(name):
        return None
    mark = launch_mark(obj)
    if mark is None:
        return None
    if 'fixture' not in mark.kwargs:
        warnings.warn(pytest.PytestWarning(f'{name}: {NO_FIXTURE}'), stacklevel=1)
        return list(collector._genfunctions(name, pytest.mark.skip(NO_FIXTURE)(obj)))
    obj = pytest.mark.usefixtures(fixture_name(mark))(obj)
    lasting = getattr(mark.kwargs['fixture'], 'launch_scope', 'function') != 'function'
    if not (lasting and is_generator(obj)):
        return list(collector._genfunctions(name, obj))
    first = pytest.Function.from_parent(collector, name=name, callobj=obj)
    second = pytest.Function.from_parent(collector, name=f'{name}[shutdown_test]', callobj=obj)
    second.originalname = name
    second.launch_first_part = first
    return [first, second]


def runs_after_shutdown(item, marker):
    return marker.kwargs.get('shutdown', False) or hasattr(item, 'launch_first_part')


def pytest_collection_modifyitems(items):
    """Put the tests which need the end of a launch behind all others of this launch."""
    def launch_of(item):
        marker = item.get_closest_marker('launch')
        if marker is None or 'fixture' not in marker.kwargs:
            return None, False
        return (item.getparent(pytest.Module), fixture_name(marker)), runs_after_shutdown(
            item, marker)
    last = {launch_of(item)[0]: position for position, item in enumerate(items)
            if launch_of(item)[0] is not None and not launch_of(item)[1]}

    def place(numbered):
        position, item = numbered
        launch, late = launch_of(item)
        return (max(last.get(launch, position), position), late) if late else (position, False)
    items[:] = [item for _, item in sorted(enumerate(items), key=place)]


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
    if hasattr(pyfuncitem, 'launch_first_part'):
        run_second_part(run, getattr(pyfuncitem.launch_first_part, 'launch_generator', None))
        return True
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
        pyfuncitem.launch_generator = result
        if not is_in_two_parts(marker):
            run_second_part(run, result)
    return True


def is_in_two_parts(marker):
    return getattr(marker.kwargs['fixture'], 'launch_scope', 'function') != 'function'


def run_second_part(run, generator):
    """Run what follows the yield."""
    if generator is None:
        pytest.skip('the part before the shutdown of the launch has failed')
    run.shutdown()
    if not advance(run, generator):
        raise RuntimeError('a generator based launch test must stop iteration after yielding once')


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
