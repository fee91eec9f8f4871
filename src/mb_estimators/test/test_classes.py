"""The classes of mb_estimators: shallow, and whole when their constructor ends."""

import ast
from importlib import import_module
import inspect
from pathlib import Path
from pkgutil import walk_packages
from textwrap import dedent

import pytest

import mb_estimators

MOST = 2        # classes of ours above one


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
    assert {'error_ekf', 'ukf', 'kinematic', 'uncertainty'} <= named <= {f.stem for f in files}


def test_no_class_is_deep():
    assert {name: depth(class_) for name, class_ in ALL.items() if depth(class_) > MOST} == {}


def test_constructors_call_no_method_that_a_subclass_overrides():
    wrong = {(name, method): overridden(class_, method) for name, class_ in ALL.items()
             for method in calls_of_itself(class_)}
    assert wrong                # some call methods
    assert {key: others for key, others in wrong.items() if others} == {}


@pytest.mark.parametrize(('body', 'found'), [('self.reset()', {'reset'}), ('reset()', set())])
def test_calls_are_found(tmp_path, monkeypatch, body, found):
    (tmp_path / 'constructed.py').write_text(
        f'class Constructed:\n    def __init__(self):\n        {body}\n')
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__('sys').modules, 'constructed', raising=False)
    assert calls_of_itself(import_module('constructed').Constructed) == found
