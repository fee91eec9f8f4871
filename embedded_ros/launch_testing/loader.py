"""From a module with tests to test runs."""
import functools
import inspect
import unittest

from .actions.ready import ReadyToTest
from .util.keep_alive_proc import KeepAliveProc

FIXTURES = ('setUp', 'tearDown', 'setUpClass', 'tearDownClass')
READY_FN = 'ready_fn'


class TestRun:
    """One launch, the tests during it and those after it."""

    __test__ = False        # no test class for pytest

    def __init__(self, name, test_description_function, param_args, pre_shutdown_tests,
                 post_shutdown_tests):
        self.name = name
        self.test_description_function = test_description_function
        self.markers = getattr(test_description_function, '__markers__', {})
        self.param_args = param_args
        self._tests = {True: list(flat(pre_shutdown_tests)),
                       False: list(flat(post_shutdown_tests))}

    @property
    def pre_shutdown_tests(self):
        """A suite of the tests that run during the launch."""
        return unittest.TestSuite(self._tests[True])

    @property
    def post_shutdown_tests(self):
        """A suite of the tests that run after the launch."""
        return unittest.TestSuite(self._tests[False])

    @property
    def skip_reason(self):
        """Why the whole run is to be skipped (unittest.skip), or None."""
        if not getattr(self.test_description_function, '__unittest_skip__', False):
            return None
        return self.test_description_function.__unittest_skip_why__

    @property
    def parameters(self):
        """'[value, ...]', or '' without parameters."""
        if not self.param_args:
            return ''
        return f"[{', '.join(str(value) for value in self.param_args.values())}]"

    def __str__(self):
        return self.name + self.parameters

    def takes_ready_fn(self):
        return READY_FN in inspect.signature(self.test_description_function).parameters

    def normalized_test_description(self, ready_fn=None):
        """Return (launch description, dict of values for the tests).

        The function may take `ready_fn`; otherwise ready_fn is called by its ReadyToTest action.
        """
        if self.takes_ready_fn():
            result = self.test_description_function(ready_fn=ready_fn or (lambda: None))
        else:
            result = self.test_description_function()
        description, context = result if isinstance(result, tuple) else (result, {})
        if self.markers.get('keep_alive'):
            description.add_action(KeepAliveProc())
        if not self.takes_ready_fn() and ready_fn is not None:
            find_ready_action(description.entities)._add_callback(ready_fn)
        return description, context

    def get_launch_description(self):
        return self.normalized_test_description()[0]

    def all_cases(self):
        """Yield all tests."""
        yield from self._tests[True]
        yield from self._tests[False]

    def bind(self, values):
        """Give values, by name, to the tests: as attributes and as arguments of their methods."""
        for test_class in {type(test): None for test in self.all_cases()}:
            if not issubclass(test_class, unittest.TestCase):
                continue
            for name, value in values.items():
                setattr(test_class, name, value)
            methods = unittest.defaultTestLoader.getTestCaseNames(test_class)
            for name in (*methods, *FIXTURES):
                bind_arguments(test_class, name, values)


def flat(tests):
    """Yield the tests in a suite and in those below it."""
    for test in tests:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def bind_arguments(test_class, name, values):
    """Replace a method that asks for values by one that is given them."""
    is_class_method = isinstance(inspect.getattr_static(test_class, name), classmethod)
    function = getattr(test_class, name)
    function = getattr(function, '__func__', function)
    function = getattr(function, '__before_binding__', function)
    wanted = [one for one in list(inspect.signature(function).parameters.values())[1:]
              if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    missing = [one.name for one in wanted if one.name not in values and one.default is one.empty]
    if missing:
        raise Exception(f'Test method {test_class.__name__}.{name} asks for unknown arguments: '
                        f"{', '.join(missing)}; known are {', '.join(sorted(values))}")
    given = {one.name: values[one.name] for one in wanted if one.name in values}
    if given:
        @functools.wraps(function)
        def bound(self, *args, **kwargs):
            return function(self, *args, **{**given, **kwargs})
        bound.__before_binding__ = function
        setattr(test_class, name, classmethod(bound) if is_class_method else bound)


def ready_actions(entities):
    """Yield the ReadyToTest actions among entities and all below them."""
    for entity in entities:
        if isinstance(entity, ReadyToTest):
            yield entity
        yield from ready_actions(entity.describe_sub_entities())
        for _, below in entity.describe_conditional_sub_entities():
            yield from ready_actions(below)


def find_ready_action(entities):
    """Return the first ReadyToTest action among entities and all below them, or None."""
    return next(ready_actions(entities), None)


def load_suite(module, *, post_shutdown):
    """Return a suite of the test classes that run after (or during) the launch."""
    classes = [value for _, value in sorted(vars(module).items())
               if isinstance(value, type) and issubclass(value, unittest.TestCase)
               and getattr(value, '__post_shutdown_test__', False) == post_shutdown]
    return unittest.TestSuite(
        unittest.defaultTestLoader.loadTestsFromTestCase(one) for one in classes)


def LoadTestsFromPythonModule(module, *, name='launch_tests'):
    """Return the test runs of a module with generate_test_description()."""
    if not hasattr(module, 'generate_test_description'):
        raise AttributeError(f"Test file '{getattr(module, '__file__', name)}' has no function "
                             'generate_test_description()')
    function = module.generate_test_description
    runs = getattr(function, '__parametrized__', None)
    test_runs = []
    for made, arguments in runs() if runs is not None else [(function, {})]:
        run = TestRun(name, made, arguments, load_suite(module, post_shutdown=False),
                      load_suite(module, post_shutdown=True))
        run.markers = {**getattr(function, '__markers__', {}), **run.markers}
        test_runs.append(run)
    return test_runs
