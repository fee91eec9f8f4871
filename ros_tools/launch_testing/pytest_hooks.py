"""Collect and run files of launch tests."""
import pytest

from .loader import LoadTestsFromPythonModule
from .test_result import FailResult, SkipResult
from .test_runner import LaunchTestRunner


class LaunchTestFailure(Exception):
    """Some test of a file has failed."""

    def __init__(self, message, results):
        super().__init__(message)
        self.message = message
        self.results = results

    def text(self):
        """Return what failed, run by run."""
        return '\n'.join(failure_lines(self.results))


def failure_lines(results):
    """Yield what failed, run by run."""
    for run, result in results.items():
        if result.wasSuccessful():
            continue
        if isinstance(result, FailResult):
            yield f'{run}: {result.message}'
            continue
        yield f"while running test file '{run}':"
        for test, text in [*result.errors, *result.failures]:
            yield f'FAIL: {test.id()}'
            yield text


class LaunchTestItem(pytest.Item):
    """All tests of one file, as one item."""

    def __init__(self, parent, *, name, runner_cls=LaunchTestRunner):
        super().__init__(name, parent)
        self.runner_cls = runner_cls

    def runtest(self):
        """Launch and test; a LaunchTestFailure unless all is well."""
        arguments = [argument for given in self.config.getoption('--launch-args')
                     for argument in given]
        runner = self.runner_cls(
            test_runs=LoadTestsFromPythonModule(self.parent.obj, name=self.name),
            launch_file_arguments=arguments, debug=self.config.getoption('verbose') > 2)
        runner.validate()
        results = runner.run()
        if all(isinstance(result, SkipResult) for result in results.values()):
            pytest.skip('\n'.join(result.skip_reason for result in results.values()))
        if not all(result.wasSuccessful() for result in results.values()):
            raise LaunchTestFailure('some test cases have failed', results)

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, LaunchTestFailure):
            return excinfo.value.text()
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f'launch tests: {self.name}'


class LaunchTestModule(pytest.File):
    """A file of launch tests."""

    @property
    def obj(self):
        """The module, which was imported when the file was collected."""
        from launch_testing_pytest_entrypoint import import_by_path
        return import_by_path(self.path, self.config)

    def makeitem(self, *args, **kwargs):
        return LaunchTestItem.from_parent(*args, **kwargs)

    def collect(self):
        item = self.makeitem(name=self.obj.__name__, parent=self)
        for mark in marks_of(self.obj.generate_test_description):
            item.add_marker(getattr(pytest.mark, mark.name)(*mark.args, **mark.kwargs))
        yield item


def marks_of(function):
    marks = getattr(function, 'pytestmark', [])
    return marks if isinstance(marks, list) else [marks]


def is_marked(entrypoint, name):
    """Return whether a function has a pytest mark of this name."""
    return any(mark.name == name for mark in marks_of(entrypoint))


def pytest_launch_collect_makemodule(module_path, parent, entrypoint):
    if is_marked(entrypoint, 'launch_test'):
        return LaunchTestModule.from_parent(parent=parent, path=module_path)
    return None
