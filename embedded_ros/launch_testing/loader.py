"""From a module with tests to test runs."""
import functools
import inspect
import unittest

from .actions.ready import ReadyToTest
from .util.keep_alive_proc import KeepAliveProc

FIXTURES = ('setUp', 'tearDown', 'setUpClass', 'tearDownClass')


class TestRun:
    """One launch, the tests during it and those after it."""

    __test__ = False        # no test class for pytest

    def __init__(self, name, test_description_function, param_args, pre_shutdown_classes,
                 post_shutdown_classes):
        self.name = name
        self.test_description_function = test_description_function
        self.markers = getattr(test_description_function, '__markers__', {})
        self.param_args = param_args
        self._pre_classes = [own_class(one) for one in pre_shutdown_classes]
        self._post_classes = [own_class(one) for one in post_shutdown_classes]
        self.pre_shutdown_tests = suite_of(self._pre_classes)
        self.post_shutdown_tests = suite_of(self._post_classes)

    @property
    def parameters(self):
        """'[value, ...]', or '' without parameters."""
        if not self.param_args:
            return ''
        return f"[{', '.join(str(value) for value in self.param_args.values())}]"

    def __str__(self):
        return self.name + self.parameters

    def normalized_test_description(self, ready_fn=None):
        """Return (launch description, dict of values for the tests).

        The function may take `ready_fn`; otherwise ready_fn is called by its ReadyToTest action.
        """
        function = self.test_description_function
        if 'ready_fn' in inspect.signature(function).parameters:
            result = function(ready_fn=ready_fn or (lambda: None))
        else:
            result = function()
        description, context = result if isinstance(result, tuple) else (result, {})
        if self.markers.get('keep_alive'):
            description.add_action(KeepAliveProc())
        ready = find_ready_action(description.entities)
        if ready is not None and ready_fn is not None:
            ready._add_callback(ready_fn)
        return description, context

    def get_launch_description(self):
        return self.normalized_test_description()[0]

    def has_ready_action(self, description):
        """Return whether something will say that the tests may begin."""
        return (find_ready_action(description.entities) is not None or 'ready_fn' in
                inspect.signature(self.test_description_function).parameters)

    def bind(self, tests, values):
        """Give values, by name, to the tests of a suite: as attributes and as arguments."""
        classes = self._pre_classes if tests is self.pre_shutdown_tests else self._post_classes
        for test_class in classes:
            for name, value in values.items():
                setattr(test_class, name, value)
            methods = unittest.defaultTestLoader.getTestCaseNames(test_class)
            for name in (*methods, *FIXTURES):
                bind_arguments(test_class, name, values)


def own_class(test_class):
    """Return a class of the same name derived from a test class, for the values of one run."""
    return type(test_class.__name__, (test_class,), {
        '__module__': test_class.__module__, '__qualname__': test_class.__qualname__,
        '__doc__': test_class.__doc__})


def suite_of(classes):
    load = unittest.defaultTestLoader.loadTestsFromTestCase
    return unittest.TestSuite(load(one) for one in classes)


def bind_arguments(test_class, name, values):
    """Replace a method that asks for values by one that is given them."""
    base = test_class.__mro__[1]
    is_class_method = isinstance(inspect.getattr_static(base, name), classmethod)
    function = getattr(base, name)
    function = getattr(function, '__func__', function)
    wanted = list(inspect.signature(function).parameters.values())[1:]
    names = [one.name for one in wanted
             if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)]
    given = {one: values[one] for one in names if one in values}
    missing = [one.name for one in wanted if one.name in names and one.name not in values
               and one.default is one.empty]
    if missing:
        raise Exception(f'Test method {test_class.__name__}.{name} asks for unknown arguments: '
                        f"{', '.join(missing)}; known are {', '.join(sorted(values))}")
    if given:
        @functools.wraps(function)
        def bound(self, *args, **kwargs):
            return function(self, *args, **{**given, **kwargs})
        setattr(test_class, name, classmethod(bound) if is_class_method else bound)


def find_ready_action(entities):
    """Return the first ReadyToTest action among entities and all below them."""
    for entity in entities:
        if isinstance(entity, ReadyToTest):
            return entity
        below = list(entity.describe_sub_entities())
        for _, more in entity.describe_conditional_sub_entities():
            below += list(more)
        found = find_ready_action(below)
        if found is not None:
            return found
    return None


def LoadTestsFromPythonModule(module, *, name='launch_tests'):
    """Return the test runs of a module with generate_test_description()."""
    if not hasattr(module, 'generate_test_description'):
        raise AttributeError(f"Test file '{getattr(module, '__file__', name)}' has no function "
                             'generate_test_description()')
    classes = [value for _, value in sorted(vars(module).items())
               if isinstance(value, type) and issubclass(value, unittest.TestCase)]
    post = [one for one in classes if getattr(one, '__post_shutdown_test__', False)]
    pre = [one for one in classes if one not in post]
    function = module.generate_test_description
    runs = getattr(function, '__parametrized__', None)
    described = runs() if runs is not None else [(function, {})]
    markers = getattr(function, '__markers__', {})
    test_runs = [TestRun(name, made, arguments, pre, post) for made, arguments in described]
    for run in test_runs:
        run.markers = {**markers, **run.markers}
    return test_runs
