"""Collect and run files of launch tests."""
import ast
import pathlib

import pytest

from ..loader import LoadTestsFromPythonModule
from ..test_result import FailResult, SkipResult
from ..test_runner import LaunchTestRunner

ENTRY = 'generate_test_description'


class LaunchTestFailure(Exception):
    """Some test of a file has failed."""

    def __init__(self, message, results):
        super().__init__(message)
        self.results = results

    def __str__(self):
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
            yield str(test)
            yield text


class LaunchTestItem(pytest.Item):
    """All tests of one file, as one item."""

    def __init__(self, parent, *, name, runner_cls=LaunchTestRunner):
        super().__init__(name, parent)
        self.test_runs = None
        self.runner_cls = runner_cls

    @classmethod
    def from_parent(cls, *args, **kwargs):
        return super().from_parent(*args, **kwargs)

    def runtest(self):
        """Launch and test; a LaunchTestFailure unless all is well."""
        runner = self.runner_cls(
            test_runs=LoadTestsFromPythonModule(self.parent.obj, name=self.name),
            launch_file_arguments=self.config.getoption('--launch-args'),
            debug=self.config.getoption('verbose') > 2)
        runner.validate()
        results = runner.run()
        if all(isinstance(result, SkipResult) for result in results.values()):
            pytest.skip('\n'.join(result.skip_reason for result in results.values()))
        if not all(result.wasSuccessful() for result in results.values()):
            raise LaunchTestFailure('some test cases have failed', results)

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, LaunchTestFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f'launch tests: {self.name}'


class LaunchTestModule(pytest.File):
    """A file of launch tests."""

    _obj = None

    @property
    def obj(self):
        """The module, imported when it is first needed."""
        if self._obj is None:
            self._obj = import_module(self.path, self.config)
        return self._obj

    def makeitem(self, *args, **kwargs):
        return LaunchTestItem.from_parent(*args, **kwargs)

    def collect(self):
        entry = getattr(self.obj, ENTRY)
        item = self.makeitem(name=self.path.stem, parent=self)
        for mark in marks_of(entry):
            item.add_marker(getattr(pytest.mark, mark.name)(*mark.args, **mark.kwargs))
        yield item


def marks_of(function):
    marks = getattr(function, 'pytestmark', [])
    return marks if isinstance(marks, list) else [marks]


def import_module(path, config):
    """Return a file as a module, imported as pytest does it."""
    from _pytest.pathlib import import_path
    return import_path(path, mode=config.getoption('importmode'), root=config.rootpath,
                       **consider_namespaces(config))


def consider_namespaces(config):
    """Return an argument which pytest knows since 8.1."""
    try:
        return {'consider_namespace_packages': config.getini('consider_namespace_packages')}
    except (KeyError, ValueError):
        return {}


def find_launch_test_entrypoint(path, config):
    """Return generate_test_description() of a file, or None; files without it are not imported."""
    text = pathlib.Path(path).read_bytes()
    if ENTRY.encode() not in text:
        return None
    try:
        names = {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
        if ENTRY not in names:
            return None
        return getattr(import_module(path, config), ENTRY, None)
    except Exception:
        return None         # pytest's own collection tells what is wrong with the file


def pytest_pycollect_makemodule(module_path, parent):
    entrypoint = find_launch_test_entrypoint(module_path, parent.config)
    if entrypoint is None:
        return None
    return parent.session.gethookproxy(module_path).pytest_launch_collect_makemodule(
        module_path=module_path, parent=parent, entrypoint=entrypoint)


def is_marked(entrypoint, name):
    """Return whether a function has a pytest mark of this name."""
    return any(mark.name == name for mark in marks_of(entrypoint))


def pytest_launch_collect_makemodule(module_path, parent, entrypoint):
    if is_marked(entrypoint, 'launch_test'):
        return LaunchTestModule.from_parent(parent=parent, path=module_path)
    return None
