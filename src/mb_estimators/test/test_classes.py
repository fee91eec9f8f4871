"""The classes of mb_estimators: shallow, and whole when their constructor ends."""

import ast
from importlib import import_module
import inspect
from pathlib import Path
from pkgutil import walk_packages
from textwrap import dedent

import pytest

import mb_estimators
from mb_estimators.filters.model_filter import ModelFilter

MOST = 2        # classes of ours above one
# What the constructor of filters calls, in this order: the states by what is there BEFORE them, and
# what a family or a preset adds once the records are there
HOOKS = ('_layout', '_channel_records', '_prepare', 'reset')
BEFORE = {'mechanism', 'sensors', 'dt', 'settings', '_g', '_n'}


def classes():
    """Return all classes of mb_estimators."""
    names = [found.name for found in walk_packages(mb_estimators.__path__, 'mb_estimators.')]
    found = {}
    for name in names:
        module = import_module(name)
        found |= {f'{name}.{key}': value for key, value in vars(module).items()
                  if inspect.isclass(value) and value.__module__ == name}
    return found


ALL = classes()


def depth(class_):
    """Return how many classes of our packages are above one, along the longest chain."""
    above = [base for base in class_.__bases__ if base.__module__.startswith('mb_')]
    return max((1 + depth(base) for base in above), default=0)


def calls_of_itself(class_):
    """Return the names of the methods that the constructor of a class calls on itself."""
    if '__init__' not in vars(class_) or not inspect.isfunction(vars(class_)['__init__']):
        return set()
    if vars(class_)['__init__'].__code__.co_filename == '<string>':
        return set()        # of a dataclass
    tree = ast.parse(dedent(inspect.getsource(vars(class_)['__init__'])))
    return {node.func.attr for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name) and node.func.value.id == 'self'}


def overridden(class_, name):
    """Return the subclasses of a class that have another method of a name."""
    return [other.__qualname__ for other in ALL.values()
            if issubclass(other, class_) and other is not class_
            and getattr(other, name, None) is not getattr(class_, name, None)]


def test_all_modules_are_looked_at():
    files = Path(mb_estimators.__file__).parent.glob('filters/*.py')
    named = {name.split('.')[2] for name in ALL if name.startswith('mb_estimators.filters.')}
    stems = {file.stem for file in files}
    assert {'error_ekf', 'unscented', 'kinematic', 'uncertainty'} <= named <= stems


def test_no_class_is_deep():
    assert {name: depth(class_) for name, class_ in ALL.items() if depth(class_) > MOST} == {}


def test_constructors_call_no_method_that_a_subclass_overrides():
    wrong = {(name, method): overridden(class_, method) for name, class_ in ALL.items()
             for method in calls_of_itself(class_)}
    assert wrong                # some call methods
    found = {key: others for key, others in wrong.items() if others}
    assert {(name, method) for name, method in found if method not in HOOKS
            or ALL[name] is not ModelFilter} == set()


def test_the_constructor_of_filters_calls_its_hooks_in_order():
    source = inspect.getsource(ModelFilter.__init__)
    places = [source.index(f'self.{hook}(') for hook in HOOKS]
    assert places == sorted(places)


def attributes(function):
    """Return the attributes of self that a function reads, and which it sets."""
    found = {ast.Load: set(), ast.Store: set()}
    for node in ast.walk(ast.parse(dedent(inspect.getsource(function)))):
        if isinstance(node, ast.Attribute) and getattr(node.value, 'id', '') == 'self':
            found[type(node.ctx)].add(node.attr)
    return found[ast.Load], found[ast.Store]


def missing_at_first(class_):
    """Return the attributes that layout and channels of a filter need before they are there."""
    needed, there, waiting, seen = set(), set(BEFORE), list(HOOKS[:2]), set()
    while waiting:
        name = waiting.pop()
        seen.add(name)
        found = inspect.getattr_static(class_, name)
        function = getattr(found, 'func', None) or getattr(found, 'fget', None) or found
        if not inspect.isfunction(function):
            continue            # a constant of the class
        read, made = attributes(function)
        there |= made
        waiting += [other for other in read if hasattr(class_, other) and other not in seen]
        needed |= {other for other in read if not hasattr(class_, other)}
    return needed - there


def test_layouts_need_nothing_that_is_not_there_yet():
    filters = [class_ for class_ in ALL.values()
               if issubclass(class_, ModelFilter) and class_ is not ModelFilter]
    assert len(filters) > 30
    assert {class_.__qualname__: missing for class_ in filters
            if (missing := missing_at_first(class_))} == {}


def test_a_layout_that_asks_for_a_record_is_found():
    class Early(ModelFilter):
        def _layout(self):
            return self._filters['states']

    assert missing_at_first(Early) == {'_filters'}


@pytest.mark.parametrize(('body', 'found'), [('self.reset()', {'reset'}), ('reset()', set())])
def test_calls_are_found(tmp_path, monkeypatch, body, found):
    (tmp_path / 'constructed.py').write_text(
        f'class Constructed:\n    def __init__(self):\n        {body}\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__('sys').modules, 'constructed', raising=False)
    assert calls_of_itself(import_module('constructed').Constructed) == found
