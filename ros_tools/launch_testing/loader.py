"""From a module with tests to test runs."""
import functools
import inspect
import unittest

from .actions import ReadyToTest


class TestRun:
    """One launch, the tests during it and after it."""

    __test__ = False        # no test class for pytest

    def __init__(self, name, test_description_function, param_args, pre_shutdown_tests,
                 post_shutdown_tests):
        self.name = name
        self.test_description_function = test_description_function
        self.markers = getattr(test_description_function, '__markers__', {})
        self.param_args = param_args
        self.pre_shutdown_tests = kept_suite(pre_shutdown_tests)
        self.post_shutdown_tests = kept_suite(post_shutdown_tests)
        for test in self.all_cases() if param_args else ():
            name = test._testMethodName
            setattr(test, name + self._format_params(), getattr(test, name))
            test._testMethodName = name + self._format_params()

    def _format_params(self):
        """Return '[value, ...]', or '' without parameters."""
        values = ', '.join(map(str, self.param_args.values()))
        return f'[{values}]' if self.param_args else ''

    def __str__(self):
        return self.name + self._format_params()

    def normalized_test_description(self, *, ready_fn):
        """Return (launch description, dict of values for the tests).

        ready_fn is called by the description's ReadyToTest action; an Exception if it has none.
        """
        result = self.test_description_function()
        description, context = result if isinstance(result, tuple) else (result, {})
        ready = next(ready_actions(description.entities), None)
        if ready is None:
            raise Exception('generate_test_description functions must return a LaunchDescription '
                            'containing a ReadyToTest action')
        ready._add_callback(ready_fn)
        return description, context

    def get_launch_description(self):
        """Return the description, to look at it."""
        return self.normalized_test_description(ready_fn=lambda: None)[0]

    def all_cases(self):
        """Yield all tests."""
        yield from flat(self.pre_shutdown_tests)
        yield from flat(self.post_shutdown_tests)

    def bind(self, tests, injected_attributes=None, injected_args=None):
        """Give values, by name, to tests: as attributes, and as arguments of their methods."""
        values = injected_args or {}
        tests = list(flat(tests))
        for test_class in dict.fromkeys(type(test) for test in tests):
            for name, value in (injected_attributes or {}).items():
                setattr(test_class, name, value)
            for name in ('setUpClass', 'tearDownClass'):
                setattr(test_class, name, bound(getattr(test_class, name), values))
        for test in tests:
            for name in (test._testMethodName, 'setUp', 'tearDown'):
                setattr(test, name, bound(getattr(test, name), values))


def bound(function, values):
    """Return a function that gets the values that its arguments name."""
    names = inspect.signature(function).parameters
    given = {name: value for name, value in values.items() if name in names}
    return functools.update_wrapper(functools.partial(function, **given), function)


def kept_suite(tests):
    """Return a suite that keeps its tests after they have run."""
    suite = unittest.TestSuite(flat(tests))
    suite._cleanup = False
    return suite


def flat(tests):
    """Yield the tests in a suite and in suites below it."""
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def ready_actions(entities):
    """Yield the ReadyToTest actions among entities and all below them."""
    for entity in entities:
        if isinstance(entity, ReadyToTest):
            yield entity
        yield from ready_actions(entity.describe_sub_entities())
        for _, below in entity.describe_conditional_sub_entities():
            yield from ready_actions(below)


def load_suite(module, *, post_shutdown):
    """Return a suite of the test classes that run after (or during) the launch.

    The classes are derived anew, since each run gives them values of its own.
    """
    classes = [value for _, value in sorted(vars(module).items())
               if isinstance(value, type) and issubclass(value, unittest.TestCase)
               and getattr(value, '__post_shutdown_test__', False) == post_shutdown]
    return unittest.TestSuite(
        unittest.defaultTestLoader.loadTestsFromTestCase(type(one.__name__, (one,), {
            '__module__': one.__module__, '__qualname__': one.__qualname__}))
        for one in classes)


def LoadTestsFromPythonModule(module, *, name='launch_tests'):
    """Return the test runs of a module with generate_test_description()."""
    if not hasattr(module, 'generate_test_description'):
        raise AttributeError(f"Test file '{getattr(module, '__file__', name)}' has no function "
                             'generate_test_description()')
    function = module.generate_test_description
    runs = function() if hasattr(function, '__parametrized__') else [(function, {})]
    return [TestRun(name, made, arguments, load_suite(module, post_shutdown=False),
                    load_suite(module, post_shutdown=True)) for made, arguments in runs]
