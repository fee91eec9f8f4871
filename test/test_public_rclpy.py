"""Our packages use of rclpy what it documents, but for a short list of exceptions."""
import ast
from collections import defaultdict
from pathlib import Path

import pytest
from reserved_names import reserved_names

ROOT = Path(__file__).parents[1]
RESERVED = reserved_names()
OF_OTHERS = {'_asdict', '_exit', '_fields', '_getframe', '_make', '_replace'}
OF_NUMBA = ROOT / 'src/mb_model/mb_model/jit'       # whose insides it knows, see docs/compiling.md
NOT_PUBLIC = {'handle', 'take_message', 'destroy_when_not_in_use'}
ALLOWED = {
    # rclpy has no public way to take a message without a wake of an executor, which costs 300 us.
    ('draining_executor.py', 'handle'), ('draining_executor.py', 'take_message'),
    # MuJoCo has no public way to find its library, or where its models and data are.
    ('mujoco_library.py', '_functions'), ('mujoco_prototype.py', '_address'),
    ('prototype.py', '_address'),
    # It looks into nodes of all our packages, at what has been made of their parameters.
    ('test_managed_nodes.py', '_devices'), ('test_managed_nodes.py', '_reports'),
    ('test_managed_nodes.py', '_setup'), ('test_managed_nodes.py', '_stream')}


def own_names(tree):
    """Every private name that a source defines or sets on its objects."""
    names = set()
    for item in ast.walk(tree):
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(item.name)
        elif isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store):
            names.add(item.id)
        elif isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Store) and (
                _is_self(item.value)):
            names.add(item.attr)
    return {name for name in names if name.startswith('_')}


def _is_self(item):
    return isinstance(item, ast.Name) and item.id in ('self', 'cls')


def uses(tree, inherited, of_package=frozenset()):
    """(line, name) of everything that is not public and not ours.

    A private name is ours on self if any source of ours defines it, as a base class may; on another
    object only if the same source does, or a source of the package that is given.
    """
    own = own_names(tree) | OF_OTHERS
    for item in ast.walk(tree):
        if isinstance(item, ast.ImportFrom) and (item.module or '').startswith('rclpy'):
            for name in [*item.module.split('.'), *(alias.name for alias in item.names)]:
                if name == 'impl' or name.startswith('_'):
                    yield item.lineno, name
        elif isinstance(item, ast.Import):
            yield from ((item.lineno, alias.name) for alias in item.names
                        if alias.name.startswith('rclpy.impl'))
        elif isinstance(item, ast.Attribute) and not item.attr.startswith('__'):
            private = item.attr.startswith('_')
            by_others = private and item.attr in RESERVED and not _is_self(item.value)
            ours = own | (inherited if _is_self(item.value) else of_package)
            if item.attr in NOT_PUBLIC or by_others or (private and item.attr not in ours):
                yield item.lineno, item.attr


@pytest.fixture(scope='module')
def found():
    """(file, name, place) of all that is not public and not ours in our packages."""
    trees = {path: ast.parse(path.read_text()) for path in sorted((ROOT / 'src').rglob('*.py'))
             if path.parent != OF_NUMBA}
    by_package = defaultdict(set)
    for path, tree in trees.items():
        by_package[_package(path)] |= own_names(tree)
    inherited = set().union(*by_package.values())
    found = []
    for path, tree in trees.items():
        place = path.relative_to(ROOT)
        # Tests look into objects of the package they test.
        of_package = by_package[_package(path)] if 'test' in place.parts else set()
        found += [(path.name, name, f'{place}:{line}: {name}')
                  for line, name in uses(tree, inherited, of_package)]
    return found


def _package(path):
    return path.relative_to(ROOT / 'src').parts[0]


def test_only_public_things_of_rclpy_are_used(found):
    assert not [place for file, name, place in found if (file, name) not in ALLOWED]


def test_every_exception_is_needed(found):
    assert {(file, name) for file, name, _ in found} >= ALLOWED


@pytest.mark.parametrize('source', [
    'from rclpy.impl.handle import Handle', 'import rclpy.impl.errors', 'from rclpy import _spin',
    'from rclpy.impl import errors', 'with node.handle: pass', 'node._services', 'self._pending',
    'self.create_subscription()._take', 'rclpy._executor', 'executor._guard', 'self.node._guard',
    "executor._tasks; names = '_tasks'", 'from ours import _tasks; executor._tasks'])
def test_what_is_not_public_is_found(source):
    """Even if other sources of ours have such a name, or this one without defining it."""
    assert list(uses(ast.parse(source), {'_services', '_guard', '_tasks'}))


@pytest.mark.parametrize('source', [
    'class A:\n  def f(self): self._mine = other._mine = node.services', 'self._guard',
    'cls._guard', 'class A:\n  def _f(self, other): other._f()', 'record._asdict()',
    'estimator._filter'])
def test_our_own_private_names_are_free(source):
    assert not list(uses(ast.parse(source), {'_guard'}, {'_filter'}))
